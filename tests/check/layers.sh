#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Who may include whom. Run in the top folder of the sources.
#
#   basic <- words, view-words, format, terminal, bpf; format <- machine, processes, history, perfevent/open; words <- session, perfevent, counters; processes <-
#   symbols <- unwind <- replay <- analysis <- report <- browser; analysis <- export. The worker's folders know all but session, and each those below it; the client's in base, bus, dumps, session,
#   verbs those before it; the viewer's in base, recording, trace, counting, facts those before it, and report, script, annotate, picture (with export), sched,
#   c2c and rules nothing of one another, diff only picture, browse report and the verbs of the others; the daemon only session, words and basic, and its folders each those before it in base, dumps, systemd, session,
#   manager, bus; the meter counts, machine, terminal, analysis and browser. Nobody includes from worker, meter, daemon, viewer or client; include/ includes nothing of ours; NAME-parts.h and what lies in
#   FOLDER/private are for their own folder; neither headers nor folders include one another in a circle; sd-bus.h is only for the bus files.
set -euo pipefail

declare -A may=(
        [include]=""
        [lib/basic]="lib/basic"
        [lib/bpf]="lib/basic lib/bpf"
        [lib/words]="lib/basic lib/words"
        [lib/counters]="lib/basic lib/words lib/counters"
        [lib/view-words]="lib/basic lib/view-words"
        [lib/format]="lib/basic lib/format"
        [lib/machine]="lib/basic lib/format lib/machine"
        [lib/processes]="lib/basic lib/format lib/processes"
        [lib/history]="lib/basic lib/format lib/history"
        [lib/perfevent/words]="lib/basic lib/words lib/perfevent/words"
        [lib/perfevent/open]="lib/basic lib/words lib/format lib/perfevent/words lib/perfevent/open"
        [lib/counts]="lib/basic lib/words lib/format lib/perfevent/words lib/perfevent/open lib/counts"
        [lib/session]="lib/basic lib/words lib/session"
        [lib/terminal]="lib/basic lib/terminal"
        [lib/syscalls]="lib/basic lib/view-words lib/terminal lib/events-text lib/syscalls"
        [lib/events-text]="lib/basic lib/terminal lib/events-text"
        [lib/symbols]="lib/basic lib/format lib/processes lib/symbols"
        [lib/unwind]="lib/basic lib/format lib/processes lib/symbols lib/unwind"
        [lib/replay]="lib/basic lib/format lib/processes lib/symbols lib/unwind lib/replay"
        [lib/sched]="lib/basic lib/events-text lib/format lib/replay lib/sched"
        [lib/analysis]="lib/basic lib/events-text lib/format lib/processes lib/symbols lib/unwind lib/replay lib/sched lib/analysis"
        [lib/report]="lib/basic lib/view-words lib/terminal lib/format lib/processes lib/symbols lib/replay lib/analysis lib/report"
        [lib/browser]="lib/basic lib/terminal lib/format lib/processes lib/symbols lib/analysis lib/report lib/browser"
        [lib/export]="lib/basic lib/terminal lib/processes lib/symbols lib/analysis lib/export"
        [worker]="lib/basic worker/loop worker/options worker/recording"
        [worker/loop]="lib/basic lib/words lib/perfevent/open worker/loop"
        [worker/bpf]="lib/basic lib/bpf lib/perfevent/open lib/format worker/loop worker/bpf"
        [worker/symbols]="lib/basic lib/format lib/processes lib/symbols worker/loop worker/symbols"
        [worker/trigger]="lib/basic lib/bpf lib/words lib/perfevent/words lib/perfevent/open lib/format worker/loop worker/bpf worker/trigger"
        [worker/options]="lib/basic lib/words lib/perfevent/words lib/perfevent/open lib/format lib/history worker/loop worker/symbols worker/trigger worker/options"
        [worker/output]="lib/basic lib/words lib/perfevent/words lib/perfevent/open lib/format lib/processes lib/machine worker/loop worker/bpf worker/symbols worker/trigger worker/output"
        [worker/flight]="lib/basic lib/words lib/perfevent/words lib/perfevent/open lib/format lib/processes lib/history lib/symbols lib/unwind worker/loop worker/symbols worker/trigger worker/output worker/flight"
        [worker/recording]="lib/basic lib/words lib/perfevent/words lib/perfevent/open lib/format worker/loop worker/bpf worker/trigger worker/options worker/output worker/flight worker/recording"
        [meter]="lib/basic lib/bpf lib/events-text lib/syscalls lib/words lib/view-words lib/format lib/machine lib/processes lib/symbols lib/replay lib/analysis lib/report lib/browser lib/perfevent/words lib/perfevent/open lib/counts lib/terminal meter"
        [daemon/base]="lib/basic daemon/base"
        [daemon/dumps]="lib/basic lib/words lib/session daemon/base daemon/dumps"
        [daemon/systemd]="lib/basic lib/session daemon/base daemon/dumps daemon/systemd"
        [daemon/session]="lib/basic lib/words lib/session daemon/base daemon/dumps daemon/systemd daemon/session"
        [daemon/manager]="lib/basic lib/words lib/counters lib/session daemon/base daemon/dumps daemon/systemd daemon/session daemon/manager"
        [daemon/bus]="lib/basic lib/words lib/session daemon/base daemon/dumps daemon/systemd daemon/session daemon/manager daemon/bus"
        [daemon]="lib/basic lib/session daemon/base daemon/systemd daemon/manager daemon/bus daemon"
        [viewer/base]="lib/basic lib/view-words lib/terminal lib/format lib/unwind viewer/base"
        [viewer/recording]="lib/basic lib/words lib/view-words lib/terminal lib/format lib/perfevent/words lib/symbols lib/replay lib/analysis viewer/base viewer/recording"
        [viewer/trace]="lib/basic lib/terminal lib/events-text lib/replay lib/analysis lib/report viewer/recording viewer/trace"
        [viewer/counting]="lib/basic lib/words lib/view-words lib/terminal lib/sched lib/processes lib/symbols lib/unwind lib/replay lib/analysis lib/report viewer/base viewer/recording viewer/trace viewer/counting"
        [viewer/facts]="lib/basic lib/view-words lib/terminal lib/events-text lib/format lib/perfevent/words lib/replay lib/analysis viewer/base viewer/recording viewer/trace viewer/facts"
        [viewer/report]="lib/basic lib/view-words lib/terminal lib/format lib/processes lib/symbols lib/replay lib/analysis lib/report viewer/base viewer/recording viewer/trace viewer/counting viewer/facts viewer/report"
        [viewer/script]="lib/basic lib/view-words lib/terminal lib/format lib/symbols lib/unwind lib/replay lib/analysis lib/report viewer/base viewer/recording viewer/trace viewer/facts viewer/script"
        [viewer/annotate]="lib/basic lib/view-words lib/terminal lib/symbols lib/analysis lib/report viewer/base viewer/recording viewer/counting viewer/facts viewer/annotate"
        [viewer/picture]="lib/basic lib/view-words lib/terminal lib/format lib/replay lib/analysis lib/export viewer/base viewer/recording viewer/counting viewer/picture"
        [viewer/sched]="lib/basic lib/view-words lib/terminal lib/events-text lib/format lib/processes lib/symbols lib/replay lib/sched viewer/base viewer/recording viewer/sched"
        [viewer/syscalls]="lib/basic lib/view-words lib/terminal lib/events-text lib/format lib/processes lib/replay lib/syscalls viewer/base viewer/recording viewer/syscalls"
        [viewer/diff]="lib/basic lib/view-words lib/terminal lib/processes lib/symbols lib/analysis viewer/base viewer/recording viewer/counting viewer/picture viewer/diff"
        [viewer/c2c]="lib/basic lib/view-words lib/terminal lib/symbols lib/analysis viewer/base viewer/recording viewer/counting viewer/c2c"
        [viewer/browse]="lib/basic lib/view-words lib/terminal lib/format lib/processes lib/symbols lib/replay lib/analysis lib/report lib/browser viewer/base viewer/recording viewer/trace viewer/counting viewer/facts viewer/report viewer/script viewer/annotate viewer/picture viewer/browse"
        [viewer/rules]="lib/basic lib/unwind viewer/base viewer/rules"
        [viewer]="lib/basic viewer/facts viewer/browse viewer/script viewer/annotate viewer/picture viewer/diff viewer/sched viewer/c2c viewer/syscalls viewer/rules"
        [client/base]="lib/basic lib/words lib/session lib/terminal client/base"
        [client/bus]="lib/basic lib/terminal client/base client/bus"
        [client/dumps]="lib/basic lib/words lib/terminal lib/format lib/processes lib/symbols client/base client/bus client/dumps"
        [client/session]="lib/basic lib/words lib/counters lib/terminal lib/session lib/perfevent/words lib/perfevent/open client/base client/bus client/dumps client/session"
        [client/verbs]="lib/basic lib/words lib/counters lib/view-words lib/terminal lib/session lib/format lib/perfevent/words lib/perfevent/open client/base client/bus client/dumps client/session client/verbs"
        [client]="lib/basic lib/terminal client/verbs client"
)
# Folders of which another one may only run the verbs.
declare -A runs=(
        [viewer/browse]="viewer/script viewer/annotate viewer/picture"
)
# Foreign headers that only some may use: a pattern of the header, a pattern of the files that may.
walls=(
        'systemd/.*' 'daemon/.*|client/.*'
        'systemd/sd-bus.*' 'daemon/(bus/.*|base/bus-open\.[ch]|systemd/(private/)?(scope(-[a-z]+)?|unit-watch)\.[ch])|client/bus/.*'
        'linux/perf_event\.h' 'lib/(format|processes|history|perfevent|counters)/.*|(worker|meter)/.*|daemon/session/kept-rings\.c'
        'json-c/.*|json\.h' 'client/.*'
        'zstd(_errors)?\.h' 'lib/format/(de)?compress\.c'
        '(elfutils/.*|dwarf)\.h' 'lib/(symbols|unwind)/.*'
        'capstone/.*' 'lib/analysis/disassembly\.c'
        'seccomp\.h' 'viewer/base/sandbox\.c'
        '(ncursesw/)?n?curses\.h' 'lib/browser/screen\.c'
        '(lib|g)elf\.h' 'lib/perfevent/words/.*|lib/(symbols|unwind)/.*|worker/.*'
)
failures=0

complain() {
        echo "$*" >&2
        failures=$((failures + 1))
}

mapfile -t files < <(find include lib worker meter daemon viewer client -name '*.[ch]' | sort)

# Our headers are named without a folder, so a name must be one header's.
declare -A home=()
for file in "${files[@]}"; do
        [[ $file == *.h && $file != include/* ]] || continue
        name=${file##*/}
        [ -z "${home[$name]:-}" ] || complain "$file: ${home[$name]} has a header of that name"
        home[$name]=${file%/*}
done

declare -A owner=()
find_owner() { # FILE's folder goes to $from: the innermost one of the table that FILE lies in
        local folder=${1%/*}
        from=${owner[$folder]:-}
        [ -z "$from" ] || return 0
        from=$folder
        while [ -z "${may[$from]+there}" ] && [[ $from == */* ]]; do from=${from%/*}; done
        owner[$folder]=$from
}

includes=() # "HEADER HEADER" and "FOLDER FOLDER": who includes whom
check_own() { # FILE LINE HEADER
        local from folder=${home[$3]:-}
        find_owner "$1"
        if [ -z "$folder" ]; then
                complain "$1:$2: there is no header $3"
        elif [[ " ${may[$from]:-} " != *" ${folder%/private} "* ]]; then
                complain "$1:$2: $from must not include $folder/$3"
        elif [[ ($3 == *-parts.h || $folder == */private) && ${folder%/private} != "$from" ]]; then
                complain "$1:$2: $folder/$3 is for its own folder"
        elif [[ " ${runs[$from]:-} " == *" $folder "* && $3 != verb-*.h ]]; then
                complain "$1:$2: $from only runs the verbs of $folder, and must not include $3"
        fi
        [[ $1 != *.h ]] || includes+=("${1##*/} $3")
        [ "${folder%/private}" = "$from" ] || includes+=("$from/ ${folder%/private}/")
}

declare -A walls_of=()
check_foreign() { # FILE LINE HEADER
        local i
        [ -n "${walls_of[$3]+there}" ] || {
                walls_of[$3]=
                for ((i = 0; i < ${#walls[@]}; i += 2)); do [[ ! $3 =~ ^(${walls[i]})$ ]] || walls_of[$3]+="$i "; done
        }
        for i in ${walls_of[$3]}; do
                [[ $1 =~ ^(${walls[i + 1]})$ ]] || complain "$1:$2: <$3> does not belong here"
        done
}

while IFS=: read -r file line text; do
        if [[ $text =~ ^[[:space:]]*#[[:space:]]*include[[:space:]]*\"([^\"]+)\" ]]; then
                check_own "$file" "$line" "${BASH_REMATCH[1]}"
        elif [[ $text =~ ^[[:space:]]*#[[:space:]]*include[[:space:]]*\<([^\>]+)\> ]]; then
                check_foreign "$file" "$line" "${BASH_REMATCH[1]}"
        fi
done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "${files[@]}")

# tsort(1) names the members of each circle.
complain_each() { local line; while read -r line; do complain "$line"; done; }
complain_each < <(printf '%s\n' "${includes[@]}" | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: -:/a circle of includes:/; s/^tsort:/a circle of includes:/')

# A header that shows bus types is for the bus files too.
bus_files=${walls[3]}
for header in $(grep -lE '<systemd/sd-bus.*>' "${files[@]}" | grep '\.h$' || true); do
        for file in $(grep -lF "#include \"${header##*/}\"" "${files[@]}" || true); do
                [[ $file =~ ^($bus_files)$ ]] || complain "$file: ${header##*/} brings bus types, it is for the bus files"
        done
done

exit $((failures > 0))
