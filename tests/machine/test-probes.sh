#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Probes of a program, recorded by the service: with the drop-in that perf-recorder.session(5) shows, and without it those that
# root defined in tracefs; programs that are replaced.
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

logged() { perfctl log probe --no-pager | grep -q "$1"; }
no_error() { [ -z "$(session_property probe Error)" ]; }

# An update: another file takes the place of the program.
pid=$(session_pid probe)
cp /bin/bash /opt/probed/.new
printf 'more' >>/opt/probed/.new
mv /opt/probed/.new /opt/probed/program
check "the journal has it" wait_for 30 logged '/opt/probed/program was replaced, and the new file is probed'
before=$(samples probe)
check "the probe is in the new file" wait_for 30 run_until_samples probe /opt/probed/program "$before"
check_equal "of the same recorder" "$pid" "$(session_pid probe)"
check_equal "and nothing is wrong" "" "$(session_property probe Error)"
cp /bin/true /opt/probed/.new
mv /opt/probed/.new /opt/probed/program
troubled() { perfctl status probe | grep -q 'Error: /opt/probed/program was replaced: its probes do not fire.*started again: .*main'; }
check "a file without the function: status says it" wait_for 30 troubled
check_equal "it records nevertheless" recording "$(session_property probe State)"
check "so does the journal" wait_for 30 logged 'was replaced: its probes do not fire'
cp /bin/bash /opt/probed/.new
mv /opt/probed/.new /opt/probed/program
check "with the function again, nothing is wrong" wait_for 30 no_error
before=$(samples probe)
check "and there are samples" wait_for 30 run_until_samples probe /opt/probed/program "$before"
check "stop" perfctl stop probe

# A trigger has a probe too, and a unit's restart opens the events again.
printf '[Service]\nExecStart=/opt/probed/program -c "while :; do /opt/probed/program -c :; sleep 0.1; done"\n' >/run/systemd/system/probed.service
systemctl daemon-reload
systemctl start probed.service
write_session trigger '[Session]' 'Enabled=no' '[Record]' 'Event=uprobe:/opt/probed/program:main' 'Unit=probed.service' '[Trigger]' \
        'Event=uprobe:/opt/probed/program:readline' 'RateLimitIntervalSec=0'
check "a session with a uprobe as its trigger" perfctl reload
check "start" perfctl start trigger
triggered() { # the shell reads its line by readline()
        printf 'exit\n' | /opt/probed/program --norc -i >/dev/null 2>&1
        [ "$(perfctl dumps trigger --trigger=event --no-legend 2>/dev/null | wc -l)" -gt "$1" ]
}
check "which is in the file" wait_for 30 triggered 0
dumps=$(perfctl dumps trigger --trigger=event --no-legend | wc -l)
cp /bin/bash /opt/probed/.new
mv /opt/probed/.new /opt/probed/program
systemctl restart probed.service
before=$(samples trigger)
check "the restarted unit's new file is probed" wait_for 30 run_until_samples trigger true "$before"
check "and the trigger is in it too" wait_for 30 triggered "$dumps"
systemctl stop probed.service
finish
