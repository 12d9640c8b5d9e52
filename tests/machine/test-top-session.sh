#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# perfctl top SESSION: what a recorder has in memory is shown while it records, in both modes. No event is opened for it, nothing is
# left behind, and it costs hardly anything. Who may not open dumps is refused, and a session that is stopped ends it with a message.
. "$(dirname "$0")/assert.sh"

spinner=$(dirname "$0")/spinner
meter_path=$(dpkg -L perf-recorder | grep '/perf-recorder-meter$')
perf_events() { find /proc/[0-9]*/fd -lname 'anon_inode:*perf_event*' 2>/dev/null | wc -l; }
journal() { journalctl -b -o cat --no-pager PERF_SESSION="$1" | wc -l; }
ticks() { # PID: its CPU time, and that of its threads
        awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2>/dev/null || echo 0
}
ticks_of_all() { echo $(($(ticks "$worker") + $(ticks "$daemon") + $(ticks "$top") + $(ticks "$meter"))); }
samples_of() { # SESSION OPTION
        perfctl top "$@" --json --iterations=1 -s comm | grep -o '"event":"cpu-clock","samples":[0-9]*' | grep -o '[0-9]*$'
}
files_of() { find "$BASE/session-$1" -type f -name '*perf.data*' | wc -l; }

fresh
for mode in overwrite history; do
        more=()
        [ "$mode" = overwrite ] || more=('HistorySize=8M')
        write_session "$mode" '[Record]' 'Event=cpu-clock' 'Frequency=99' 'AllCPUs=yes' 'BufferSize=1M' "Mode=$mode" \
                'ClockID=monotonic' "${more[@]}" '[Storage]' 'MaxFiles=2'
        check "$mode: start" perfctl start "$mode"
done
write_session stream '[Record]' 'Event=cpu-clock' 'Frequency=99' 'AllCPUs=yes' 'Mode=stream'
write_session off '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'AllCPUs=yes' 'Mode=overwrite'
check "stream: start" perfctl start stream
perfctl reload >/dev/null
for _ in $(seq "$(nproc)"); do
        "$spinner" spin &
        busy+=($!)
done
sleep 7

for mode in overwrite history; do
        events=$(perf_events)
        lines=$(journal "$mode")
        perfctl top "$mode" --batch --iterations=3 -d 1 -s comm >"/tmp/top-$mode" 2>&1 &
        top=$!
        sleep 1.5
        check_equal "$mode: no event is opened" "$events" "$(perf_events)"
        wait "$top"
        check_equal "$mode: top ends well" 0 $?
        check_equal "$mode: three refreshes" 3 "$(grep -c "PerfTop:.*99Hz cpu-clock.*(session: $mode)" "/tmp/top-$mode")"
        # what runs outside of this machine is swapper here, as it has no PID
        check_match "$mode: the spinner has most" '^ +[2-9][0-9]\.[0-9]+%  spinner$' "$(grep -E '^ +[0-9.]+%  ' "/tmp/top-$mode" |
                grep -v swapper | head -n 1)"
        check_equal "$mode: no dump, no file" 0 "$(files_of "$mode")"
        check_equal "$mode: no line in the journal" "$lines" "$(journal "$mode")"
        check_match "$mode: as JSON, by function" '"comm":"spinner","symbol":"[a-z_]+"' \
                "$(perfctl top "$mode" --json --iterations=1 -s comm,sym)"
        first=$(samples_of "$mode" --last=1s)
        all=$(samples_of "$mode" --last=all)
        check "$mode: all has more samples than a second ($first, $all)" test "$all" -gt "$((first * 3 / 2))"
        check_match "$mode: only one process" 'spinner' "$(perfctl top "$mode" --batch --iterations=1 -s comm -p "${busy[0]}")"
        check_no_match "$mode: and no other" 'swapper|perf' "$(perfctl top "$mode" --batch --iterations=1 -s comm -p "${busy[0]}" |
                grep -v PerfTop)"

        # A program that has come and gone since the first window has a name, too.
        perfctl top "$mode" --batch --iterations=4 -d 1 -s comm,dso >"/tmp/top-$mode" 2>&1 &
        top=$!
        sleep 1.2
        cp "$spinner" /tmp/short-lived
        timeout 0.5 /tmp/short-lived spin
        wait "$top"
        check_match "$mode: what has ended is named" 'short-lived +short-lived' "$(cat "/tmp/top-$mode")"

        # Two at once, and a dump meanwhile, which has all.
        perfctl top "$mode" --batch --iterations=4 -d 0.5 -s comm >/tmp/top-one &
        one=$!
        perfctl top "$mode" --batch --iterations=4 -d 0.5 -s comm >/tmp/top-two &
        sleep 0.7
        check "$mode: a dump meanwhile" perfctl dump "$mode"
        check "$mode: what no dump has is in --new" perfctl dump --new "$mode"
        wait "$one" && wait $!
        check_equal "$mode: both have all refreshes" "4 4" "$(grep -c PerfTop /tmp/top-one) $(grep -c PerfTop /tmp/top-two)"

        # It is cheap. The rest of the machine is busy, so nothing that it does is idle time.
        worker=$(session_pid "$mode")
        daemon=$(systemctl show perf-recorderd -p MainPID --value)
        perfctl top "$mode" --batch --iterations=40 -d 1 -s comm >/dev/null &
        top=$!
        sleep 3
        meter=$(pgrep -P "$top" | head -n 1)
        before=$(ticks_of_all)
        sleep 20
        spent=$(($(ticks_of_all) - before))
        send INT "$meter"
        wait "$top"
        echo "# $mode: recorder, service, perfctl and meter took $spent ticks in 20 s, of which a hundredth of a CPU is 20"
        if ldd "$meter_path" | grep -q asan; then
                check "$mode: it costs a hundredth of a CPU # SKIP sanitizers take most of it" true
        else
                check "$mode: it costs a hundredth of a CPU at most ($spent ticks)" test "$spent" -le 20
        fi

        check "$mode: paused" perfctl pause "$mode"
        check "$mode: what is in memory can still be seen" sh -c "perfctl top $mode --last=all --batch --iterations=1 -s comm | grep spinner"
        check "$mode: resumed" perfctl resume "$mode"
done

# A ring that does not reach back to the last refresh: what was overwritten is said.
write_session small '[Record]' 'Event=cpu-clock' 'Frequency=4000' 'AllCPUs=yes' 'BufferSize=16K' 'Mode=overwrite' 'ClockID=monotonic'
check "small: start" perfctl start small
check_match "small: what was missed" 'missed: [12]\.[0-9]s/[1-4]\.[0-9]s' "$(perfctl top small --batch --iterations=3 -d 2 -s comm | grep PerfTop)"
check_no_match "overwrite: nothing was missed" 'missed' "$(perfctl top overwrite --batch --iterations=3 -d 1 -s comm | grep PerfTop)"
check "small: stop" perfctl stop small

check_match "no such session" "^Failed to look at the session 'nosuch': There is no session 'nosuch'" "$(perfctl top nosuch 2>&1)"
perfctl top nosuch >/dev/null 2>&1
check_equal "has the status of other verbs" 5 $?
check_match "a session that does not run" "^Failed to look at the session 'off': it is not running: start it first" "$(perfctl top off 2>&1)"
check_match "a session that writes a file" "^Failed to look at the session 'stream': it keeps no samples in memory" "$(perfctl top stream 2>&1)"
check_match "events are the session's" '^--event is not for a session' "$(perfctl top overwrite -e cpu-clock 2>&1)"
check_match "call chains are the session's, too" 'records no call chains' "$(perfctl top overwrite -g --batch 2>&1)"
check_match "one at a time" 'One session at a time' "$(perfctl top overwrite history 2>&1)"
useradd -m nobody-special 2>/dev/null
check_match "an ordinary user may not" "^Failed to look at the session 'overwrite': .*(Access denied|[Aa]uthentication|[Oo]nly root|not allowed)" \
        "$(su nobody-special -c 'perfctl top overwrite --batch --iterations=1 2>&1 </dev/null')"
usermod -aG perf-recorder-view nobody-special
check_match "one of the group perf-recorder-view may" 'spinner' \
        "$(su nobody-special -c 'perfctl top overwrite --batch --iterations=1 -s comm 2>&1 </dev/null')"

for mode in overwrite history; do
        perfctl top "$mode" --batch -d 0.5 -s comm >/tmp/top-out 2>/tmp/top-err &
        top=$!
        sleep 1.2
        check "$mode: stopped meanwhile" perfctl stop "$mode"
        wait "$top"
        check_equal "$mode: top ends with 1" 1 $?
        check_match "$mode: and says why" "^Failed to look at the session '$mode': it is not running|^Failed to look at the session '$mode': its recorder ended|is being stopped" "$(cat /tmp/top-err)"
done
check "start again" perfctl start overwrite
perfctl top overwrite --batch -d 0.5 -s comm >/dev/null 2>&1 &
top=$!
sleep 1.2
meter=$(pgrep -P "$top" | head -n 1)
send INT "$meter"
wait "$top"
check_equal "Ctrl-C ends both" 130 $?
perfctl top overwrite --batch -d 0.5 -s comm >/dev/null 2>&1 &
top=$!
sleep 1.2
meter=$(pgrep -P "$top" | head -n 1)
send TERM "$top"
wait "$top"
gone() { ! [ -d "/proc/$meter" ]; }
check "the meter does not outlive perfctl" wait_for 5 gone
kill "${busy[@]}"
finish
