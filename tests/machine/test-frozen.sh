#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The service or a recorder does not run, because the freezer of control groups or a signal has stopped it: perfctl names what it waits
# for, and what is in the rings gets into a dump.
. "$(dirname "$0")/assert.sh"

SERVICE=perf-recorderd.service
SCOPE=perf-session-cpu.scope
SLICE=perf-recorder.slice
is_state() { [ "$(session_property cpu State)" = "$1" ]; }
has_dump() { perfctl dumps cpu --trigger="$1" | grep -q 'cpu-2'; }
begin() { # COMMAND…: perfctl in the background, whose standard error is in /tmp/errors
        rm -f /tmp/status
        (
                perfctl "$@" >/dev/null 2>/tmp/errors
                echo $? >/tmp/status
        ) &
}
names() { wait_for 30 grep -q -- "$1" /tmp/errors; }
ends() { wait_for 30 test -s /tmp/status && [ "$(cat /tmp/status)" -eq "$1" ]; } # STATUS
# Not by systemctl, which waits for what is in the slice, and of which not all versions freeze a slice again.
freeze_slice() { echo "$1" >"$(find /sys/fs/cgroup -type d -name "$SLICE" | head -n 1)/cgroup.freeze"; }

fresh
write_session cpu '[Session]' 'Enabled=no' '[Record]' Event=cpu-clock Frequency=99 Mode=overwrite
check "start" perfctl start cpu
systemctl freeze "$SERVICE"
begin dump cpu
check "a frozen service is named" names "perf-recorderd does not run while $SERVICE is frozen; 'systemctl thaw $SERVICE'"
systemctl thaw "$SERVICE"
check "the dump is made afterwards" ends 0
check_equal "one line was printed" 1 "$(wc -l </tmp/errors)"
daemon=$(systemctl show "$SERVICE" -p MainPID --value)
send STOP "$daemon"
begin stop cpu
check "a stopped service is named" names 'perf-recorderd does not answer'
send CONT "$daemon"
check "the session is stopped afterwards" ends 0

check "start again" perfctl start cpu
systemctl freeze "$SCOPE"
begin dump cpu
check "the frozen scope of a recorder is named" names "cpu does not run while $SCOPE is frozen"
rm -f "$BASE"/session-cpu/perf.data.2*
check "it can be stopped" perfctl stop cpu
check "the dump was made first" ends 0
check "its last dump is there" wait_for 30 has_dump shutdown

systemctl start "$SLICE"
freeze_slice 1
begin start cpu
check "a start below a frozen slice names it" names "cpu does not run while $SLICE is frozen"
freeze_slice 0
check "it starts afterwards" ends 0
check "it records" is_state recording
pid=$(session_pid cpu)
freeze_slice 1
begin restart cpu
check "a restart names it, too" names "cpu does not run while $SLICE is frozen"
gone() { ! kill -0 "$pid"; }
check "the recorder is killed" wait_for 30 gone
freeze_slice 0
check "its successor starts" ends 0
check "and dumps what was in the rings" wait_for 30 has_dump recorder-failure
check_match "the reason names the slice" "$SLICE is frozen" "$(perfctl info "$(perfctl dumps cpu --trigger=recorder-failure | grep -o 'cpu-2.*')")"
finish
