#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A session whose recorder unwinds stacks (Unwind=), in the sandbox of the installed service: whole chains of a program without
# frame pointers, a process that reads the rules and has no rights, and a recorder that goes on when that dies or hangs.
. "$(dirname "$0")/assert.sh"

here=$(dirname "$0")
if [ ! -x "$here/sorter" ]; then
        echo "ok - unwinding # SKIP there is no compiler"
        finish
fi
fresh
write_session deep '[Record]' 'Event=cpu-clock' 'Frequency=499' 'AllCPUs=yes' 'CallGraph=dwarf' 'Mode=history' 'HistorySize=8M' 'BufferSize=4M'
check "start" perfctl start deep
"$here/sorter" 120 &
sorter=$!
recorder=$(session_pid deep)
rules_of() { pgrep -P "$recorder" -f 'perf-recorder-view rules'; }
status_of() { awk -v key="$1:" '$1 == key { print $2 }' "/proc/$rules/status"; }
check "a process reads the rules" wait_for 30 rules_of
rules=$(rules_of)
sleep 3
check_equal "it has a filter of system calls" 2 "$(status_of Seccomp)"
check_equal "and gets no rights by executing" 1 "$(status_of NoNewPrivs)"
# setresuid(2) and capset(2) are refused in the service: the filter, which test-sandbox.c tries as root, is what counts.
check_equal "nor hands rights on" 0000000000000000 "$(status_of CapAmb)"
descriptors=("/proc/$rules/fd"/*)
check "no descriptor but the standard ones (${#descriptors[@]})" test "${#descriptors[@]}" -le 3

whole() { # TEXT: samples in the callback whose chain leads by way of libc's qsort() to main()
        awk 'BEGIN { RS = "" } /compare_costly/ { all++; if (/compare_costly.*(qsort|msort).*sort_once.*main/) good++ } END { print all + 0, good + 0 }' \
                <<<"$1"
}
good_dump() { # DESCRIPTION
        local all good
        check "$1: dump" perfctl dump deep
        read -r all good < <(whole "$(perfctl script deep -F comm,ip,sym --comm sorter 2>/dev/null)")
        check "$1: samples are whole ($good of $all)" test "$all" -gt 200 -a "$((good * 10))" -ge "$((all * 8))"
}
good_dump "without frame pointers"
check_match "report shows the callers" 'sort_once' "$(perfctl report deep --comm sorter 2>/dev/null)"
newest=$(find "$BASE/session-deep" -maxdepth 1 -name 'perf.data.2*[0-9]' | sort | tail -n 1)
bytes=$(($(stat -c %s "$newest") / $(perfctl script deep -F time 2>/dev/null | wc -l)))
check "no copies of stacks are kept ($bytes bytes a sample)" test "$bytes" -lt 2048

kill -KILL "$rules"
sleep 2
check_equal "killed: the recorder goes on" "$recorder" "$(session_pid deep)"
"$here/sorter" 3 # another process: its binaries are asked for again
check "and starts another one" wait_for 30 rules_of
rules=$(rules_of)
kill -STOP "$rules"
"$here/sorter" 2
cp "$here/sorter" /root/sorter2
/root/sorter2 8 # code that is new waits for a process that hangs
check_equal "hanging: the recorder goes on" "$recorder" "$(session_pid deep)"
check "and has another one" wait_for 30 sh -c "pgrep -P $recorder -f 'perf-recorder-view rules' | grep -qvx $rules"
good_dump "after both"

check "systemctl restart" systemctl restart perf-recorderd.service
check_equal "restart of the daemon: the same recorder" "$recorder" "$(session_pid deep)"
kill -KILL "$recorder"
again() { recorder=$(session_pid deep) && [ "$recorder" -gt 0 ] && [ "$recorder" != "$1" ]; }
check "kill -9 of the recorder: it is restarted" wait_for 30 again "$recorder"
recorder=$(session_pid deep)
check "and unwinds, with what is mapped since before" wait_for 30 rules_of
sleep 2
good_dump "with the rings taken over"
kill "$sorter"
check "stop" perfctl stop deep
check "nothing is left of it" wait_for 30 sh -c "! pgrep -f '[p]erf-recorder-view rules'"

check "the shipped session" perfctl start cpu-deep
"$here/sorter" 3
check "it dumps" perfctl dump cpu-deep
check_match "whole chains" 'sort_once' "$(perfctl report cpu-deep --comm sorter 2>/dev/null)"
check "stop" perfctl stop cpu-deep
finish
