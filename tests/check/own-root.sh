#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# tests/machine/own-root, in a chroot that is a mount point and in one that is a plain folder: what enters the mount namespace ends
# up in the chroot, not outside. For root only.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
[ "$(id -u)" -eq 0 ] || exit 77
if [ "${1:-}" != .inside ]; then
        exec "$here/../machine/own-root" private "$0" .inside
fi
work=$(mktemp -d)
mount -t tmpfs none "$work"
trap 'umount -l "$work"; rmdir "$work"' EXIT
mkdir "$work/plain" "$work/mounted"
mount -t tmpfs none "$work/mounted"
enter_namespace='nsenter -m/proc/self/ns/mnt test -e /own-root'
for chroot in "$work/mounted" "$work/plain"; do
        for folder in /usr /bin /sbin /lib* /etc /proc; do
                if [ -L "$folder" ]; then cp -P "$folder" "$chroot"; else mkdir "$chroot$folder" && mount --rbind "$folder" "$chroot$folder"; fi
        done
        mkdir "$chroot/tmp"
        cp "$here/../machine/own-root" "$chroot/own-root"
        ! chroot "$chroot" unshare --mount --propagation unchanged -- sh -c "$enter_namespace" ||
                { echo "$chroot is no proper chroot" >&2; exit 1; }
        chroot "$chroot" /own-root private sh -c "test -e /own-root && ! test -e /tmp/tmp.* && $enter_namespace"
done
