#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The files that come out are perf's own kind: perf report, perf script and hotspot-perfparser show the symbols of a busy
# program, its children and the kernel; a foreign recorder works like ours; the shipped sessions work as they are.
. "$(dirname "$0")/assert.sh"

load() { # a shell that forks, and dd that lives in the kernel
        while :; do
                dd if=/dev/zero of=/dev/null bs=64 count=200000 2>/dev/null
                # shellcheck disable=SC2034
                for i in 1 2 3 4 5 6 7 8 9; do x=$(md5sum /etc/passwd); done
        done
}
symbols() { perf report --stdio -i "$1" --sort comm,dso,sym 2>/dev/null | grep -v '^#' | grep '%'; }

fresh
write_session ours '[Record]' 'Event=cpu-clock' 'Frequency=999' 'AllCPUs=yes' 'CallGraph=fp'
write_session theirs '[Session]' 'Recorder=/usr/bin/perf' 'Run=-e cpu-clock -F 999 -a -g --switch-output'
write_session points '[Session]' 'Run=-e sched:sched_process_exec,sched:sched_process_exit -a'
check "start of ours and of perf's" perfctl start
check_equal "the foreign one is perf" perf "$(cat "/proc/$(session_pid theirs)/comm")"
check_match "in its scope" 'perf-session-theirs.scope$' "$(cat "/proc/$(session_pid theirs)/cgroup")"
check_equal "all answer pings" 3 "$(perfctl ping | grep -c '^OK')"
load &
busy=$!
sleep 2
check "signals reach both" perfctl signal ours theirs
sleep 1
perf record -q -o /tmp/plain.data -e cpu-clock -F 999 -a -- sleep 0.5 >/dev/null 2>&1
kill "$busy"
check "pause" perfctl pause ours
check_equal "paused" paused "$(session_property ours State)"
paused=$(session_property ours Samples)
sleep 0.5
check_equal "nothing is recorded while paused" "$paused" "$(session_property ours Samples)"
check "resume" perfctl resume ours
check_equal "recording again" recording "$(session_property ours State)"
check "pause reaches perf too" perfctl pause theirs
check "stop" perfctl stop ours theirs points

# Whatever finished a file, it says why, and when its samples were taken.
write_session turns '[Record]' 'Event=cpu-clock' 'Frequency=99' 'AllCPUs=yes' 'Rotate=1s'
rotated() { perfctl dumps turns --json=short | grep -q '"trigger":"rotation"'; }
check "a file is rotated" wait_for 30 rotated
check "stop" perfctl stop turns
facts() { perfctl dumps "$1" --json=short | tr '{' '\n' | grep '"id"' | sed -E 's/.*"trigger":"([a-z-]*)".*/\1/'; }
check_equal "rotated and last files have facts" "rotation shutdown" "$(facts turns | sort -u | xargs)"
check_equal "all of them have a span and samples" "$(facts turns | wc -l)" \
        "$(perfctl dumps turns --json=short | grep -oE '"first_usec":[1-9][0-9]*,"last_usec":[1-9][0-9]*,"samples":[1-9]' | wc -l)"
check_equal "so do those that a signal finished" "shutdown signal" "$(facts ours | sort -u | xargs)"

ours=$(find "$BASE/session-ours" -name 'perf.data.2*[0-9]' | sort | head -n 1)
theirs=$(find "$BASE/session-theirs" -name 'perf.data.2*[0-9]' | sort | head -n 1)
check "ours left a file" test -s "$ours"
check "perf left a file" test -s "$theirs"
for pattern in 'dd .*\[kernel.kallsyms\]' 'md5sum .*libc' 'dd .*(dd|libc)'; do
        check_match "perf's own file shows $pattern" "$pattern" "$(symbols "$theirs")"
        check_match "ours shows it too" "$pattern" "$(symbols "$ours")"
done
# Of the load alone: what else runs on the host is sampled too, and has no symbols in here.
share() {
        symbols "$1" | awk '$2 == "dd" || $2 == "md5sum" { all += $1; if ($NF ~ /^0x/) unknown += $1 }
                END { printf "%d", all ? 100 * unknown / all : 100 }'
}
check "unknown symbols are no more than perf's (ours $(share "$ours") %, perf's $(share "$theirs") %)" \
        test "$(share "$ours")" -le $(($(share "$theirs") + 5))
# perf 6.12 excludes the kernel from the event of its side band, and writes of a CPU without counters that it has no capabilities.
events() { perf evlist -i "$1" | sed 's/^dummy:.*/dummy/'; }
check_equal "the same events" "$(events "$theirs")" "$(events "$ours")"
features() {
        perf report --header-only -I -i "$1" 2>/dev/null | grep -v 'pmu capabilities: not available' |
                sed -n 's/^# \([a-z][a-zA-Z _]*\) *:.*/\1/p' | sed 's/ *$//' | sort -u
}
missing=$(comm -13 <(features "$ours") <(features "$theirs"))
check_equal "every header feature of perf's" "" "$missing"
check_match "info says how many processes it leaves out, and how to sum them" \
        "more processes; 'perfctl report --sort=comm' adds up" "$(perfctl info "$ours")"
check_match "which report does" '% +dd *$' "$(perfctl report "$ours" --sort=comm --no-children --percent-limit=0 -g none)"
check_match "build ids" 'kernel.kallsyms' "$(perf buildid-list -i "$ours")"
# perf notes none for its own files with --switch-output, so a plain one is the measure; of what is surely hit.
ids() { perf buildid-list -i "$1" | grep -E '^[0-9a-f]{8,} .*(libc\.so|/dd$)' | sort; }
check_match "perf's own build ids" 'libc' "$(ids /tmp/plain.data)"
missing=$(comm -13 <(ids "$ours") <(ids /tmp/plain.data))
check_equal "the same build ids of what was hit" "" "$missing"
points=$BASE/session-points/perf.data
check_match "tracepoints are named and decoded" 'sched:sched_process_exec: filename=' "$(perf script -i "$points")"
if command -v /usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser >/dev/null; then
        parser=/usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser
        check "hotspot's parser reads ours" sh -c "$parser --input $ours | grep -aq QPERFSTREAM"
fi

# A unit, as the template that is shipped has it; and the other shipped ones, by name.
check_match "shipped sessions are listed, not started" 'cpu +inactive' "$(perfctl list --no-pager)"
systemd-run -q --unit=busy.service sh -c 'while :; do md5sum /etc/passwd; done' >/dev/null
for name in cpu sched unit@busy.service; do
        check "start of the shipped $name" perfctl start "$name"
done
sh -c 'while :; do :; done' &
other=$!
sleep 1.5
check "stop of the shipped ones" perfctl stop cpu sched unit@busy.service
kill "$other"
systemctl stop busy.service
for name in cpu sched unit@busy.service; do
        file=$(find "$BASE/session-$name" -name 'perf.data.2*[0-9]' -o -name perf.data | sort | head -n 1)
        check "the shipped $name has samples" sh -c "perf script -i '$file' | grep -q ."
done
file=$(find "$BASE/session-unit@busy.service" -name 'perf.data*' | sort | head -n 1)
check_match "the unit's processes are in it" md5sum "$(perf report --stdio -i "$file" --sort comm 2>/dev/null)"
others=$(perf script -i "$file" -F pid 2>/dev/null | grep -cw "$other")
check_equal "others are not" 0 "$others"

# Transient ones, from the bus, and perfctl record.
check "StartTransient" busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager \
        StartTransient 'sa{sv}' passing 2 Record.Event s cpu-clock Record.Frequency s 99
check_equal "it records" recording "$(session_property passing State)"
check "and is gone" perfctl stop passing
check_fails "when it stops" perfctl show passing
cd /tmp || exit 1
check_match "perfctl record speaks perf's words" 'Captured and wrote .* MB x.data \([0-9]+ samples\)' \
        "$(perfctl record -F 499 -g -o x.data -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' 2>&1)"
check_match "and perf reads its file" 'sh|dash' "$(symbols x.data)"
rm -f x.data
finish
