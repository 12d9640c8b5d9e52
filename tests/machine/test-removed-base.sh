#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The base directory is removed or moved while sessions record, below the packaged unit's sandbox: what needs it is refused
# until a reload makes it again, and what recorders have in memory gets into files then.
. "$(dirname "$0")/assert.sh"

is_state() { [ "$(session_property "$1" State)" = "$2" ]; }
journal_since() { journalctl -u perf-recorderd.service --since "$1" -o cat --no-pager; }
remove_base() { # in which a recorder may be making a file
        mv "$BASE" /var/lib/x
        wait_for 30 rm -rf /var/lib/x
}

fresh
write_session cpu '[Record]' Event=cpu-clock Frequency=99 Mode=overwrite
systemctl start perf-recorderd.service
check "a session records" wait_for 30 is_state cpu recording
sleep 1
pid=$(session_pid cpu)
remove_base
check_fails "removed: a dump" perfctl dump cpu
check_match "names the directory and the reload" "base directory $BASE was removed or moved away: run .perfctl reload. or .systemctl reload perf-recorderd." \
        "$(perfctl dump cpu 2>&1)"
check_fails "a restart of the session" perfctl restart cpu
check_match "ping" "^FAIL $BASE .missing." "$(perfctl ping 2>&1)"
check "the session records" is_state cpu recording
check "reload" systemctl reload perf-recorderd.service
check "the directory is there" test -e "$BASE/lock"
check "for root alone" test "$(stat -c '%a %U' "$BASE")" = "700 root"
check "ping is well" perfctl ping
check "dump" perfctl dump cpu
check "the dump is there" sh -c "ls $BASE/session-cpu/perf.data.2*"
check_equal "the recorder is the same" "$pid" "$(session_pid cpu)"

# Its FIFOs have no names, and the next service process has another mount namespace than the recorder.
systemctl restart perf-recorderd.service
check "a restarted daemon finds the recorder" wait_for 30 is_state cpu recording
check_equal "which is the same" "$pid" "$(session_pid cpu)"
check_equal "and answers" "OK   cpu" "$(perfctl ping cpu)"
check "dump after the restart" perfctl dump cpu
remove_base
check "perfctl reload" perfctl reload
check "dump of a recorder that a previous daemon started" perfctl dump cpu
check "the dump is there" sh -c "ls $BASE/session-cpu/perf.data.2*"
check "restart of the session" perfctl restart cpu
check "it records" wait_for 30 is_state cpu recording
check "with its last file" test "$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | wc -l)" -ge 1

# The service is restarted before the directory is back.
pid=$(session_pid cpu)
remove_base
systemctl restart perf-recorderd.service
check "restarted at once: the recorder goes on" wait_for 30 is_state cpu recording
check_equal "and is the same" "$pid" "$(session_pid cpu)"
check "dump" perfctl dump cpu

# It is moved.
mv "$BASE" /var/lib/x
check_match "moved: ping" "^FAIL $BASE .missing." "$(perfctl ping 2>&1)"
check_fails "a dump" perfctl dump cpu
mv /var/lib/x "$BASE"
check "moved back: all is well" perfctl ping
check "dump" perfctl dump cpu
mv "$BASE" /var/lib/x
check "moved again: reload" perfctl reload
check "makes another one" test -e "$BASE/lock"
check_equal "the recorder goes on" "$pid" "$(session_pid cpu)"
check "restart of the session" perfctl restart cpu
check "dump" perfctl dump cpu
check "the dump is there" sh -c "ls $BASE/session-cpu/perf.data.2*"
check "and the old ones where they were" sh -c 'ls /var/lib/x/session-cpu/perf.data.2*'
rm -rf /var/lib/x
check "stop" perfctl stop cpu
check_no_match "no unit of ours is left or failed" 'perf-recorder-directory' "$(systemctl list-units --all --no-legend)"
finish
