#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Probes of a program, recorded by the service: with the drop-in that perf-recorder.session(5) shows, and without it those that
# root defined in tracefs.
. "$(dirname "$0")/assert.sh"

samples() { session_property "$1" Samples; }
run_until_samples() { # SESSION PROGRAM NUMBER: runs the program until the session has more samples than that
        "$2" -c : && [ "$(samples "$1")" -gt "$3" ]
}

if [ ! -e /sys/bus/event_source/devices/uprobe ]; then
        echo "ok - probes # SKIP the kernel has no uprobes"
        exit
fi

fresh
mkdir -p /opt/probed
cp /bin/bash /opt/probed/program
systemctl start perf-recorderd.service

write_session probe '[Session]' 'Enabled=no' '[Record]' 'Event=uprobe:/opt/probed/program:main'
check "a session with a uprobe" perfctl reload
if perfctl start probe 2>/dev/null; then
        echo "ok - the reason of a refusal # SKIP this kernel takes CAP_PERFMON"
        perfctl stop probe
else
        check_match "its refusal says what would help" 'CAP_SYS_ADMIN.*Event= in perf-recorder.session' "$(session_property probe Error)"
fi

if perf probe -q -x /opt/probed/program probed=main; then
        write_session tracefs '[Session]' 'Enabled=no' '[Record]' 'Event=probe_program:probed'
        check "a session with a probe of tracefs" perfctl reload
        check "needs no drop-in" perfctl start tracefs
        check "and has samples" wait_for 30 run_until_samples tracefs /opt/probed/program 0
        check "stop" perfctl stop tracefs
        perf probe -q -d probe_program:probed
else
        echo "ok - a probe of tracefs # SKIP perf can't define it here"
fi

# As perf-recorder.session(5) has it.
mkdir -p /etc/systemd/system/perf-recorderd.service.d
printf '[Service]\nCapabilityBoundingSet=CAP_SYS_ADMIN\n' >/etc/systemd/system/perf-recorderd.service.d/uprobe.conf
check "a drop-in lets it" sh -c 'systemctl daemon-reload && systemctl restart perf-recorderd.service'
check "start" perfctl start probe
check_equal "it records" recording "$(session_property probe State)"
check "and has samples" wait_for 30 run_until_samples probe /opt/probed/program 0
finish
