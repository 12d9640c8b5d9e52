#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Counters are lent to others and come back: perfctl reserve with sessions that have breakpoints, of which each CPU has four, and
# sessions that have none; refusals; and ROUNDS (200) reservations in a row, in which the holder, the daemon or a recorder is killed
# at random moments. There are never more breakpoints than the CPU has, no session stays without its own, nothing is left over.
. "$(dirname "$0")/assert.sh"

ROUNDS=${ROUNDS:-200}
UNIT=perf-recorderd.service
BREAKPOINTS=$(dirname "$0")/breakpoints
[ -x "$BREAKPOINTS" ] || {
        echo "ok - reservations # SKIP no C compiler where the tests were started"
        finish
}
free() { "$BREAKPOINTS"; }
ALL=$(free)
[ "${ALL%% *}" -ge 4 ] || {
        echo "ok - reservations # SKIP this kernel lends CPU 0 only ${ALL%% *} breakpoints"
        finish
}
FREE_BESIDE=$(awk '{ for (i = 1; i <= NF; i++) printf "%s%d", (i > 1 ? " " : ""), $i - 3 }' <<<"$ALL")

states() { perfctl list --no-legend | awk '{ print $1 ":" $2 }' | grep -E '^s[0-9]+:'; }
of_state() { states | grep -c ":$1\$"; }
is_free() { [ "$(free)" = "$1" ]; }
back() { [ "$(of_state recording)" = 20 ] && is_free "$FREE_BESIDE"; }
daemon_pid() { systemctl show -P MainPID "$UNIT"; }

fresh
set_unit '[Service]' RestartSec=100ms '[Unit]' StartLimitIntervalSec=0
for i in $(seq 20); do # s1 to s3: beside another event, s1 in a group; s3 has nothing else; the others have none
        case $i in
        1) events=('Event=cpu-clock' 'Event={mem:0x1000:w,cpu-clock}') ;;
        2) events=('Event=cpu-clock' 'Event=mem:0x2000:w') ;;
        3) events=('Event=mem:0x3000:w') ;;
        *) events=('Event=cpu-clock') ;;
        esac
        write_session "s$i" '[Session]' 'StartLimitBurst=0' '[Record]' "${events[@]}" AllCPUs=yes Mode=overwrite BufferSize=64K
done
check "20 sessions start" perfctl start
check "three of them have a breakpoint" wait_for 5 back

# Granted: what is lent is free, what has other events goes on, what has none is "reserved"; and all comes back.
seen=$(perfctl reserve --what=breakpoint:4 --why='a test' sh -c "$BREAKPOINTS; perfctl list --no-legend s1 s2 s3; perfctl reserve --who --no-legend")
check_equal "lent: all are free" "$ALL" "$(head -n 1 <<<"$seen")"
check_match "lent: others go on" '^s1 +recording' "$seen"
check_match "lent: a session with nothing else is reserved" '^s3 +reserved' "$seen"
check_match "lent: --who says to whom and why" 'breakpoint:4 .*a test' "$seen"
check "back within a second" wait_for 1 back
check_equal "the status is the command's" 7 "$(perfctl reserve --what=breakpoint sh -c 'exit 7'; echo $?)"
check "back again" wait_for 1 back
check_match "the journal says to whom" 'lent to sh' "$(journalctl -b -o cat --no-pager -u "$UNIT")"
check "a dump" perfctl dump s1
check_match "the dump says that they were lent" 'sh' "$(perfctl info s1 | grep -i lent)"

# Refused, with the names of those who have them.
refused=$(perfctl reserve --what=breakpoint:5 true 2>&1)
check_equal "more than a CPU has: refused" 1 $?
check_match "more than a CPU has: says how many there are" '4 of 5' "$refused"
check "back after that" wait_for 1 back
"$BREAKPOINTS" hold 1 >/dev/null &
other=$!
wait_for 5 is_free "$(awk '{ for (i = 1; i <= NF; i++) printf "%s%d", (i > 1 ? " " : ""), $i - 4 }' <<<"$ALL")"
refused=$(perfctl reserve --what=breakpoint:4 true 2>&1)
check_equal "another program has one: refused" 1 $?
check_match "another program has one: it is named" "breakpoints.*$other" "$refused"
kill "$other"
wait "$other" 2>/dev/null
check "back after that, too" wait_for 1 back
perfctl reserve --what=breakpoint sleep 60 &
first=$!
wait_for 5 is_free "$ALL"
refused=$(perfctl reserve --what=breakpoint true 2>&1)
check_equal "two claims at once: the second is refused" 1 $?
check_match "two claims at once: the first is named" 'sleep' "$refused"
check_equal "--wait=1s gives up" 1 "$(perfctl reserve --what=breakpoint --wait=1s true >/dev/null 2>&1; echo $?)"
perfctl reserve --what=breakpoint --wait=20s echo waited >/tmp/waited &
second=$!
kill "$first"
wait "$second"
check_equal "--wait gets them next" waited "$(cat /tmp/waited)"
check "back" wait_for 2 back
check_match "no hardware counters here, or they are lent" '^(|.*(no hardware|free|supported|held).*)$' "$(perfctl reserve true 2>&1)"
check_match "an ordinary user: not without a password" '[Aa]uthentication is required' \
        "$(runuser -u nobody -- perfctl reserve --what=breakpoint --no-ask-password true 2>&1)"

# A dump is written in the meantime: neither waits for the other.
perfctl dump s1 s2 s4 >/tmp/dumps &
dumping=$!
check_equal "while dumps are written" "$ALL" "$(perfctl reserve --what=breakpoint:4 "$BREAKPOINTS")"
wait "$dumping"
check_equal "and these are written" 3 "$(wc -l </tmp/dumps)"
check "back after the dumps" wait_for 2 back
systemctl freeze perf-session-s2.scope 2>/dev/null
if [ "$(systemctl show -P FreezerState perf-session-s2.scope)" = frozen ]; then
        refused=$(perfctl reserve --what=breakpoint true 2>&1)
        check_match "a frozen session is named" 's2' "$refused"
        systemctl thaw perf-session-s2.scope
        check "back after the thaw" wait_for 5 back
fi

# A holder that forks: its children may hold on, its own end is not the end.
perfctl reserve --what=breakpoint -d >/dev/null
check_equal "-d: granted and detached" "$ALL" "$(free)"
holder=$(pgrep -f 'perfctl reserve --what=breakpoint -d')
send KILL "$holder"
check "-d: back when the holder is killed" wait_for 1 back

# Killed at random moments.
RANDOM=4711
most=0
for i in $(seq "$ROUNDS"); do
        perfctl reserve --what=breakpoint:4 sleep 0.2 >/dev/null 2>&1 &
        holder=$!
        sleep "0.$(printf %03d $((RANDOM % 250)))"
        case $((RANDOM % 4)) in
        0) kill -KILL "$holder" 2>/dev/null; pkill -KILL -P "$holder" 2>/dev/null ;;
        1) send KILL "$(daemon_pid)" ;;
        2) send KILL "$(session_pid s$((RANDOM % 3 + 1)))" 2>/dev/null ;;
        *) ;;
        esac
        wait "$holder" 2>/dev/null
        wait_for 10 back || { most=$i; break; }
done 2>/dev/null
check_equal "$ROUNDS reservations, kills in between: all comes back each time" 0 "$most"
[ "$most" = 0 ] || report 1 "round $most: $(states | grep -v recording | tr '\n' ' ') free: $(free)"
check_equal "nothing is lent any more" "" "$(perfctl reserve --who --no-legend | grep ^breakpoint)"
perfctl stop
check "without sessions all are free" wait_for 5 is_free "$ALL"
finish
