#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Nothing that happens to the daemon disturbs a recorder, and what happens to a recorder is seen and mended: crash, kill
# and restart of the daemon with a hundred sessions, the loss of its descriptor store, kill of a worker under load.
. "$(dirname "$0")/assert.sh"

SESSION_COUNT=100
UNIT=perf-recorderd.service

pids() { perfctl list -x: | tail -n +2 | cut -d: -f1,2 | sort; }
all_there() { [ "$(pids)" = "$before" ]; }
daemon_pid() { systemctl show -P MainPID "$UNIT"; }
daemon_changed() { [ "$(daemon_pid)" != "$daemon" ] && [ "$(daemon_pid)" != 0 ] && systemctl -q is-active "$UNIT"; }
workers() { pgrep -c perf-recorder-w; }
samples() { session_property "$1" Samples; }
lost() { perfctl show "$1" -p Lost | cut -d= -f2; }

fresh
set_unit '[Service]' RestartSec=100ms
for i in $(seq "$SESSION_COUNT"); do
        write_session "s$i" '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
done
check "start of $SESSION_COUNT sessions" perfctl start
before=$(pids)
check_equal "all of them run" "$SESSION_COUNT" "$(wc -l <<<"$before")"
check_equal "one worker each" "$SESSION_COUNT" "$(workers)"
check_equal "each in its scope" "$SESSION_COUNT" \
        "$(systemctl list-units --no-legend --state=running 'perf-session-*.scope' | wc -l)"
check_match "under the slice" 'perf-recorder.slice/perf-session-s1.scope$' "$(cat "/proc/$(session_pid s1)/cgroup")"

# kill -9: all there again within two seconds, the same processes, no sample lost.
samples_before=$(samples s1)
daemon=$(daemon_pid)
begin=$(now_msec)
send KILL "$daemon"
check "kill -9 of the daemon: another one comes" wait_for 5 daemon_changed
check "kill -9: all sessions are there again" wait_for 5 all_there
took=$(($(now_msec) - begin))
check "kill -9: within 2 s (took $took ms)" test "$took" -lt 2000
check_equal "kill -9: every worker answers" "$SESSION_COUNT" "$(perfctl ping | grep -c '^OK')"
check_equal "kill -9: no second worker" "$SESSION_COUNT" "$(workers)"
check_equal "kill -9: the state is recording" recording "$(session_property s1 State)"
check "kill -9: the samples went on" test "$(samples s1)" -ge "$samples_before"
check_equal "kill -9: none lost" 0 "$(lost s1)"

# systemctl restart, and a crash while they run, are the same to the workers.
daemon=$(daemon_pid)
check "systemctl restart" systemctl restart "$UNIT"
check "restart: another daemon" daemon_changed
check "restart: the same workers" wait_for 5 all_there
daemon=$(daemon_pid)
send ABRT "$daemon"
check "abort: another daemon" wait_for 5 daemon_changed
check "abort: the same workers" wait_for 5 all_there
check_equal "abort: no second worker" "$SESSION_COUNT" "$(workers)"

# An ended worker whose daemon was not there to see it.
victim=$(session_pid s7)
systemctl kill --kill-whom=main -s KILL "$UNIT"
send KILL "$victim"
replaced() { [ "$(session_property s7 State)" = recording ] && [ "$(session_pid s7)" != "$victim" ]; }
check "a worker that died without a daemon is restarted" wait_for 5 replaced
before=$(pids)
check_equal "and only that one" "$SESSION_COUNT" "$(workers)"

# The store is lost when a service has failed for good: the scopes tell.
set_unit '[Unit]' StartLimitIntervalSec=30s StartLimitBurst=5 '[Service]' RestartSec=100ms
systemctl reset-failed "$UNIT"
for i in $(seq 60); do
        systemctl kill --kill-whom=main -s KILL "$UNIT"
        sleep 0.15
        systemctl -q is-failed "$UNIT" && break
done
check_equal "killed too often, systemd gives up" failed "$(systemctl is-active "$UNIT")"
check_equal "the workers do not" "$SESSION_COUNT" "$(workers)"
systemctl reset-failed "$UNIT"
check "start after that" systemctl start "$UNIT"
check "adopted by their scopes: the same workers" wait_for 5 all_there
check_equal "adopted: no second worker" "$SESSION_COUNT" "$(workers)"
check_equal "adopted: all answer" "$SESSION_COUNT" "$(perfctl ping | grep -c '^OK')"
check "adopted: the samples went on" test "$(samples s1)" -ge "$samples_before"
check "adopted: the figures are there" test "$(session_property s1 RingBytes)" -gt 0

# In order.
files_before=$(find "$BASE" -name 'perf.data*' | wc -l)
begin=$(now_msec)
check "systemctl stop" systemctl stop "$UNIT"
took=$(($(now_msec) - begin))
check "stop: in time (took $took ms)" test "$took" -lt 10000
check_equal "stop: no worker is left" 0 "$(workers)"
check_equal "stop: no scope either" 0 "$(systemctl list-units --no-legend 'perf-session-*.scope' | wc -l)"
check "stop: each has finished a file" test "$(find "$BASE" -name 'perf.data' | wc -l)" -eq "$SESSION_COUNT"
check "stop: perf reads them" perf report --stdio -i "$BASE/session-s42/perf.data"
check "files were not there before the end" test "$files_before" -le "$SESSION_COUNT"

# kill -9 of a worker under load.
fresh
write_session load '[Session]' 'Run=-e cpu-clock -F 1000 -a' 'RestartSec=200ms'
check "one session under load" perfctl start
sh -c 'while :; do :; done' &
busy=$!
timeout 20 perfctl monitor >/tmp/monitor.out 2>&1 &
monitor=$!
sleep 0.5
victim=$(session_pid load)
begin=$(now_msec)
send KILL "$victim"
again() { # NAME: another process than the victim, which records
        local pid
        pid=$(session_pid "$1")
        [ "$pid" -gt 1 ] && [ "$pid" != "$victim" ] && [ "$(session_property "$1" State)" = recording ]
}
check "kill -9 of a worker: it is restarted" wait_for 5 again load
took=$(($(now_msec) - begin))
check "kill -9 of a worker: within RestartSec + 0.5 s (took $took ms)" test "$took" -lt 700
check_equal "status counts it" 1 "$(session_property load NRestarts)"
check_match "status shows the process" "$(session_pid load)" "$(perfctl status load)"
sleep 0.3
kill "$monitor" "$busy" 2>/dev/null
wait 2>/dev/null
check_match "a signal on the bus tells the state" 'load.*State|State.*load' "$(cat /tmp/monitor.out)"
check_match "the journal tells the end" 'killed|KILL' "$(perfctl log load --no-pager)"
check_match "the journal tells the restart" '[Rr]estart' "$(perfctl log load --no-pager)"

# The start limit, and no policy at all.
write_session brittle '[Session]' 'Run=-e cpu-clock -F 1 -C 0' 'RestartSec=10ms' 'StartLimitBurst=3' 'StartLimitIntervalSec=1min'
check "a session with a start limit" wait_for 5 sh -c 'perfctl show brittle -p State | grep -q recording'
limited() { [ "$(session_property brittle State)" = failed ]; }
settled() { limited || again brittle; }
for i in 1 2 3 4; do
        victim=$(session_pid brittle)
        [ "$victim" != 0 ] || break
        send KILL "$victim"
        wait_for 3 settled
done
check "the limit ends the restarts" wait_for 5 limited
check_equal "and is the result" start-limit-hit "$(session_property brittle Result)"
write_session once '[Session]' 'Run=-e cpu-clock -F 1 -C 0' 'Restart=no'
check "a session without restarts" wait_for 5 sh -c 'perfctl show once -p State | grep -q recording'
send KILL "$(session_pid once)"
failed() { [ "$(session_property once State)" = failed ]; }
check "stays failed" wait_for 5 failed
check_equal "with the signal as result" signal "$(session_property once Result)"
check_equal "the load session still goes on" recording "$(session_property load State)"

# Calls that are under way at a restart.
write_session flight '[Record]' 'Event=cpu-clock' 'Mode=overwrite'
check "a session that dumps" wait_for 5 sh -c 'perfctl show flight -p State | grep -q recording'
busctl monitor org.perfrecorder1 >/tmp/calls 2>&1 &
monitor=$!
has_come() { timeout 30 perfctl ping once >/dev/null 2>&1; grep -q "Member=$1" /tmp/calls; } # METHOD: and what came before this is answered
wait_for 30 has_come Ping
send STOP "$(session_pid flight)"
calls=()
for call in "dump flight --delay=1h" "pause flight" "resume flight" "ping flight --timeout=10min"; do
        # shellcheck disable=SC2086
        perfctl $call >"/tmp/call-${call%% *}" 2>&1 &
        calls+=($!)
done
for method in DumpObjects Pause Resume; do wait_for 30 has_come "$method"; done
has_come Ping
invocation=$(systemctl show -P InvocationID "$UNIT")
check "a restart with calls under way" timeout 60 systemctl restart "$UNIT"
for call in "${calls[@]}"; do wait "$call" && echo "call $call succeeded" >>/tmp/call-dump; done
kill "$monitor"
send CONT "$(session_pid flight)"
for verb in dump pause resume ping; do
        check_match "the caller of $verb gets an error" '^Failed to .*perf-recorderd ended' "$(cat "/tmp/call-$verb")"
done
check_no_match "the service exits cleanly" 'Main process exited' "$(journalctl -b -o cat "INVOCATION_ID=$invocation")"

# journald is down when the daemon starts.
systemctl stop systemd-journald.socket systemd-journald-dev-log.socket systemd-journald-audit.socket systemd-journald.service
timeout 60 systemctl restart perf-recorderd.service
timeout 60 systemctl start systemd-journald.socket systemd-journald-dev-log.socket systemd-journald.service
printf '[Recorder]\nMaxSessions=many\n' >/etc/perf-recorder/perf-recorderd.conf
check_fails "a daemon that started without journald: reload of a bad file" perfctl reload
check "it logs to the journal" wait_for 5 sh -c 'journalctl -b -o cat -u perf-recorderd | grep -q "conf:2: MaxSessions"'
check_match "the service's status has the error" 'rejected: .*conf:2: MaxSessions' "$(systemctl show -P StatusText perf-recorderd)"
rm /etc/perf-recorder/perf-recorderd.conf
finish
