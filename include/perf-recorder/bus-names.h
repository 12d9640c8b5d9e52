/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Names on D-Bus. org.perfrecorder1(5) and the interface files in dbus/ document what each call takes and returns. */

#define PR_BUS_NAME              "org.perfrecorder1"
#define PR_BUS_PATH              "/org/perfrecorder1"
#define PR_BUS_SESSION_PATH      "/org/perfrecorder1/session"
#define PR_BUS_MANAGER_INTERFACE "org.perfrecorder1.Manager"
#define PR_BUS_SESSION_INTERFACE "org.perfrecorder1.Session"
#define PR_BUS_DUMP_PATH         "/org/perfrecorder1/dump"
#define PR_BUS_DUMP_INTERFACE    "org.perfrecorder1.Dump"

/* The property State of a session. */
#define PR_STATE_INACTIVE    "inactive"
#define PR_STATE_WAITING     "waiting" /* for its unit, or before the next try to start */
#define PR_STATE_STARTING    "starting"
#define PR_STATE_RECORDING   "recording"
#define PR_STATE_PAUSED      "paused"
#define PR_STATE_RESERVED    "reserved" /* all of its events are closed, because their counters are lent */
#define PR_STATE_STOPPING    "stopping"
#define PR_STATE_FAILED      "failed"
#define PR_STATE_BAD_SETTING "bad-setting"

/* All of them, as items of an array. */
#define PR_STATES                                                                                                        \
        PR_STATE_INACTIVE, PR_STATE_WAITING, PR_STATE_STARTING, PR_STATE_RECORDING, PR_STATE_PAUSED, PR_STATE_RESERVED,  \
        PR_STATE_STOPPING, PR_STATE_FAILED, PR_STATE_BAD_SETTING

/* polkit actions, dbus/org.perfrecorder1.policy */
#define PR_POLKIT_MANAGE "org.perfrecorder1.manage"
#define PR_POLKIT_RECORD "org.perfrecorder1.record"
#define PR_POLKIT_DUMP   "org.perfrecorder1.dump"
#define PR_POLKIT_VIEW   "org.perfrecorder1.view"
#define PR_POLKIT_RESERVE "org.perfrecorder1.reserve"

/* The shipped polkit rule grants MANAGE and VIEW to members of these groups without a password. */
#define PR_GROUP_MANAGE "perf-recorder"
#define PR_GROUP_VIEW   "perf-recorder-view"
