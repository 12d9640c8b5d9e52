#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The base directory is removed while sessions record, below the packaged unit's sandbox: it comes back by itself, and what
# recorders have in memory gets into files.
. "$(dirname "$0")/assert.sh"

is_state() { [ "$(session_property "$1" State)" = "$2" ]; }
journal_since() { journalctl -u perf-recorderd.service --since "$1" -o cat --no-pager; }
remove_base() { # in which a recorder may be making a file
        mv "$BASE" /var/lib/x
        wait_for 30 rm -rf /var/lib/x
}

fresh
write_session cpu '[Record]' Event=cpu-clock Frequency=99 Mode=overwrite
systemctl start perf-recorderd.service
check "a session records" wait_for 30 is_state cpu recording
sleep 1
pid=$(session_pid cpu)
began=$(date '+%F %T')
remove_base
check "the directory comes back" wait_for 30 test -e "$BASE/lock"
check "for root alone" test "$(stat -c '%a %U' "$BASE")" = "700 root"
check "dump" perfctl dump cpu
check "the dump is there" sh -c "ls $BASE/session-cpu/perf.data.2*"
check_equal "one line in the journal says so" 1 "$(journal_since "$began" | grep -c 'base directory .* was removed, and is made again')"
check_equal "the recorder is the same" "$pid" "$(session_pid cpu)"

# Its FIFOs have no names, and the next service process has another mount namespace than the recorder.
systemctl restart perf-recorderd.service
check "a restarted daemon finds the recorder" wait_for 30 is_state cpu recording
check_equal "which is the same" "$pid" "$(session_pid cpu)"
check_equal "and answers" "OK   cpu" "$(perfctl ping cpu)"
check "dump after the restart" perfctl dump cpu
remove_base
check "the directory comes back again" wait_for 30 test -e "$BASE/lock"
check "dump of a recorder that a previous daemon started" perfctl dump cpu
check "the dump is there" sh -c "ls $BASE/session-cpu/perf.data.2*"
check "restart of the session" perfctl restart cpu
check "it records" wait_for 30 is_state cpu recording
check "with its last file" test "$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | wc -l)" -ge 1

# The service is restarted before the directory is back.
pid=$(session_pid cpu)
remove_base
systemctl restart perf-recorderd.service
check "restarted at once: the recorder goes on" wait_for 30 is_state cpu recording
check_equal "and is the same" "$pid" "$(session_pid cpu)"
check "dump" perfctl dump cpu

# It is moved: what is written lies there, and everybody who looks is told.
began=$(date '+%F %T')
mv "$BASE" /var/lib/x
says_so() { systemctl show -P StatusText perf-recorderd.service | grep -q "base directory $BASE was moved to /var/lib/x"; }
check "moved: the service's status says so" wait_for 30 says_so
check_equal "and one error in the journal" 1 "$(journal_since "$began" | grep -c "base directory $BASE was moved to /var/lib/x, ")"
check_match "and ping" "^FAIL $BASE .moved." "$(perfctl ping 2>&1)"
check_fails "which fails" perfctl ping
check "a session that is restarted" perfctl restart cpu
check "its dump" perfctl dump cpu
check "lies there" sh -c 'ls /var/lib/x/session-cpu/perf.data.2*'
check_equal "nothing is made in the old place" "" "$(ls -d "$BASE" 2>/dev/null)"
mv /var/lib/x "$BASE"
is_well() { perfctl ping; }
check "moved back: all is well" wait_for 30 is_well
check_no_match "in the status too" 'was moved' "$(systemctl show -P StatusText perf-recorderd.service)"
mv "$BASE" /var/lib/x
check "moved again" wait_for 30 says_so
systemctl restart perf-recorderd.service
check "a restarted service has another one" wait_for 30 test -e "$BASE/lock"
check "in which the session records" wait_for 30 is_state cpu recording
check "dump" perfctl dump cpu
check "the dump is there" wait_for 30 sh -c "ls $BASE/session-cpu/perf.data.2*"
check "and the old ones where they were" sh -c 'ls /var/lib/x/session-cpu/perf.data.2*'
rm -rf /var/lib/x
check "stop" perfctl stop cpu
check_no_match "no unit of ours is left or failed" 'perf-recorder-directory' "$(systemctl list-units --all --no-legend)"
finish
