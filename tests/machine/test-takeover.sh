#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Recorders, daemons, and each in turn are killed while a program counts: it calls write(2) with the next number each time,
# so that a sample that is missing or there twice is seen. ROUNDS (3) times; LOAD=1: with all processors busy in the meantime.
. "$(dirname "$0")/assert.sh"

ROUNDS=${ROUNDS:-3}
FD=$((100 + RANDOM % 900)) # samples are the kernel's of all machines on it, and another one may count as well
UNIT=perf-recorderd.service

daemon_pid() { systemctl show -P MainPID "$UNIT"; }
daemon_changed() { [ "$(daemon_pid)" != "$daemon" ] && [ "$(daemon_pid)" != 0 ] && systemctl -q is-active "$UNIT"; }
again() { # NAME: a process that is not the victim, and has its events
        local pid
        pid=$(session_pid "$1")
        [ "$pid" -gt 1 ] && [ "$pid" != "$victim" ] && [ "$(session_property "$1" State)" = recording ]
}
journal_of() { journalctl -b -o cat PERF_SESSION="$1"; }
says() { journal_of "$1" | grep -Eq "$2"; }

kill_worker() { # NAME
        victim=$(session_pid "$1")
        send KILL "$victim"
        wait_for 30 again "$1"
}

kill_daemon() {
        systemctl reset-failed "$UNIT"
        daemon=$(daemon_pid)
        systemctl kill --kill-whom=main -s KILL "$UNIT"
        wait_for 30 daemon_changed && wait_for 30 perfctl list
}

dumps() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort; }
has_dumps() { [ "$(dumps "$1" | wc -l)" -ge "$2" ]; }

# Dumps that nobody asked for share no sample; those after recorders are such ones too.
trigger() { # NAME
        perl -MIO::Socket::UNIX -e '
                my $s = IO::Socket::UNIX->new(Type => Socket::SOCK_DGRAM, Peer => "/run/perf-recorder/trigger") or die "$!";
                $s->send($ARGV[0]) or die "$!";' "$1"
}

dump() { # NAME: another one
        local n
        n=$(dumps "$1" | wc -l)
        trigger "$1" && wait_for 30 has_dumps "$1" $((n + 1))
}

# All numbers of all dumps, in order of the dumps.
numbers() {
        local f
        for f in $(dumps "$1"); do
                perf script -i "$f" -F trace 2>/dev/null | sed -n 's/.*count: 0x0*\([0-9a-f]*\).*/\1/p'
        done | while read -r n; do echo $((16#${n:-0})); done
}

# Each number from the first to the last once, and at least so many of them. Meanwhile nothing is counted: with many dumps
# it takes longer than a ring lasts.
check_numbers() { # DESCRIPTION NAME MINIMUM
        local seen
        kill -STOP "$counter"
        seen=$(numbers "$2" | sort -n | awk '
                NR == 1 { first = $1 }
                NR > 1 && $1 == last { twice++ }
                NR > 1 && $1 > last + 1 { missing += $1 - last - 1; holes = holes " " last + 1 "-" $1 - 1 }
                { last = $1; n++ }
                END { printf "%d %d %d %s", n, twice, missing, holes }')
        kill -CONT "$counter"
        # shellcheck disable=SC2086 # words
        set -- "$1" "$2" "$3" $seen
        check_equal "$1: no sample twice" 0 "$5"
        check_equal "$1: no sample missing" "0 " "$6 ${*:7}"
        check "$1: $4 samples" test "$4" -ge "$3"
}

begin_counting() {
        cat >/run/count.pl <<'END'
my ($n, $text) = (1000, "x");
while (1) { syscall(1, $ARGV[0] + 0, $text, $n++); select(undef, undef, undef, 0.0005); }
END
        eval "taskset -c 0 perl /run/count.pl $FD $FD>/dev/null &"
        counter=$!
}

end_counting() {
        kill "$counter"
        wait "$counter" 2>/dev/null
}

# At most 2000 samples of 64 bytes a second: a minute of them, longer than a killed daemon takes to be gone and another to be there.
COUNTED="Run=-e syscalls:sys_enter_write --filter fd==$FD -a -m 8M --overwrite --switch-output=signal"
QUICK=('RestartSec=20ms' 'StartLimitIntervalSec=0')
TRIGGER=('[Trigger]' 'Socket=yes' 'RateLimitIntervalSec=0')

fresh
set_unit '[Service]' RestartSec=100ms
busy=()
if [ "${LOAD:-}" ]; then
        for i in $(seq "$(nproc)"); do
                sh -c 'while :; do :; done' &
                busy+=($!)
        done
fi

# Recorders alone.
write_session count '[Session]' "$COUNTED" "${QUICK[@]}" "${TRIGGER[@]}"
check "start" perfctl start
begin_counting
sleep 0.3
for i in $(seq "$ROUNDS"); do
        check "kill -9 of the recorder ($i): another one" kill_worker count
        check "recorder killed ($i): it takes over, and dumps" wait_for 30 has_dumps count "$i"
done
sleep 0.2
victim=$(session_pid count)
systemctl stop dbus.socket dbus.service
send KILL "$victim"
check "without D-Bus it cannot be started" wait_for 30 says count "cannot ask systemd for its scope"
systemctl start dbus.socket dbus.service
check "with D-Bus it is" wait_for 30 again count
check "it takes over, and dumps" wait_for 30 has_dumps count $((ROUNDS + 1))
check "a dump afterwards" dump count
check_numbers "recorders killed" count 300
check "why the first ones were made" says count "because of recorder-failure: PID [0-9]+ ended: it was killed by SIGKILL"

# Only daemons, then each in turn: the recorder hands over to each daemon again.
for i in $(seq "$ROUNDS"); do
        check "kill -9 of the daemon ($i): another one" kill_daemon
        check_equal "daemon killed ($i): the session records" recording "$(session_property count State)"
        [ $((i % 3)) -ne 0 ] || check "daemon killed ($i): a dump, before the ring is full" dump count
done
for i in $(seq "$ROUNDS"); do
        check "in turn ($i): the daemon" kill_daemon
        check "in turn ($i): its rings are handed over" perfctl ping count # the answer comes behind the one for the rings
        check "in turn ($i): the recorder" kill_worker count
done
sleep 0.2
check "a dump after all that" dump count
check_numbers "each in turn" count 600

# While a dump is being made: it is there or it is not, and the next one has what it has not.
for i in $(seq "$ROUNDS"); do
        trigger count
        sleep "0.0$((i * 7 % 10))"
        check "killed in a dump ($i)" kill_worker count
done
check "a dump after those" dump count
check_numbers "killed in dumps" count 700

# Both at once: the rings are lost, and it is said.
victim=$(session_pid count)
daemon=$(daemon_pid)
systemctl reset-failed "$UNIT"
kill -KILL "$daemon" "$victim"
check "both at once: another daemon" wait_for 30 daemon_changed
check "both at once: another recorder" wait_for 30 again count
check "both at once: it is said" wait_for 30 says count 'is lost: nobody kept'
end_counting

# The same with a history, whose rings are read all the time.
fresh
# A small ring may be full before a busy machine reads it again: that is lost, and said, and not looked for here.
write_session count '[Session]' "${COUNTED/-m 8M --overwrite/-m 1M -M 8M}" "${QUICK[@]}" "${TRIGGER[@]}"
check "start with a history" perfctl start
begin_counting
for i in $(seq "$ROUNDS"); do
        sleep 0.3
        check "history ($i): the recorder is killed" kill_worker count
        check "history ($i): it dumps" wait_for 30 has_dumps count "$i"
        check "history ($i): the daemon is killed" kill_daemon
        check "history ($i): its rings are handed over" perfctl ping count
done
check "history: a dump afterwards" dump count
check_numbers "history" count 300
end_counting

# Stopped on purpose, nothing stays; other settings begin a new recording.
check "stop" perfctl stop count
check_equal "no locked memory is left" 0 "$(perfctl show -p LockedMemory 2>/dev/null | sed 's/.*=//')"
fresh

# The side band: a process that ended before the recorder did.
write_session cpu '[Session]' 'Run=-e cpu-clock -F 999 -a -m 1M --overwrite --switch-output=signal' "${QUICK[@]}"
check "start of another" perfctl start
perl -e '$0 = "job"; my $e = time + 2; 1 while time < $e'
check "its recorder is killed" kill_worker cpu
check "it dumps" wait_for 30 has_dumps cpu 1
lines=$(perf script -i "$(dumps cpu | tail -n 1)" -F comm,ip,sym,dso 2>/dev/null)
check_match "what ran before is known by name" '^ *(perl|job) ' "$lines"
unknown=$(grep -E '^ *(perl|job) ' <<<"$lines" | grep -c '(\[unknown\])')
all=$(grep -cE '^ *(perl|job) ' <<<"$lines")
check "and by its maps ($unknown of $all unknown)" test $((unknown * 100)) -le "$all"

# The unit of a session is stopped, and started again, around the recorder's death: what it left is dumped at once, and the new
# run is recorded.
fresh
cp /usr/bin/md5sum /tmp/in-app
printf '[Service]\nExecStart=/tmp/in-app /dev/zero\n' >/run/systemd/system/app.service
systemctl daemon-reload
systemctl start app.service
write_session app '[Session]' "${QUICK[@]}" '[Record]' 'Event=cpu-clock' 'Frequency=499' 'Unit=app' 'Mode=overwrite' 'BufferSize=1M'
newest() { dumps app | tail -n 1; }
dumped_new_run() { perfctl dump app --since=-200ms && [ "$(perf script -i "$(newest)" -F comm 2>/dev/null | grep -c in-app)" -ge 20 ]; }
dumped_failure() { journal_of app | grep -c 'because of recorder-failure' | grep -qx "$1"; }
check "start for a unit" perfctl start app
sleep 0.5
send KILL "$(session_pid app)"
systemctl restart app.service
check "killed, then the unit restarted: the new run is recorded" wait_for 30 dumped_new_run
check "and what the recorder left is dumped" dumped_failure 1
systemctl stop app.service
check "killed while the unit is stopped: another one" kill_worker app
check "what it left is dumped without the unit" wait_for 30 dumped_failure 2
check_match "it is in the dump" in-app "$(perf script -i "$(newest)" -F comm 2>/dev/null)"
sleep 0.5
systemctl start app.service
check "then the unit is started: the new run is recorded" wait_for 30 dumped_new_run
systemctl stop app.service
check "a restart of the daemon" systemctl restart "$UNIT"
check "and its rings are handed over" perfctl ping app
check "killed again while it is stopped" kill_worker app
check "what it left is dumped before a stop" wait_for 30 dumped_failure 3
check "stop loses nothing" perfctl stop app
check_no_match "nothing is given up" 'given up|is lost' "$(journal_of app)"

# No other recorder is started for a while: whoever ends that is told what is lost.
write_session app '[Session]' 'RestartSec=1h' '[Record]' 'Event=cpu-clock' 'Frequency=499' 'Mode=overwrite' 'BufferSize=1M'
is_waiting() { [ "$(session_property app State)" = waiting ]; }
check "start without a unit" perfctl start app
send KILL "$(session_pid app)"
check "killed: it waits" wait_for 30 is_waiting
check_match "stop says what is lost" 'app.*what it had in memory is lost: PID [0-9]+ ended' "$(perfctl stop app 2>&1)"
check "so does the journal" says app 'given up: it is not started again'
check "start" perfctl start app
send KILL "$(session_pid app)"
check "killed again: it waits" wait_for 30 is_waiting
check "a restart of the daemon" systemctl restart "$UNIT"
check "the journal has the reason" wait_for 30 says app 'is lost: the daemon that kept them ended before another'

# A full disk: the dump fails with a word, the next one has what it would have had.
fresh
systemctl stop "$UNIT"
mount -t tmpfs -o size=8M,mode=0700 tmpfs "$BASE"
write_session count '[Session]' "$COUNTED" "${QUICK[@]}" "${TRIGGER[@]}" '[Storage]' 'MaxUse=1G' 'KeepFree=0'
check "start on a small disk" perfctl start
begin_counting
sleep 0.5
check "a dump" dump count
head -c 16M /dev/zero >"$BASE/ballast" 2>/dev/null
sleep 0.3
trigger count
check "the full disk is said" wait_for 30 says count 'disk is full|[Nn]o space'
check "the recorder on the full disk is killed" kill_worker count
rm "$BASE/ballast"
check "a dump on the emptied disk" dump count
check_numbers "a full disk" count 300
end_counting
perfctl stop
umount "$BASE"
for pid in "${busy[@]}"; do kill "$pid"; done
finish
