#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# perf's own shell test of perf daemon, unmodified, with "perf daemon" handed to "perfctl daemon"; and what it does not look at:
# PerfConfig=, sessions that record already, runs that end.
. "$(dirname "$0")/assert.sh"

THEIRS=/usr/lib/perf-core/tests/shell/daemon.sh
CONF=/etc/perf-recorder/perf-recorderd.conf.d
config=/tmp/perfconfig
base=/tmp/perf-base
bin=$(mktemp -d)

cat >"$bin/perf" <<'END'
#!/bin/bash
if [ "$1" = daemon ]; then
        shift
        exec perfctl daemon "$@"
fi
exec /usr/bin/perf "$@"
END
chmod +x "$bin/perf"

write_config() { # BASE LINES…
        printf '%s\n' '[daemon]' "base=$1" "${@:2}" >"$config.new"
        mv "$config.new" "$config"
}
run_files() { find /run/perf-recorder /run/systemd/system -name '*perf-daemon.conf'; }
state_of() { session_property "$1" State; }
records() { [ "$(state_of "$1")" = recording ]; }
gone() { ! perfctl show "$1"; }

fresh
systemctl start perf-recorderd.service
output=$(PATH=$bin:$PATH timeout 300 bash "$THEIRS" 2>&1)
status=$?
report "$status" "perf's test of perf daemon passes" "$output"
check_no_match "and has nothing to complain about" 'FAILED|rror' "$output"
check_equal "it leaves no run behind" "" "$(run_files)"

# A service that records already is left alone.
fresh
mkdir -p "$base"
write_config "$base" '[session-size]' 'run = -e cpu-clock -m 1 sleep 100'
write_session mine '[Session]' 'Run=-e cpu-clock -F 10 -a'
check "a session records" perfctl start mine
pid=$(session_pid mine)
said=$(perfctl daemon start --config "$config" 2>&1)
check_match "start is refused while it does, and says what to do" '^failed: perf-recorderd .*records 1 session.*perfctl stop' "$said"
check_equal "and the session is left alone" "$pid" "$(session_pid mine)"
check_equal "without a run" "" "$(run_files)"
check_match "another base than the service's is told" "^failed: no daemon has the base $base" \
        "$(perfctl daemon ping --config "$config" 2>&1)"
check "without a perfconfig file the list is the service's" perfctl daemon
check_match "in perf daemon's words" '^\[[0-9]+:mine\] perf record -e cpu-clock -F 10 -a$' "$(perfctl daemon)"
check_match "and with -v" '^  control: .*/session-mine/control$' "$(perfctl daemon -v)"
fresh

# What perf says of what is not there.
check_match "no config" '^failed: .*/nowhere: No such file' "$(perfctl daemon start --config /tmp/nowhere 2>&1)"
check_match "no base" "^failed: base '/tmp/nowhere' does not exist" "$(perfctl daemon start --config $config --base /tmp/nowhere 2>&1)"
check_match "no command" "^failed: unknown command 'begin'" "$(perfctl daemon begin 2>&1)"

# A run in a directory with an odd name; a session that is not there.
odd="/tmp/perf base 100%"
mkdir -p "$odd"
write_config "$odd" '[session-size]' 'run = -e cpu-clock -m 1 sleep 100'
check "start: a base with a blank and a percent sign" perfctl daemon start --config "$config"
check "the session is in it" wait_for 30 records size
check "in that directory" test -p "$odd/session-size/control"
check_equal "ping" "OK   size" "$(perfctl daemon ping --config "$config" --session size)"
check_equal "ping: a session that is not there" "FAIL nosuch (not found)" "$(perfctl daemon ping --config "$config" --session nosuch)"
check_match "signal" "^signal 12 sent to session 'size \[[0-9]+\]'" "$(perfctl daemon signal --config "$config")"
check "a restart of the service keeps the run" systemctl restart perf-recorderd.service
check "and its session" wait_for 30 records size
check "stop" perfctl daemon stop --config "$config"
check_equal "the run is over" "" "$(run_files)"
check "the service goes on as it was" systemctl start perf-recorderd.service
check_equal "in its own directory" "$BASE" "$(perfctl show -P BaseDirectory)"
check_equal "without that session" "" "$(perfctl list --no-legend size)"
rm -rf "$odd"

# In the foreground.
write_config "$base" '[session-size]' 'run = -e cpu-clock -m 1 sleep 100'
perfctl daemon start -f --config "$config" >/tmp/foreground 2>&1 &
foreground=$!
check "start -f: the session records" wait_for 30 records size
check "start -f: it stays" kill -0 "$foreground"
kill -TERM "$foreground"
wait "$foreground"
check_equal "start -f: SIGTERM ends it" 0 $?
check_equal "start -f: with the service" inactive "$(systemctl is-active perf-recorderd.service)"
check_equal "start -f: and the run" "" "$(run_files)"

# PerfConfig= in the service's own settings.
fresh
mkdir -p "$CONF"
printf '[Recorder]\nPerfConfig=%s\n' "$config" >"$CONF/perf.conf"
write_config "$base" '[session-size]' 'run = -e cpu-clock -m 1 sleep 100' '[session-time]' 'run = -e task-clock -m 1 sleep 100'
systemctl start perf-recorderd.service
check "PerfConfig=: its sections are sessions" wait_for 30 records size
check "PerfConfig=: all of them" wait_for 30 records time
check_equal "PerfConfig=: in the service's directory" "$BASE/session-size" "$(session_property size Directory)"
check_equal "PerfConfig=: perfctl daemon finds the service by it" "OK   size" "$(perfctl daemon ping --config "$config" --session size)"
check_match "PerfConfig=: and does not start it twice" '^failed: another perf daemon \(pid [0-9]+\) owns' \
        "$(perfctl daemon start --config "$config" 2>&1)"
pid=$(session_pid size)
write_config "$base" '[session-size]' 'run = -e cpu-clock -m 1 sleep 100' '[session-new]' 'run = -e cpu-clock -m 1 sleep 100'
check "PerfConfig=: a new section is a new session" wait_for 30 records new
check "PerfConfig=: one that is gone ends" wait_for 30 gone time
check_equal "PerfConfig=: the others go on" "$pid" "$(session_pid size)"
printf '[session-size\n' >"$config"
sleep 1
check_equal "PerfConfig=: a file that cannot be read ends nothing" "$pid" "$(session_pid size)"
rm -f "$CONF/perf.conf"
check "PerfConfig=: taken back" perfctl reload
check "PerfConfig=: its sessions end" wait_for 30 gone size
rm -rf "$base" "$config" "$bin"
finish
