#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the programs know is what the manual names: keys of the files, verbs, options of the recorder, the bus. Compared with the
# tables in the sources and the interface files. Run in the top folder.
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

xml_names() { # ELEMENT
        sed -nE "s/.*<$1 name=\"([^\"]+)\".*/\1/p" dbus/org.perfrecorder1.*.xml | sort -u
}

grep -ohP 'SETTING_KEY\("\K\w+' lib/session/settings*.c | named_in man/perf-recorder.session.5 key '\b' '='
grep -oP '\{ "\K\w+(?=", set_)' lib/session/daemon-settings.c | named_in man/perf-recorderd.conf.5 key '\b' '='
verbs=$(grep -oP '^ +\{ "\K[a-z]+(?=", [0-9]+,)' client/verbs.c)
named_in man/perfctl.1 verb '\b' '\b' <<<"$verbs"
named_in completion/perfctl verb '\b' '\b' <<<"$verbs"
options=$(grep -oP 'YES\("\K[a-z-]+' worker/option-table.c)
named_in man/perf-recorder-worker.1 option '--' '\b' <<<"$options"
named_in completion/perfctl option '--' '\b' <<<"$options"
for element in method property signal; do
        xml_names $element | named_in man/org.perfrecorder1.5 $element '\b' '\b'
done

exit $((failures > 0))
