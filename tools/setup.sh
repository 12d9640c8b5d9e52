# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What tools/test and tools/try have in common: packages of Debian 12 and 13, building, saying where one is. Sourced, in the
# top folder.

# shellcheck disable=SC2034 # used by who sources this
BUILD_PACKAGES=(cmake ninja-build gcc libc6-dev pkg-config libsystemd-dev libelf-dev libzstd-dev libpfm4-dev libbpf-dev libjson-c-dev dpkg-dev file)
# shellcheck disable=SC2034
MACHINE_PACKAGES=(debootstrap systemd-container util-linux procps)
# shellcheck disable=SC2034
CHECK_PACKAGES=(clang libclang-rt-dev clang-tidy cppcheck shellcheck mandoc libxml2-utils lintian
        rpm rpmlint python3 mypy)
# shellcheck disable=SC2034 # besides, what unit tests need
BASIC_PACKAGES=("${BUILD_PACKAGES[@]}" "${MACHINE_PACKAGES[@]}" check dbus systemd linux-perf)
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
start_building_roots() {
        local machine=tests/machine/machine other
        other=$(other_suite)
        ("$machine" root; "$machine" root "$other"; "$machine" root "$other" "${BASIC_PACKAGES[@]}") >/dev/null 2>&1 &
}

build() { # PRESET FOLDER [CMAKE-OPTION…]
        local preset=$1 directory=$BUILD_DIRECTORY/$2
        shift 2
        say "building $preset"
        cmake --preset "$preset" -B "$directory" "$@" >/dev/null && cmake --build "$directory" -- --quiet
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

make_package() { # FOLDER: the .deb's path goes to $PACKAGE
        run_cpack "$1" DEB && PACKAGE=$(echo "$BUILD_DIRECTORY/$1"/perf-recorder_*.deb)
}

# shellcheck disable=SC2034
make_rpm() { # FOLDER: the .rpm's path goes to $RPM
        run_cpack "$1" RPM && RPM=$(echo "$BUILD_DIRECTORY/$1"/perf-recorder-*.rpm)
}
