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
        local text word n=0
        text=$(plain "$1")
        while read -r word; do
                n=$((n + 1))
                grep -qP -- "$3\Q$word\E$4" <<<"$text" || { echo "$1: $2 $word is not there" >&2; failures=$((failures + 1)); }
        done
        [ "$n" -gt 0 ] || { echo "$1: no $2 found in the sources" >&2; failures=$((failures + 1)); }
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
                -e "s/^ +(SWITCH|IGNORED)\((NULL|\"([a-z-]+)\"), (0|'(.)'), .*/-\5 --\3 FLAG/p" worker/options/option-table.c | sed 's/ NEGATABLE$/ REQUIRED/'
}

manual_options() { # FILE: the same, as its section OPTIONS has them
        awk '/^\.Sh/ { inside = $2 == "OPTIONS" }
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
        sed -nE "/^ +local $1='/,/'\$/p" completion/perfctl | sed -E "s/^ +local $1=//" | tr -d "'" | tr -s ' \n' '\n' | grep .
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
same key man/perf-recorderd.conf.5 < <(setting_keys lib/session/daemon-settings.c) 3< <(manual_keys man/perf-recorderd.conf.5)
verbs=$(grep -oP '^ +\{ "\K[a-z-]+(?=", [0-9]+,)' client/verbs.c)
named_in man/perfctl.1 verb '^\.It Cm ' '(?![\w-])' <<<"$verbs"
completed=$(sed -nE "s/^ +\[[A-Z]+\]='(.*)'$/\1/p" completion/perfctl | tr -s ' ' '\n')
same verb completion/perfctl <<<"$verbs" 3<<<"$completed"
[ "$(recorder_options | wc -l)" -eq "$(grep -cE '^ *(YES[A-Z_]*|SWITCH|IGNORED)\(' worker/options/option-table.c)" ] ||
        { echo "worker/options/option-table.c: rows that this check can't read" >&2; failures=$((failures + 1)); }
same option man/perf-recorder-worker.1 < <(recorder_options) 3< <(manual_options man/perf-recorder-worker.1)
same option completion/perfctl < <(recorder_options | grep -oP ' \K--\S+') 3< <(completed_words recorder)
once completion/perfctl < <(completed_words recorder)
for element in method property signal; do
        named_in man/org.perfrecorder1.5 $element '\b' '\b' < <(xml_names $element)
done

exit $((failures > 0))
