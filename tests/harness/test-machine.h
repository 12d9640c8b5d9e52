/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The machines of tests/machines, whose parts of /proc and /sys lie there as files: "vm" as record-machine copied it,
 * "hybrid", "intel", "amd" and "arm" made by hand. TEST_MACHINES is that directory; each has its proc and sys below it. */

/* The directory of one machine's PMUs. name is a literal; "%s" makes a format. */
#define TEST_EVENT_SOURCE(name) TEST_MACHINES "/" name "/sys/bus/event_source/devices"
