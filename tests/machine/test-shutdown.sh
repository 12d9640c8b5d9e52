#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The machine shuts down, the service is stopped while there is no D-Bus, or it is not there yet, or never comes: the recorders
# write their last dumps, the daemon describes them, and the journal and perfctl tell what happened. As a shutdown that goes no
# further: a target that pulls in shutdown.target is isolated.
. "$(dirname "$0")/assert.sh"

UNIT=perf-recorderd.service
recorders() { pgrep -c perf-recorder-w; }
all_record() { [ "$(perfctl list --state=recording --no-legend | wc -l)" = "$1" ]; }
messages_after() { journalctl -u "$UNIT" --after-cursor="$1" -o cat --no-pager; }
cursor() { journalctl -n 0 --show-cursor --no-pager | sed -n 's/^-- cursor: //p'; }
first_line_of() { grep -nE -m 1 -- "$1" <<<"$2" | cut -d: -f1; }

fresh
mkdir -p /run/systemd/system
printf '[Unit]\nAllowIsolate=yes\nDefaultDependencies=no\nRequires=shutdown.target\nAfter=shutdown.target\n' >/run/systemd/system/test-shutdown.target
systemctl daemon-reload
for i in 1 2 3; do
        write_session "s$i" '[Record]' Event=cpu-clock Frequency=99 Mode=overwrite
done
check "start" systemctl start "$UNIT"
check "three sessions record" wait_for 10 all_record 3
check_match "the unit ends before the bus does" 'dbus.socket.*dbus.service|dbus.service.*dbus.socket' "$(systemctl show -P After "$UNIT")"
check_match "scopes end after it" "$UNIT" "$(systemctl show -P Before perf-session-s1.scope)"
sleep 1
since=$(cursor)
check "shutdown" timeout 60 systemctl isolate test-shutdown.target
check_equal "it ends the recorders" 0 "$(recorders)"
check_equal "and the bus" inactive "$(systemctl is-active dbus.service)"
said=$(messages_after "$since")
check_no_match "the journal has no wrong lines" 'connection to the bus|taken for a restart|Restarting|Failed|cannot|killed' "$said"
check_equal "three last dumps, which say why" 3 "$(grep -c '^s[123]: Dump .* written.*shutdown.*the system shuts down' <<<"$said")"
systemctl --no-block start multi-user.target
check "the machine is up again" wait_for 30 all_record 3

# A stop and a restart while there is no D-Bus.
systemctl stop dbus.socket dbus.service
check_equal "there is no bus" inactive "$(systemctl is-active dbus.service)"
since=$(cursor)
check "stop without a bus" systemctl stop "$UNIT"
check_equal "it ends the recorders" 0 "$(recorders)"
said=$(messages_after "$since")
check_no_match "and is not taken for a restart" 'taken for a restart' "$said"
systemctl start dbus.socket dbus.service
check "start with the bus" systemctl start "$UNIT"
check "three sessions record" wait_for 10 all_record 3
pids=$(pgrep perf-recorder-w | sort)
systemctl stop dbus.socket dbus.service
systemctl --no-block restart "$UNIT"
sleep 2
systemctl start dbus.socket dbus.service
check "restarted without a bus, it is back with the bus" wait_for 20 all_record 3
check_equal "with the same recorders" "$pids" "$(pgrep perf-recorder-w | sort)"
rm /run/systemd/system/test-shutdown.target
systemctl daemon-reload

# perfctl, just after the bus was restarted, and with a service that cannot start.
for i in 1 2 3; do
        systemctl reset-failed dbus.service # else this is too often
        systemctl restart dbus.service
        check "list just after a restart of the bus ($i)" perfctl list
done
mkdir -p /etc/perf-recorder/perf-recorderd.conf.d
printf '[Recorder]\nMaxSessions=none\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
pids=$(pgrep perf-recorder-w | sort)
systemctl kill --kill-whom=main -s KILL "$UNIT"
fails() { [ "$(systemctl show -P SubState "$UNIT")" = auto-restart ]; }
check "a killed service that cannot start again" wait_for 10 fails
check_match "stop: what to do about its recorders" "3 of its recorders: 'systemctl stop" "$(perfctl stop 2>&1)"
check_fails "and it fails" perfctl stop
began=$(now_msec)
said=$(perfctl start 2>&1)
took=$(($(now_msec) - began))
check_match "a service that cannot start: perfctl says so" "does not start; see 'systemctl status perf-recorderd'" "$said"
check "soon (took $took ms)" test "$took" -lt 5000
check_match "a verb that does not start it: it is not running" "perf-recorderd is not running; 'perfctl start'" "$(perfctl list 2>&1)"
rm /etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
check "mended, it starts" perfctl start
check "and records" wait_for 10 all_record 3
check_equal "with the same recorders" "$pids" "$(pgrep perf-recorder-w | sort)"
finish
