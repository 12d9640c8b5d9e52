#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The command of a session ignores SIGTERM: it is killed with its recorder when the session is stopped or started again, and a
# while after its recorder was killed.
. "$(dirname "$0")/assert.sh"

# shellcheck disable=SC2016 # for the command's shell
COMMAND='Command=/bin/sh -c "trap \"\" TERM INT HUP; while :; do /bin/sleep 4242; done"'
SCOPE=perf-session-hang.scope
commands() { pgrep -fc '^/bin/sleep 4242$'; }
records() { [ "$(session_property hang State)" = recording ]; }
records_again() { records && [ "$(session_pid hang)" != "$victim" ]; }
hangs() { [ "$(commands)" = 1 ]; }
no_commands() { [ "$(commands)" = 0 ]; }
no_scope() { ! systemctl -q is-active "$SCOPE"; }

fresh
write_session hang '[Session]' Enabled=no '[Record]' Event=cpu-clock Frequency=99 "$COMMAND"
check "start" perfctl start hang
check "the command runs" wait_for 10 hangs
begin=$(now_msec)
said=$(perfctl stop hang 2>&1)
check_equal "stop fails" 1 $?
took=$(($(now_msec) - begin))
check_match "and says why" 'made no progress for 15s, and was killed' "$said"
check "it takes about 15 s: $took ms" test "$took" -ge 14000 -a "$took" -le 19000
check "the command is killed" wait_for 2 no_commands
check "its scope is gone" wait_for 2 no_scope
check "it can be started again" perfctl start hang
check "the command runs" wait_for 10 hangs
victim=$(session_pid hang)
check "and restarted" perfctl restart hang
check "another recorder" records_again
check "there is one command" wait_for 10 hangs
victim=$(session_pid hang)
send KILL "$victim"
check "its recorder was killed: another one" wait_for 40 records_again
check "there is one command again" wait_for 10 hangs
check_fails "stop" perfctl stop hang
check "the command is killed" wait_for 2 no_commands

# The session is stopped before the next recorder starts, and jobs of other units wait for the scope.
leave_command() {
        check "start again" perfctl start hang
        check "the command runs" wait_for 10 hangs
        send KILL "$(session_pid hang)"
        sleep 0.3
        check "stop" perfctl stop hang
        check "the command ignores it" hangs
}
leave_command
check "the command is killed" wait_for 17 no_commands
leave_command
begin=$(now_msec)
check "restart of the service" systemctl restart perf-recorderd.service
took=$(($(now_msec) - begin))
check "does not wait for it: $took ms" test "$took" -le 10000
check "the command is killed" wait_for 2 no_commands
finish
