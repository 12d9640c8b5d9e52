#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What was unusual before a trigger, of known incidents: a job that starts, and a unit that gets less of the CPU. Other machines may
# be busy beside this one, so that others may be named, too.
. "$(dirname "$0")/assert.sh"

recording() { [ "$(session_property ring State)" = recording ]; }
dumps() { perfctl dumps --no-legend ring 2>/dev/null | wc -l; }
unusual() { perfctl diff --trigger "$@" ring | head -n 3; }
trigger() { # waits for its dump
        local before
        before=$(dumps)
        /tmp/trigger-event
        more() { [ "$(dumps)" -gt "$before" ]; }
        check "an event makes a dump" wait_for 30 more
}

fresh
cp /bin/true /tmp/trigger-event
write_session ring '[Record]' 'Event=cpu-clock' 'Frequency=199' 'SampleFields=cgroup' \
        '[Trigger]' 'Event=sched:sched_process_exec filename == "/tmp/trigger-event"' 'RateLimitIntervalSec=0' 'Overlap=yes'
systemctl start perf-recorderd.service
check "the session records" wait_for 30 recording
systemd-run -q --unit=steady-load sh -c 'while :; do for i in 1 2 3 4 5 6 7 8 9; do :; done; done'
sleep 30

systemd-run -q --unit=cron-job sh -c 'head -c 1000G /dev/zero | gzip >/dev/null'
sleep 8
trigger
lines=$(unusual --summary)
check_match "diff names the job that started" '^cron-job\.service took [0-9.]+ % of the CPU time, usually (none|0\.[0-9]+ %)' "$lines"
check_match "and the process that took most" '^cron-job\.service took .*; (nearly all of it|mostly) (gzip|head|in )' "$lines"
check_match "in the first lines of the table, too" '^# (Unusual:|        ) cron-job\.service took' "$(unusual)"
check_match "with the same numbers" "$(grep -m1 '^cron-job' <<<"$lines" | sed 's/[][().*^$?+{}|\\]/./g')" "$(unusual)"
info=$(perfctl info ring)
check_match "info has it, too" '^ +(Unusual: )?cron-job\.service took ' "$(grep -A 3 'Unusual:' <<<"$info")"
check_match "and JSON" '"unit":"cron-job.service"' "$(perfctl diff --trigger --json ring | tr -d ' \n' | grep -o '"unusual":.*"events"')"

told() { journalctl --no-pager -o cat --output-fields=PERF_UNUSUAL PERF_SESSION=ring MESSAGE_ID=4bc97dc79ebc4a2fa4bd5501f18f543b; }
is_told() { told | grep -q 'cron-job\.service took'; }
check "the journal says it some seconds after the dump" wait_for 60 is_told
check_equal "as diff does" "$lines" "$(told | head -n 3)"
check_match "and its message has the dump" '^ring: Before the trigger of dump ring-[0-9]+:$' "$(journalctl --no-pager -o cat PERF_SESSION=ring)"

first=$(perfctl dumps --no-legend ring | awk 'END { print $NF }')
systemctl stop cron-job.service
systemd-run -q --unit=other-load sh -c 'while :; do for i in 1 2 3 4 5 6 7 8 9; do :; done; done'
sleep 45
systemctl kill --signal=STOP steady-load.service
sleep 10.5
trigger
check_match "diff names the unit that gets less" '^steady-load\.service took (none|only [0-9.]+ %) of the (samples|CPU time), usually [0-9.]+ %' \
        "$(unusual --summary -u steady-load,other-load)"
check_match "compared with the dump before" '^# Baseline: '"$first"', more than 10s before the trigger' \
        "$(perfctl diff --trigger --baseline=1 ring)"
perfctl dump -q ring
check_no_match "a dump by hand has no incident" 'Unusual:' "$(perfctl info ring)"
check_match "but diff says what was unusual when it is asked" 'took' "$(unusual --summary)"
systemctl kill --signal=CONT steady-load.service
systemctl stop steady-load.service other-load.service
finish
