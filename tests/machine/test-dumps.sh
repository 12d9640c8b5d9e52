#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Dumps by the bus: made, listed, read, removed, kept within limits; there again after a crash of the daemon, gone when
# somebody removes the file; a full disk is an error, and the next dump works; a directory that vanishes is made again.
. "$(dirname "$0")/assert.sh"

MANAGER=(org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager)
DUMP=org.perfrecorder1.Dump

call() { busctl --timeout=100 call "${MANAGER[@]}" "$@"; }
dump() { # SESSION [OPTIONS…]: prints the dump's object
        local session=$1
        shift
        if [ $# -eq 0 ]; then set -- 0; fi
        call Dump 'asa{sv}' 1 "$session" "$@" | grep -o '/org/perfrecorder1/dump/[^"]*'
}
dump_property() { busctl get-property org.perfrecorder1 "$1" "$DUMP" "$2" | cut -d' ' -f2- | tr -d '"'; }
n_dumps() { busctl get-property "${MANAGER[@]}" NDumps | cut -d' ' -f2; }
has_dumps() { [ "$(n_dumps)" -eq "$1" ]; }
newest() { find "$BASE/session-$1" -name 'perf.data.2*[0-9]' | sort | tail -n 1; }
# Not piped into grep -q, which would leave journalctl writing to nobody.
in_journal() { [ -n "$(journalctl -b -o cat PERF_SESSION=cpu "$@" | head -n 1)" ]; }

fresh
write_session cpu '[Session]' '[Record]' 'Event=cpu-clock' 'Frequency=499' 'AllCPUs=yes' 'Mode=overwrite'
write_session stream '[Session]' 'Run=-e cpu-clock -F 99 -a --switch-output=signal'
check "start" perfctl start
sleep 1

# Made and described.
object=$(dump cpu 1 reason s "it was slow")
check_match "a dump is made" '/dump/cpu_2d[0-9]{16}$' "$object"
path=$(dump_property "$object" Path)
check "its file is there" test -f "$path"
check "perf reads it" perf report --stdio -i "$path"
check_equal "whose it is" cpu "$(dump_property "$object" Session)"
check_equal "its size" "$(stat -c %s "$path")" "$(dump_property "$object" Size)"
check_equal "it is the session's last" "o \"$object\"" \
        "$(busctl get-property org.perfrecorder1 /org/perfrecorder1/session/cpu org.perfrecorder1.Session LastDump)"
check_match "it is listed" "\"$object\" \"cpu\"" "$(call ListDumps as 0)"
check_match "among the objects" "$object" "$(busctl tree org.perfrecorder1)"
check "it can be opened" busctl call org.perfrecorder1 "$object" "$DUMP" Open
other=$(dump stream)
check_match "a stream's file is one too" '/dump/stream_2d[0-9]{16}$' "$other"
check_equal "two of them" 2 "$(n_dumps)"
check "the journal tells" wait_for 30 in_journal "PERF_DUMP=$(basename "$path" | sed 's/^perf.data./cpu-/')"
check_match "all at once" '"cpu" .*"stream" ' "$(call Dump 'asa{sv}' 0 0)"
check "all at once: two more" wait_for 30 has_dumps 4
check_fails "one that does not run" call Dump 'asa{sv}' 1 nosuch 0

# Whoever removes or moves files.
rm "$path"
check "rm by hand is seen" wait_for 30 has_dumps 3
check_fails "its object is gone" busctl get-property org.perfrecorder1 "$object" "$DUMP" Path
check "Remove" busctl call org.perfrecorder1 "$other" "$DUMP" Remove
check "Remove is seen" wait_for 30 has_dumps 2
file=$(newest stream)
mv "$file" /root/away
check "mv is seen" wait_for 30 has_dumps 1
mv /root/away "$file"
check "and back" wait_for 30 has_dumps 2

# The daemon dies, and what comes and goes in the meantime is known to the next one.
kill_daemon() { systemctl kill --kill-whom=main -s KILL perf-recorderd.service; }
pid=$(session_pid cpu)
kill_daemon
rm -f "$(newest stream)"
send USR2 "$pid"
appeared() { [ "$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | wc -l)" -ge 2 ]; }
check "a dump without a daemon" wait_for 30 appeared
check "the next daemon knows" wait_for 30 has_dumps 2
check_equal "the recorder is the same" "$pid" "$(session_pid cpu)"
for _ in 1 2 3; do
        call Dump 'asa{sv}' 1 cpu 0 >/dev/null 2>&1 &
        kill_daemon
        wait $!
done
check "killed in the middle: it works again" wait_for 30 dump cpu
files() { find "$BASE"/session-* -name 'perf.data.2*[0-9]' | wc -l; }
agrees() { [ "$(n_dumps)" -eq "$(files)" ]; }
check "killed in the middle: as many dumps as files" wait_for 30 agrees

# Limits.
mkdir -p /etc/perf-recorder/perf-recorderd.conf.d
printf '[Storage]\nMaxFiles=2\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
check "reload" perfctl reload
for _ in 1 2 3; do
        dump cpu >/dev/null
done
kept() { [ "$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | wc -l)" -eq 2 ]; }
check "MaxFiles: two are left" wait_for 30 kept
check "the journal says why" wait_for 30 sh -c "journalctl -b -o cat PERF_SESSION=cpu | grep -q 'removed: there are more than MaxFiles=2'"
first=$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort | head -n 1)
exec 7<"$first"
dump cpu >/dev/null
dump cpu >/dev/null
check "one that is read stays" test -f "$first"
exec 7<&-
check_equal "the recorder was not restarted for limits" "$pid" "$(session_pid cpu)"

# What is no dump: unfinished files, and directories of sessions that no longer exist.
mkdir -p "$BASE/session-gone"
head -c 4M /dev/zero >"$BASE/session-gone/perf.data"
head -c 4M /dev/zero >"$BASE/session-gone/perf.data.old"
touch "$BASE/session-gone/.#perf.data.2030010100000000"
mkdir "$BASE/session-empty"
printf '[Storage]\nMaxUse=6M\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
check "limits in use by themselves: the previous recording of a gone session is removed" \
        wait_for 30 test ! -e "$BASE/session-gone/perf.data.old"
check "the last one is within them" test -e "$BASE/session-gone/perf.data"
check "an unfinished file is removed" test ! -e "$BASE/session-gone/.#perf.data.2030010100000000"
check "so is an empty directory" wait_for 30 test ! -e "$BASE/session-empty"
printf '[Storage]\nMaxUse=2M\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
check "beyond them it is removed" wait_for 30 test ! -e "$BASE/session-gone/perf.data"
check_equal "no recorder was restarted for that" "$pid" "$(session_pid cpu)"
rm /etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
perfctl reload
check "and its directory when dumps are looked at again" wait_for 30 test ! -e "$BASE/session-gone"

# Others may see, and neither read nor remove.
useradd -m nobody-special 2>/dev/null
object=$(dump cpu)
as_user() { runuser -u nobody-special -- busctl "$@"; }
check "anybody may look" as_user get-property org.perfrecorder1 "$object" "$DUMP" Path
check_fails "but not read" as_user call org.perfrecorder1 "$object" "$DUMP" Open
check_fails "nor remove" as_user call org.perfrecorder1 "$object" "$DUMP" Remove
check_fails "nor dump" as_user call "${MANAGER[@]}" Dump 'asa{sv}' 1 cpu 0
check "it is still there" test -f "$(dump_property "$object" Path)"

# Links lead nowhere.
ln -s /etc/passwd "$BASE/session-cpu/perf.data.2030010100000000"
ln -s "$BASE/session-cpu" "$BASE/session-link"
sleep 0.3
check_no_match "links are no dumps" '2030010100000000|"link"' "$(call ListDumps as 0)"
rm "$BASE/session-link" "$BASE/session-cpu/perf.data.2030010100000000"

# A full disk: an error, what is in memory is kept, and with space again the next dump works.
systemctl stop perf-recorderd.service
mount -t tmpfs -o size=8M,mode=0700 tmpfs "$BASE"
check "start on a small disk" perfctl start cpu
check "which nobody else fills" perfctl stop stream
rm -rf "$BASE/session-stream"
pid=$(session_pid cpu)
sleep 1
head -c 16M /dev/zero >"$BASE/ballast" 2>/dev/null
dump cpu >/dev/null 2>&1
check_equal "a full disk: no dump" "" "$(newest cpu)"
check_match "a full disk: the caller is told" 'space|disk is full' "$(call Dump 'asa{sv}' 1 cpu 0 2>&1)"
check "a full disk: the journal tells" wait_for 30 sh -c "journalctl -b -o cat PERF_SESSION=cpu | grep -q 'No dump for request: uid 0'"
check_match "a full disk: the session has an error" '^the disk is full: no dump was written since ' "$(session_property cpu Error)"
check_equal "a full disk: is-failed" degraded "$(perfctl is-failed)"
rm "$BASE/ballast"
check "with space again it works" wait_for 30 dump cpu
check_equal "and the session has no error" "" "$(session_property cpu Error)"
check_equal "the recorder is the same" "$pid" "$(session_pid cpu)"
check "perf reads that" perf report --stdio -i "$(newest cpu)"
perfctl stop
systemctl stop perf-recorderd.service
umount "$BASE"
check "start" perfctl start

# The directory vanishes.
rm -rf "$BASE/session-cpu"
check "no dump is left" wait_for 30 sh -c "! busctl call ${MANAGER[*]} ListDumps as 1 cpu | grep -q dump/"
pid=$(session_pid cpu)
touch "$BASE/session-cpu"
check_fails "something else is in its place: no dump" dump cpu
check "the daemon answers" call ListDumps as 0
rm "$BASE/session-cpu"
check_match "the next dump works" '/dump/cpu_2d[0-9]{16}$' "$(dump cpu)"
check_equal "the directory is nobody else's" 700 "$(stat -c %a "$BASE/session-cpu")"
rm -rf "$BASE/session-cpu" "$BASE/session-stream"
check_match "it is made again for a dump" '/dump/cpu_2d[0-9]{16}$' "$(dump cpu)"
check "perf reads that" perf report --stdio -i "$(newest cpu)"
check_equal "the recorder is the same" "$pid" "$(session_pid cpu)"
check_match "and for a stream's file" '/dump/stream_2d[0-9]{16}$' "$(dump stream)"
check "perf reads that too" perf report --stdio -i "$(newest stream)"
perfctl restart cpu
check "after a restart of the session it works" wait_for 30 dump cpu
# Whose samples: idle time is apart, and a unit's samples are told by its control group.
fresh
write_session units '[Record]' 'Event=cpu-clock' 'Frequency=199' 'AllCPUs=yes' 'Mode=overwrite' 'SampleFields=cgroup'
check "a session with control groups" perfctl start units
systemd-run --quiet --unit=busy-unit sh -c 'while :; do :; done'
sleep 2
check "its dump" perfctl dump units
small=$(stat -c %s "$(newest units)")
# Names of 13 MB, of which no sample needs one. The unit's is still known, or is read again.
mkdir /sys/fs/cgroup/flood.slice
check "a flood of control groups" perl -e 'for (1 .. 70000) { $d = sprintf "/sys/fs/cgroup/flood.slice/%0150d", $_; mkdir $d or die $!; rmdir $d }'
rmdir /sys/fs/cgroup/flood.slice
check "a dump after it" perfctl dump units
systemctl stop busy-unit.service
check_match "the unit's samples have its name" 'Selected: [1-9]' "$(perfctl info units -u busy-unit)"
check "the dump has none of the others" test "$(stat -c %s "$(newest units)")" -lt $((small + 2000000))
info=$(perfctl info units -u 'busy-*.service')
check_match "a unit's samples" 'Selected: [1-9][0-9]* \([0-9.]+%\)' "$info"
# Until it runs its program it is called "(sh)".
check_equal "are those of its process" 1 "$(sed -n '/Processes:/,/Functions:/p' <<<"$info" | grep -o '\[[0-9]*\]$' | sort -u | wc -l)"
check_match "which is named" 'Processes: +[0-9]+ +[0-9.]+% sh\[' "$info"
check_match "a name without a suffix is a service's" 'Selected: [1-9]' "$(perfctl info units -u busy-unit)"
check_match "no samples of a unit that is not there" 'Selected: 0 ' "$(perfctl info units -u nosuch.service 2>/dev/null)"
check_match "which a remark names" 'none of the [0-9]+ samples matches --unit=nosuch.service$' "$(perfctl info units -u nosuch 2>&1 >/dev/null)"
check_no_match "every process has a name, or at least a number" '4294967295|[?]\[' "$(perfctl info units --full)"

finish
