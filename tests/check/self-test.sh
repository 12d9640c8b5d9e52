#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The checks of layers, style, comments, economy, documents, builds and packages can fail: each fault that they are for is planted in a small tree.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

plant() { # FILE LINES…: in a fresh tree that has one proper file a folder
        rm -rf "${tree:?}"/*
        mkdir -p "$tree"/{include,lib/basic,lib/format,lib/processes,lib/perfevent/open,lib/session,lib/terminal,lib/symbols,lib/unwind,lib/analysis,lib/export,worker/{loop,trigger/private,flight/private},daemon/{base,dumps,systemd,session/private,manager/private,bus},viewer/{base,report,browse,picture},meter,client/{bus,dumps,verbs},tests}
        for folder in lib/basic lib/format lib/processes lib/perfevent/open lib/session lib/analysis worker/loop worker/trigger worker/flight daemon/manager \
                client client/dumps; do
                write "$folder/${folder##*/}-a.h" '#pragma once'
                write "$folder/${folder##*/}-a.c" '/* It is a file. */' "#include \"${folder##*/}-a.h\""
        done
        write lib/format/reader-parts.h '#pragma once'
        write worker/trigger/private/pending.h '#pragma once'
        write worker/trigger/x.c '/* It is a file. */' '#include "pending.h"'
        write daemon/bus/bus.h '#include <systemd/sd-bus.h>'
        write daemon/session/session.h '#pragma once'
        [ $# -eq 0 ] || write "$@"
}

write() { # FILE LINES…
        { echo '/* SPDX-License-Identifier: LGPL-2.1-or-later */' && printf '%s\n' "${@:2}"; } >"$tree/$1"
}

expect() { # pass|fail CHECK[ ARGUMENT] DESCRIPTION
        local seen=pass check
        read -ra check <<<"$2"
        [ -e "$here/${check[0]}" ] || check[0]+=.sh
        (cd "$tree" && "$here/${check[0]}" "${check[@]:1}" >/dev/null 2>&1) || seen=fail
        [ "$seen" = "$1" ] && return
        echo "$2 on $3: $seen" >&2
        failures=$((failures + 1))
}

refused() { # CHECK DESCRIPTION FILE LINES…
        plant "${@:3}"
        expect fail "$1" "$2"
}

plant
expect pass layers 'a clean tree'
expect pass style 'a clean tree'
expect pass 'style-comments 0' 'a clean tree'

refused layers 'basic that includes session' lib/basic/x.c '#include "session-a.h"'
refused layers 'the format that includes events' lib/format/x.c '#include "open-a.h"'
refused layers 'the format that includes processes' lib/format/x.c '#include "processes-a.h"'
refused layers 'processes that include analysis' lib/processes/x.c '#include "analysis-a.h"'
refused layers 'parts of another folder' lib/processes/x.c '#include "reader-parts.h"'
refused layers 'the daemon with profiles' daemon/session/x.c '#include "analysis-a.h"'
refused layers 'the daemon with events' daemon/session/x.c '#include "open-a.h"'
refused layers 'a library that includes from a program' lib/session/x.c '#include "manager-a.h"'
refused layers 'the triggers with flight recorders' worker/trigger/y.c '#include "flight-a.h"'
refused layers 'the bus of perfctl with dumps' client/bus/x.c '#include "dumps-a.h"'
refused layers 'a private header of another folder' worker/flight/x.c '#include "pending.h"'
refused layers 'a private header in a public one' worker/flight/x.h '#pragma once' '#include "pending.h"'
plant worker/flight/x.h '#pragma once' '#include "y.h"'
write worker/flight/private/y.h '#pragma once' '#include "flight-a.h"'
expect pass layers 'headers one above the other'
write worker/flight/flight-a.h '#pragma once' '#include "x.h"'
expect fail layers 'headers in a circle'
refused layers 'a window outside of the browser' viewer/browse/x.c '#include <curses.h>'
refused layers 'a window in a program' viewer/report/x.c '#include <ncursesw/ncurses.h>'
plant viewer/picture/verb-draw.h '#pragma once'
write viewer/browse/x.c '/* It is a file. */' '#include "verb-draw.h"'
expect pass layers 'a browser that runs a verb'
write viewer/picture/drawing.h '#pragma once'
write viewer/browse/x.c '/* It is a file. */' '#include "drawing.h"'
expect fail layers 'a browser that draws pictures itself'
refused layers 'a header that is not there' worker/x.c '#include "nowhere.h"'
refused layers 'sd-bus.h in a session' daemon/session/session.c '#include <systemd/sd-bus.h>'
refused layers 'sd-bus.h in the worker' worker/x.c '#include <systemd/sd-bus.h>'
refused layers 'sd-daemon.h in a library' lib/basic/x.c '#include <systemd/sd-daemon.h>'
refused layers 'bus types by way of a header' daemon/manager/manager.c '#include "bus.h"'
refused layers 'a session that knows its manager' daemon/session/x.c '#include "manager-a.h"'
plant daemon/session/x.h '#include "session.h"'
write daemon/session/session.h '#include "x.h"'
expect fail layers 'headers that include each other'

lines() { for _ in $(seq "$1"); do echo "$2"; done; }
mapfile -t long_function < <(echo '/* It is a file. */'; echo 'int f(void) {'; lines 90 '        f();'; echo '}')
mapfile -t long_file < <(echo '/* A long file. */'; lines 1000 '')
mapfile -t long_comment < <(echo '/* It is a file.'; lines 20 ' * And more.'; echo ' */')
refused style 'a .c without a comment at its head' worker/x.c 'int x;'
refused style 'a comment that goes on and on' worker/x.c "${long_comment[@]}"
refused style 'a long function' worker/x.c "${long_function[@]}"
fields() { # NAME N: a struct with so many fields, all kinds of them
        printf '%s\n' '/* It is a file. */' "typedef struct $1 {" '        int a, b; /* one; two; */' '        struct {' '                int (*f)(int x, int y);' \
                '        } inner;' '        /*' '         * int none, nowhere;' '         */'
        lines $(($2 - 4)) '        const char *x;'
        echo "} $1;"
}
mapfile -t many_fields < <(fields Many 26)
mapfile -t enough_fields < <(fields Enough 25)
mapfile -t record_fields < <(fields PerfSample 30)
refused style 'a struct of many fields' worker/x.h "${many_fields[@]}"
plant worker/x.h "${enough_fields[@]}" "${record_fields[@]}"
expect pass style 'a struct of enough fields, and a plain record'
refused style 'a long line' worker/x.c '/* It is a file. */' "/* $(printf '%150s' .) */"
refused style 'a tab' worker/x.c '/* It is a file. */' "$(printf '\tint x;')"
refused style 'something half done' worker/x.c '/* It is a file. */' '/* FIX''ME */'
refused style 'a name that says nothing' worker/string-utils.c '/* It is a file. */'
plant
echo 'int x;' >"$tree/worker/x.h"
expect fail style 'a file without its licence'

plant worker/x.c "${long_file[@]}"
expect pass style 'a long file'
(cd "$tree" && "$here/style.sh") | grep '^ *1002 worker/x\.c$' >/dev/null || { echo 'style names no large file' >&2; failures=$((failures + 1)); }

refused 'style-comments 0' 'a comment without a subject' worker/x.c '/* Whether it runs. */'
refused 'style-comments 0' 'one of another word' worker/x.c '/* How it runs. */'
refused 'style-comments 0' 'one that goes over lines' worker/x.c '/*' ' * Of each process,' ' * the maps. Is this a question?' ' */'
refused 'style-comments 0' 'one behind code' worker/x.c '/* An x. */' 'int x; /* Who reads it. */'
refused 'style-comments 0' 'a message without a subject' worker/x.c '/* An x. */' 'const char *x = "What it left is lost";'
plant worker/x.c '/* What does it do? It waits. */' 'const char *x = "It has "' '        "Nobody Knows";' '/* Offsets, and what is there. */'
expect pass 'style-comments 0' 'questions, sentences and the rest of a message'
plant worker/x.c '/* Those that wait. */' 'int x; /* Where it is. */'
expect fail 'style-comments 1' 'one more than is stated'
expect pass 'style-comments 2' 'as many as are stated'
(cd "$tree" && "$here/style-comments.sh" 3) | grep 'lowered to 2$' >/dev/null || { echo 'style-comments offers no lower number' >&2; failures=$((failures + 1)); }

# Two files of one folder: STATIC FUNCTION's lines, then what b.c calls.
folder() {
        plant
        write daemon/manager/a.c '/* It is a file. */' "${@:2}" '' 'void a_do(void)' '{' '        step(1);' '        b_do();' '}'
        write daemon/manager/b.c '/* It is a file. */' '' 'void b_do(void)' '{' "        $1;" '}'
}
LONG=('static void step(int i)' '{' 'int a;' 'int b;' 'int c;' 'int d;' 'int e;' 'int f;' '}')
folder 'puts("a_do")' "${LONG[@]}"
expect pass 'economy 0' 'a step of nine lines, files that call downwards'
folder 'a_do()' "${LONG[@]}"
expect fail 'economy 0' 'two files that call one another'
folder 'c_do()' 'static void step(int i) {' 'return i;' '}'
expect fail 'economy 0' 'a step of three lines'
expect pass 'economy 1' 'as many steps as may be'
folder 'c_do()' 'static void step(int i) {' 'return i;' '}' 'void other(void)' '{' 'step(2);' '}'
expect pass 'economy 0' 'a step that is called twice'
folder 'c_do()' 'static void step(int i) {' 'return i;' '}' 'void (*const other)(int) = step;'
expect pass 'economy 0' 'a callback'

mapfile -t VIEWED < <(printf '        { "%s", verb_it },\n' report script annotate header info evlist flamegraph heatmap export diff sched lock c2c trace)
ROWS=('        VIEW_TEXT(T, path, "input", '"'i'"', "=FILE", "The recording"),')
# A key of each kind and section, a verb, an option and a method, with the pages that name them. Then FILE has these LINES instead.
documents() { # [FILE LINES…]
        plant
        mkdir -p "$tree"/{man,completion,dbus,lib/words,lib/view-words,lib/report,worker/options,tests/fuzz/corpus/settings}
        write lib/session/settings.c '        SETTING_KEY("Mode", parse_mode, SETTING_SCALAR, mode),' \
                '        SETTING_KEY_PLACED("Event", parse_event, SETTING_LIST, events, EVENT),' \
                'const SettingSection record_section = { "Record", record_keys, ELEMENTSOF(record_keys) };' \
                '        SETTING_KEY_LIVE("Socket", parse_socket, SETTING_SCALAR, socket, VALUE),' \
                'const SettingSection trigger_section = { "Trigger", trigger_keys, ELEMENTSOF(trigger_keys) };'
        write lib/session/daemon-settings.c '        DAEMON_KEY("MaxUse", parse_max_use, SETTING_SCALAR, max_use),' \
                'static const SettingSection storage_section = { "Storage", storage_keys, ELEMENTSOF(storage_keys) };'
        write client/verbs/verbs.c '        { "stop", 1, 0, 0, verb_stop, "NAME", "Stops." },'
        write worker/options/option-table.c '        SWITCH("all-cpus", '"'a'"', 0, all, "all"),'
        write lib/words/dump-request.c '        WORD("since", TIME, since, CALLER | RECORDER, .rule = TIME_RULE),'
        write viewer/main.c "${VIEWED[@]}"
        write lib/view-words/header-rows.h "${ROWS[@]}"
        write lib/view-words/info-rows.h
        write lib/view-words/common-rows.h
        write lib/report/report-fields.c '        [REPORT_FIELD_COMM] = { "comm", 1, "Command", KEY(COMM) },'
        write lib/export/flame-color.c '        [FLAME_KINDS] = "kinds", [FLAME_ORANGE] = "orange",'
        write man/perf-recorder-view.1 '.Sh OPTIONS' '.Ss header' '.It Fl i , Cm --input Ns = Ns Ar FILE' '.It Fl h , Cm --help'
        write tests/fuzz/corpus/settings/all 'Mode=stream' 'Event=a' 'Socket=no'
        write dbus/org.perfrecorder1.Manager.xml '"since" (t)' '<method name="Stop">' '<property name="Version">' '<signal name="Gone">'
        write man/perf-recorder.session.5 '.Sh [RECORD] SECTION' '.It Va Event= , Va Mode=' '.Sh [TRIGGER] SECTION' '.It Va Socket=' '.Sh EXAMPLES'
        write man/perf-recorderd.conf.5 '.Sh [STORAGE] SECTION' '.It Va MaxUse='
        write man/perfctl.1 '.It Cm stop Ar NAME' 'They stop.'
        write man/perf-recorder-worker.1 '.Sh OPTIONS' '.It Fl a , Cm --all-cpus' '.Sh CONTROL' '.It Cm snapshot Oo Cm since= Ns Ar USEC Oc'
        write man/org.perfrecorder1.5 'Stop Version Gone' '.B since'
        write completion/perfctl "        [SESSIONS]='stop'" "        local recorder='--all-cpus" "'" "        local keys='comm'" \
                "        'flamegraph --colors') of_option='kinds orange' ;;"
        [ $# -eq 0 ] || write "$@"
}

undocumented() { # DESCRIPTION FILE LINES…
        documents "${@:2}"
        expect fail documented "$1"
}

documents
expect pass documented 'pages that have everything'
undocumented 'a key without its place in the manual' man/perf-recorder.session.5 '.Sh [RECORD] SECTION' '.It Va Mode=' '.Sh [TRIGGER] SECTION' '.It Va Socket='
undocumented 'a key in the manual of another section' man/perf-recorder.session.5 '.Sh [RECORD] SECTION' '.It Va Event= , Va Mode= , Va Socket='
undocumented 'a key that the programs do not have' man/perf-recorderd.conf.5 '.Sh [STORAGE] SECTION' '.It Va MaxUse= , Va MaxFiles='
undocumented 'a verb that is only mentioned' man/perfctl.1 '.It Cm start Ar NAME' 'See stop.'
undocumented 'a verb that is another one'"'"'s beginning' man/perfctl.1 '.It Cm stop-all Ar NAME'
undocumented 'an option that bash does not complete' completion/perfctl "        [SESSIONS]='stop'" "        local recorder='--all" "'"
undocumented 'a key of reports that bash does not complete' lib/report/report-fields.c '        [REPORT_FIELD_COMM] = { "comm", 1,' '        [REPORT_FIELD_PID] = { "pid", 1,'
undocumented 'a key without a sample' tests/fuzz/corpus/settings/all 'Mode=stream' 'Event=a'
undocumented 'an option of the viewer that is not in the manual' lib/view-words/header-rows.h "${ROWS[@]}" '        VIEW_SET(T, json, "json", 0, "JSON"),'
undocumented 'an option of the viewer that has no value in the manual' lib/view-words/header-rows.h '        VIEW_SET(T, path, "input", '"'i'"', "The recording"),'
undocumented 'a row of another form' lib/view-words/header-rows.h "${ROWS[@]}" '        VIEW_NEW("input"),'
undocumented 'a verb of the viewer that is not looked at' viewer/main.c "${VIEWED[@]}" '        { "other", verb_other },'
undocumented 'a method that is not in the manual' man/org.perfrecorder1.5 'Version Gone' '.B since'
undocumented 'a word of a request that is not in the manual' man/org.perfrecorder1.5 'Stop Version Gone'

# A program of one file, and what the top CMakeLists.txt has besides.
project() { # LINE-OF-MAIN [CMAKE-LINES…]
        plant
        write main.c '#include <string.h>' 'static char one[1];' 'int main(int argc, char *argv[]) {' "        $1" '        return one[0];' '}'
        printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(planted C)' "${@:2}" 'add_executable(planted main.c)' \
                >"$tree/CMakeLists.txt"
}

OVERFLOW='memset(one, argc, 8);' # of which gcc warns where it optimizes
project ''
expect pass 'builds Release plain' 'a clean program'
project "$OVERFLOW"
expect fail 'builds Release plain' 'a warning'
project '' 'add_compile_options(-Werror)'
expect fail 'builds Debug plain' 'warnings that are errors for everybody'
project '' 'add_compile_definitions(_FORTIFY_SOURCE=3)'
expect fail 'builds MinSizeRel fortified' 'a _FORTIFY_SOURCE that clashes with the packager'"'"'s'

# Two packages of a file and a script, made by cpack as ours are.
pack() { # DEB|RPM NAME POST-SCRIPT FILE…
        local folder=$tree/$2 file
        mkdir -p "$folder"
        printf '%s\n' "$3" >"$folder/post"
        {
                printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(planted LANGUAGES NONE)' 'set(CPACK_PACKAGE_CONTACT me)' \
                        'set(CPACK_PACKAGING_INSTALL_PREFIX /usr)' 'set(CPACK_RPM_PACKAGE_LICENSE LGPL-2.1-or-later)' \
                        'set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)' 'set(CPACK_RPM_FILE_NAME RPM-DEFAULT)' \
                        "set(CPACK_RPM_POST_INSTALL_SCRIPT_FILE $folder/post)" "set(CPACK_RPM_PRE_UNINSTALL_SCRIPT_FILE $folder/post)" \
                        "set(CPACK_RPM_POST_UNINSTALL_SCRIPT_FILE $folder/post)" \
                        'set(CPACK_RPM_PACKAGE_DESCRIPTION planted)' 'set(CPACK_RPM_PACKAGE_ARCHITECTURE noarch)'
                for file in "${@:4}"; do
                        echo planted >"$folder/$file"
                        echo "install(FILES $file DESTINATION share/perf-recorder)"
                done
                echo 'include(CPack)'
        } >"$folder/CMakeLists.txt"
        (cmake -S "$folder" -B "$folder/build" && cd "$folder/build" && cpack -G "$1") >/dev/null 2>&1
}

if command -v rpmbuild >/dev/null; then
        plant
        whole='systemd-sysusers; systemd-tmpfiles --create; journalctl --update-catalog; systemctl preset perf-recorderd.service
                systemctl daemon-reload; systemctl start perf-recorderd.service; systemctl disable perf-recorderd.service
                systemctl stop perf-recorderd.service; systemctl try-restart perf-recorderd.service'
        pack DEB deb '' a b
        pack RPM same "$whole" a b
        pack RPM fewer "$whole" a
        pack RPM scriptless "${whole/systemd-sysusers/true}" a b
        packages() { echo packages "$tree"/deb/build/*.deb "$tree/$1"/build/*.rpm; }
        expect pass "$(packages same)" 'the same files'
        expect fail "$(packages fewer)" 'a file less'
        expect fail "$(packages scriptless)" 'a scriptlet that does less'
fi

exit $((failures > 0))
