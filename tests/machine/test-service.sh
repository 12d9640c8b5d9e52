#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The service as systemd, the journal and their tools see it: sandbox, watchdog, idleness, memory, log, messages.
. "$(dirname "$0")/assert.sh"

UNIT=perf-recorderd.service
fresh
for i in $(seq 10); do write_session "s$i" '[Session]' 'Run=-e cpu-clock -F 1 -C 0'; done
check "start" perfctl start
daemon=$(systemctl show -P MainPID "$UNIT")

score=$(systemd-analyze security --no-pager "$UNIT" | sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')
check "exposure is at most 3.0 ($score)" awk "BEGIN { exit !(\"$score\" != \"\" && $score <= 3.0) }"
check_match "the status line" 'Recording 10' "$(systemctl show -P StatusText "$UNIT")"
check "it has a watchdog" test "$(systemctl show -P WatchdogUSec "$UNIT")" != 0
check "units verify" systemd-analyze verify /usr/lib/systemd/system/perf-recorderd.service

# Idle: the watchdog's wake-up alone (each is one voluntary switch, and perhaps a second for its reply).
switches() { awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$daemon/status"; }
sleep 3
idle=${PR_IDLE_SECONDS:-30}
before=$(switches)
sleep "$idle"
woken=$(($(switches) - before))
watchdog=$(systemctl show -P WatchdogUSec "$UNIT" | sed 's/min/*60+/;s/s//;s/+$//')
allowed=$((idle / ((watchdog) / 4 + 1) + 1))
check "idle for $idle s: woken $woken times, at most $allowed by the watchdog" test "$woken" -le "$allowed"
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
check "resident memory of the daemon: $(rss "$daemon") KiB under 8192" test "$(rss "$daemon")" -lt 8192
rings() { awk '/perf_event\]/ { ring = 1; next } /^[0-9a-f]+-/ { ring = 0 } ring && /^Rss:/ { sum += $2 } END { print sum + 0 }' "/proc/$1/smaps"; }
worker=$(session_pid s1)
outside=$(($(rss "$worker") - $(rings "$worker")))
check "resident memory of a worker outside its rings: $outside KiB under 6144" test "$outside" -lt 6144

# The daemon started without any dump; the first one is measured once, and then there is nothing to be done again.
ticks() { awk '{ print $14 + $15 }' "/proc/$daemon/stat"; }
check "a first dump" perfctl dump s2
sleep 2
before=$(ticks)
sleep 3
used=$(($(ticks) - before))
check "idle after it: $used of 300 ticks, at most 10" test "$used" -le 10

# The journal.
check "pause and resume" sh -c 'perfctl pause s1 && perfctl resume s1'
check_match "found by session" 'Started|started' "$(journalctl -b -o cat PERF_SESSION=s1)"
scope=$(session_property s1 Scope)
check_equal "the scope's name" perf-session-s1.scope "$scope"
check "stop of one" perfctl stop s1
check_match "a worker's own lines by its session" 'Captured and wrote' "$(journalctl -b -o cat PERF_SESSION=s1)"
check_match "and by its scope" 'Captured and wrote' "$(journalctl -b -o cat -u "$scope")"
check_match "perfctl log" 'Captured and wrote' "$(perfctl log s1 --no-pager)"
check_match "with the explanation of the catalog" 'session' "$(LC_ALL=C journalctl -b -x -o short PERF_SESSION=s1 | grep -- "^--")"
check_match "the output file has them too" 'Captured and wrote' "$(cat "$BASE/session-s1/output")"

# What a user sees.
check_match "list is a table" '^s2 +recording' "$(perfctl list --no-pager)"
check_equal "no verb is list" "$(perfctl list --no-legend --no-pager | awk '{ print $1 }')" "$(perfctl --no-legend --no-pager | awk '{ print $1 }')"
check_match "status" 'Main PID: '"$(session_pid s2)" "$(perfctl status s2 --no-pager)"
perfctl status s1 --no-pager >/dev/null
check_equal "status of a stopped one exits 3" 3 $?
perfctl status nosuch --no-pager >/dev/null 2>&1
check_equal "status of none exits 4" 4 $?
check_match "json" '"session" *: *"s2"' "$(perfctl list --json=short)"
check_match "cat" '^# /etc/perf-recorder/sessions.d/s2.session' "$(perfctl cat s2)"
mkdir -p "$SESSIONS/s2.session.d"
printf '[Session]\nDescription=A drop-in\n' >"$SESSIONS/s2.session.d/10-x.conf"
described() { [ "$(session_property s2 Description)" = "A drop-in" ]; }
check "a drop-in is noticed by itself" wait_for 5 described
check_match "cat shows it" '10-x.conf' "$(perfctl cat s2)"
printf '#!/bin/sh\nprintf "[Session]\\nDescription=Edited\\n" >"$1"\n' >/tmp/editor
chmod +x /tmp/editor
check "edit" env SYSTEMD_EDITOR=/tmp/editor perfctl edit s3
edited() { [ "$(session_property s3 Description)" = Edited ]; }
check "edit takes effect" wait_for 5 edited
printf '[daemon]\nbase=/opt/perfdata\n[session-old]\nrun = -e cpu-clock -F 5 -C 0\n' >/tmp/perfconfig
check "import" perfctl import /tmp/perfconfig
old() { [ "$(session_property old Command)" = "-e cpu-clock -F 5 -C 0" ]; }
check "import takes effect" wait_for 5 old
for page in perfctl.1 perf-recorderd.8 perf-recorder-worker.1 perf-recorder-view.1 perf-recorder.session.5 org.perfrecorder1.5; do
        check "man page $page" test -s "/usr/share/man/man${page##*.}/$page.gz"
done
check_match "bash completion" perfctl "$(bash -c '. /usr/share/bash-completion/completions/perfctl && complete -p perfctl')"
check "systemctl reload" systemctl reload "$UNIT"

# A bus that is down: it is tried until it is there.
pid=$(session_pid s2)
set_unit '[Service]' Environment=DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/nosuch RestartSec=50ms
systemctl kill --kill-whom=main -s KILL "$UNIT"
often() { [ "$(systemctl show -P NRestarts "$UNIT")" -gt 20 ]; }
check "without a bus it is started again and again" wait_for 30 often
check_match "and systemd does not give up" '^(de)?activating$' "$(systemctl is-active "$UNIT")"
set_unit '[Service]'
check "the bus is there: so is the daemon" wait_for 10 perfctl ping -q s2
check_equal "and the same worker" "$pid" "$(session_pid s2)"
daemon=$(systemctl show -P MainPID "$UNIT")

# Upgrade: the package over itself leaves the workers alone.
if [ -f /root/package.deb ]; then
        pid=$(session_pid s2)
        check "upgrade of the package" dpkg -i /root/package.deb
        wait_for 5 perfctl ping s2
        check "another daemon" test "$(systemctl show -P MainPID "$UNIT")" != "$daemon"
        check_equal "the same worker" "$pid" "$(session_pid s2)"
fi
finish
