#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The RPM is the Debian package in another wrapping: the same files with the same modes, and scriptlets that set up the same.
# packages.sh DEB RPM. Last line: # N passed, N failed, N skipped.
set -uo pipefail

deb=$1
rpm=$2
passed=0
failed=0
skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

report() { # STATUS DESCRIPTION [DETAIL]
        if [ "$1" -eq 0 ]; then
                passed=$((passed + 1))
                echo "ok - $2"
        else
                failed=$((failed + 1))
                echo "not ok - $2"
                [ -z "${3:-}" ] || printf '%s\n' "$3" | sed 's/^/#   /'
        fi
}

skip() { # DESCRIPTION REASON
        skipped=$((skipped + 1))
        echo "ok - $1 # SKIP $2"
}

finish() {
        echo "# $passed passed, $failed failed, $skipped skipped"
        [ "$failed" -eq 0 ]
        exit
}

# "-rw-r--r-- /usr/…", without directories.
files_of_deb() { dpkg-deb --fsys-tarfile "$deb" | tar -tv | awk '!/^d/ { sub(/^\./, "", $6); print $1, $6 }' | sort -k 2; }
files_of_rpm() { rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" | grep -v '^d' | sort -k 2; }

# The text of one, from its head ("postinstall scriptlet (using /bin/sh):") up to the next.
scriptlet() { # NAME
        rpm -qp --scripts "$rpm" | awk -v name="$1" '/^[a-z]+ scriptlet / { mine = $1 == name; next } mine'
}

check_scriptlet() { # NAME REGEX…: what it does, one after the other
        local name=$1 text found=0 regex
        shift
        text=$(scriptlet "$name")
        sh -n <<<"$text" || found=1
        for regex; do grep -qE -- "$regex" <<<"$text" || found=1; done
        report "$found" "$name does: $*" "$text"
}

# What comes with the system or another package is not ours to own.
foreign_directories() {
        rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" | awk '/^d/ && $2 !~ /perf-recorder/ { print $2 }'
}

if ! command -v rpm >/dev/null; then
        skip "the RPM" "there is no rpm"
        finish
fi
files_of_deb >"$work/deb"
files_of_rpm >"$work/rpm"
difference=$(diff -u "$work/deb" "$work/rpm" 2>&1)
status=0
[ -s "$work/deb" ] && [ -z "$difference" ] || status=1
report "$status" "both have the same $(wc -l <"$work/deb") files" "$difference"
difference=$(diff <(dpkg-deb --info "$deb" conffiles 2>/dev/null) <(rpm -qpc "$rpm"))
report $? "both have the same configuration files" "$difference"
foreign=$(foreign_directories)
[ -z "$foreign" ]
report $? "the RPM owns no directories of others" "$foreign"
check_scriptlet postinstall systemd-sysusers 'systemd-tmpfiles --create' 'journalctl --update-catalog' \
        'systemctl .*preset perf-recorderd.service' 'systemctl daemon-reload' 'systemctl start perf-recorderd.service'
check_scriptlet preuninstall 'systemctl .*disable .*perf-recorderd.service' 'systemctl stop .*perf-recorderd.service'
check_scriptlet postuninstall 'journalctl --update-catalog' 'systemctl daemon-reload' 'systemctl try-restart perf-recorderd.service'
if command -v rpmlint >/dev/null; then
        # Who packages it and signs it is the distribution's to say.
        lint=$(rpmlint "$rpm" 2>&1)
        errors=$(grep -E ': E: ' <<<"$lint" | grep -vE ': E: (no-signature|no-packager-tag)')
        grep -q 'packages and 0 specfiles checked' <<<"$lint" && [ -z "$errors" ]
        report $? "rpmlint has no error" "${errors:-$lint}"
else
        skip rpmlint "there is none"
fi
finish
