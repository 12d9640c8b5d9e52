#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Dumps that come from outside of the sessions: by datagram, because a unit failed, because of the time.
. "$(dirname "$0")/assert.sh"

SOCKET=/run/perf-recorder/trigger

triggers_of() { # SESSION: trigger and detail of its dumps, a line each
        busctl call --json=short org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager ListDumps as 1 "$1" |
                perl -ne 'while (/"(\w[-\w]*)","([^"]*)"\]/g) { print "$1 $2\n" }'
}
has_dump() { triggers_of "$1" | grep -Eq -- "$2"; } # SESSION REGEX

# Sends TEXT from a socket with an address, and prints the answer.
ask() {
        perl -MIO::Socket::UNIX -MSocket -e '
                my $path = "\0asked.$$";
                my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $path, Peer => $ARGV[0]) or die "$!";
                $s->send($ARGV[1]) or die "$!";
                alarm 20;
                $s->recv(my $answer, 4096);
                print $answer;' "$SOCKET" "$1"
}

fresh
flight=('[Record]' 'Event=cpu-clock' 'Frequency=99' 'Mode=overwrite' 'BufferSize=64K')
write_session told "${flight[@]}" '[Trigger]' 'Socket=yes' 'Overlap=yes' 'RateLimitIntervalSec=0'
write_session capped "${flight[@]}" '[Trigger]' 'Socket=yes'
write_session deaf "${flight[@]}" '[Trigger]' 'Socket=no'
write_session failing "${flight[@]}" '[Trigger]' 'UnitFailure=web-*.service *.mount'
write_session again "${flight[@]}" '[Trigger]' 'UnitFailure=again-*.service' 'RateLimitIntervalSec=0'
write_session timed "${flight[@]}" '[Trigger]' 'OnCalendar=*:*:0/2'
check "start" perfctl start told capped deaf failing again timed

# Datagrams.
check_equal "root and the group may ask" "660 root perf-recorder" "$(stat -c '%a %U %G' "$SOCKET")"
answer=$(ask 'told requests are slow')
check_match "an answer names the dump" '^DUMP=told-[0-9]{16}$' "$answer"
check_match "and its span" '^LAST_SAMPLE_USEC=[1-9][0-9]{15}$' "$answer"
check_match "the dump says who asked, and why" '^socket uid 0, pid [0-9]+: requests are slow$' "$(triggers_of told)"
check_match "a session that takes none" '^ERROR=there is no session' "$(ask deaf)"
check_match "no session" '^ERROR=there is no session' "$(ask nosuch)"
check_match "nonsense" '^ERROR=no name' "$(ask '../x')"
check_equal "they made no dump" "" "$(triggers_of deaf)"
useradd -r stranger 2>/dev/null
check_fails "nobody else may" setpriv --reuid=stranger --clear-groups perl -MIO::Socket::UNIX -e \
        'IO::Socket::UNIX->new(Type => Socket::SOCK_DGRAM, Peer => $ARGV[0]) or exit 1' "$SOCKET"
check "members of the group may" setpriv --reuid=stranger --regid=perf-recorder --clear-groups perl -MIO::Socket::UNIX -e \
        'my $s = IO::Socket::UNIX->new(Type => Socket::SOCK_DGRAM, Peer => $ARGV[0]) or exit 1; $s->send("told from the group")' "$SOCKET"
check "and get their dump" wait_for 30 has_dump told ': from the group$'

# A thousand within a second or so: each is answered.
ask_often() { # SESSION: prints the number of answers, of those with a dump, and each different error
        perl -MIO::Socket::UNIX -MSocket -e '
                my $path = "\0asked.$$";
                my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $path, Peer => $ARGV[0]) or die "$!";
                alarm 60;
                my ($answers, $dumps, %errors) = (0, 0);
                my $take = sub { my $text; while (defined $s->recv($text, 4096, $_[0])) {
                        $answers++; $text =~ /^DUMP=/m ? $dumps++ : $errors{$text}++; last if $answers == 1000; } };
                for my $i (1 .. 1000) { $s->send("$ARGV[1] number $i"); $take->(Socket::MSG_DONTWAIT); select undef, undef, undef, 0.001; }
                $take->(0) while $answers < 1000;
                print join(" ", $answers, $dumps, sort keys %errors);' "$SOCKET" "$1"
}
check_equal "a thousand in a second: answers, and those with a dump" "1000 1000" "$(ask_often told)"

# Unless the limit is switched off, five dumps a minute are all that they can cause, and leave the older ones alone.
check_match "the same with the default limit: all are answered" '^1000 [0-9]+ .*ERROR=there were 5 dumps' "$(ask_often capped | tr '\n' ' ')"
check "by five dumps at most" test "$(triggers_of capped | wc -l)" -le 5
check "and at least one" test "$(triggers_of capped | wc -l)" -ge 1
check "root's own dump has no limit" perfctl dump capped

# A crash of the daemon: the socket is the service manager's.
kill -9 "$(systemctl show -P MainPID perf-recorderd.service)"
check_match "asked while no daemon runs" '^DUMP=told-' "$(ask 'told after a crash')"

# Units that fail.
systemd-run -q --unit=mail-1.service false
systemd-run -q --unit=web-1.service false
check "a unit that failed" wait_for 30 has_dump failing '^unit-failure web-1\.service, invocation [0-9a-f]{32}$'
systemd-run -q --unit=web-2.service -p Restart=on-failure -p RestartSec=1h false
check "one that waits for its restart" wait_for 30 has_dump failing '^unit-failure web-2\.service, invocation [0-9a-f]{32}$'
systemctl stop web-2.service
systemd-run -q --unit=web-3.service true
sleep 1
check_no_match "not others, nor those that ended well" 'mail-1|web-3' "$(triggers_of failing)"
check_equal "each failure once" 2 "$(triggers_of failing | wc -l)"
for peer in $(busctl list --unique --no-legend | awk '$3 == "perf-recorderd" { print $1 }'); do
        setpriv --reuid=stranger --clear-groups busctl emit --destination="$peer" /org/freedesktop/systemd1/unit/web_2d4_2eservice \
                org.freedesktop.DBus.Properties PropertiesChanged 'sa{sv}as' org.freedesktop.systemd1.Unit 1 ActiveState s failed 0
done
systemctl daemon-reexec
systemd-run -q --unit=web-5.service false
check "one that failed after systemd was executed again" \
        wait_for 30 has_dump failing '^unit-failure web-5\.service, invocation [0-9a-f]{32}$'
check_no_match "not what a user forged" 'web-4' "$(triggers_of failing)"

# A unit that fails more than once. systemd reports the failed state again when the unit is to start.
printf '[Service]\nExecStart=sleep infinity\nRestartSec=0\n' >/run/systemd/system/again-1.service
systemctl daemon-reload
start_again() { systemctl start again-1.service && invocation=$(systemctl show -P InvocationID again-1.service); }
fail_again() { systemctl kill -s SEGV again-1.service && wait_for 30 has_dump again "^unit-failure again-1\.service, invocation $invocation$"; }
pass_by() { # UNIT: fails, and what came before it has passed too
        systemd-run -q --unit="$1" false
        wait_for 30 has_dump again "^unit-failure $1\.service"
}
failures_of() { triggers_of again | grep -c "^unit-failure $1\.service"; } # UNIT
start_again
check "the first failure" fail_again
start_again
pass_by again-2
check_equal "the start after it is none" 1 "$(failures_of again-1)"
check "the second failure" fail_again
systemctl reset-failed again-1.service
pass_by again-3
check_equal "each once, and reset-failed is none" 2 "$(failures_of again-1)"

mkdir /run/systemd/system/again-1.service.d
printf '[Service]\nRestart=on-failure\n' >/run/systemd/system/again-1.service.d/restart.conf
systemctl daemon-reload
start_again
systemctl kill -s SEGV again-1.service
has_third() { [ "$(failures_of again-1)" = 3 ]; }
check "one that restarts at once" wait_for 30 has_third
pass_by again-4
check_equal "is reported once" 3 "$(failures_of again-1)"
systemctl stop again-1.service

systemd-run -q --unit=again-5 --remain-after-exit -p Restart=no sh -c 'test -e /run/again-5'
wait_for 30 has_dump again '^unit-failure again-5\.service'
systemctl restart perf-recorderd.service
wait_for 30 perfctl ping again
touch /run/again-5
systemctl start again-5.service
pass_by again-6
check_equal "a failure from before a restart of the daemon is none either" 1 "$(failures_of again-5)"

# The time.
check "calendar events" wait_for 30 has_dump timed '^calendar \*:\*:0/2$'
check "stop" perfctl stop timed
n=$(triggers_of timed | grep -c '^calendar')
sleep 3
check_equal "none once it is stopped" "$n" "$(triggers_of timed | grep -c '^calendar')"

write_session wrong "${flight[@]}" '[Trigger]' 'OnCalendar=whenever'
check "a wrong time is told at the load" wait_for 30 sh -c \
        'perfctl show wrong -p Error | grep -q "OnCalendar.*whenever"'
finish
