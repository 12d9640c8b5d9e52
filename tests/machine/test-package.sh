#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The package: what it sets up, what its sandbox leaves to the recorders, whom its group lets act, and that removal ends all
# and purge leaves nothing.
. "$(dirname "$0")/assert.sh"

UNIT=perf-recorderd.service
fresh
systemctl start "$UNIT"
check "the service runs" systemctl -q is-active "$UNIT"
check "it starts at boot" systemctl -q is-enabled "$UNIT"
check "the user's service starts only when asked for" test ! -e /etc/systemd/user/default.target.wants/$UNIT
check "the group is there" getent group perf-recorder
check_equal "no session runs by itself" "" "$(systemctl list-units --no-legend 'perf-session-*.scope')"
check_match "the catalog explains a message" '^Subject: Session' \
        "$(journalctl --dump-catalog 5c83dfba76414fb9b021596a82016beb)"
check_match "activation by the bus" perf-recorderd.service "$(busctl --activatable list --no-pager; cat /usr/share/dbus-1/system-services/org.perfrecorder1.service)"

# Activation, without perfctl: any call brings the service up.
systemctl stop "$UNIT"
check "a call on the bus starts it" busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager ListSessions
check "it runs again" systemctl -q is-active "$UNIT"

# The sandbox that recorders are in.
write_session web '[Session]' 'Run=-e cpu-clock -F 10 -a'
check "start" perfctl start web
status=/proc/$(session_pid web)/status
check_match "no new privileges" '^NoNewPrivs:[[:space:]]1$' "$(cat "$status")"
check_match "system calls are filtered" '^Seccomp:[[:space:]]2$' "$(cat "$status")"
# DAC_READ_SEARCH 2, IPC_LOCK 14, SYS_PTRACE 19, SYS_NICE 23, SYSLOG 34, PERFMON 38
capabilities=$(printf '%016x' $((1 << 2 | 1 << 14 | 1 << 19 | 1 << 23 | 1 << 34 | 1 << 38)))
check_match "capabilities are those of the unit" "^CapEff:[[:space:]]$capabilities\$" "$(cat "$status")"
in_sandbox() { nsenter -t "$(session_pid web)" -m "$@"; }
check_fails "/usr is read-only in it" in_sandbox touch /usr/x
check_fails "/etc too" in_sandbox touch /etc/x
check_fails "tracefs too" in_sandbox sh -c 'echo > /sys/kernel/tracing/trace_marker'
check "tracepoints can be read" in_sandbox test -r /sys/kernel/tracing/events/sched/sched_switch/id
check "kernel symbols can be read" in_sandbox grep -q ' _stext$' /proc/kallsyms

# Whoever is in the group may act on the sessions that there are, and no more.
id member >/dev/null 2>&1 || useradd -m member
usermod -a -G perf-recorder member
as_member() { setpriv --reuid=member --regid=member --init-groups env HOME=/home/member "$@"; }
check "a member of the group may restart" as_member perfctl --no-ask-password restart web
check "and reload" as_member perfctl --no-ask-password reload
check_fails "but not record what he likes" as_member busctl call --allow-interactive-authorization=no \
        org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager StartTransient 'sa{sv}' evil 1 Record.Event s cpu-clock
check_fails "and not read the recordings" as_member ls "$BASE"

# A masked service.
systemctl stop "$UNIT"
systemctl mask --runtime "$UNIT"
check_match "a masked service is not running" "not running; 'perfctl start' starts it" "$(perfctl dump 2>&1)"
check_match "a start: where to look" "does not start; see 'systemctl status perf-recorderd'" "$(perfctl start web 2>&1)"
systemctl unmask --runtime "$UNIT"
check "unmasked it starts" perfctl start web

# Removal and purge.
check "enable of a session" perfctl enable cpu
check "disable of the administrator's" perfctl disable web
check "enable of an instance" perfctl enable unit@dbus.service
printf '[Record]\nFrequency=11\n' >"$SESSIONS/web.session.d/10-own.conf"
mkdir "$SESSIONS/sched.session.d"
printf '[Session]\nEnabled=yes\n' >"$SESSIONS/sched.session.d/50-enabled.conf"
pid=$(session_pid web)
files=$(dpkg -L perf-recorder)
check "removal" apt-get -q -y remove perf-recorder
check "ends the service" sh -c "! systemctl -q is-active $UNIT"
check "ends the recorders" sh -c "! kill -0 $pid"
check "leaves the recordings" test -d "$BASE/session-web"
check "leaves the administrator's files" test -f "$SESSIONS/web.session"
mount --bind "$BASE" "$BASE"
check "purge of a mount point" /var/lib/dpkg/info/perf-recorder.postrm purge
check_equal "removes the contents" "" "$(ls -A "$BASE")"
umount "$BASE"
touch "$BASE/lock"
check "purge" dpkg --purge perf-recorder
check "removes the recordings" test ! -e "$BASE"
left=$(for file in $files; do [ ! -f "$file" ] || echo "$file"; done)
check_equal "leaves no file of its own" "" "$left"
check_equal "leaves the administrator's files, and none that perfctl wrote" \
        'sched.session.d sched.session.d/50-enabled.conf web.session web.session.d web.session.d/10-own.conf' \
        "$(cd "$SESSIONS" && find . -mindepth 1 -printf '%P\n' | sort | paste -sd ' ')"
check_equal "leaves no unit" "" "$(systemctl list-unit-files --no-legend 'perf-record*')"
check_match "the system is whole" '^(running|degraded)$' "$(systemctl is-system-running)"
finish
