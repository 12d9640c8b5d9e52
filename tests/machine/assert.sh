# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Assertions of the tests that run inside the booted machine. A test sources this file, calls check and its kin, and ends
# with "finish". Each prints one line, "ok - …" or "not ok - …" with what was seen; finish answers 1 if any was not ok.

set -u
checks=0
failures=0
SESSIONS=/etc/perf-recorder/sessions.d
BASE=/var/lib/perf-recorder

report() { # STATUS DESCRIPTION [DETAIL]
        checks=$((checks + 1))
        if [ "$1" -eq 0 ]; then
                echo "ok - $2"
        else
                failures=$((failures + 1))
                echo "not ok - $2"
                [ -z "${3:-}" ] || printf '%s\n' "$3" | sed 's/^/#   /' | tail -n 40
        fi
}

check() { # DESCRIPTION COMMAND…: the command succeeds
        local description=$1 output status
        shift
        output=$("$@" 2>&1)
        status=$?
        report "$status" "$description" "status $status of: $* :: $output"
}

check_fails() { # DESCRIPTION COMMAND…
        local description=$1 output
        shift
        if output=$("$@" 2>&1); then report 1 "$description" "succeeded: $* :: $output"; else report 0 "$description"; fi
}

check_equal() { # DESCRIPTION EXPECTED SEEN
        [ "$2" = "$3" ]
        report $? "$1" "expected: $2
seen:     $3"
}

check_match() { # DESCRIPTION REGEX TEXT
        printf '%s\n' "$3" | grep -Eq -- "$2"
        report $? "$1" "no match of: $2
in: $3"
}

check_no_match() { # DESCRIPTION REGEX TEXT
        if printf '%s\n' "$3" | grep -Eq -- "$2"; then
                report 1 "$1" "match of: $2
in: $3"
        else
                report 0 "$1"
        fi
}

wait_for() { # SECONDS COMMAND…: polls until the command succeeds
        local end=$(($(date +%s%N) + $1 * 1000000000))
        shift
        until "$@" >/dev/null 2>&1; do
                [ "$(date +%s%N)" -lt "$end" ] || return 1
                sleep 0.02
        done
}

now_msec() { echo $(($(date +%s%N) / 1000000)); }

session_property() { # NAME PROPERTY
        perfctl show "$1" -p "$2" | sed "s/^$2=//"
}

session_pid() { session_property "$1" MainPID; }

write_session() { # NAME LINES…: as one rename, so that no half file is ever read
        local name=$1
        shift
        mkdir -p "$SESSIONS"
        printf '%s\n' "$@" >"$SESSIONS/.$name.new"
        mv "$SESSIONS/.$name.new" "$SESSIONS/$name.session"
}

send() { # SIGNAL PID: never to 0, which is what has no process and what kill takes for all of us
        [ "$2" -gt 1 ] && kill -s "$1" "$2"
}

# No session, no daemon, no data: what each test starts from.
set_unit() { # SETTING…: of the service, for the rest of the test, in place of what was set this way before
        mkdir -p /run/systemd/system/perf-recorderd.service.d
        printf '%s\n' "$@" >/run/systemd/system/perf-recorderd.service.d/50-test.conf
        systemctl daemon-reload
}
fresh() {
        systemctl stop perf-recorderd.service 2>/dev/null
        systemctl reset-failed perf-recorderd.service 2>/dev/null
        rm -rf "${SESSIONS:?}" "${BASE:?}"/* /etc/perf-recorder/perf-recorderd.conf*
        mkdir -p "$SESSIONS"
}

finish() {
        fresh
        echo "# $checks checks, $failures failed"
        [ "$failures" -eq 0 ]
        exit
}
