#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# BaseDirectory= changes while sessions record: their recorders end with a last dump in the old directory and start again in
# the new one, which is empty or has directories of sessions already.
. "$(dirname "$0")/assert.sh"

is_state() { [ "$(session_property "$1" State)" = "$2" ]; }
moved() { [ "$(session_pid cpu)" != "$pid" ] && is_state cpu recording; }
n_dumps() { find "$1/session-cpu" -name 'perf.data.2*[0-9]' | wc -l; }
move_to() { # DIRECTORY
        pid=$(session_pid cpu)
        printf '[Recorder]\nBaseDirectory=%s\n' "$1" >/etc/perf-recorder/perf-recorderd.conf
        systemctl restart perf-recorderd.service
        check "$1: it records again" wait_for 30 moved
        check_fails "$1: the previous recorder has ended" kill -0 "$pid"
        check_equal "$1: the recorder answers" "OK   cpu" "$(perfctl ping cpu)"
        check "$1: dump" perfctl dump cpu
        check "$1: the dump is there" test "$(n_dumps "$1")" -ge 1
}

fresh
mkdir -p /srv/new
printf '[Recorder]\nBaseDirectory=/srv/new\n' >/etc/perf-recorder/perf-recorderd.conf
check_fails "a directory that the unit's sandbox closes" systemctl start perf-recorderd.service
check_match "the journal has the setting" 'base directory: Read-only file system.*ReadWritePaths=/srv/new' \
        "$(journalctl -b -o cat -u perf-recorderd.service)"
fresh
write_session cpu '[Record]' Event=cpu-clock Frequency=99 Mode=overwrite
set_unit '[Service]' ReadWritePaths=/srv/new
systemctl start perf-recorderd.service
check "a session records" wait_for 30 is_state cpu recording
sleep 1
move_to /srv/new
check "the last dump is in the old directory" test "$(n_dumps "$BASE")" -ge 1
check_match "one message names both directories" "cpu: .*$BASE/session-cpu.*/srv/new/session-cpu" \
        "$(journalctl -b -o cat PERF_SESSION=cpu)"
before=$(n_dumps /srv/new)
move_to "$BASE"
check "back: the last dump is in the new directory" test "$(n_dumps /srv/new)" -gt "$before"

# A file system that has neither a size nor user attributes.
mount -t ramfs ramfs /srv/new
move_to /srv/new
dump=$(find /srv/new/session-cpu -name 'perf.data.2*[0-9]' | sort | tail -n 1)
check_match "its trigger and samples are known" ' request +[0-9.]+m?s +[0-9]+ ' "$(perfctl dumps cpu | tail -n 1)"
cp "$dump" /tmp/plain-copy
check_match "a plain copy has them" 'Trigger: request' "$(perfctl info /tmp/plain-copy)"
check "perf reads it" perf report --stdio -i /tmp/plain-copy
move_to "$BASE"
umount /srv/new
finish
