#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Comments and messages are sentences with a subject. This check counts those of the C sources that open with a bare
# relative clause or genitive instead ("What the caller gets.", "Of each process, the maps."), unless the sentence is a
# question. The count may only fall.
#
# style-comments.sh [MAX]          prints the count of each folder and fails if all have more than MAX
# style-comments.sh list [FILE…]   prints each opening
# Run in the top folder of the sources.
set -euo pipefail

STATED=0
WORDS='What|Which|How|Why|Whatever|Who|Whoever|Whom|Whose|Whether|Where|Wherever|Of|Those|Nobody'

find_openings() { # FILE…: prints "FILE:LINE: TEXT" for each
        awk -v opening="^($WORDS)[ ,:]" '
                # A comment may go over several lines. Only its first sentence decides.
                function is_headless(text) {
                        if (text !~ opening) return 0
                        if (match(text, /[.?!]([")\047]| |$)/)) text = substr(text, 1, RSTART)
                        return text !~ /\?$/
                }
                function take(text) {
                        gsub(/[[:space:]]+/, " ", text)
                        sub(/^ /, "", text)
                        if (is_headless(text)) printf "%s:%d: %s\n", FILENAME, start, text
                }
                function take_strings(line,   text, before) { # of a message in several literals, the first one
                        start = FNR
                        while (match(line, /"([^"\\]|\\.)*"/)) {
                                before = substr(line, 1, RSTART - 1)
                                text = substr(line, RSTART + 1, RLENGTH - 2)
                                line = substr(line, RSTART + RLENGTH)
                                if (!string_before || before !~ /^[[:space:]]*$/) take(text)
                                string_before = 0
                        }
                }
                FNR == 1 { inside = 0; string_before = 0 }
                !inside {
                        take_strings($0)
                        string_before = /"[[:space:]]*$/
                        if (!match($0, /\/\*/)) next
                        inside = 1
                        start = FNR
                        comment = ""
                        $0 = substr($0, RSTART + 2)
                }
                {
                        end = index($0, "*/")
                        line = end ? substr($0, 1, end - 1) : $0
                        sub(/^[[:space:]]*\*[[:space:]]?/, "", line)
                        comment = comment " " line
                        if (end) { inside = 0; take(comment) }
                }' "$@" </dev/null
}

find_sources() {
        find include lib worker meter daemon viewer client tests -name '*.[ch]' | sort
}

if [ "${1:-}" = list ]; then
        shift
        [ $# -gt 0 ] || { mapfile -t sources < <(find_sources) && set -- "${sources[@]}"; }
        find_openings "$@"
        exit 0
fi

max=${1:-$STATED}
mapfile -t sources < <(find_sources)
find_openings "${sources[@]}" | awk -F/ -v max="$max" '
        { folder = $1 == "lib" || $1 == "tests" ? $1 "/" $2 : $1; sub(/:.*/, "", folder); n[folder]++ }
        END {
                for (folder in n) printf "%5d %s\n", n[folder], folder | "sort -k 2"
                close("sort -k 2")
                printf "%d comments and messages open without a subject, %d are allowed\n", NR, max
                if (NR > max) {
                        print "Give the new ones a subject; \"style-comments.sh list FILE...\" shows those of files" >"/dev/stderr"
                        exit 1
                }
                if (NR < max) printf "STATED in tests/check/style-comments.sh can be lowered to %d\n", NR
        }'
