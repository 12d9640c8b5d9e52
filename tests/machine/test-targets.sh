#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Whom a session records, each key with a real recording, and what its recorder may ask for: a control group, a unit that is
# restarted while it is recorded, processes, threads, users, CPUs, a command, real-time priority inside the sandbox.
. "$(dirname "$0")/assert.sh"

files() { find "$BASE/session-$1" -name 'perf.data.2*[0-9]' | sort; } # all that are finished, the oldest first
values() { # FIELD NAME: of the samples in all files of a session
        files "$2" | while read -r file; do perf script -i "$file" -F "$1" 2>/dev/null; done | tr -d ' []' | sort -u
}
recording() { [ "$(session_property "$1" State)" = recording ]; }

# What there is to record: a service, a scope of another slice, processes of two users. All that burn time are called by
# a name of their own, and no other has it.
busy() { cp /usr/bin/md5sum "/tmp/$1"; }
fresh
for name in in-unit in-group in-pid in-user outside; do busy $name; done
systemd-run -q --unit=watched.service /tmp/in-unit /dev/zero
systemd-run -q --unit=grouped.service --slice=apart-deep.slice /tmp/in-group /dev/zero
systemd-run -q --unit=byuser.service --uid=nobody /tmp/in-user /dev/zero
systemd-run -q --unit=other.service /tmp/outside /dev/zero
/tmp/in-pid /dev/zero &
pid=$!

record() { write_session "$1" '[Session]' 'Enabled=no' '[Record]' 'Event=cpu-clock' 'Frequency=499' "${@:2}"; }
record group 'CGroup=/apart.slice'
record unit 'Unit=watched'
record pid "PID=$pid" 'RealtimePriority=7'
record tid "TID=$pid"
record user 'UserID=nobody'
record cpu 'CPU=0'
record command 'Command=/tmp/in-pid --version' 'Inherit=no'
record lost 'CGroup=/no/such.slice'
record both 'CGroup=x' 'Unit=y'
systemctl start perf-recorderd.service
sessions=(group unit pid tid user cpu)
check "start of all" perfctl start "${sessions[@]}"
for name in "${sessions[@]}"; do
        check_equal "$name records" recording "$(session_property "$name" State)"
done
sleep 0.5
check_equal "a real-time recorder" 'FF 7' "$(ps -o cls=,rtprio= -p "$(session_pid pid)" | tr -s ' ' | sed 's/^ //')"
check_equal "the others are ordinary" 'TS -' "$(ps -o cls=,rtprio= -p "$(session_pid cpu)" | tr -s ' ' | sed 's/^ //')"
check_fails "a control group that is not there" perfctl start lost
check_match "is named" 'no access to cgroup /no/such.slice' "$(session_property lost Error)"
check_match "CGroup= beside Unit= is refused" 'cannot be used beside' "$(perfctl verify "$SESSIONS/both.session" 2>&1)"

# The unit is restarted: another control group, by inode, of the same name.
before=$(stat -c %i "/sys/fs/cgroup/system.slice/watched.service" /sys/fs/cgroup/unified/system.slice/watched.service 2>/dev/null)
systemctl stop watched.service
systemd-run -q --unit=watched.service /tmp/in-unit --check /dev/zero
after=$(stat -c %i "/sys/fs/cgroup/system.slice/watched.service" /sys/fs/cgroup/unified/system.slice/watched.service 2>/dev/null)
check "the unit has another group now" test "$before" != "$after"
switched() { [ "$(files unit | wc -l)" -ge 1 ]; }
check "which begins a new file" wait_for 30 switched
sleep 0.5
check "by the same recorder" recording unit
check_match "the file says why it ended" '"trigger":"unit-restart","detail":"[^"]*watched\.service' "$(perfctl dumps unit --json=short)"

check "stop of all" perfctl stop "${sessions[@]}"
check_equal "a group's processes alone" in-group "$(values comm group)"
# Until it executes the unit's program, a process of systemd 252 is called "(in-unit)", and one of systemd 257 by the number of the
# descriptor that it executes.
check_equal "a unit's processes alone" in-unit "$(values comm unit | grep -vxE '[0-9]*|\(in-unit\)')"
for file in $(files unit); do
        check_match "in each file" in-unit "$(perf script -i "$file" -F comm 2>/dev/null)"
done
check_equal "a process alone" "$pid" "$(values pid pid)"
check_equal "a thread alone" "$pid" "$(values pid tid)"
check_match "a user's processes" '(^| )in-user( |$)' "$(values comm user | tr '\n' ' ')"
check_no_match "of that user only" 'in-pid|outside' "$(values comm user | tr '\n' ' ')"
check_equal "a CPU alone" 000 "$(values cpu cpu)"
check "a command is recorded to its end" perfctl start command
ended() { [ "$(session_property command State)" = inactive ]; }
check "with which the session ends" wait_for 30 ended
check_equal "well" success "$(session_property command Result)"
check_match "and there is a file" in-pid "$(perf script --show-mmap-events -i "$(files command)" 2>/dev/null)"

# What is recorded ends by itself: so does the session.
check "again, of a process" perfctl start pid
kill "$pid"
gone() { [ "$(session_property pid State)" = inactive ]; }
check "that ends, and its session with it" wait_for 30 gone
systemctl stop watched.service grouped.service byuser.service other.service
finish
