/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A Failure is the kind of an error that a caller of the service gets. Errors of system calls and libraries are
 * negative errno; the domain converts them to failures, and bus-error.c has the D-Bus name of each. */

typedef enum Failure {
        FAILURE_NONE,
        FAILURE_NO_SUCH_SESSION,
        FAILURE_MASKED,         /* its file is a link to /dev/null */
        FAILURE_NO_SUCH_OBJECT, /* the object that was called is gone */
        FAILURE_NO_SUCH_METHOD,
        FAILURE_NO_SYMBOLS,     /* beside a dump */
        FAILURE_NOT_RUNNING,
        FAILURE_ALREADY_RUNNING,
        FAILURE_BAD_SETTING,
        FAILURE_RECORDER,       /* it failed, and the sentence says how */
        FAILURE_TIMEOUT,
        FAILURE_BUSY,
        FAILURE_NO_SPACE,
        FAILURE_NOTHING,        /* of what was asked for is in memory */
        FAILURE_RATE_LIMIT,
        FAILURE_ARGUMENT,
        FAILURE_ACCESS,
        FAILURE_AUTHENTICATION, /* the caller must allow interactive authorization */
        FAILURE_LIMIT,
        FAILURE_NO_MEMORY,
        FAILURE_NOT_SUPPORTED,
        FAILURE_OTHER,          /* of the system */
        _FAILURE_MAX,
} Failure;

/* The sentence for a failure without one of its own. */
const char *failure_sentence(Failure f);

/* Converts a negative errno of a system call or a library; 0 or more: FAILURE_NONE. session_file_load() returns
 * -ERFKILL for a masked file. */
Failure failure_of(int error);
