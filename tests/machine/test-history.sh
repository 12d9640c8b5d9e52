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
check_match "what it reaches back is shown" 'History: +[0-9.]+s' "$(perfctl status history)"
age=$(session_property history HistoryUsec)
check "that is 4 to 20 seconds ($age)" test "$age" -gt 4000000 -a "$age" -lt 20000000
check "a dump" perfctl dump history
check "another one" perfctl dump history
kill -- "$busy" "$(pgrep -P "$busy" dd)"
first=$(dumps_of history | sed -n 1p)
second=$(dumps_of history | sed -n 2p)
check "of several seconds" test "$(times "$first" | awk 'NR == 1 { a = $1 } { b = $1 } END { print int(b - a) }')" -ge 4
check "the second has nothing of the first" awk -v a="$(times "$first" | tail -n 1)" -v b="$(times "$second" | head -n 1)" 'BEGIN { exit !(b > a) }'
check_match "processes that ended are known" 'md5sum .*(libc|md5sum|libcrypto)' \
        "$(perf report --stdio -i "$first" --sort comm,dso 2>/dev/null | grep '%')"
check "all of it again" perfctl dump --overlap history
third=$(dumps_of history | sed -n 3p)
check_equal "has what the first one had" "$(times "$first" | head -n 1)" "$(times "$third" | head -n 1)"
# Sanitizers keep what was freed.
ldd /usr/lib/perf-recorder/perf-recorder-worker | grep -q libasan ||
        check "memory of the recorder is below 60 MiB" test "$(awk '/^VmRSS/ { print $2 }' "/proc/$(session_pid history)/status")" -lt 61440
check "stop" perfctl stop history
write_session wrong '[Record]' 'Mode=overwrite' 'HistorySize=8M'
perfctl reload >/dev/null
check_match "a size without a history is refused" 'HistorySize: is for Mode=history alone' "$(perfctl status wrong)"
finish
