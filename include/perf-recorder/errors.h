/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* D-Bus error names. daemon/bus/bus-error.c holds the one table of what the daemon refuses callers for and these names. */

#define PR_ERROR_NO_SUCH_SESSION "org.perfrecorder1.Error.NoSuchSession"
#define PR_ERROR_NOT_RUNNING     "org.perfrecorder1.Error.NotRunning"
#define PR_ERROR_ALREADY_RUNNING "org.perfrecorder1.Error.AlreadyRunning"
#define PR_ERROR_BAD_SETTING     "org.perfrecorder1.Error.BadSetting"
#define PR_ERROR_RECORDER_FAILED "org.perfrecorder1.Error.RecorderFailed"
#define PR_ERROR_TIMEOUT         "org.perfrecorder1.Error.Timeout"
#define PR_ERROR_BUSY            "org.perfrecorder1.Error.Busy"
#define PR_ERROR_NO_SPACE        "org.perfrecorder1.Error.NoSpace"
#define PR_ERROR_RATE_LIMITED    "org.perfrecorder1.Error.RateLimited"
