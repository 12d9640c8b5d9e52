# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What tools/test and tools/try have in common: packages of Debian 12 and 13, building, saying where one is. Sourced, in the
# top folder.

BUILD_PACKAGES=(cmake ninja-build gcc libc6-dev pkg-config libsystemd-dev libelf-dev libdw-dev libcapstone-dev libiberty-dev liblzma-dev zlib1g-dev
        libtraceevent-dev libzstd-dev libseccomp-dev libncurses-dev libpfm4-dev libbpf-dev clang libjson-c-dev dpkg-dev file)
MACHINE_PACKAGES=(debootstrap systemd-container util-linux procps)
# What unit tests need besides, quick checks (and a test that compiles for BPF), and the rest.
PACKAGES_basic=("${BUILD_PACKAGES[@]}" "${MACHINE_PACKAGES[@]}" check dbus systemd linux-perf libxml2-utils strace)
PACKAGES_check=("${PACKAGES_basic[@]}" shellcheck mandoc python3 mypy)
# shellcheck disable=SC2034 # tools/test finds it by its name
PACKAGES_all=("${PACKAGES_check[@]}" libclang-rt-dev clang-tidy cppcheck lintian rpm rpmlint qemu-system-x86 busybox-static cpio
        chromium chromium-driver python3-selenium fonts-dejavu-core librsvg2-bin tmux)
# Not the one of the tree that somebody works in, if another is wanted.
BUILD_DIRECTORY=${PR_BUILD_DIRECTORY:-$PWD/build}

say() {
        printf '\n=== %s (%s s)\n' "$*" "$SECONDS"
}

need_root() {
        [ "$(id -u)" -eq 0 ] || { echo "$0: needs root, for a machine is booted: sudo $0" >&2; exit 1; }
        export PATH=$PATH:/usr/sbin:/sbin
        umask 022
}

install_packages() { # PACKAGE…: those that are missing
        local missing=() package
        for package; do
                dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
        done
        [ ${#missing[@]} -gt 0 ] || return 0
        say "installing ${missing[*]}"
        apt-get -q update >/dev/null &&
                DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}" >/dev/null
}

is_suite() { # CODENAME
        [ "$(. /etc/os-release && echo "$VERSION_CODENAME")" = "$1" ]
}

# Of Debian 12 and 13, the one that this isn't.
other_suite() {
        if is_suite trixie; then echo bookworm; else echo trixie; fi
}

# It waits for downloads while the compiler computes; whoever wants one of them first waits for its end.
start_building_roots() { # [OTHER-SUITE]
        local machine=tests/machine/machine
        ("$machine" root
        [ -z "${1:-}" ] || { "$machine" root "$1"; "$machine" root "$1" "${PACKAGES_basic[@]}"; }) >/dev/null 2>&1 &
}

build() { # PRESET FOLDER [CMAKE-OPTION…]
        local preset=$1 directory=$BUILD_DIRECTORY/$2
        shift 2
        say "building $preset in $directory"
        ! command -v ccache >/dev/null || set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache "$@"
        cmake --fresh --preset "$preset" -B "$directory" "$@" >/dev/null && cmake --build "$directory" -- --quiet
}

run_cpack() { # FOLDER DEB|RPM
        say "making the ${2,,}"
        rm -f "$BUILD_DIRECTORY/$1"/*."${2,,}"
        (cd "$BUILD_DIRECTORY/$1" && cpack -G "$2" >cpack.log 2>&1) || {
                cat "$BUILD_DIRECTORY/$1/cpack.log"
                return 1
        }
        ls "$BUILD_DIRECTORY/$1"/*."${2,,}"
}

# shellcheck disable=SC2034
make_package() { # FOLDER: the .deb's path goes to $PACKAGE
        run_cpack "$1" DEB && PACKAGE=$(echo "$BUILD_DIRECTORY/$1"/perf-recorder_*.deb)
}

# shellcheck disable=SC2034
make_rpm() { # FOLDER: the .rpm's path goes to $RPM
        run_cpack "$1" RPM && RPM=$(echo "$BUILD_DIRECTORY/$1"/perf-recorder-*.rpm)
}
