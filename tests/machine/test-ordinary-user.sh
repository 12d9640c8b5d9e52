#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What an ordinary user can do: look, and nothing else, unless a polkit rule says so.
. "$(dirname "$0")/assert.sh"

id ordinary >/dev/null 2>&1 || useradd -m ordinary
as_user() { setpriv --reuid=ordinary --regid=ordinary --clear-groups env HOME=/home/ordinary "$@" 2>&1; }
refused() { # DESCRIPTION COMMAND…: fails with polkit's answer, and the session goes on
        local description=$1 output
        shift
        if output=$(as_user "$@"); then
                report 1 "$description" "succeeded: $output"
        else
                check_match "$description" 'denied|not authorized|[Aa]uthenti[cf]' "$output"
        fi
}

fresh
write_session probe '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
check "start" perfctl start
pid=$(session_pid probe)

check_match "list works" 'probe +recording' "$(as_user perfctl list --no-pager)"
check_equal "ping works" "OK   probe" "$(as_user perfctl ping)"
check_match "properties can be read" 'State=recording' "$(as_user perfctl show probe)"
for verb in start stop restart reload signal pause resume enable disable; do
        case $verb in reload) arguments=() ;; *) arguments=(probe) ;; esac
        refused "$verb is refused" perfctl --no-ask-password "$verb" "${arguments[@]}"
done
refused "stop of all is refused" perfctl --no-ask-password stop
call() { busctl call org.perfrecorder1 "$@"; }
refused "Exit is refused" busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager Exit
refused "StartTransient is refused" busctl call org.perfrecorder1 /org/perfrecorder1 org.perfrecorder1.Manager \
        StartTransient 'sa{sv}' evil 1 Record.Event s cpu-clock
refused "the session's own Stop is refused" busctl call org.perfrecorder1 /org/perfrecorder1/session/probe \
        org.perfrecorder1.Session Stop
if [ -x "$(dirname "$0")/descriptor-caller" ]; then
        install "$(dirname "$0")/descriptor-caller" /usr/local/bin
        check "a call without a descriptor is answered" as_user descriptor-caller 0
        check_equal "one with a descriptor is refused by the bus" org.freedesktop.DBus.Error.AccessDenied "$(as_user descriptor-caller 1)"
        check "root's is answered" descriptor-caller 1
else
        echo "ok - descriptors # SKIP there is no compiler"
fi
check_equal "after all this the same worker records" "$pid" "$(session_pid probe)"

readable=$(as_user find "$BASE" -mindepth 1 2>/dev/null | grep -v 'Permission denied')
check_equal "nothing below the base directory can be seen" "" "$readable"
check_fails "the control FIFO can't be written" as_user sh -c "echo stop >$BASE/session-probe/control"
check_equal "no socket or FIFO of the service is open to others" "" \
        "$(find "$BASE" /run/perf-recorder \( -type s -o -type p \) -perm /077 ! -path /run/perf-recorder/trigger 2>/dev/null)"
check_equal "but for triggers, to the group" '660 root perf-recorder' "$(stat -c '%a %U %G' /run/perf-recorder/trigger)"
check_match "the base directory is root's alone" '^700 root' "$(stat -c '%a %U' "$BASE")"
check_equal "its files are too" "" "$(find "$BASE" -perm /077 -not -type l)"

# One verb on one session to one user: the details that rules see.
mkdir -p /etc/polkit-1/rules.d
cat >/etc/polkit-1/rules.d/50-perf-recorder-test.rules <<'R'
polkit.addRule(function(action, subject) {
        if (action.id == "org.perfrecorder1.manage" && subject.user == "ordinary" &&
            action.lookup("session") == "probe" && action.lookup("verb") == "restart")
                return polkit.Result.YES;
});
R
write_session other '[Session]' 'Run=-e cpu-clock -F 10 -C 0'
wait_for 30 sh -c 'perfctl show other -p State | grep -q recording'
sleep 1 # polkitd reads its rules by itself, a moment later
check "a rule allows restart of one session" as_user perfctl --no-ask-password restart probe
refused "but not another verb" perfctl --no-ask-password stop probe
refused "nor another session" perfctl --no-ask-password restart other
refused "nor both at once" perfctl --no-ask-password restart probe other
rm /etc/polkit-1/rules.d/50-perf-recorder-test.rules

# Members of perf-recorder-view read dumps, and do nothing else.
id viewer >/dev/null 2>&1 || useradd -m -G perf-recorder-view viewer
as_viewer() { setpriv --reuid=viewer --regid=viewer --init-groups env HOME=/home/viewer "$@" 2>&1; }
viewer_refused() { # DESCRIPTION COMMAND…
        local description=$1 output
        shift
        if output=$(as_viewer "$@"); then
                report 1 "$description" "succeeded: $output"
        else
                check_match "$description" 'denied|not authorized|[Aa]uthenti[cf]' "$output"
        fi
}
write_session ring '[Record]' 'Event=cpu-clock' 'Frequency=99' 'Mode=overwrite'
check "a session for dumps" perfctl start ring
timeout 1 dd if=/dev/zero of=/dev/null bs=64k status=none # something for it to sample in the kernel
check "a dump" perfctl dump ring
dump=$(perfctl dumps --no-legend --full ring | sed 's/.* //')
check_match "a viewer sees what is in a dump" "Dump: +$dump" "$(as_viewer perfctl --no-ask-password info ring)"
check "a viewer copies a dump" as_viewer perfctl --no-ask-password cp ring /home/viewer/copy.data
check "and can read the copy" as_viewer perfctl info /home/viewer/copy.data
symbols_are_kept() { perfctl info "$dump" | grep -q 'Symbols: /'; }
wait_for 30 symbols_are_kept
check_match "a viewer sees names of the kernel's functions" '\[k\] [a-z_]' "$(as_viewer perfctl --no-ask-password info ring)"
check_match "and how the symbols are read" 'Symbols: read through the service' "$(as_viewer perfctl --no-ask-password info ring)"
check "a viewer copies the symbols" as_viewer perfctl --no-ask-password cp --symbols ring /home/viewer/kept
check "all of them" diff -r "$BASE/session-ring/symbols.${dump##*-}" /home/viewer/symbols.kept
check_match "perf resolves them for a viewer" '\[k\] [a-z_]' \
        "$(as_viewer perfctl --no-ask-password open ring -- --stdio --sort=symbol)"
check_fails "no path leads a viewer to the symbols" as_viewer ls "$BASE/session-ring/symbols.${dump##*-}"
check_equal "their directory can be read by a descriptor" 755 "$(stat -c %a "$BASE/session-ring/symbols.${dump##*-}")"
check_equal "the session's directory is root's alone" 700 "$(stat -c %a "$BASE/session-ring")"
refused "the symbols are not open to everybody" busctl call org.perfrecorder1 "$(
        busctl tree --list org.perfrecorder1 | grep -m1 '/dump/ring')" org.perfrecorder1.Dump OpenSymbols
check_match "a viewer opens a dump" 'copy of|ring|perf.data' "$(as_viewer perfctl --no-ask-password open --viewer=echo ring)"
for verb in start stop dump rm pause signal; do
        case $verb in rm) arguments=("$dump") ;; *) arguments=(ring) ;; esac
        viewer_refused "$verb is refused to a viewer" perfctl --no-ask-password "$verb" "${arguments[@]}"
done
refused "a dump is not open to everybody" perfctl --no-ask-password info ring
check_match "what is said of a dump names the dump and the group" \
        "open dump '$dump': use sudo, .*group perf-recorder-view" "$(as_user perfctl --no-ask-password info ring)"
check "it is all still there" perfctl info "$dump"
mkdir -p /etc/polkit-1/rules.d
cat >/etc/polkit-1/rules.d/50-perf-recorder-test.rules <<'R'
polkit.addRule(function(action, subject) {
        if (action.id == "org.perfrecorder1.dump" && subject.user == "ordinary")
                return polkit.Result.YES;
});
R
sleep 1
check "dump implies view" as_user perfctl --no-ask-password info ring
rm /etc/polkit-1/rules.d/50-perf-recorder-test.rules

# Names are names, never paths.
for name in ../x /etc/passwd . .. 'a b' "$(printf 'x%.0s' $(seq 300))"; do
        check_fails "a session named '${name:0:12}' is refused" perfctl start -- "$name"
done
finish
