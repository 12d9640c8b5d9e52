/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Exit statuses, as systemctl's. A verb with several sessions exits with the status of the first that failed. */
enum {
        STATUS_OK = 0,
        STATUS_FAILED = 1,         /* the verb failed, or the command line is wrong */
        STATUS_NOT_RUNNING = 3,    /* the daemon or the session does not run */
        STATUS_NO_SUCH_STATUS = 4, /* status, is-active …: the session does not exist */
        STATUS_DENIED = 4,
        STATUS_NO_SUCH_SESSION = 5,
        STATUS_BAD_SETTING = 6,
        STATUS_NO_READER = 141,    /* SIGPIPE ended the viewer; a shell reports the signal so */
};

/* Prints "Failed to WHAT: …" for a negative errno. Returns STATUS_FAILED. */
int verb_fail(const char *what, int r);
