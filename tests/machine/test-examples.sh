#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the package has in /usr/share/doc: the example sessions can be recorded here and fire, and the hook for alerts asks for dumps.
. "$(dirname "$0")/assert.sh"

EXAMPLES=/usr/share/doc/perf-recorder/examples
PORT=9099
hook=
trap '[ -z "$hook" ] || kill "$hook"; systemctl stop nginx.service' EXIT

dumps_of() { perfctl dumps "$1" --trigger="$2" --no-legend; }
post() { # BODY: prints the status of the answer
        python3 - "$1" <<-END
		import sys, urllib.error, urllib.request
		try:
		        print(urllib.request.urlopen("http://127.0.0.1:$PORT/", sys.argv[1].encode()).status)
		except urllib.error.HTTPError as e:
		        print(e.code)
	END
}

fresh
systemctl start perf-recorderd.service
for file in README.md docs/COOKBOOK.md docs/FAQ.md docs/OVERHEAD.md; do
        check "$file is installed" test -s "/usr/share/doc/perf-recorder/$file"
done

systemd-run -q --unit=nginx.service -p CPUQuota=10% sh -c 'while :; do :; done'
for file in "$EXAMPLES"/*.session; do
        check "${file##*/} can be recorded" perfctl verify --quiet --strict --try "$file"
done
mkdir -p "$SESSIONS"
cp "$EXAMPLES"/{latency-spike,unit-crash}.session "$SESSIONS"
check "they are recorded as soon as they are there" wait_for 30 perfctl is-active --quiet latency-spike unit-crash

wait_for 30 sh -c '[ "$(perfctl show unit-crash -P State)" = recording ]'
systemd-run -q --unit=crash.service sh -c 'kill -SEGV $$'
check "a unit that fails leads to a dump" wait_for 30 dumps_of unit-crash unit-failure

wait_for 30 sh -c '[ "$(perfctl show latency-spike -P State)" = recording ]'
python3 "$EXAMPLES/alert-hook" $PORT 2>/dev/null &
hook=$!
check "the hook listens" wait_for 30 python3 -c "import socket; socket.create_connection(('127.0.0.1', $PORT))"
check_equal "what is no alert is refused" 400 "$(post '[]')"
check_equal "alerts of nobody's session are taken" 204 "$(post '{"alerts":[{"status":"firing","labels":{"alertname":"Other"}}]}')"
check_equal "an alert is taken" 204 \
        "$(post '{"alerts":[{"status":"firing","labels":{"alertname":"Slow","instance":"web1","perf_session":"latency-spike"}}]}')"
check "and leads to a dump" wait_for 30 dumps_of latency-spike socket
while read -r line; do
        check "the cookbook: $line" sh -c "$line >/dev/null"
done < <(sed -nE 's/^sudo (perfctl (info|report|script) (latency-spike|unit-crash)[^#]*).*/\1/p' /usr/share/doc/perf-recorder/docs/COOKBOOK.md)
check_match "which says what for" 'socket: .*alert Slow web1' "$(perfctl info latency-spike)"
finish
