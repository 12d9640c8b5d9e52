#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The user's service: a user records processes of his own, by files of his own, on his bus, and the system's service does not
# know of it.
. "$(dirname "$0")/assert.sh"

id someone >/dev/null 2>&1 || useradd -m someone
run=/run/user/$(id -u someone)
files=/home/someone/.config/perf-recorder/sessions.d
as_user() { setpriv --reuid=someone --regid=someone --init-groups env HOME=/home/someone XDG_RUNTIME_DIR="$run" "$@"; }

fresh
loginctl enable-linger someone
check "the user's bus is there" wait_for 30 test -S "$run/bus"
setpriv --reuid=someone --regid=someone --init-groups sh -c 'while :; do :; done' &
busy=$!
as_user mkdir -p "$files"
printf '[Session]\nRun=-e cpu-clock:u -F 499 -p %s\n' "$busy" | as_user tee "$files/mine.session" >/dev/null
check "activation by the user's bus" as_user perfctl --user start mine
check_match "it records" '^mine +recording' "$(as_user perfctl --user list --no-pager)"
check_match "in a scope of the user's manager" "user@$(id -u someone).service/.*perf-recorder.slice/perf-session-mine.scope" \
        "$(cat "/proc/$(as_user perfctl --user show mine -p MainPID | cut -d= -f2)/cgroup")"
check_equal "ping" "OK   mine" "$(as_user perfctl --user ping)"
check_no_match "the system's service has no such session" mine "$(perfctl list --no-pager)"
sleep 1
check "systemctl --user reload" as_user systemctl --user reload perf-recorderd.service
check "stop" as_user perfctl --user stop mine
check_equal "disable writes the user's files" "Created $files/mine.session.d/50-enabled.conf" \
        "$(as_user perfctl --user disable mine)"
check_equal "which count" disabled "$(as_user perfctl --user is-enabled mine)"
check "and enable takes it back" as_user perfctl --user enable mine
kill "$busy"
file=$(find /home/someone -path '*session-mine/perf.data*' -type f)
check_match "there is a file of the user's" '/session-mine/perf.data' "$file"
check "with samples" sh -c "perf script -f -i '$file' | grep -q ."
check_equal "for nobody else" 600 "$(stat -c %a "$file")"
check "the user's service stops" as_user systemctl --user stop perf-recorderd.service
loginctl terminate-user someone
finish
