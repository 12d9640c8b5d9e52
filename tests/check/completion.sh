#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What bash completes: completion.sh PERFCTL. Run in the top folder of the sources.
set -euo pipefail

PATH=$(dirname "$1"):$PATH
failures=0
# shellcheck source=completion/perfctl
. completion/perfctl
compopt() { :; } # there is no completion that it could belong to

complete_line() { # WORD…: the last one is what is completed
        local COMP_LINE=$* COMP_POINT COMP_CWORD
        local -a COMP_WORDS=("$@")
        COMPREPLY=()
        COMP_POINT=${#COMP_LINE}
        COMP_CWORD=$(($# - 1))
        _perfctl
}

offers() { # WANTED… -- WORD…: all of these are offered; !WANTED: it is not
        local -a wanted=()
        local word
        while [ "$1" != -- ]; do wanted+=("$1"); shift; done
        shift
        complete_line perfctl "$@"
        for word in "${wanted[@]}"; do
                if [[ $word == !* && " ${COMPREPLY[*]} " == *" ${word#!} "* || $word != !* && " ${COMPREPLY[*]} " != *" $word "* ]]; then
                        echo "perfctl $*: $word; offered are ${COMPREPLY[*]}" >&2
                        failures=$((failures + 1))
                fi
        done
}

offers report dumps stop record -- ''
offers report restart '!stop' -- re
offers --host --no-pager --version -- --
offers --why --force '!--sort' '!--lines' -- dump --
offers --lines --trigger --reverse '!--why' -- dumps --
offers --sort --now --no-keep --no-pager --call-graph '!--format' -- report --
offers --format --off-cpu --inverted '!--sort' -- flamegraph --
offers --by --stepsec '!--colors' -- heatmap --
offers --trace-fields '!--comms' -- evlist --
offers --normalize --fail-above --last --trigger --baseline --on '!--by' -- diff --
offers --unit --batch --hide_kernel_symbols '!--compression-level' -- top --
offers svg html '!json' -- diff --format = ''
offers a b -- flamegraph --on = ''
offers latency blame record '!contention' -- sched ''
offers --longer-than --unit '!--histogram' -- sched blame --
offers report record script -- c2c ''
offers --coalesce --node-info '!--histogram' -- c2c report --
offers --sort '!--stdio' -- report cpu --so
offers comm dso symbol overhead '!SIGINT' -- report -s ''
offers comm '!symbol' -- report --sort = c
offers caller fractal -- report -g ''
offers svg html '!pprof' -- flamegraph --format = ''
offers pprof csv '!svg' -- export --format ''
offers pid unit -- flamegraph --by = ''
offers offset cpu '!symbol' -- heatmap --by ''
offers hot aqua '!grey' -- flamegraph --colors ''
offers SIGUSR2 SIGINT -- signal -s ''
offers short pretty -- list --json = ''
offers cpu-pressure -- dumps --trigger cpu
offers --event --call-graph -- record --
offers --what --wait --who '!--event' -- reserve --
offers hardware breakpoint -- reserve --what = ''
offers hardware breakpoint '!cat' -- reserve --what ''
offers short '!cat' -- reserve --who --json = ''
offers cat '!--what' -- reserve ca
offers cat -- reserve --why = reason -f lock --wait = 1s ca
offers cat -- reserve --wait -- ca
offers '!--what' '!--who' -- reserve cat --
offers '!--what' '!--who' -- reserve --json short -d -- cat --
offers '!--what' '!--who' -- reserve -- --w
exit $((failures > 0))
