#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the programs know is what the manual and the completion name: keys of the files, verbs, options of the recorder, the bus.
# Compared with the tables in the sources (the help is made from them) and the interface files; keys and options both ways, keys with
# their sections, options with letters and values, so that none is promised that is refused. Run in the top folder.
set -euo pipefail

failures=0

plain() { # FILE…: manual pages without what only roff wants to see
        sed -E 's/\\-/-/g; s/\\f[A-Z]|\\f\([A-Z]{2}|\\&//g' "$@"
}

named_in() { # FILE WHAT PATTERN-PREFIX PATTERN-SUFFIX: each line of stdin stands in FILE
        local words pattern missing
        words=$(sort -u)
        [ -n "$words" ] || { echo "$1: no $2 found in the sources" >&2; failures=$((failures + 1)); return; }
        pattern=\\Q${words//$'\n'/'\E|\Q'}\\E
        missing=$(comm -23 - <(plain "$1" | grep -oP -- "$3\K($pattern)(?=$4)" | sort -u) <<<"$words")
        [ -z "$missing" ] || { echo "$1: $2 is not there: ${missing//$'\n'/ }" >&2; failures=$((failures + 1)); }
}

same() { # WHAT WHERE: two lists, of lines; the first from stdin, the second from descriptor 3
        local difference
        difference=$(diff <(sort -u) <(sort -u <&3)) && return
        grep -E '^[<>]' <<<"$difference" | sed -E "s|^<|$2: $1 is not there:|; s|^>|$2: $1 that the programs don't have so:|" >&2
        failures=$((failures + 1))
}

# As "record Event", from the tables of keys.
setting_keys() { # FILE…
        awk 'match($0, /^ +(SETTING|DAEMON)_KEY(_[A-Z]+)?\("/) { rest = substr($0, RLENGTH + 1); keys[n++] = substr(rest, 1, index(rest, "\"") - 1) }
                match($0, /^(static )?const SettingSection [a-z_]+ = \{ "/) {
                        rest = substr($0, RLENGTH + 1)
                        for (i = 0; i < n; i++) print tolower(substr(rest, 1, index(rest, "\"") - 1)) " " keys[i]
                        n = 0
                }' "$@"
}

manual_keys() { # FILE: the same, from the items of the sections [SECTION]
        plain "$1" | awk '/^\.Sh/ { section = $2 ~ /^\[/ ? tolower(substr($2, 2, length($2) - 2)) : "" }
                section && /^\.It Va/ { for (i = 2; i <= NF; i++) if ($i ~ /=$/) print section " " substr($i, 1, length($i) - 1) }'
}

# As "-e --event REQUIRED", FLAG or OPTIONAL; "-" and "--" alone where there is no letter or name. Those that work.
recorder_options() {
        sed -nE -e "s/^ +YES(_FILE)?\((NULL|\"([a-z-]+)\"), (0|'(.)'), ([A-Z]+),.*/-\5 --\3 \6/p" \
                -e "s/^ +SWITCH\((NULL|\"([a-z-]+)\"), (0|'(.)'), .*/-\4 --\2 FLAG/p" \
                -e "s/^ +PERF\(\"([a-z-]+)\", (0|'(.)'), ([A-Z]+), \".*/-\3 --\1 \4/p" worker/options/option-table.c | sed 's/ NEGATABLE$/ REQUIRED/'
}

manual_options() { # FILE [HEADING]: the same, as its section OPTIONS, or the one of that heading, has them
        awk -v heading="${2:-.Sh OPTIONS}" '/^\.Sh/ || substr($0, 1, 3) == substr(heading, 1, 3) { inside = $0 == heading }
                inside && /^\.It (Fl|Cm --)/ {
                        letter = name = ""
                        kind = "FLAG"
                        for (i = 2; i <= NF; i++) {
                                if ($i == "Fl") letter = $(i + 1)
                                if ($i ~ /^--/ && !name) name = substr($i, 3)
                                if ($i == "=" && kind == "FLAG") kind = $(i - 1) == "Op" ? "OPTIONAL" : "REQUIRED"
                        }
                        if (letter || !(name in seen)) print "-" letter " --" name " " kind
                        seen[name]
                }' "$1"
}

completed_words() { # VARIABLE: of the completion
        sed -nE -e "/^ +(local $1|\[$1\])='[^']*'\$/{p;d}" -e "/^ +(local $1|\[$1\])='/,/'\$/p" completion/perfctl |
                sed -E "s/^ +(local $1|\[$1\])=//" | tr -d "'" | tr -s ' \n' '\n' | grep .
}

once() { # WHERE: no line of stdin stands there twice
        local double
        double=$(sort | uniq -d)
        [ -z "$double" ] || { echo "$1: twice: $double" >&2; failures=$((failures + 1)); }
}

xml_names() { # ELEMENT
        sed -nE "s/.*<$1 name=\"([^\"]+)\".*/\1/p" dbus/org.perfrecorder1.*.xml | sort -u
}

same key man/perf-recorder.session.5 < <(setting_keys lib/session/settings*.c) 3< <(manual_keys man/perf-recorder.session.5)
# The sections of the fuzzers' samples are not looked at: two have a key Event, and Compress.
sampled=$(cat tests/fuzz/corpus/settings/* | grep -aoP '^\w+(?==.)')
comm -23 <(setting_keys lib/session/settings*.c | cut -d' ' -f2 | sort -u) <(sort -u <<<"$sampled") | grep . &&
        { echo "tests/fuzz/corpus/settings: no sample has these keys" >&2; failures=$((failures + 1)); }
same key man/perf-recorderd.conf.5 < <(setting_keys lib/session/daemon-settings.c) 3< <(manual_keys man/perf-recorderd.conf.5)
verbs=$(grep -oP '^ +\{ "\K[a-z0-9-]+(?=", [0-9]+,)' client/verbs/verbs.c)
named_in man/perfctl.1 verb '^\.It Cm ' '(?![\w-])' <<<"$verbs"
completed=$(sed -nE "s/^ +\[[A-Z]+\]='(.*)'$/\1/p" completion/perfctl | tr -s ' ' '\n')
same verb completion/perfctl <<<"$verbs" 3<<<"$completed"
[ "$(recorder_options | wc -l)" -eq "$(grep -cE '^ *((YES[A-Z_]*|SWITCH)\(|PERF\(.*"\),$)' worker/options/option-table.c)" ] ||
        { echo "worker/options/option-table.c: rows that this check can't read" >&2; failures=$((failures + 1)); }
same option man/perf-recorder-worker.1 < <(recorder_options) 3< <(manual_options man/perf-recorder-worker.1)
same option completion/perfctl < <(recorder_options | grep -oP ' \K--\S+') 3< <(completed_words recorder)
once completion/perfctl < <(completed_words recorder)
# The rows of a table of ViewOption, with those that verbs share.
view_rows() { # FILE
        awk 'FNR == NR { print; if (match($1, /^[A-Z_]+_ROWS\(/)) wanted[substr($1, 1, RLENGTH) "T"]; next }
                $1 == "#define" { inside = substr($2, 1, index($2, "(") + 1) in wanted; next }
                inside
                !/\\$/ { inside = 0 }' "$1" lib/view-words/common-rows.h | grep -E '^        (VIEW_[A-Z_]+|SELECTION_ROW|RECORDS)\('
}
# As "-i --input REQUIRED", of such a table, and of --help, which is in none.
view_options() { # FILE
        view_rows "$1" | sed -nE -e "s/^ +(VIEW_ACCEPTED\(|VIEW_(SET|CLEAR)\(\w+, [a-z_.]+, )\"([A-Za-z0-9_-]+)\", ('(.)'|0).*/-\5 --\3 FLAG/p" \
                -e "s/^ +VIEW_ACCEPTED_VALUE\(\"([A-Za-z0-9_-]+)\", ('(.)'|0), \"=.*/-\3 --\1 REQUIRED/p" \
                -e "s/^ +RECORDS\(\"([a-z-]+)\".*/- --\1 FLAG/p" \
                -e "s/^ +(VIEW_(TEXT|CALL|NEXT)\(\w+, [a-z_.]+, |VIEW_WHOLE\(|SELECTION_ROW\(\w+, [A-Z_]+, )\"([A-Za-z0-9_-]+)\", ('(.)'|0), (NULL|\"[=[]).*/-\5 --\3 \6/p" |
                sed 's/ NULL$/ FLAG/; s/ "=$/ REQUIRED/; s/ "\[$/ OPTIONAL/'
        echo '-h --help FLAG'
}
# The same, of a table of getopt_long(3).
getopt_options() { # FILE
        sed -nE "s/^ +\{ \"([A-Za-z0-9-]+)\", (no|required|optional)_argument, NULL, ('(.)'|[A-Z0-9_]+) \}.*/-\4 --\1 \2/p" "$1" |
                sed 's/ no$/ FLAG/; s/ required$/ REQUIRED/; s/ optional$/ OPTIONAL/; s/^-[A-Z]\{2,\} /- /'
}
# The same, as the lines of its help have them, of which one may have several; that of --help itself is left out there.
helped_options() { # FILE
        awk 'match($0, /"(  -[A-Za-z] |     )--/) {
                text = substr($0, RSTART + 1)
                gsub(/^ +|\\n.*/, "", text)
                sub(/  .*/, "", text)
                n = split(text, words, " ")
                letter = ""
                for (i = 1; i <= n; i++) {
                        if (words[i] ~ /^-[A-Za-z]$/) letter = substr(words[i], 2)
                        else if (match(words[i], /^--[A-Za-z0-9-]+/)) {
                                kind = words[i] ~ /\[=/ ? "OPTIONAL" : words[i] ~ /=/ ? "REQUIRED" : "FLAG"
                                print "-" letter " " substr(words[i], 1, RLENGTH) " " kind
                                letter = ""
                        }
                }
        }' "$1"
}
# The same, as the synopsis of a verb in perfctl(1) has them.
manual_synopsis() { # VERB
        awk -v verb="$1" '/^\.Bd/ { inside = 0 } $0 == ".Cm " verb { inside = 1; next } /^\.Ed/ { inside = 0 }
                inside && /^\.Op Fl / {
                        letter = name = ""
                        kind = "FLAG"
                        for (i = 3; i <= NF; i++) {
                                if ($i ~ /^[A-Za-z]$/ && $(i - 1) == "Fl") letter = $i
                                if ($i ~ /^-[a-z]/ && $(i - 1) == "Fl") name = substr($i, 2)
                                if ($i == "Oo") kind = "OPTIONAL"
                                if ($i == "=" && kind == "FLAG") kind = "REQUIRED"
                        }
                        print "-" letter " --" name " " kind
                }' man/perfctl.1
}
viewed=''
while read -r file verb; do
        same option man/perf-recorder-view.1 < <(view_options "$file") 3< <(manual_options man/perf-recorder-view.1 ".Ss $verb")
        [ "$(view_options "$file" | wc -l)" -eq "$(($(view_rows "$file" | wc -l) + 1))" ] ||
                { echo "$file: rows of options that this check can't read" >&2; failures=$((failures + 1)); }
        viewed+=${verb%% *}$'\n'
done <<'END'
lib/view-words/report-rows.h report
lib/view-words/script-rows.h script
lib/view-words/annotate-rows.h annotate
lib/view-words/header-rows.h header
lib/view-words/evlist-rows.h evlist
lib/view-words/flamegraph-rows.h flamegraph
lib/view-words/heatmap-rows.h heatmap
lib/view-words/export-rows.h export
lib/view-words/diff-rows.h diff
lib/view-words/lock-contention-rows.h lock contention
lib/view-words/c2c-report-rows.h c2c report
lib/view-words/sched-timehist-rows.h sched timehist
lib/view-words/sched-latency-rows.h sched latency
lib/view-words/sched-map-rows.h sched map
lib/view-words/sched-blame-rows.h sched blame
lib/view-words/sched-replay-rows.h sched replay
lib/view-words/trace-rows.h trace
END
same option man/perf-recorder-view.1 < <(view_options lib/view-words/info-rows.h) 3< <(manual_options man/perf-recorder-view.1 ".Ss info") # perfctl's are its own
same option completion/perfctl < <({ view_options lib/view-words/stat-rows.h; printf -- '- %s\n' --now --no-keep; } | grep -oP ' \K--\S+') 3< <(completed_words stat)
same option man/perf-recorder-meter.1 < <(view_options lib/view-words/stat-rows.h) 3< <(manual_options man/perf-recorder-meter.1)
same option completion/perfctl < <({ view_options lib/view-words/trace-live-rows.h; view_options lib/view-words/trace-rows.h; printf -- '- %s\n' --now --no-keep; } | grep -oP ' \K--\S+') 3< <(completed_words trace)
same option man/perf-recorder-meter.1 < <(view_options lib/view-words/trace-live-rows.h) 3< <(manual_options man/perf-recorder-meter.1 '.Sh TRACE OPTIONS')
same option completion/perfctl < <(view_options lib/view-words/top-rows.h | grep -oP ' \K--\S+') 3< <(completed_words top)
same option man/perf-recorder-meter.1 < <(view_options lib/view-words/top-rows.h) 3< <(manual_options man/perf-recorder-meter.1 '.Sh TOP OPTIONS')
# Each verb of the viewer is one of those above.
same verb tests/check/documented.sh < <(grep -oP '^ +\{ "\K[a-z0-9-]+(?=", verb_)' viewer/main.c) 3< <(printf '%sinfo\n' "$viewed" | uniq)
# Values that the completion knows.
completed_values() { # OPTIONS
        sed -nE "s/^ +$1\) of_option='([a-z0-9 -]+)' ;;\$/\1/p" completion/perfctl | tr ' ' '\n'
}
same key completion/perfctl < <(sed -nE '/REPORT_FIELD_COMM/,$ s/^ +\[REPORT_FIELD_[A-Z_]+\] = \{ "([a-z_]+)".*/\1/p' lib/report/report-fields.c) \
        3< <(completed_words keys)
same palette completion/perfctl < <(sed -n '/"kinds"/,/"orange"/p' lib/export/flame-color.c | grep -oP '"\K[a-z]+') \
        3< <(completed_values "'flamegraph --colors'")
# The options of perfctl daemon, which are perf daemon's.
same option 'the help of client/verbs/verb-daemon.c' < <(getopt_options client/verbs/verb-daemon.c | grep -v -- ' --help ') \
        3< <(helped_options client/verbs/verb-daemon.c)
same option man/perfctl.1 < <(getopt_options client/verbs/verb-daemon.c | grep -v -- ' --help ') 3< <(manual_synopsis daemon)
same word completion/perfctl < <(
        grep -oP '^ {16}\{ "\K[a-z]+(?=", daemon_verb_)' client/verbs/verb-daemon.c
        getopt_options client/verbs/verb-daemon.c | grep -oP -- '(?<=^|[ ])--?[A-Za-z][\w-]*'
) 3< <(completed_words daemon)
# The words of a request for a dump: a caller's on the bus, the recorder's on its control descriptor.
dump_words() { # USE
        sed -nE "s/^ +WORD\(\"([a-z]+)\", [A-Z]+, [a-z]+, [A-Z |]*\b$1\b.*/\1/p" lib/words/dump-request.c
}
named_in man/org.perfrecorder1.5 'option of Dump' '^\.BR? ' '(?!\w)' < <(dump_words CALLER)
named_in dbus/org.perfrecorder1.Manager.xml 'option of Dump' '"' '" \(' < <(dump_words CALLER)
named_in man/perf-recorder-worker.1 'word of snapshot' ' Cm ' '=' < <(dump_words RECORDER)
for element in method property signal; do
        named_in man/org.perfrecorder1.5 $element '\b' '\b' < <(xml_names $element)
done

exit $((failures > 0))
