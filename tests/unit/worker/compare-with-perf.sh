#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Records the same with perf and with us, and compares what perf's own readers say of the two files: header features, kinds of
# records, symbols, build ids. compare-with-perf.sh WORKER BUSY-PROGRAM. Exit status 77: perf or its events are not there.
set -euo pipefail

worker=$1 busy=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

command -v perf >/dev/null || { echo "skipped: there is no perf"; exit 77; }
perf record -q -e cpu-clock -a -o probe.data true >/dev/null 2>&1 </dev/null || { echo "skipped: perf can't record here"; exit 77; }
[[ $(perf --version) == "perf version 6.1."* ]] || { echo "skipped: files are compared with perf 6.1's, this is $(perf --version)"; exit 77; }

fail() {
        echo "$*" >>complaints
}

# A case that fails is tried again, twice: two recordings, one after the other, of a machine on which other things begin and
# end meanwhile do not always agree.
try() { # FUNCTION
        for _ in 1 2 3; do
                : >complaints
                "$1"
                [ -s complaints ] || return 0
        done
        cat complaints >&2
        failures=$((failures + 1))
}

# What is the recording's own (times, sizes, ids), or what we leave out on purpose: the code of BPF programs.
features() {
        perf report --header-only -i "$1" 2>/dev/null |
                grep -vE 'captured on|data (size|offset)|feat offset|perf version|cmdline|time of|sample duration|bpf_prog_info|btf info|^# missing' |
                sed -E 's/ id = \{[^}]*\}//; /pmu mappings/d' || true
}

missing() { # header features that a file lacks
        perf report --header-only -i "$1" 2>/dev/null | sed -n 's/^# missing features: //p' | tr ' ' '\n' | grep -v BPF | sort
}

kinds() { # of records; EXIT, COMM and the like depend on what the machine does meanwhile
        perf report -D -i "$1" 2>/dev/null | grep -aoE 'PERF_RECORD_[A-Z0-9_]+' | grep -avE 'BPF_EVENT|EXIT|LOST' | sort -u
}

compare() { # WHAT FUNCTION: of the two files
        diff <($2 perf.data) <($2 ours.data) >difference || fail "$line: $1 differ (< perf, > ours): $(cat difference)"
}

record() { # OPTIONS…, recorded by both
        line="$*"
        perf record -o perf.data "$@" >/dev/null 2>perf.output </dev/null
        "$worker" -o ours.data "$@" >/dev/null 2>ours.output </dev/null || fail "$line: exit status $?: $(cat ours.output)"
        compare "header features" features
        compare "missing features" missing
        compare "kinds of records" kinds
        grep -qE '^\[ perf record: Woken up [0-9]+ times to write data \]$' ours.output || fail "$line: says $(cat ours.output)"
        grep -qE '^\[ perf record: Captured and wrote [0-9.]+ MB ours.data( \([0-9]+ samples\))? \]$' ours.output ||
                fail "$line: says $(cat ours.output)"
}

share() { # FILE SYMBOL: per cent of the samples of the busy program
        perf report --stdio --no-children -g none --comm busy-program --percentage relative --sort sym -i "$1" 2>/dev/null |
                awk -v symbol="$2" '$3 == symbol { sub("%", "", $1); print int($1) }'
}

has_symbols() {
        local long short
        long=$(share ours.data spin_long) short=$(share ours.data spin_short)
        if [ "${long:-0}" -le 40 ] || [ "${short:-0}" -le 15 ]; then
                fail "$line: spin_long ${long:-none} %, spin_short ${short:-none} %"
        fi
}

same_samples() { # as many as perf found, give or take what a loaded machine does
        local theirs ours
        theirs=$(perf script -F comm,ip -i perf.data 2>/dev/null | grep -c busy-program)
        ours=$(perf script -F comm,ip -i ours.data 2>/dev/null | grep -c busy-program)
        if [ $((ours * 3)) -lt $((theirs * 2)) ] || [ $((ours * 2)) -gt $((theirs * 3)) ]; then
                fail "$line: $theirs samples, ours $ours"
        fi
}

cp "$busy" busy-program

default_events() {
        record ./busy-program
        has_symbols
        same_samples
        diff <(perf buildid-list -i perf.data | grep busy) <(perf buildid-list -i ours.data | grep busy) >/dev/null || fail "build ids differ"
}

# What hotspot is fed with: its parser finds the same names.
hotspot_symbols() {
        "$parser" --input "$1" --output parsed >/dev/null 2>&1 || fail "hotspot-perfparser fails on $1"
        strings -n 4 parsed | grep -oE 'spin_long|spin_short|main|busy-program' | sort -u
}

hotspot() {
        record -e cpu-clock -F 999 -g -- ./busy-program
        [ "$(hotspot_symbols perf.data)" = "$(hotspot_symbols ours.data)" ] || fail "hotspot-perfparser finds $(hotspot_symbols ours.data)"
}

stacks() {
        record -e cpu-clock -F 999 -g -- ./busy-program
        has_symbols
        perf script -F ip,sym -i ours.data 2>/dev/null | grep -A1 spin_long | grep -w main >/dev/null || fail "no call chain leads to main"
}

all_cpus() {
        record -e cpu-clock -F 999 -a -- ./busy-program
        has_symbols
}

one_cpu() { record -e cpu-clock -C 0 -B true; }
overwrite() { record -e cpu-clock -F 999 --overwrite -- ./busy-program 20; }
group() { record -e '{cpu-clock,page-faults}' ./busy-program 20; }

period() {
        record -e cpu-clock -c 1000000 -i ./busy-program
        same_samples
}

faults() {
        record -e page-faults -c 1 ./busy-program 1
        same_samples
}

user() {
        record -e cpu-clock:u -F 999 ./busy-program
        has_symbols
}

tracepoint() {
        record -e sched:sched_process_exec -a ./busy-program 1
        perf script -i ours.data 2>/dev/null | grep 'sched:sched_process_exec: filename=./busy-program' >/dev/null || fail "no fields of a tracepoint"
}

tracepoints() { record -e 'sched:sched_process_e*' -a ./busy-program 1; }

for case in default_events stacks all_cpus one_cpu overwrite group period faults user; do try $case; done
parser=$(find /usr/lib -path '*libexec/hotspot-perfparser' 2>/dev/null | head -n 1)
[ -z "$parser" ] || try hotspot
if perf record -q -e sched:sched_process_exec -a -o probe.data true >/dev/null 2>&1 </dev/null; then
        for case in tracepoint tracepoints; do try $case; done
fi

exit $((failures > 0))
