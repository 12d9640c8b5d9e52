#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What users and what runs in recorders' scopes can do to the service: text that is not UTF-8, output without end, calls
# without end, instances of templates, dumps of many sessions; and that the journal says who did what.
. "$(dirname "$0")/assert.sh"

id ordinary >/dev/null 2>&1 || useradd -m ordinary
MANAGER=(org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager)
pattern=
says() { journalctl -b -o cat --no-pager "$@" | grep -Eq -- "$pattern"; } # by $pattern: matches of journalctl
soon() { # DESCRIPTION MILLISECONDS COMMAND…: succeeds within that time
        local description=$1 limit=$2 begin msec
        shift 2
        begin=$(now_msec)
        check "$description" timeout 60 "$@"
        msec=$(($(now_msec) - begin))
        check "$description: soon" test "$msec" -le "$limit"
}

# Text.
fresh
wrong=$(printf 'é%.0s' {1..150})
write_session text '[Session]' 'Enabled=no' 'Restart=no' "Run=-e a$wrong"
write_session plain '[Session]' 'Enabled=no' 'Run=-e cpu-clock -F 10 -C 0'
check "start" perfctl start plain
soon "a start whose reason is cut is answered" 20000 bash -c '! perfctl start text'
check_match "the list" 'text +failed' "$(perfctl list --no-pager)"
check "all properties" perfctl show text
check "all objects" busctl call org.perfrecorder1 /org/perfrecorder1 org.freedesktop.DBus.ObjectManager GetManagedObjects
printf '#!/bin/sh\nprintf "raw \\377\\033[m byte\\n"\nexec sleep 1000\n' >/run/raw
chmod +x /run/raw
write_session raw '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Command=/run/raw'
check "start of what writes raw bytes" perfctl start raw
pattern='^raw: raw .+ byte$' check "its line is in the journal" wait_for 30 says PERF_SESSION=raw
perfctl stop raw

# Output without end.
write_session flood '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Frequency=10' 'Command=/usr/bin/yes'
check "start of a command that writes without end" perfctl start flood
largest=0
for _ in {1..20}; do
        size=$(stat -c %s "$BASE/session-flood/output")
        [ "$size" -gt "$largest" ] && largest=$size
        sleep 0.1
done
check "its output is bounded" test "$largest" -lt $((256 << 20))
soon "list" 3000 perfctl list --no-pager
soon "ping of another" 3000 perfctl ping plain
soon "stop of it" 15000 perfctl stop flood
pattern='lines of its output suppressed' check "what was left out is counted" wait_for 30 says PERF_SESSION=flood
lines=$(journalctl -b -o cat --no-pager PERF_SESSION=flood | wc -l)
check "the journal has few of its lines" test "$lines" -lt 3000

# Calls of one user: the recorder does not answer, and each ping may take a minute. More than 64 at the same time are refused.
write_session hung '[Session]' 'Enabled=no' 'Run=-e cpu-clock -F 10 -C 0'
check "start of one that will hang" perfctl start hung
hung=$(session_pid hung)
send STOP "$hung"
callers=()
for _ in {1..200}; do
        setpriv --reuid=ordinary --regid=ordinary --clear-groups busctl --timeout=100 call "${MANAGER[@]}" Ping ast 1 hung 60000000 \
                >/dev/null 2>&1 &
        callers+=($!)
done
n_waiting() { # itself is in the list, too
        local n
        n=$(busctl list --no-pager --no-legend | grep -c ' busctl ')
        [ "$n" -ge 64 ] && [ "$n" -le 66 ]
}
check "of two hundred pings of a user 64 are under way" wait_for 60 n_waiting
soon "root notices nothing" 3000 perfctl ping plain
soon "nor does another user" 3000 setpriv --reuid=nobody --regid=nogroup --clear-groups perfctl ping plain
check_match "the user hears why" 'Too many calls of your user are under way' \
        "$(setpriv --reuid=ordinary --regid=ordinary --clear-groups perfctl ping plain 2>&1)"
kill "${callers[@]}" 2>/dev/null
wait "${callers[@]}" 2>/dev/null
soon "nor does anybody when they leave" 3000 perfctl ping plain
check_match "a dump that takes long says so on a terminal" 'Still waiting for the dump' \
        "$(script -qec 'perfctl dump --timeout=4s hung' /dev/null </dev/null)"
check_fails "and ends with its --timeout=" perfctl dump --timeout=100ms hung
send CONT "$hung"
check "the recorder answers again" perfctl ping hung

# All objects, which are half a megabyte and more, many times for a user who reads none of it. Calls are answered one after the
# other, so each that is not refused delays root's.
if [ -x "$(dirname "$0")/bus-flood" ]; then
        install "$(dirname "$0")/bus-flood" /usr/local/bin
        description=$(printf 'x%.0s' {1..1500})
        for i in {1..300}; do printf '[Session]\nEnabled=no\nDescription=%s\nRun=-a\n' "$description" >"$SESSIONS/object$i.session"; done
        check "many sessions" perfctl reload
        objects=(busctl call org.perfrecorder1 /org/perfrecorder1 org.freedesktop.DBus.ObjectManager GetManagedObjects)
        check "are a large answer" test "$("${objects[@]}" | wc -c)" -gt $((512 << 10))
        daemon=$(systemctl show -P MainPID perf-recorderd.service)
        setpriv --reuid=ordinary --regid=ordinary --clear-groups bus-flood 4 120 >/run/flood.log &
        flood=$!
        check "a user asks for it many times" wait_for 30 grep -q sent /run/flood.log
        soon "root's calls are answered" 15000 perfctl --timeout=30s ping plain
        soon "those for all objects too" 15000 "${objects[@]}"
        limit=$((200 << 10))
        ! grep -q libasan "/proc/$daemon/maps" || limit=$((limit + (512 << 10))) # it keeps what was freed, 256 MB and what surrounds it
        check "the service does not grow with what the user leaves unread" \
                test "$(awk '/^VmRSS/ { print $2 }' "/proc/$daemon/status")" -lt "$limit"
        kill "$flood"
        wait "$flood" 2>/dev/null
        rm "$SESSIONS"/object*.session
        check "and goes on" perfctl ping plain
else
        echo "ok - a flood of calls # SKIP there is no compiler"
fi

# Instances of templates.
write_session 'unit@' '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Unit=%i'
write_session 'many@' '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Frequency=5' 'BufferSize=64K' 'Mode=overwrite' 'CPU=0'
perfctl stop
before=$(busctl get-property "${MANAGER[@]}" NSessions)
for i in {1..20}; do perfctl start "unit@nosuch$i.service" 2>/dev/null; done
n_sessions() { [ "$(busctl get-property "${MANAGER[@]}" NSessions)" = "$before" ]; }
check "instances that cannot start are forgotten" wait_for 30 n_sessions

# Dumps of many.
names=$(printf 'many@%s ' {1..20})
# shellcheck disable=SC2086
{
        check "start of twenty" perfctl start $names
        check_equal "a dump of twenty" 20 "$(perfctl dump $names | wc -l)"
        check_match "more descriptors than a message carries are refused" 'DumpObjects' \
                "$(busctl call "${MANAGER[@]}" Dump 'asa{sv}' 20 $names 0 2>&1)"
        check "and the service stays on the bus" perfctl ping many@1
        perfctl stop $names
}
pattern='The connection to the bus ended' check_fails "all the time" says -u perf-recorderd.service

# Who did it.
write_session mine '[Session]' 'Enabled=no' 'Restart=no' '[Record]' 'Event=cpu-clock' 'Frequency=10' 'Mode=overwrite' 'BufferSize=64K'
check "start" perfctl start mine
check "signal" perfctl signal mine
detail() { busctl call --json=short "${MANAGER[@]}" ListDumps as 1 mine; }
is_named() { detail | grep -Eq 'SIGUSR2 (of|by) [^"]*perfctl'; }
signal_names() { is_named || { perfctl signal mine; false; }; } # a caller that has ended at once has a number only
check "a dump by a signal names the caller" wait_for 30 signal_names
pattern='^mine: SIGUSR2 sent by uid 0 \(perfctl\[[0-9]+\]' check "so does the journal" wait_for 30 says PERF_SESSION=mine PERF_CALLER_UID=0
pattern='^mine: Started recording by uid 0 \(perfctl' check "who started it" wait_for 30 says PERF_SESSION=mine PERF_CALLER_COMM=perfctl

# A recorder that a previous daemon started.
systemctl kill -s KILL --kill-who=main perf-recorderd.service
check "the next daemon" wait_for 30 perfctl ping mine
send KILL "$(session_pid mine)"
is_known() { session_property mine Error | grep -Eq 'killed by SIGKILL|unknown status'; }
check "how it ended is said" wait_for 30 is_known
finish
