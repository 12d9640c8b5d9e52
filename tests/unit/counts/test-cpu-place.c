/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "cpu-place.h"
#include "scratch.h"

START_TEST(places) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        CpuPlace p;

        scratch_write_text(dir, "cpu/cpu3/topology/core_id", "7\n");
        scratch_write_text(dir, "cpu/cpu3/topology/die_id", "1\n");
        scratch_write_text(dir, "cpu/cpu3/topology/physical_package_id", "2\n");
        scratch_write_text(dir, "cpu/cpu3/node5/cpulist", "3\n");
        p = cpu_place_read(dir, 3);
        ck_assert(p.core == 7 && p.die == 1 && p.socket == 2 && p.node == 5);
        scratch_write_text(dir, "cpu/cpu4/topology/core_id", "-1\n");
        scratch_write_text(dir, "cpu/cpu4/topology/die_id", "none\n");
        p = cpu_place_read(dir, 4);
        ck_assert(p.core == -1 && p.die == 0 && p.socket == -1 && p.node == -1);
        p = cpu_place_read(NULL, 0);
        ck_assert_int_ge(p.socket, 0);
}
END_TEST

CHECK_MAIN("cpu-place", places);
