#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What a dump holds: all that is in memory for whoever asks, however often, also after a window of it; what is new for automatic
# dumps and for --new; the samples of a time by the wall clock. Whose delay counts, and who is above the rate limit.
. "$(dirname "$0")/assert.sh"

dumps_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort; }
newest() { dumps_of "$1" | tail -n 1; }
n_dumps() { dumps_of "$1" | wc -l; }
samples() { perf script -i "$1" -F time 2>/dev/null | wc -l; }
clocks() { perf script -i "$@" -F tod 2>/dev/null | sed 's/[[:space:]]*$//; s/^[[:space:]]*//; s/:$//'; }
# DUMP, and the one of later samples: on one CPU, for rings are read one after the other.
later_than() { [[ "$(clocks "$2" -C 0 | head -n 1)" > "$(clocks "$1" -C 0 | tail -n 1)" ]]; }
outside() { # FROM TO: times on standard input that are not within, "YYYY-MM-DD HH:MM:SS.ffffff"
        awk -v from="$1" -v to="$2" '$0 < from || $0 > to { n++ } END { print n + 0 }'
}

fresh
for mode in overwrite history; do
        more=()
        [ "$mode" = overwrite ] || more=('HistorySize=8M')
        write_session "$mode" '[Record]' 'Event=cpu-clock' 'Frequency=199' 'AllCPUs=yes' 'BufferSize=1M' "Mode=$mode" \
                'ClockID=monotonic' "${more[@]}" '[Trigger]' 'Socket=yes'
        check "$mode: start" perfctl start "$mode"
done
taskset -c 0 sh -c 'while :; do :; done' &
busy=$!
sleep 6

for mode in overwrite history; do
        check "$mode: a window" perfctl dump "$mode" --since=2s
        window=$(samples "$(newest "$mode")")
        check "$mode: all" perfctl dump "$mode"
        first=$(newest "$mode")
        all=$(samples "$first")
        check "$mode: the window took nothing away ($window, $all)" test "$all" -gt $((2 * window))
        check "$mode: all again" perfctl dump "$mode"
        again=$(newest "$mode")
        check "$mode: which has no less" test "$(samples "$again")" -ge "$all"
        check "$mode: what no dump has" perfctl dump --new "$mode"
        check "$mode: which is nothing of the others" later_than "$again" "$(newest "$mode")"

        from=$(date -d '4 seconds ago' '+%F %T')
        to=$(date -d '2 seconds ago' '+%F %T')
        check "$mode: from $from to $to" perfctl dump "$mode" --since="$from" --until="$to"
        part=$(newest "$mode")
        n=$(samples "$part")
        check "$mode: has about 2 of those seconds ($n)" test "$n" -ge 150 -a "$n" -le $((all / 2))
        check_equal "$mode: no sample of another time" 0 "$(clocks "$part" | outside "$from" "$to.000001")"
        check_equal "$mode: and all of that time" "$(perfctl dump "$mode" -q; clocks "$(newest "$mode")" |
                awk -v from="$from" -v to="$to" '$0 >= from && $0 <= to { n++ } END { print n + 0 }')" "$n"
        before=$(n_dumps "$mode")
        check_match "$mode: a time that memory does not hold is an error that says what it holds" \
                "^Failed to dump '$mode': there are no samples of that time in memory, which reaches from .* to .*$" \
                "$(perfctl dump "$mode" --since=-2h --until=-1h 2>&1)"
        check_equal "$mode: and no file" "$before" "$(n_dumps "$mode")"
        check "$mode: merged, the samples of that time" perfctl merge "$mode" --since="$from" --until="$to" -o "/tmp/merged-$mode"
        check_equal "$mode: each once" "$n" "$(samples "/tmp/merged-$mode")"
done
kill "$busy"

# Who asked, whenever, has taken nothing from the dump at the end, and nothing is in two automatic ones.
send KILL "$(session_pid overwrite)"
failure() { perfctl dumps overwrite --trigger=recorder-failure --no-legend | grep -q .; }
check "a killed recorder: its dump" wait_for 30 failure
check "has what was asked for before" test "$(samples "$(newest overwrite)")" -ge "$all"
sleep 1
check "stop" perfctl stop overwrite
check "the next automatic dump is what came since" test "$(samples "$(newest overwrite)")" -lt "$all"

# An automatic dump without a sample is not written; one that was asked for is.
write_session idle '[Record]' 'Event=sched:sched_process_hang' 'Mode=overwrite'
check "a session without samples" perfctl start idle
check "its dump" perfctl dump idle
check_equal "is there" 1 "$(n_dumps idle)"
check_match "nothing new is an error" "^Failed to dump 'idle': there is nothing new since the last dump$" \
        "$(perfctl dump --new idle 2>&1)"
check_equal "and no file" 1 "$(n_dumps idle)"
check "its end" perfctl stop idle
check_equal "is none" 1 "$(n_dumps idle)"

# A delay is its caller's own, and ends with it.
perfctl dump history --delay=1h &
delayed=$!
pending() { perfctl status history | grep -q 'Next Dump'; }
check "a dump in an hour is shown" wait_for 30 pending
check "nobody waits for it" timeout 10 perfctl dump history
kill "$delayed"
check "it is withdrawn with its caller" wait_for 30 sh -c '! perfctl status history | grep -q "Next Dump"'

# Sessions that name each other dump once, under one incident; a unit starts with the id of each dump.
cat >/run/systemd/system/on-dump@.service <<'END'
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo "%I" >>/run/on-dump'
END
systemctl daemon-reload
for name in first second; do
        other=second
        [ "$name" = first ] || other=first
        write_session "$name" '[Record]' 'Event=cpu-clock' 'Mode=overwrite' '[Trigger]' "Also=$other" 'OnDump=on-dump@.service'
        check "$name: start" perfctl start "$name"
done
sleep 1
check "one dumps" perfctl dump first
both() { [ "$(n_dumps first)" -eq 1 ] && [ "$(n_dumps second)" -eq 1 ]; }
check "so does the other one" wait_for 30 both
incident() { perfctl dumps "$1" --json=short | grep -o '"incident":"[0-9a-f]*"'; }
check_match "under an incident" '"[0-9a-f]{32}"' "$(incident first)"
check_equal "which is the same" "$(incident first)" "$(incident second)"
check_match "and says whose" 'Trigger: also: first: request' "$(perfctl info second)"
sleep 1
check "once" both
units() { [ "$(grep -Ec '^(first|second)-[0-9]{16}$' /run/on-dump)" -eq 2 ]; }
check "a unit has the id of each" wait_for 30 units

# Each kind of trigger has its own limit, and root is above it.
write_session limited '[Record]' 'Event=cpu-clock' 'Mode=overwrite' '[Trigger]' 'RateLimitBurst=2' 'RateLimitIntervalSec=1h' 'Socket=yes'
check "start" perfctl start limited
check "one" perfctl dump limited
check "two" perfctl dump limited
check_match "three are refused, with the reason" \
        "^Failed to dump 'limited': there were 2 dumps for the trigger request within 1h \(RateLimitBurst=.*possible in " \
        "$(perfctl dump limited 2>&1)"
check "root forces it" perfctl dump limited --force
before=$(n_dumps limited)
check "a signal is another kind" perfctl signal limited
more() { [ "$(n_dumps limited)" -gt "$before" ]; }
check "and dumps" wait_for 30 more
finish
