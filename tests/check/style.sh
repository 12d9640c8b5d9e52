#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What a script can see of the house style (HACKING.md). Run in the top folder of the sources.
set -euo pipefail

MAX_FUNCTION=80  # lines
MAX_LINE=132     # columns, 119 is what to aim at
MAX_FIELDS=25    # of a struct
# Plain records: options as they were given, an event's attributes, the fields of a sample.
LARGE_RECORDS=' Options RecordSettings AttrOptions PerfSample '
HEAD_COMMENT_MIN=1
HEAD_COMMENT_MAX=15
failures=0

complain() {
        echo "$*" >&2
        failures=$((failures + 1))
}

complain_each() { # the lines of stdin
        local line
        while read -r line; do complain "$line"; done
}

mapfile -t sources < <(find include lib worker meter daemon viewer client tests -name '*.[ch]' | sort)
mapfile -t product < <(find include lib worker meter daemon viewer client -name '*.[ch]' | sort)
mapfile -t product_c < <(find lib worker meter daemon viewer client -name '*.c' | sort)
mapfile -t texts < <(find . \( -name .git -o -name 'build*' -o -name .cache -o -name golden -o -name corpus \) -prune -o \
        -type f -print | xargs grep -LI --null-data -m1 $'\x01' | grep -v '\.deb$' | sort)

# Every source says its licence first.
find_unlicensed() { # LINES LINE FILE…: each FILE that has no such LINE among its first LINES
        awk -v lines="$1" -v line="$2" 'FNR <= lines && $0 == line { said[FILENAME] }
                END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in said)) print ARGV[i] ":1: no SPDX line" }' "${@:3}"
}
mapfile -t scripts < <(find . \( -name .git -o -name 'build*' \) -prune -o \( -name CMakeLists.txt -o -name '*.cmake' -o -name '*.sh' \) -print)
complain_each < <(find_unlicensed 1 '/* SPDX-License-Identifier: LGPL-2.1-or-later */' "${sources[@]}" </dev/null)
complain_each < <(find_unlicensed 2 '# SPDX-License-Identifier: LGPL-2.1-or-later' "${scripts[@]}" </dev/null)

# A .c opens with what it is, after the SPDX line and perhaps its includes.
complain_each < <(awk -v min=$HEAD_COMMENT_MIN -v max=$HEAD_COMMENT_MAX '
        function verdict() {
                if (name && !length_seen) printf "%s: no comment at its head\n", name
                else if (name && (length_seen < min || length_seen > max))
                        printf "%s: the comment at its head has %d lines, not %d to %d\n", name, length_seen, min, max
        }
        FNR == 1 { verdict(); name = FILENAME; length_seen = 0; inside = 0; over = 0; next }
        over { next }
        inside { length_seen++; if (/\*\//) over = 1; next }
        /^\/\*/ { inside = 1; length_seen = 1; if (/\*\//) over = 1; next }
        /^[[:space:]]*$/ || /^#/ { next }
        { over = 1 }
        END { verdict() }' "${product_c[@]}")

# Sizes. A file is as long as its noun is large, so the largest are named and not refused.
echo 'The ten largest files, in lines:'
wc -l "${product[@]}" | grep -v ' total$' | sort -rn | sed -n 1,10p
complain_each < <(awk -v max_function=$MAX_FUNCTION '
        FNR == 1 { start = 0 }
        /^[A-Za-z_].*[{]$/ || /^[{]$/ { start = FNR }
        /^}/ {
                if (start && FNR - start > max_function && !/^}.*;/)
                        printf "%s:%d: a function of %d lines\n", FILENAME, start, FNR - start
                start = 0
        }' "${product[@]}")
# An object of many fields is two. Those of a struct without a name count as its owner's, as do those of a union.
complain_each < <(awk -v max=$MAX_FIELDS -v records="$LARGE_RECORDS" '
        FNR == 1 { inside = 0; comment = 0 }
        {
                line = $0
                gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
                if (comment && !match(line, /\*\//)) next
                if (comment) line = substr(line, RSTART + 2)
                comment = match(line, /\/\*/)
                if (comment) line = substr(line, 1, RSTART - 1)
        }
        !inside && line ~ /^(typedef )?struct [^;()=]*[{] *$/ {
                inside = 1; n = 0; statement = ""; start = FNR
                name = line; sub(/ *[{].*/, "", name); sub(/.* /, "", name)
                next
        }
        inside && line ~ /^}/ {
                inside = 0
                if (n > max && !index(records, " " name " ")) printf "%s:%d: %s has %d fields\n", FILENAME, start, name, n
        }
        inside {
                statement = statement " " line
                while (match(statement, /[;{}]/)) {
                        field = substr(statement, RSTART, 1) == ";" ? substr(statement, 1, RSTART - 1) : ""
                        statement = substr(statement, RSTART + 1)
                        while (gsub(/\([^()]*\)/, "", field)) { } # of a function, the parameters
                        if (field ~ /[^ ]/) n += gsub(/,/, ",", field) + 1
                }
        }' "${product[@]}")
complain_each < <(awk -v max=$MAX_LINE 'length > max { printf "%s:%d: %d columns\n", FILENAME, FNR, length }' "${product[@]}")
complain_each < <(grep -nP '\t| +$' "${sources[@]}" | sed 's/$/: a tab, or a blank at the end/')

# Nothing half done, nothing that only its writer's desk knows.
complain_each < <(grep -nE '\b(TO''DO|FIX''ME|XX''X)\b|\bissue #?[0-9]|(^|[ "'"'"'(=])/work/' "${texts[@]}")

# Names that say nothing.
complain_each < <(find include lib worker meter daemon viewer client tests -name '*.[ch]' |
        grep -E '[-_/](util|utils|helper|helpers|common|misc)\.[ch]$' | sed 's/$/: a name that says nothing/')

exit $((failures > 0))
