#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What is installed for systemd, read by systemd's own tools from a staged installation. units.sh BUILD-DIRECTORY
set -euo pipefail

MAX_EXPOSURE=30 # tenths; 3.0 is the last value that systemd-analyze calls OK
MAX_EXPOSURE_OF_SCRAPE=10 # 1.0 is the last that it calls SAFE

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR=$root cmake --install "$1" >/dev/null
lib=$root/usr/lib

verify() { # ROOT UNIT…: its perf-recorderd.service, slice, and these, among the units of systemd and D-Bus
        local complaints
        cp -n /lib/systemd/system/*.target /lib/systemd/system/dbus.socket /lib/systemd/system/sys-kernel-tracing.mount \
                "$1/usr/lib/systemd/system/"
        # The programs need not be built for this, but what is named has to be there.
        for program in "$1/usr/lib/perf-recorder/perf-recorderd" "$1/usr/bin/busctl" "$1/usr/bin/perfctl"; do
                [ -e "$program" ] || install -D -m 755 /bin/true "$program"
        done
        complaints=$(systemd-analyze verify --man=no --root="$1" perf-recorderd.service perf-recorderd.socket perf-recorder.slice \
                "${@:2}" 2>&1) ||
                complaints+=" (failed)"
        [ -z "$complaints" ] || { echo "$complaints" >&2; exit 1; }
}

verify "$root" perf-recorder-metrics.socket perf-recorder-metrics.service
# The user's units are read as system ones: there is no user manager here, and the syntax is the same.
mkdir -p "$root/user/usr/lib/systemd/system"
cp "$lib/systemd/user/"* "$root/user/usr/lib/systemd/system/"
verify "$root/user"

# A daemon that cannot start yet, since the bus is down at boot, is tried until it can.
for unit in system user; do
        for line in StartLimitIntervalSec=0 Restart=on-failure RestartSec=2s; do
                grep -qx "$line" "$lib/systemd/$unit/perf-recorderd.service" || { echo "$unit: no $line" >&2; exit 1; }
        done
done

systemd-analyze security --no-pager --offline=true --threshold=$MAX_EXPOSURE --root="$root" perf-recorderd.service >/dev/null
systemd-analyze security --no-pager --offline=true --threshold=$MAX_EXPOSURE_OF_SCRAPE --root="$root" \
        perf-recorder-metrics.service >/dev/null

mkdir -p "$root/etc"
: >"$root/etc/passwd"
: >"$root/etc/group"
systemd-sysusers --root="$root" perf-recorder.conf
grep -q '^perf-recorder:' "$root/etc/group"
grep -q '^perf-recorder-view:' "$root/etc/group"
systemd-tmpfiles --root="$root" --create perf-recorder.conf
[ "$(stat -c %a "$root/var/lib/perf-recorder")" = 700 ]
journalctl --root="$root" --update-catalog
[ "$(journalctl --root="$root" --list-catalog | wc -l)" -gt 0 ]
