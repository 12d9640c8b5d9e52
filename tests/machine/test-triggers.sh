#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What causes dumps besides perfctl: signals, words on the control descriptor, an event with a filter, a BPF program, pressure
# of the machine and of a unit. All within the service's sandbox.
. "$(dirname "$0")/assert.sh"

files() { find "$BASE/session-$1" -name 'perf.data.2*[0-9]' 2>/dev/null | wc -l; }
more_files() { [ "$(files "$1")" -gt "$2" ]; }
sent() { journalctl -u perf-recorderd.service -o cat --no-pager | grep -F "$1"; }
session() { write_session "$1" '[Record]' 'Event=cpu-clock' 'Frequency=99' "${@:2}"; }

check_dump() { # DESCRIPTION SESSION COMMAND…: which causes one
        local description=$1 session=$2 before
        shift 2
        before=$(files "$session")
        "$@"
        check "$description" wait_for 30 more_files "$session" "$before"
}

check_no_dump() { # DESCRIPTION SESSION COMMAND…
        local description=$1 session=$2 before
        shift 2
        before=$(files "$session")
        "$@"
        sleep 0.5
        check_equal "$description" "$before" "$(files "$session")"
}

load() { # more than one CPU can do, for a while
        for _ in 1 2 3 4 5 6; do taskset -c 0 timeout 8 sh -c 'while :; do :; done' & done
}

fresh
for name in trigger-event other-event trigger-bpf; do cp /bin/true "/tmp/$name"; done
session signal '[Trigger]' 'Signal=RTMIN+3'
session event '[Trigger]' 'Event=sched:sched_process_exec filename == "/tmp/trigger-event"' 'DelaySec=100ms'
session pressure '[Trigger]' 'CPUPressure=200ms/2s' 'RateLimitIntervalSec=0'
session unit 'Unit=pressed.service' '[Trigger]' 'CPUPressure=100ms/1s'
session limited '[Trigger]' 'RateLimitBurst=1' 'RateLimitIntervalSec=1h'
session overwriting 'Mode=overwrite' '[Trigger]' 'Shutdown=no'
write_session run '[Session]' 'Run=-e cpu-clock -F 99 -a --switch-output -- sleep 1000' '[Trigger]' 'Signal=USR1'
systemd-run -q --unit=pressed.service sleep 1000
systemctl start perf-recorderd.service
recording() { [ "$(session_property "$1" State)" = recording ]; }
for name in signal event pressure unit limited overwriting run; do
        check "$name records" wait_for 30 recording "$name"
done

check_dump "its signal dumps" signal perfctl signal -s RTMIN+3 signal
check_dump "SIGUSR2 does too" signal perfctl signal signal
check_dump "beside Run= as well" run send USR1 "$(session_pid run)"
control() { printf '%s\n' "$2" >"$BASE/session-$1/control"; }
check_dump "a word dumps" signal control signal 'snapshot'
check_dump "a word with an id too" signal control signal 'snapshot x-1 detail=a word'
check_dump "the first one is allowed" limited control limited 'snapshot x-1'
check_no_dump "the second one is not" limited control limited 'snapshot x-2'

check_dump "an event dumps" event /tmp/trigger-event
check_no_dump "not what the filter leaves out" event /tmp/other-event

if [ -e /proc/pressure/cpu ]; then
        check_dump "pressure dumps" pressure load
        wait
        before=$(files unit)
        check_no_dump "that of the machine is not the unit's" unit sleep 2
        systemctl stop pressed.service
        systemd-run -q --unit=pressed.service sh -c 'for _ in 1 2 3 4 5 6; do taskset -c 0 sh -c "while :; do :; done" & done; wait'
        check "pressure of the unit, which was restarted" wait_for 30 more_files unit "$((before + 1))"
        systemctl stop pressed.service
else
        echo "ok - pressure # SKIP the kernel does not account for it"
fi

check "stop" perfctl stop overwriting
check_equal "nothing is written at the end" "" "$(find "$BASE/session-overwriting" -name 'perf.data*')"

if [ -e /root/tests/trigger.bpf.o ]; then
        session refused '[Session]' 'Enabled=no' '[Trigger]' 'BPF=/root/tests/trigger.bpf.o:events'
        check "a session with a BPF program" perfctl reload
        check_fails "the service may not load any" perfctl start refused
        check_match "and says what would help" 'CAP_BPF' "$(session_property refused Error)"
        # As perf-recorder.session(5) has it.
        mkdir -p /etc/systemd/system/perf-recorderd.service.d
        printf '[Service]\nCapabilityBoundingSet=CAP_BPF\nSystemCallFilter=bpf\n' >/etc/systemd/system/perf-recorderd.service.d/bpf.conf
        check "a drop-in lets it" sh -c 'systemctl daemon-reload && systemctl restart perf-recorderd.service'
        session bpf '[Trigger]' 'BPF=/root/tests/trigger.bpf.o:events'
        session bpfmap '[Session]' 'Enabled=no' '[Trigger]' 'BPF=/root/tests/trigger.bpf.o:nomap'
        check "sessions with BPF programs" perfctl reload
        check "start" perfctl start bpf
        check_equal "bpf records" recording "$(session_property bpf State)"
        check_dump "a BPF program's output dumps" bpf /tmp/trigger-bpf
        check_no_dump "nothing else does" bpf /tmp/other-event
        check_fails "a map that is not there" perfctl start bpfmap
        check_match "is named" 'trigger.bpf.o has no map nomap' "$(session_property bpfmap Error)"
else
        echo "ok - BPF # SKIP no clang that compiles for BPF"
fi

write_session wrong '[Trigger]' 'CPUPressure=150ms'
check_match "verify names file, line and key" 'wrong.session:2: CPUPressure: "150ms" is not THRESHOLD/WINDOW' \
        "$(perfctl verify "$SESSIONS/wrong.session" 2>&1)"
write_session foreign '[Session]' 'Recorder=/usr/bin/perf' '[Trigger]' 'Event=cpu-clock'
check_match "a foreign recorder has no such trigger" 'Event: cannot be used beside Recorder=' \
        "$(perfctl verify "$SESSIONS/foreign.session" 2>&1)"
finish
