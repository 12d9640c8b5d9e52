#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# System calls: of commands as they happen, out of dumps of the shipped session syscalls, and what an ordinary user is told.
. "$(dirname "$0")/assert.sh"

EVENT=/sys/kernel/tracing/events/raw_syscalls/sys_enter/id

cat >/usr/local/bin/failing <<'P'
#!/usr/bin/python3
# Fails in ways that a dump shows, or does not, until its file is removed.
import errno, os, time
def expect(error, call, *arguments):
    try:
        call(*arguments)
    except OSError as e:
        assert e.errno == error, e
    else:
        raise AssertionError(call)
log = os.open("/var/tmp/failing", os.O_CREAT | os.O_WRONLY)
pipe = os.pipe2(os.O_NONBLOCK)
while os.path.exists("/var/tmp/failing"):
    os.write(log, b"x")
    os.fdatasync(log)
    expect(errno.EISDIR, os.open, "/", os.O_WRONLY)
    expect(errno.ENOENT, os.open, "/nonexistent", os.O_RDONLY)
    expect(errno.EAGAIN, os.read, pipe[0], 1)
    time.sleep(0.02)
P
chmod 755 /usr/local/bin/failing
dumps_of() { find "$BASE/session-$1" -maxdepth 1 -name 'perf.data.2*[0-9]' -type f | sort; }
calls() { perfctl --no-pager trace "$@" 2>&1; }
sums_of() { # CALL: out of sums, the number of its calls, and of those that failed
        awk -v call="$1" '$1 == call { calls += $2; errors += $3 } END { print calls + 0, errors + 0 }'
}

fresh
systemctl start perf-recorderd.service
text=$(calls true)
check_match "the calls of a command" '^ +[0-9.]+ \( *[0-9.]+ ms\): (true/[0-9]+ )?openat\(dfd: CWD, filename: .*\) += 3' "$text"
check_match "up to its end" 'exit_group\(\) +=' "$text"
text=$(calls -s -- sh -c 'cd /; cd /nonexistent; true')
check_match "sums of a command" '^ +chdir +2 +1 ' "$text"
check_equal "the command's exit status" 7 "$(calls -s -- sh -c 'exit 7' >/dev/null; echo $?)"

check "the shipped session" perfctl start syscalls
wait_for 30 sh -c '[ "$(perfctl show syscalls -P State)" = recording ]'
systemd-run -q --unit=failing.service /usr/local/bin/failing
has_calls() { [ "$(calls --now -s -u failing.service --last=2s | sums_of fdatasync | cut -d ' ' -f 1)" -gt 20 ]; }
check "the last seconds of a unit" wait_for 30 has_calls
check "a dump" perfctl dump syscalls
rm -f /var/tmp/failing
text=$(calls syscalls --last=2s -u failing.service -e '!connect' -s --errno-summary)
check_match "has calls that failed" 'EISDIR: [1-9]' "$text"
read -r n errors <<<"$(sums_of openat <<<"$text")"
check_equal "and no others of that kind" "$n" "$errors"
check_no_match "errors that programs live with are left out" 'ENOENT|EAGAIN' "$text"
read -r n errors <<<"$(sums_of fdatasync <<<"$text")"
check_equal "calls that wait for disks are there though they do not fail ($n)" 0 "$errors"
check_match "with their durations" '^ +fdatasync +[0-9]+ +0 +[0-9]+\.[0-9]{3} +[0-9]' "$text"
check_no_match "and those that are many are not" '^ +(read|write|clock_nanosleep) ' "$text"
check_equal "of other units there is nothing" "" "$(grep -E '^ [^ ]+ \([0-9]+\), ' <<<"$text" | grep -v '^ failing')"
check_match "sums by control group" '^ /(.*/)?system.slice/failing.service, [0-9]+ events, ' "$(calls syscalls -s --summary-mode=cgroup)"
text=$(calls syscalls --failure -u failing.service --last=1s)
check_match "a failure has the time at which it failed" \
        '^ +[0-9]+\.[0-9]{3} \( +\?\): failing/[0-9]+ openat\(\.\.\.\) += -1 EISDIR \(Is a directory\)$' "$text"
check_no_match "only failures are there" 'fdatasync' "$text"
check_match "or the time of day" '^[0-2][0-9]:[0-5][0-9]:[0-9]{2}\.[0-9]{6} \( +\?\): failing/[0-9]+ openat' \
        "$(calls syscalls --failure --tod -u failing.service --last=1s)"
check_match "JSON has it, too" '^\{"end_nsec":[0-9]+,"comm":"failing",.*"call":"openat","result":-21,"errno":"EISDIR"\}$' \
        "$(calls syscalls --failure --json -u failing.service --last=1s)"
check_match "other calls have their begins" '^ +[0-9.]+ \( *[0-9.]+ ms\): failing/[0-9]+ fdatasync\(fd: 3\) += 0$' \
        "$(calls syscalls -e fdatasync -u failing.service --last=1s)"
check_match "a dump without system calls is refused, and what has them is said" "the session 'syscalls' records" "$(
        perfctl start cpu >/dev/null
        sleep 1
        perfctl dump cpu >/dev/null
        calls cpu)"
check "stop" perfctl stop syscalls cpu

# A user's own processes; the kernel's setting is the host's.
id ordinary >/dev/null 2>&1 || useradd -m ordinary
as_user() { # CAPABILITIES COMMAND…
        setpriv --reuid=ordinary --regid=ordinary --clear-groups --inh-caps="$1" --ambient-caps="$1" env HOME=/home/ordinary "${@:2}" 2>&1
}
if as_user -all test -r "$EVENT"; then
        echo "ok - tracefs # SKIP everybody may read it here"
else
        text=$(as_user -all perfctl trace true)
        check_match "an ordinary user is told what he cannot read, and what to do" 'read by root only; .*mount -o remount,mode=750,gid=GROUP' "$text"
        check_match "and what it takes besides" 'CAP_PERFMON, or kernel.perf_event_paranoid' "$text"
        check_fails "and that is an error" as_user -all perfctl trace true
fi
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 1 ]; then
        echo "ok - kernel.perf_event_paranoid # SKIP everybody may trace himself here"
else
        text=$(as_user +dac_read_search perfctl trace true)
        check_match "who may read it is told which setting is in the way" 'recording the kernel needs 1 or less, or root, or CAP_PERFMON' "$text"
        check_no_match "and is shown no calls" 'exit_group' "$text"
        check_match "for all CPUs it is another value" 'needs -1 or less' "$(as_user +dac_read_search perfctl trace -a)"
fi
check_match "with the capability a user sees his own calls" 'exit_group' "$(as_user +dac_read_search,+perfmon perfctl trace true)"
check_match "and sums of them" ' openat ' "$(as_user +dac_read_search,+perfmon perfctl trace -s true)"
finish
