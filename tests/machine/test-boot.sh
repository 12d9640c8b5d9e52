#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Sessions and units that come up at boot in any order: a session waits for its unit; what cannot be started now and what
# never can be are told apart.
. "$(dirname "$0")/assert.sh"

state() { session_property "$1" State; }
is_state() { [ "$(state "$1")" = "$2" ]; }

fresh
mkdir -p /run/systemd/system
printf '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c "sleep $DELAY"\nEnvironment=DELAY=2\n' \
        >/run/systemd/system/slow-network.service
cat >/run/systemd/system/shop.service <<'END'
[Unit]
Wants=slow-network.service
After=slow-network.service
[Service]
ExecStart=/bin/sh -c 'while :; do :; done'
CPUQuota=20%
END
imitate_boot() { # DELAY: of what the unit waits for
        systemctl stop perf-recorderd.service shop.service slow-network.service 2>/dev/null
        mkdir -p /run/systemd/system/slow-network.service.d
        printf '[Service]\nEnvironment=DELAY=%s\n' "$1" >/run/systemd/system/slow-network.service.d/10-delay.conf
        systemctl daemon-reload
        systemctl start --no-block perf-recorderd.service shop.service
}
write_session web '[Record]' Event=cpu-clock Frequency=99 Unit=shop.service Mode=overwrite
for delay in 0.6 2; do
        imitate_boot "$delay"
        check "unit $delay s late: the session waits" wait_for 30 is_state web waiting
        check "unit $delay s late: it records when the unit is there" wait_for 30 is_state web recording
        check_equal "unit $delay s late: without a restart" 0 "$(session_property web NRestarts)"
        sleep 1
        check "unit $delay s late: dump" perfctl dump web
        dump=$(find "$BASE/session-web" -name 'perf.data.2*[0-9]' | sort | tail -n 1)
        check "unit $delay s late: the dump has samples" sh -c "perf script -i $dump -F comm 2>/dev/null | grep -q ."
done
systemctl restart shop.service
check "a restarted unit: the session goes on" is_state web recording
check_equal "and answers" "OK   web" "$(perfctl ping web)"
perfctl stop

# An instance by its link.
rm "$SESSIONS/web.session"
ln -s /usr/lib/perf-recorder/sessions.d/unit@.session "$SESSIONS/unit@shop.service.session"
imitate_boot 2
check "a linked instance waits" wait_for 30 is_state unit@shop.service waiting
check "a linked instance records when its unit is there" wait_for 30 is_state unit@shop.service recording
systemctl stop shop.service
check "restart while the unit is stopped" perfctl restart unit@shop.service
check_equal "waits" waiting "$(state unit@shop.service)"
check_match "which perfctl says" 'unit@shop.service is waiting: the unit shop.service is not running' "$(perfctl start unit@shop.service 2>&1)"
check_equal "ping does not call it a failure" "WAIT unit@shop.service (waiting)" "$(perfctl ping unit@shop.service)"
check_match "and status says for what" 'the unit shop.service is not running' "$(perfctl status unit@shop.service)"
systemctl restart perf-recorderd.service
check "it waits after a restart of the service" wait_for 30 is_state unit@shop.service waiting
systemctl start shop.service
check "the unit is started: it records" wait_for 30 is_state unit@shop.service recording
check_fails "an instance of no unit is refused" perfctl start unit@nosuch.service
check_fails "and is not there" perfctl show unit@nosuch.service -p State
perfctl stop

# What cannot succeed is tried once.
write_session wrong '[Session]' Enabled=no '[Record]' Event=sched:sched_swich
write_session cmd '[Session]' Enabled=no '[Record]' Event=cpu-clock 'Command=/nosuch a'
check_fails "a wrong event" perfctl start wrong
check_equal "is final" "failed 0" "$(state wrong) $(session_property wrong NRestarts)"
check_equal "and one failure in the journal" 1 "$(journalctl -b -o cat PERF_SESSION=wrong | grep -c '^wrong: Failed')"
check_fails "ping of all sees it" perfctl ping --quiet
check_equal "list --state=failed" wrong "$(perfctl list --state=failed --no-legend | cut -d' ' -f1)"
check_match "JSON has the error" '"state":"failed".*"error":"[^"]' "$(perfctl list --json=short wrong)"
names_failed() { systemctl show -P StatusText perf-recorderd.service | grep -q 'failed: wrong'; }
check "the service's status names it" wait_for 30 names_failed
check_match "a command that is not there is a failed start" 'No such file' "$(perfctl start cmd 2>&1)"
check_equal "and final" "failed 0" "$(state cmd) $(session_property cmd NRestarts)"

# A stream that begins on a full disk waits for room.
systemctl stop perf-recorderd.service
mkdir -p /etc/perf-recorder/perf-recorderd.conf.d
printf '[Storage]\nMaxUse=infinity\nTotalMaxUse=infinity\nKeepFree=0\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
mount -t tmpfs -o size=6M,mode=0700 tmpfs "$BASE"
write_session stream '[Session]' Enabled=no '[Record]' Event=cpu-clock Frequency=99 Mode=stream
systemctl start perf-recorderd.service
head -c 16M /dev/zero >"$BASE/ballast" 2>/dev/null
check_match "a start on a full disk fails" 'No space left' "$(perfctl start stream 2>&1)"
check "and is tried again" wait_for 30 is_state stream waiting
sleep 3
check_match "for longer than the start limit" '^(waiting|starting)$' "$(state stream)"
rm "$BASE/ballast"
check "with room it records" wait_for 30 is_state stream recording
perfctl stop
systemctl stop perf-recorderd.service
umount "$BASE"
rm -rf /run/systemd/system/slow-network.service* /run/systemd/system/shop.service
systemctl stop slow-network.service shop.service 2>/dev/null
systemctl daemon-reload
finish
