#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Metrics of the sessions: as text, in a file, and for a scraper on a socket that nobody enabled. Reading wakes no recorder.
. "$(dirname "$0")/assert.sh"

PORT=19789

metric() { perfctl metrics | grep -F "$1" | awk '{ sum += $NF } END { printf "%.0f\n", sum }'; } # its values, added up
scrape() { # REQUEST-LINE [HEADER…]: the answer
        exec 3<>"/dev/tcp/127.0.0.1/$PORT" || return
        { printf '%s\r\n' "$@"; printf '\r\n'; } >&3
        cat <&3
        exec 3>&-
}

fresh
write_session counting '[Record]' 'Mode=count' 'Event=cpu-clock,context-switches' 'Interval=100ms' 'HistorySize=2M'
write_session clock '[Record]' 'Event=cpu-clock' 'Frequency=99' 'Mode=overwrite'
check "start" perfctl start counting clock
sleep 1
before=$(metric 'perf_recorder_event_count_total{session="counting",event="cpu-clock"')
sleep 1
after=$(metric 'perf_recorder_event_count_total{session="counting",event="cpu-clock"')
check "counts grow by the CPU time ($before, $after)" test $((after - before)) -ge $(($(nproc) * 800000000))
check_match "a session is there" 'perf_recorder_session_info\{session="clock",unit="perf-session-clock.scope",state="recording"\} 1' \
        "$(perfctl metrics)"
check_equal "the text has an end" "# EOF" "$(perfctl metrics | tail -n 1)"
recorder=$(session_pid clock)
send STOP "$recorder"
sleep 0.2
check "a recorder that is stopped is not waited for" timeout 10 perfctl metrics
switches=$(awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$recorder/status")
send CONT "$recorder"
sleep 0.2
perfctl metrics >/dev/null
check "and one that runs is not woken up" test "$(awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$recorder/status")" -le $((switches + 2))
check "a file for node_exporter" perfctl metrics --textfile=/tmp/perf-recorder.prom
check_match "which all may read" '^-rw-r--r--' "$(ls -l /tmp/perf-recorder.prom)"

check_fails "the socket is not enabled" systemctl -q is-enabled perf-recorder-metrics.socket
check_fails "nor does it listen" systemctl -q is-active perf-recorder-metrics.socket
check "it is started" systemctl start perf-recorder-metrics.socket
check_match "a scraper gets OpenMetrics" 'application/openmetrics-text' \
        "$(scrape 'GET /metrics HTTP/1.1' 'Host: x' 'Accept: application/openmetrics-text')"
check_match "with counts" 'perf_recorder_event_count_total\{session="counting",event="context-switches"' "$(scrape 'GET /metrics HTTP/1.1' 'Host: x')"
check_match "nothing else" '^HTTP/1.1 404' "$(scrape 'GET /etc/passwd HTTP/1.1' 'Host: x')"
check_match "nor otherwise" '^HTTP/1.1 405' "$(scrape 'POST /metrics HTTP/1.1' 'Host: x')"
systemctl stop perf-recorder-metrics.socket
check "stop" perfctl stop counting clock
finish
