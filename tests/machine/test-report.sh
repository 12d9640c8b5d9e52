#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# perfctl report in the installed system: who may look at a dump, what names are found, what is said of broken files, and what
# the viewer can't do.
. "$(dirname "$0")/assert.sh"

here=$(dirname "$0")
VIEWER=/usr/lib/perf-recorder/perf-recorder-view
if ! "$here/spinner-shared" random 1; then
        echo "ok - report # SKIP there is no compiler, or its C library is newer than this machine's"
        finish
fi
as() { # USER COMMAND…
        local user=$1
        shift
        setpriv --reuid="$user" --regid="$user" --init-groups env HOME="/home/$user" "$@" 2>&1
}
id viewer >/dev/null 2>&1 || useradd -m -G perf-recorder-view viewer
id ordinary >/dev/null 2>&1 || useradd -m ordinary

fresh
mkdir -p /opt/report /var/tmp/report
cp "$here/spinner-shared" /opt/report/looked-at
cp "$here/spinner-shared" /var/tmp/report/out-of-reach
write_session cpu '[Record]' 'Event=cpu-clock' 'Frequency=500' 'AllCPUs=yes' 'CallGraph=fp' 'Mode=overwrite' 'BufferSize=1M'
check "start" perfctl start cpu
/var/tmp/report/out-of-reach random 2 &
/opt/report/looked-at random 2
wait
check "dump" perfctl dump cpu
dump=$(find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort | tail -n 1)
symbols=$BASE/session-cpu/symbols.${dump##*perf.data.}
check "its symbols" wait_for 30 test -d "$symbols"

# Members of the group, as the manual says it.
report=$(as viewer perfctl --no-ask-password report -1 --no-children -g none)
check_match "a member of the group sees the program's functions" '%  looked-at +looked-at +\[\.\] spin_in_one$' "$report"
check_match "those of the C library" '%  looked-at +libc\.so\.6 +\[\.\] random' "$report"
check_match "and the headers" "^# Samples: .* of event 'cpu-clock" "$report"
check_match "the session's name is its newest dump" '%  looked-at +libc\.so\.6' \
        "$(as viewer perfctl --no-ask-password report cpu -s comm,dso -g none)"
check_match "the header, with local times" '^# captured on    : [A-Z][a-z]{2} ' \
        "$(as viewer perfctl --no-ask-password report -1 --header-only)"
check_match "call chains are printed below" '\|--[0-9.]+%--|--[a-z_]+$' "$(as viewer perfctl --no-ask-password report -1 --comms looked-at)"
check_match "perfctl's status is the viewer's" 'status 1$' \
        "$(as viewer sh -c 'perfctl --no-ask-password report -1 --sort=nonsense; echo status $?')"
script=$(as viewer perfctl --no-ask-password script -1 -c looked-at)
check_match "script shows samples of the program" '^looked-at +[0-9]+ .*[0-9]+\.[0-9]{6}: .* cpu-clock' "$script"
check_match "and their call chains" '^.[ 0-9a-f]+ spin_in_one\+0x[0-9a-f]+ \(/opt/report/looked-at\)$' "$script"
annotated=$(as viewer perfctl --no-ask-password annotate -1 --stdio2 -d looked-at)
check_match "annotate shows instructions with their shares" '^ *[0-9]+\.[0-9]+ .*[a-z]+ +[^ ]*[%$x]' "$annotated"
check_match "of functions of the program" '^spin_in_one\(\) /opt/report/looked-at$' "$annotated"
check_match "the kernel's code is not at hand, and that is said" 'cannot be shown: the kernel' \
        "$(as viewer perfctl --no-ask-password annotate -1)"
check_match "lines of a program without debug information are offsets" 'spin_in_one\+[0-9]+' \
        "$(as viewer perfctl --no-ask-password report -1 -s srcline -g none --no-children)"
as ordinary perfctl --no-ask-password report -1 >/tmp/report.refused
check_equal "everybody else is refused" 4 $?
check_match "and told what to do" "open dump '${dump##*/}'|open dump 'cpu-.*': use sudo, .*group perf-recorder-view" \
        "$(cat /tmp/report.refused)"

# What happens now, in a dump that is made for it.
dumps_now() { find "$BASE/session-cpu" -name 'perf.data.2*[0-9]' | sort; }
before=$(dumps_now)
check_match "report makes a dump of the session" "^# Samples: .* of event 'cpu-clock" "$(perfctl report --now=cpu --no-keep 2>&1)"
check_equal "and removes it" "$before" "$(dumps_now)"
check_equal "also if the viewer fails" 1 "$(perfctl report --now=cpu --no-keep --sort=nonsense >/dev/null 2>&1; echo $?)"
check_equal "it is removed" "$before" "$(dumps_now)"
check_equal "who may only look makes none" 4 "$(as viewer perfctl --no-ask-password report --now=cpu >/dev/null; echo $?)"
check_equal "there is none" "$before" "$(dumps_now)"
check "diff compares a dump with what happens now" perfctl diff "cpu-${dump##*perf.data.}" --now cpu -s comm
check_equal "the dump that was made for it is kept" "$(wc -l <<<"$before")" "$(dumps_now | wc -l | awk '{ print $1 - 1 }')"

# Broken files: what can be read is shown, the reason is on standard error, the status is 1.
broken() { # DESCRIPTION FILE REGEX
        local output
        output=$(as viewer timeout 20 perfctl report "$2")
        check_equal "$1: status 1" 1 $?
        check_match "$1: the reason, with the file's name" "$3" "$output"
        check_no_match "$1: no control characters" $'[\x01-\x08\x0b-\x1f\x7f]' "$output"
}
cp "$dump" /home/viewer/whole
cp "$dump" /home/viewer/middle
size=$(stat -c %s "$dump")
head -c $((size / 2)) "$dump" >/home/viewer/half
head -c 50 "$dump" >/home/viewer/start
head -c 100000 /dev/urandom >/home/viewer/noise
: >/home/viewer/empty
head -c $((size / 4)) /dev/urandom | dd of=/home/viewer/middle bs=1 seek=$((size / 2)) conv=notrunc status=none
chown viewer: /home/viewer/*
broken "half of a dump" /home/viewer/half "/home/viewer/half is cut at byte $((size / 2)), within its data: only a part of it could be read"
check_match "the half is reported on" "^# Samples: .* of event 'cpu-clock" "$(as viewer perfctl report /home/viewer/half)"
broken "fifty bytes" /home/viewer/start 'Failed to read /home/viewer/start: it is cut before its data'
broken "noise" /home/viewer/noise 'Failed to read /home/viewer/noise: it is not a perf.data file'
broken "no bytes" /home/viewer/empty 'Failed to read /home/viewer/empty: it is empty'
broken "noise in the middle" /home/viewer/middle '/home/viewer/middle(:| is broken)'
check_match "a file that does not exist" '/home/viewer/nothing|No such file' "$(as viewer perfctl report /home/viewer/nothing)"

# What it can't do. With its output held up by a pipe that is full, there is time to look at the process.
mkfifo /tmp/report.fifo
exec 7<>/tmp/report.fifo
sockets_of() { readlink "/proc/$1"/fd/* | grep '^socket:' | sort; }
held() { grep -q '^State:[[:space:]]S' "/proc/$viewer/status" && grep -q '^Seccomp:[[:space:]]2' "/proc/$viewer/status"; }
for verb in report script; do
        dd if=/dev/zero of=/tmp/report.fifo bs=4096 oflag=nonblock status=none 2>/dev/null
        # The leak checker of a package with sanitizers traces, which the viewer forbids itself.
        ASAN_OPTIONS=detect_leaks=0 "$VIEWER" "$verb" -i "$dump" >/tmp/report.fifo &
        viewer=$!
        check "$verb waits for its reader" wait_for 30 held
        check_match "$verb: no new privileges" '^NoNewPrivs:[[:space:]]1$' "$(cat "/proc/$viewer/status")"
        check_match "$verb: system calls are filtered" '^Seccomp:[[:space:]]2$' "$(cat "/proc/$viewer/status")"
        # The process that reads mangled names is at the other end of one; a package with sanitizers has such names in it.
        check "$verb: it has no socket but those that it was started with, and one to each of its processes" test \
                "$(comm -23 <(sockets_of "$viewer") <(sockets_of $$) | wc -l)" -le "$(pgrep -cP "$viewer")"
        cat <&7 >/dev/null &
        reader=$!
        wait "$viewer"
        check_equal "$verb: it ends well when somebody reads" 0 $?
        kill "$reader"
        wait "$reader" 2>/dev/null || true
done
exec 7>&-

# A container's filter of system calls is that of its services, and not of who enters it from outside.
check_match "a service can look" ' spin_in_one$' "$(systemd-run -q --pipe --wait "$VIEWER" report -i "$dump" --no-children -g none -s sym 2>&1)"

# Root reads every file; its viewer does not. Without the symbols beside the dump, names come from the binaries.
mkdir -p /opt/report/alone
cp "$dump" /opt/report/alone/perf.data
alone=$("$VIEWER" report -v -i /opt/report/alone/perf.data --no-children -g none -s comm,dso,sym 2>&1)
check_match "a binary below /opt is read" 'looked-at +\[\.\] spin_in_one$' "$alone"
if grep -q 'no Landlock' <<<"$alone"; then
        echo "ok - one below /var/tmp is not # SKIP there is no Landlock"
else
        check_match "one below /var/tmp is not" 'out-of-reach +\[\.\] 0x[0-9a-f]+$' "$alone"
        check_no_match "none of its functions has a name" 'out-of-rea.* out-of-reach +\[\.\] spin' "$alone"
fi
rm -rf /opt/report /var/tmp/report /tmp/report.*
finish
