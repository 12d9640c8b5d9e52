#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A session with a history ring: it reaches further back than its rings of 64 KiB could, dumps follow each other without a
# hole, resolve what has ended, and a unit that is restarted goes on being recorded.
. "$(dirname "$0")/assert.sh"

load() { # short processes, and one that stays
        dd if=/dev/zero of=/dev/null bs=64 2>/dev/null &
        while :; do md5sum /etc/passwd >/dev/null; done
}
dumps_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort; }
times() { perf script -i "$1" -F time 2>/dev/null | tr -d ' :' | sort -n; }

fresh
write_session history '[Record]' 'Event=cpu-clock' 'Frequency=999' 'CallGraph=fp' 'BufferSize=64K' 'Mode=history' 'HistorySize=8M' 'HistorySec=1h'
check "start" perfctl start history
load &
busy=$!
sleep 6
check_match "what it reaches back is shown" 'Reach: +[0-9.]+s' "$(perfctl status history)"
age=$(session_property history HistoryUsec)
check "that is 4 to 20 seconds ($age)" test "$age" -gt 4000000 -a "$age" -lt 20000000
check "a dump" perfctl dump history
check "another one" perfctl dump history
kill -- "$busy" "$(pgrep -P "$busy" dd)"
first=$(dumps_of history | sed -n 1p)
second=$(dumps_of history | sed -n 2p)
check "of several seconds" test "$(times "$first" | awk 'NR == 1 { a = $1 } { b = $1 } END { print int(b - a) }')" -ge 4
check_equal "the second has all of it again" "$(times "$first" | head -n 1)" "$(times "$second" | head -n 1)"
check_match "processes that ended are known" 'md5sum .*(libc|md5sum|libcrypto)' \
        "$(perf report --stdio -i "$first" --sort comm,dso 2>/dev/null | grep '%')"
check "what no dump has yet" perfctl dump --new history
third=$(dumps_of history | sed -n 3p)
# The rings are read one after the other, so this holds for each CPU, not for all together.
of_cpus() { perf script -i "$1" -F cpu,time 2>/dev/null | tr -d '[]:' | sort -k 2n; } # lines of CPU and time
check "has nothing of the others" awk 'NR == FNR { last[$1] = $2; next } $2 <= last[$1] { exit 1 }' <(of_cpus "$second") <(of_cpus "$third")
# Sanitizers keep what was freed.
ldd /usr/lib/perf-recorder/perf-recorder-worker | grep -q libasan ||
        check "memory of the recorder is below 60 MiB" test "$(awk '/^VmRSS/ { print $2 }' "/proc/$(session_pid history)/status")" -lt 61440
check "stop" perfctl stop history

# Rings that the kernel overwrites: their reach is read from them, and the recorder is not woken for it.
write_session rings '[Record]' 'Event=cpu-clock' 'Frequency=9999' 'CallGraph=fp' 'BufferSize=64K' 'Mode=overwrite' 'KeepSec=3s'
write_session wide '[Record]' 'Event=cpu-clock' 'Frequency=99' 'BufferSize=8M' 'Mode=overwrite' 'KeepSec=2s'
load &
busy=$!
check "start" perfctl start rings wide
sleep 5
reach=$(session_property rings HistoryUsec)
check "small rings reach back less than their age ($reach)" test "$reach" -gt 10000 -a "$reach" -lt 3000000
all=$(session_property wide HistoryUsec)
check "large ones to the start ($all)" test "$all" -gt 4000000 -a "$all" -lt 30000000
samples=$(session_property wide Samples)
check "samples are estimated ($samples)" test "$samples" -gt 100
recorder=$(session_pid wide)
send STOP "$recorder"
sleep 1
later=$(session_property wide HistoryUsec)
check "the recorder is not asked for it: one that is stopped reaches back further ($later)" test "$later" -gt $((all + 500000))
check_match "list has it too" '^wide +recording +[0-9]+ .*s' "$(perfctl list wide)"
send CONT "$recorder"
check_match "list has a column for it" '^rings +recording +[0-9]+ .*ms' "$(perfctl list rings)"
check_match "and JSON" '"history_usec":[0-9]+' "$(perfctl list --json=short wide)"
check "a dump" perfctl dump rings wide
kill -- "$busy" "$(pgrep -P "$busy" dd)"
span=$(times "$(dumps_of rings)" | awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%d", (b - a) * 1e6 }')
check "what a dump has ($span us) is about what was said ($reach us)" test "$span" -gt $((reach / 3)) -a "$span" -lt $((reach * 3))
count=$(times "$(dumps_of wide)" | wc -l)
check "and as many samples ($count, $samples)" test "$count" -ge $((samples * 8 / 10)) -a "$count" -le $((samples * 3))
check_match "KeepSec= warns where it is missed" 'reaches back .* only, less than KeepSec=3s' "$(journalctl -b -o cat PERF_SESSION=rings)"
check_no_match "and only there" 'KeepSec=' "$(journalctl -b -o cat PERF_SESSION=wide)"
check "stop" perfctl stop rings wide
write_session wrong '[Record]' 'Mode=overwrite' 'HistorySize=8M'
perfctl reload >/dev/null
check_match "a size without a history is refused" 'HistorySize: is for Mode=history only' "$(perfctl status wrong)"
finish
