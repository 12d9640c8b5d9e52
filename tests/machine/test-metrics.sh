#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Metrics of the sessions: as text, in a file, and for a scraper on a socket that nobody enabled, such as a Prometheus that runs
# here. Reading wakes no recorder.
. "$(dirname "$0")/assert.sh"

# The network is the host's, which may have a service of its own, or another machine: an address that nobody else has.
ADDRESS=127.99.$((RANDOM % 256)).$((RANDOM % 254 + 1))
PORT=19789
PROMETHEUS=$ADDRESS:9090

metric() { perfctl metrics | grep -F "$1" | awk '{ sum += $NF } END { printf "%.0f\n", sum }'; } # its values, added up
scrape() { # REQUEST-LINE [HEADER…]: the answer
        exec 3<>"/dev/tcp/$ADDRESS/$PORT" || return
        { printf '%s\r\n' "$@"; printf '\r\n'; } >&3
        cat <&3
        exec 3>&-
}
# The strict parser of the format's authors; prints the families. The text comes from a file.
parse_openmetrics() {
        python3 -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
print(*(f.type + " " + f.name for f in parse(open(sys.argv[1]).read())), sep="\n")' "$1"
}
query() { # EXPRESSION: what Prometheus says of it, a line for each series
        promtool query instant "http://$PROMETHEUS" "$1" 2>/dev/null
}
query_has() { query "$1" | grep -qE "$2"; } # EXPRESSION REGEX
start_prometheus() { # in a unit, so that it ends with the machine
        printf '%s\n' 'global: { scrape_interval: 500ms, scrape_timeout: 500ms }' 'scrape_configs:' \
                "  - { job_name: flight, static_configs: [ { targets: [ '$ADDRESS:$PORT' ] } ] }" >/etc/prometheus.yml
        systemd-run -q --unit=prometheus -p DynamicUser=yes -p StateDirectory=prometheus prometheus --config.file=/etc/prometheus.yml \
                --storage.tsdb.path=/var/lib/prometheus --web.listen-address="$PROMETHEUS"
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
check "promtool has nothing to say against it" promtool check metrics </tmp/perf-recorder.prom
perfctl metrics >/tmp/perf-recorder.om
check_match "a strict parser reads the text" '^counter perf_recorder_event_count$' "$(parse_openmetrics /tmp/perf-recorder.om)"
sed -i '$d' /tmp/perf-recorder.om
check_fails "and would miss its end" parse_openmetrics /tmp/perf-recorder.om

check_fails "the socket is not enabled" systemctl -q is-enabled perf-recorder-metrics.socket
check_fails "nor does it listen" systemctl -q is-active perf-recorder-metrics.socket
check_match "it is for this machine alone" "^127\.0\.0\.1:$PORT \(Stream\)" "$(systemctl show --value -p Listen perf-recorder-metrics.socket)"
mkdir -p /run/systemd/system/perf-recorder-metrics.socket.d
printf '%s\n' '[Socket]' ListenStream= "ListenStream=$ADDRESS:$PORT" >/run/systemd/system/perf-recorder-metrics.socket.d/50-test.conf
systemctl daemon-reload
check "it is started" systemctl start perf-recorder-metrics.socket
check_match "a scraper gets OpenMetrics" 'application/openmetrics-text' \
        "$(scrape 'GET /metrics HTTP/1.1' 'Host: x' 'Accept: application/openmetrics-text')"
check_match "with counts" 'perf_recorder_event_count_total\{session="counting",event="context-switches"' "$(scrape 'GET /metrics HTTP/1.1' 'Host: x')"
check_match "nothing else" '^HTTP/1.1 404' "$(scrape 'GET /etc/passwd HTTP/1.1' 'Host: x')"
check_match "nor otherwise" '^HTTP/1.1 405' "$(scrape 'POST /metrics HTTP/1.1' 'Host: x')"
check "a Prometheus" start_prometheus
check "scrapes the socket" wait_for 30 query_has 'up{job="flight"}' '=> 1 '
check "it has the sessions" query_has 'perf_recorder_session_info' 'session="clock".*state="recording".* => 1 '
check "and the rate of CPU time, of each CPU" wait_for 30 query_has \
        'count(rate(perf_recorder_event_count_total{session="counting",event="cpu-clock"}[5s]) > 8e8)' "=> $(nproc) "
check_equal "no series is scraped twice, or out of order" "" "$(journalctl -u prometheus.service -o cat | grep -E 'level=(warn|error)')"
systemctl stop prometheus.service
crowd() { # TEXT COUNT: connections of an ordinary user
        runuser -u nobody -- bash -c 'for ((i = 0; i < $2; i++)); do exec 3<>"/dev/tcp/$0/$1" && printf %s "$3" >&3; done' \
                "$ADDRESS" "$PORT" "$2" "$1"
}
crowd "" 2000
check_match "connections that say nothing keep no scraper out" '^HTTP/1.1 200' "$(scrape 'GET /metrics HTTP/1.1' 'Host: x')"
check "nor systemd from its work" systemd-run -q --wait true
check "the socket listens" systemctl -q is-active perf-recorder-metrics.socket
check_equal "one start is all that the journal has" 1 \
        "$(journalctl -b -o cat UNIT=perf-recorder-metrics.service | grep -c '^Started')"
systemctl stop perf-recorder-metrics.socket
check_fails "the service stops with the socket" systemctl -q is-active perf-recorder-metrics.service
check "stop" perfctl stop counting clock
finish
