#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Sessions that count: counts go on through killed recorders and killed services, and none goes back; perf reads their dumps; a
# counter above its threshold dumps another session.
. "$(dirname "$0")/assert.sh"

UNIT=perf-recorderd.service
CPUS=$(nproc)

dumps_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort; }
newest() { dumps_of "$1" | tail -n 1; }
daemon_pid() { systemctl show -P MainPID "$UNIT"; }
daemon_changed() { [ "$(daemon_pid)" != "$daemon" ] && [ "$(daemon_pid)" != 0 ] && systemctl -q is-active "$UNIT"; }
again() { # NAME: a process that is not the victim
        local pid
        pid=$(session_pid "$1")
        [ "$pid" -gt 1 ] && [ "$pid" != "$victim" ] && [ "$(session_property "$1" State)" = recording ]
}
rows() { perf stat report -i "$1" 2>&1 | awk -v event="$2" '$0 ~ event { print $1, $2 }'; } # FILE EVENT: time and count of each interval

fresh
write_session counting '[Record]' 'Mode=count' 'Event=cpu-clock,context-switches' 'Interval=100ms' 'HistorySize=2M'
check "start" perfctl start counting
sleep 2
victim=$(session_pid counting)
check "its recorder is killed" send KILL "$victim"
check "another one comes" wait_for 30 again counting
check_match "which takes over" 'Taking over' "$(journalctl -b -o cat PERF_SESSION=counting)"
sleep 1
daemon=$(daemon_pid)
systemctl kill --kill-whom=main -s KILL "$UNIT"
check "the service is killed and comes back" wait_for 30 daemon_changed
check "and answers" wait_for 30 perfctl ping counting
sleep 1
check "a dump" perfctl dump counting
dump=$(newest counting)
rows "$dump" cpu-clock >/tmp/rows
# Time that a CPU counts cannot be missing or there twice; it is compared without the first interval, whose beginning is not shown.
check "all CPU time of it, and nothing twice ($(wc -l </tmp/rows) intervals)" awk -v cpus="$CPUS" '
        NR == 1 { first = $1 } NR > 1 { sum += $2 } $2 < 0 || $2 > 60000 * cpus { exit 1 } { last = $1 }
        END { ratio = sum / ((last - first) * 1000 * cpus); print NR, ratio; exit !(NR > 30 && ratio > 0.98 && ratio < 1.02) }' /tmp/rows
check "from before the recorder was killed on" awk 'NR == 1 { first = $1 } { last = $1 } END { exit !(last - first > 3.5) }' /tmp/rows
check_match "our report shows it with the time of day" '^ +[0-2][0-9]:[0-5][0-9]:[0-9.]{9} .*cpu-clock' "$(perfctl stat report counting)"
check_match "and others say that it has counts" 'perfctl stat report shows them' "$(perfctl report counting 2>&1)"
samples=$(session_property counting Samples)
check "readings are its samples ($samples)" test "$samples" -gt 30
reach=$(session_property counting HistoryUsec)
check "memory reaches back before the kill ($reach)" test "$reach" -gt 3500000
check_match "a dump says what it is, with its readings" "Samples: $(rows "$dump" cpu-clock | wc -l) " "$(perfctl info counting 2>&1)"
check_match "and what was counted" '[1-9][0-9]+ +context-switches' "$(perfctl info counting 2>&1)"
check "the window of a dump" perfctl dump --since=-1s counting
check "is short" test "$(rows "$(newest counting)" cpu-clock | wc -l)" -le 13
check "merged, the dumps are one recording" perfctl merge counting -o /tmp/merged
check_equal "which has the readings of both, each once" "$(for d in $(dumps_of counting); do rows "$d" cpu-clock; done | sort -n -u)" \
        "$(rows /tmp/merged cpu-clock)"
check "a time of it" perfctl merge counting --since="@$(($(date +%s) - 3600))" --until=now -o /tmp/cut
check_equal "with the same readings" "$(rows /tmp/merged cpu-clock)" "$(rows /tmp/cut cpu-clock)"
check "stop" perfctl stop counting

check "the shipped counters" perfctl start counters
sleep 2
check "dump" perfctl dump counters
report=$(perf stat report -i "$(newest counters)" 2>&1)
check_match "are in its dump" 'context-switches' "$report"
check_equal "without events that this machine does not have" "" "$(grep 'not supported' <<<"$report")"
check "stop" perfctl stop counters

# Units one by one: those that match, each with its own counts, and one that starts later.
calls() { systemd-run -q --unit="$1" sh -c "for i in \$(seq $2); do /bin/true; done; sleep 1000"; } # UNIT N: N processes
unit_count() { perfctl metrics each | awk -v unit="unit=\"$1.service\"" '/^perf_recorder_event_count_total/ && index($0, unit) { n += $NF } END { print n + 0 }'; }
counted() { [ "$(unit_count "$1")" -ge "$2" ]; }
mkfifo /tmp/each-1 /tmp/each-2
for i in 1 2; do
        systemd-run -q --unit="each-$i" sh -c "read -r n </tmp/each-$i; for i in \$(seq \$n); do /bin/true; done; sleep 1000"
done
write_session each '[Record]' 'Mode=count' 'Event=sched:sched_process_fork' 'Unit=each-*.service' 'Interval=100ms'
check "a session of several units" perfctl start each
echo 300 >/tmp/each-1
echo 100 >/tmp/each-2
check "counts the first" wait_for 30 counted each-1 300
check "and the second" wait_for 30 counted each-2 100
check "by itself ($(unit_count each-1))" test "$(unit_count each-1)" -lt 310
check "each ($(unit_count each-2))" test "$(unit_count each-2)" -lt 110
check "a dump" perfctl dump each
perf stat report -i "$(newest each)" >/tmp/each 2>&1
check_match "has a row for each unit" 'sched:sched_process_fork each-1.service' "$(cat /tmp/each)"
check_match "also in perf" 'sched:sched_process_fork each-2.service' "$(cat /tmp/each)"
check "each with its counts" awk '$3 ~ /process_fork$/ { n[$4] += $2 } END { exit !(n["each-1.service"] >= 300 && n["each-1.service"] < 310 && n["each-2.service"] >= 100 && n["each-2.service"] < 110) }' /tmp/each
check_match "as in ours" 'each-2.service' "$(perfctl stat report each 2>&1)"
systemctl stop each-1.service
n=$(unit_count each-1)
calls each-3 50
each_has_3() { perfctl metrics each | grep -q 'unit="each-3.service"'; }
check "a unit that starts later is counted, too" wait_for 30 each_has_3
check_equal "and one that has ended keeps its total" "$n" "$(unit_count each-1)"
victim=$(session_pid each)
check "its recorder is killed" send KILL "$victim"
check "another one comes" wait_for 30 again each
check_equal "with the same total" "$n" "$(unit_count each-1)"
check "stop" perfctl stop each
systemctl stop each-2.service each-3.service

# A unit's own page faults: there are none before it may begin.
mkfifo /tmp/go
systemd-run -q --unit=busy sh -c 'read -r x </tmp/go; while :; do /bin/true; done'
write_session watcher '[Record]' 'Mode=count' 'Event=page-faults' 'Unit=busy.service' '[Trigger]' 'Counter=page-faults>200/500ms' 'Also=flight'
write_session flight '[Record]' 'Event=cpu-clock' 'Frequency=99' 'Mode=overwrite'
check "start" perfctl start watcher flight
sleep 1.5
check_equal "no dump while nothing happens" "" "$(dumps_of flight)"
echo go >/tmp/go
flight_has_dump() { [ -n "$(dumps_of flight)" ]; }
watcher_has_dump() { perfctl dumps watcher | grep -q counter; }
check "many page faults dump the other session" wait_for 30 flight_has_dump
check "and this one" wait_for 30 watcher_has_dump
systemctl stop busy.service
check_match "because of the counter" 'page-faults: [0-9]+ in .*, above 200' "$(perfctl dumps watcher --json=short 2>/dev/null; perfctl info watcher 2>&1)"
fired=$(perfctl dumps watcher --json=short | grep -o 'page-faults: [0-9]*' | head -n 1 | cut -d ' ' -f 2)
counted=$(rows "$(dumps_of watcher | head -n 1)" page-faults | awk '{ sum += $2 } END { print sum + 0 }')
check "which is not more than the session counted ($fired, $counted)" test "$fired" -le "$counted"
check "stop" perfctl stop watcher flight
finish
