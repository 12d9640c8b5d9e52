#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The life of sessions that only a real systemd shows: crashes while they start, what a restart of the daemon keeps,
# scopes and what is left in them, templates, foreign recorders, the user's daemon.
. "$(dirname "$0")/assert.sh"

UNIT=perf-recorderd.service
daemon_pid() { systemctl show -P MainPID "$UNIT"; }
kill_daemon() { systemctl kill --kill-whom=main -s KILL "$UNIT"; }
workers() { pgrep -c perf-recorder-w; }
scopes() { systemctl list-units --no-legend --all 'perf-session-*.scope' | wc -l; }
state_is() { [ "$(session_property "$1" State)" = "$2" ]; }
active() { systemctl -q is-active "$UNIT"; }

# Crashes while sessions start: their processes wait at a gate that the daemon holds, some are in their scopes by then.
for delay in 0.20 0.22 0.24 0.26 0.28; do
        fresh
        systemctl start "$UNIT"
        for i in $(seq 30); do write_session "s$i" '[Session]' 'Run=-e cpu-clock -F 1 -C 0'; done
        sleep "$delay"
        kill_daemon
        sleep 0.3
        kill_daemon 2>/dev/null
        all_up() { [ "$(perfctl list --no-pager --no-legend | grep -c ' recording ')" = 30 ]; }
        check "crash $delay s after the files came: all start" wait_for 30 all_up
        check_equal "crash $delay s: one worker each" 30 "$(workers)"
        check_equal "crash $delay s: one scope each" 30 "$(scopes)"
        check_equal "crash $delay s: all answer" 30 "$(perfctl ping | grep -c '^OK')"
done

# A file that was just written is there for the next command.
fresh
check "the service" systemctl start "$UNIT"
for i in 1 2 3 4 5; do
        write_session "new$i" '[Record]' 'Event=cpu-clock' 'Frequency=10' 'Mode=overwrite'
        check_match "a session is there as soon as its file is ($i)" "Loaded: loaded \\($SESSIONS/new$i.session\\)" \
                "$(perfctl status "new$i" --no-pager)"
        rm "$SESSIONS/new$i.session"
        check_no_match "and is not listed when its file has gone ($i)" "^new$i +recording" "$(perfctl list --no-pager)"
done

# What starts with the service: written by the service, in its sandbox, and by nothing else than enable.
fresh
enabled=(web unit@dbus.service)
write_session web '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Frequency=10' 'Mode=overwrite'
check "the service" systemctl start "$UNIT"
check_equal "is-enabled: not yet" disabled "$(perfctl is-enabled web)"
check_equal "enable of a session" "Created $SESSIONS/web.session.d/50-enabled.conf" "$(perfctl enable web)"
check_equal "enable of an instance" \
        "Created symlink $SESSIONS/unit@dbus.service.session -> /usr/lib/perf-recorder/sessions.d/unit@.session" \
        "$(perfctl enable unit@dbus.service)"
check_equal "readable by all" '644 root' "$(stat -c '%a %U' "$SESSIONS/web.session.d/50-enabled.conf")"
sleep 0.5 # in which changed files are noticed
for s in "${enabled[@]}"; do
        check_equal "$s: enable starts nothing" inactive "$(perfctl is-active "$s")"
        check_equal "$s: is enabled" enabled "$(perfctl is-enabled "$s")"
done
systemctl stop "$UNIT"
check_equal "is-enabled without the service" enabled "$(perfctl is-enabled web)"
systemctl start "$UNIT"
for s in "${enabled[@]}"; do
        check "$s: starts with the service" wait_for 30 perfctl is-active "$s"
done
check_equal "patterns" "$(printf 'recording\nrecording')" "$(perfctl is-active 'w*' 'unit@*')"
check "disable --now" perfctl disable --now "${enabled[@]}"
check_equal "disable --now stops" 0 "$(workers)"
check_equal "and takes back what was written" web.session "$(ls "$SESSIONS")"
check_equal "enable --now" "Created $SESSIONS/cpu.session.d/50-enabled.conf" "$(perfctl enable --now cpu)"
check_equal "enable --now starts" recording "$(perfctl is-active cpu)"
check_fails "no session has failed" perfctl is-failed
check_fails "nothing else of /etc is open to the service" \
        nsenter -t "$(daemon_pid)" -m touch /etc/perf-recorder/perf-recorderd.conf
systemctl stop "$UNIT"
check "disable without the service" perfctl disable cpu

# What a restart keeps.
fresh
write_session foreign-one '[Session]' 'Recorder=/usr/bin/perf' 'Run=-e cpu-clock -F 10 -C 0 -o perf.data --switch-output'
write_session ours '[Session]' 'Run=-e cpu-clock -F 10 -C 0' '[Scope]' 'MemoryMax=100M' 'CPUWeight=50' 'Nice=5'
write_session idle '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
write_session 'unit@' '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Unit=%i'
check "start" perfctl start
check "an instance" perfctl start unit@dbus.service
check_match "an instance for a unit that does not exist is refused" 'no.*nosuch.service' "$(perfctl start unit@nosuch.service 2>&1)"
check_fails "and is not there" perfctl show unit@nosuch.service -p State
check "a transient one" busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager StartTransient 'sa{sv}' \
        -- brief 1 Session.Run s '-e cpu-clock -F 10 -C 0'
check "stop of one" perfctl stop idle
check "pause of one" perfctl pause foreign-one
pids() { for s in foreign-one ours unit@dbus.service brief; do session_pid $s; done; }
before=$(pids)
check "restart" systemctl restart "$UNIT"
check_equal "restart: the same processes" "$before" "$(pids)"
check_equal "restart: what was stopped stays so" inactive "$(session_property idle State)"
check_equal "restart: what was paused stays so" paused "$(session_property foreign-one State)"
check "restart: a foreign recorder can be told to go on" perfctl resume foreign-one
check_equal "an instance has a scope" running \
        "$(systemctl show -P SubState 'perf-session-unit\x40dbus.service.scope')"
check_match "an instance records its unit" '-G system.slice/dbus.service' \
        "$(tr '\0' ' ' <"/proc/$(session_pid unit@dbus.service)/cmdline")"
check_equal "a scope's limits" 104857600 "$(systemctl show -P MemoryMax perf-session-ours.scope)"
check_equal "the nice level" 5 "$(ps -o ni= -p "$(session_pid ours)" | tr -d ' ')"
check "stop of the transient one" perfctl stop brief
check_fails "which is gone then" perfctl status brief
for i in 1 2 3 4 5 6 7; do perfctl restart ours || break; done
check_equal "restarts by hand are not limited" recording "$(session_property ours State)"
check "reload" systemctl reload "$UNIT"
check "SIGHUP" systemctl kill --kill-whom=main -s HUP "$UNIT"
check "the daemon is there after it" wait_for 30 active

# Who ends a scope ends the session; what a recorder leaves in its scope is ended.
check "systemctl stop of a scope" systemctl stop perf-session-ours.scope
check "is the end of the session" wait_for 30 state_is ours inactive
write_session load '[Session]' 'Restart=no' 'Run=-e cpu-clock -F 10 -- sh -c "sleep 1000 & exec sleep 2000"'
check "a session with a command" wait_for 30 state_is load recording
send KILL "$(session_pid load)"
check "whose recorder is killed" wait_for 30 state_is load failed
nothing_left() { ! pgrep -x sleep; }
check "leaves no command" wait_for 30 nothing_left
no_scope() { ! systemctl -q is-active perf-session-load.scope; }
check "and no scope" wait_for 30 no_scope
check "systemctl stop" systemctl stop "$UNIT"
check_equal "leaves no worker" 0 "$(workers)"
no_scopes() { [ "$(scopes)" = 0 ]; }
check "and no scopes" wait_for 30 no_scopes

# The user's own.
systemctl start user@0.service
export XDG_RUNTIME_DIR=/run/user/0 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/0/bus
mkdir -p /root/.config/perf-recorder/sessions.d
printf '[Session]\nRun=-e cpu-clock -F 10 -C 0\n' >/root/.config/perf-recorder/sessions.d/mine.session
check "the user's daemon comes by its bus" perfctl --user start
check_match "and records" '^mine +recording' "$(perfctl --user list --no-pager)"
check_match "in a scope of the user's" 'user@0.service.*/perf-session-mine.scope$' \
        "$(cat "/proc/$(perfctl --user show mine -p MainPID | cut -d= -f2)/cgroup")"
before=$(perfctl --user show mine -p MainPID)
check "restart of the user's daemon" systemctl --user restart "$UNIT"
check_equal "the same process" "$before" "$(perfctl --user show mine -p MainPID)"
check "stop of the user's daemon" systemctl --user stop "$UNIT"
check_equal "leaves none" 0 "$(workers)"
rm -rf /root/.config/perf-recorder
finish
