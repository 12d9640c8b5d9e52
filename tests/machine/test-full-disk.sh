#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# A small file system as base directory fills up: the worker says so and lives, older files stay whole, and with space
# again the recording goes on.
. "$(dirname "$0")/assert.sh"

fresh
systemctl stop perf-recorderd.service
# Limits are another test's: here every file stays.
mkdir -p /etc/perf-recorder/perf-recorderd.conf.d
printf '[Storage]\nMaxUse=infinity\nTotalMaxUse=infinity\nKeepFree=0\n' >/etc/perf-recorder/perf-recorderd.conf.d/10-test.conf
mount -t tmpfs -o size=6M,mode=0700 tmpfs "$BASE"
write_session full '[Session]' 'Run=-e cpu-clock -F 4000 -g -a --switch-output=signal'
sh -c 'while :; do :; done' &
busy=$!
check "start" perfctl start
pid=$(session_pid full)
sleep 1
perfctl signal full
old() { find "$BASE/session-full" -name 'perf.data.2*[0-9]' | sort | head -n 1; }
wait_for 30 sh -c "ls $BASE/session-full/perf.data.2*[0-9]"
first=$(old)
sum=$(sha256sum "$first")
head -c 16M /dev/zero >"$BASE/ballast" 2>/dev/null
check_equal "the disk is full" 0 "$(df --output=avail "$BASE" | tail -n 1 | tr -d ' ')"
blocked() { session_property full Error | grep -q .; } # the symbols of the first file may meet the full disk before that
wait_for 30 blocked
check "the journal says so" sh -c "journalctl -b -o cat PERF_SESSION=full | grep -Eqi 'no space|disk'"
check_match "its error says so" '^the disk is full: [0-9]+ samples dropped since ' "$(session_property full Error)"
check_match "status says so" 'Error: the disk is full' "$(perfctl status full --no-pager)"
check_match "list says so" '1 of these with an error' "$(perfctl list --no-pager)"
check_match "and marks it" '^full +recording \(error\)' "$(perfctl list --no-pager)"
check_match "status of all says so" 'the disk is full: ' "$(perfctl status --no-pager)"
check_equal "is-failed says so" degraded "$(perfctl is-failed)"
check_match "the service says so" '1 cannot write: full' "$(systemctl show -P StatusText perf-recorderd.service)"
check_equal "the worker lives" "$pid" "$(session_pid full)"
check_equal "the worker answers" "OK   full" "$(perfctl ping full)"
check_equal "the older file is whole" "$sum" "$(sha256sum "$first")"
check "and perf reads it" perf report --stdio -i "$first"
sleep 1
rm "$BASE/ballast"
count=$(session_property full Samples)
goes_on() { [ "$(session_property full Samples)" -gt $((count + 100)) ]; }
check "with space again it goes on" wait_for 30 goes_on
check_equal "it has no error" "" "$(session_property full Error)"
check_equal "the same worker" "$pid" "$(session_pid full)"
check "what was dropped is counted" test "$(session_property full Lost)" -gt 0
check "signal" perfctl signal full
second() { [ "$(find "$BASE/session-full" -name 'perf.data.2*[0-9]' | wc -l)" -ge 2 ]; }
check "a second file" wait_for 30 second
for f in "$BASE"/session-full/perf.data.2*[0-9]; do
        check "perf reads $(basename "$f")" perf script -i "$f"
done
check_equal "a new session on a full disk waits alone" 0 "$(
        head -c 16M /dev/zero >"$BASE/ballast" 2>/dev/null
        write_session late '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
        wait_for 30 sh -c 'perfctl show late -p State | grep -Eq "waiting|recording"'
        rm "$BASE/ballast"
        [ "$(session_pid full)" = "$pid" ]
        echo $?
)"
kill "$busy"
perfctl stop
umount "$BASE"
finish
