#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the shell test of perf daemon (tools/perf/tests/shell/daemon.sh) checks, asked of perfctl: the fields of the list,
# reconfiguration, stop, two signals and the end giving three files, ping, the lock.
. "$(dirname "$0")/assert.sh"

field() { perfctl list -x: | grep ":$1:" | cut -d: -f"$2"; }

check_line() { # NAME RUN
        local name=$1 run=$2 directory=$BASE/session-$1
        check_equal "list: $name: run" "$run" "$(field "$name" 3)"
        check_equal "list: $name: base" "$directory" "$(field "$name" 4)"
        check_equal "list: $name: output" "$directory/output" "$(field "$name" 5)"
        check_equal "list: $name: control" "$directory/control" "$(field "$name" 6)"
        check_equal "list: $name: ack" "$directory/ack" "$(field "$name" 7)"
        check_match "list: $name: up" '^[0-9]+$' "$(field "$name" 8)"
        check "list: $name: the process is a worker" grep -q perf-recorder-w "/proc/$(field "$name" 1)/comm"
}

fresh
write_session size '[Session]' 'Run=-e cpu-clock -m 1 sleep 100'
write_session time '[Session]' 'Run=-e task-clock -m 2 sleep 100'
check "start brings the service up by activation" perfctl start

line=$(perfctl list -x: | head -n 1)
check_equal "list: the daemon comes first" "$(systemctl show -P MainPID perf-recorderd.service):daemon:$BASE:$BASE/output:$BASE/lock:0" "$line"
check "list: the lock holds the PID" grep -qx "$(cut -d: -f1 <<<"$line")" "$BASE/lock"
check_equal "list: a line per session after it" 3 "$(perfctl list -x: | wc -l)"
check_line size '-e cpu-clock -m 1 sleep 100'
check_line time '-e task-clock -m 2 sleep 100'

# Reconfiguration is noticed by itself; only what changed restarts.
size=$(session_pid size)
time=$(session_pid time)
write_session time '[Session]' 'Run=-e task-clock -m 1 sleep 100'
changed() { [ "$(session_pid time)" != "$time" ] && [ "$(session_property time State)" = recording ]; }
check "reconfiguration: the changed session gets a new process" wait_for 30 changed
check_equal "reconfiguration: with the new line" '-e task-clock -m 1 sleep 100' "$(field time 3)"
check_equal "reconfiguration: the other one keeps its process" "$size" "$(session_pid size)"
rm "$SESSIONS"/*.session
gone() { ! [ -e "/proc/$size" ] && [ "$(perfctl list -x: | wc -l)" = 1 ]; }
check "reconfiguration: no file, no session" wait_for 30 gone

# Stop.
write_session size '[Session]' 'Run=-e cpu-clock -m 1 sleep 100'
write_session time '[Session]' 'Run=-e task-clock -m 2 sleep 100'
both() { [ "$(session_property size State)$(session_property time State)" = recordingrecording ]; }
check "new files start by themselves" wait_for 30 both
size=$(session_pid size)
time=$(session_pid time)
daemon=$(systemctl show -P MainPID perf-recorderd.service)
check "stop" perfctl stop
check_equal "stop: nobody is left" "" "$(ps -o pid= -p "$size,$time,$daemon")"
check_equal "stop: the service is down" inactive "$(systemctl is-active perf-recorderd.service)"
check_fails "stop: and list does not bring it back" perfctl list
check_equal "stop: really" inactive "$(systemctl is-active perf-recorderd.service)"

# Two signals and the end give three files.
fresh
write_session test '[Session]' 'Run=-e cpu-clock --switch-output -m 1 sleep 100'
check "signal: start" perfctl start
files() { [ "$(find "$BASE/session-test" -name 'perf.data.2*[0-9]' | wc -l)" = "$1" ]; }
check "signal: USR2 is the default" perfctl signal
check "signal: one file" wait_for 30 files 1
check "signal: by name and number" perfctl signal -s SIGUSR2 test
check "signal: two files" wait_for 30 files 2
check "signal: stop" perfctl stop
check "signal: three files" files 3
for f in "$BASE"/session-test/perf.data.2*[0-9]; do
        check "signal: perf reads $(basename "$f")" perf report --stdio -i "$f"
done
# But for symbols that were not there in time: the next recorder removes those.
check_equal "signal: nothing else is left" "" "$(find "$BASE/session-test" -name '.#*' ! -name '.#symbols.*' -o -name perf.data)"

# Ping, and who has no answer.
fresh
write_session size '[Session]' 'Run=-e cpu-clock -m 1 sleep 100'
write_session time '[Session]' 'Run=-e task-clock -m 2 sleep 100'
perfctl start
check_equal "ping: perf's words" "$(printf 'OK   size\nOK   time')" "$(perfctl ping)"
check_equal "ping: one" "OK   time" "$(perfctl ping time)"
check_equal "ping: one, in perf daemon's spelling" "OK   time" "$(perfctl ping --session time)"
send STOP "$(session_pid size)"
before=$(now_msec)
hung=$(perfctl ping size)
check_match "ping: a hung worker is named" 'FAIL size' "$hung"
check "ping: a hung worker delays nobody" timeout 2 perfctl ping time
check "ping: in time" test $(($(now_msec) - before)) -lt 6000
send CONT "$(session_pid size)"
check_equal "ping: awake again" "OK   size" "$(perfctl ping size)"
check_fails "ping: a name that is not there" perfctl ping nosuch

# The lock.
daemon=$(systemctl show -P MainPID perf-recorderd.service)
second=$(/usr/lib/perf-recorder/perf-recorderd 2>&1)
status=$?
check "lock: a second daemon fails" test "$status" -ne 0
check_match "lock: and names the first" "$daemon" "$second"
check_equal "lock: which goes on" "$daemon" "$(systemctl show -P MainPID perf-recorderd.service)"
finish
