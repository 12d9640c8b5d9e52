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

/* polkit actions, dbus/org.perfrecorder1.policy */
#define PR_POLKIT_MANAGE "org.perfrecorder1.manage"
#define PR_POLKIT_RECORD "org.perfrecorder1.record"
#define PR_POLKIT_DUMP   "org.perfrecorder1.dump"
#define PR_POLKIT_VIEW   "org.perfrecorder1.view"

/* The shipped polkit rule grants MANAGE and VIEW to members of these groups without a password. */
#define PR_GROUP_MANAGE "perf-recorder"
#define PR_GROUP_VIEW   "perf-recorder-view"
