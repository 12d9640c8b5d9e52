/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The second function of this name, see probed.c. */

int probed_other(int n);

__attribute__((noinline, used)) static int probed_twice(int n) {
        return n * 3;
}

__attribute__((noinline)) int probed_other(int n) {
        return probed_twice(n);
}
