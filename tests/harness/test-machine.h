/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The machines of tests/machines, which has parts of their /proc and /sys as files: "vm" is a copy by record-machine,
 * "hybrid", "intel", "amd" and "arm" are made by hand. TEST_MACHINES is that directory; each machine has proc and sys
 * below it. */

/* The directory of one machine's PMUs. name is a string literal; "%s" makes a format. */
#define TEST_EVENT_SOURCE(name) TEST_MACHINES "/" name "/sys/bus/event_source/devices"
