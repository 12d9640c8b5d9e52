/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The sentences of failures, and the failure of each errno. That a file or a process is missing (ENOENT, ESRCH)
 * says nothing about sessions: callers that look for a session name that failure themselves. */

#include "failure.h"

#include "cleanup.h"

static const char *const failure_sentences[_FAILURE_MAX] = {
        [FAILURE_NONE] = "nothing failed",
        [FAILURE_NO_SUCH_SESSION] = "there is no such session",
        [FAILURE_MASKED] = "its file is masked: remove that file first",
        [FAILURE_NO_SUCH_OBJECT] = "there is no such object any more",
        [FAILURE_NO_SUCH_METHOD] = "there is no such method",
        [FAILURE_NO_SYMBOLS] = "the dump has no symbols beside it",
        [FAILURE_NOT_RUNNING] = "it is not running: start it first",
        [FAILURE_ALREADY_RUNNING] = "it is running already",
        [FAILURE_BAD_SETTING] = "a setting is wrong",
        [FAILURE_RECORDER] = "its recorder failed",
        [FAILURE_TIMEOUT] = "there was no answer in time",
        [FAILURE_BUSY] = "its recorder has not answered an earlier request",
        [FAILURE_NO_SPACE] = "the disk is full",
        [FAILURE_NOTHING] = "it has nothing of what was requested",
        [FAILURE_RATE_LIMIT] = "the rate limit allows no more dumps now",
        [FAILURE_ARGUMENT] = "an argument is wrong",
        [FAILURE_ACCESS] = "access denied",
        [FAILURE_AUTHENTICATION] = "authentication is required",
        [FAILURE_LIMIT] = "a limit is reached",
        [FAILURE_NO_MEMORY] = "no memory",
        [FAILURE_NOT_SUPPORTED] = "its recorder is another program, which writes everything at once: leave the options out",
        [FAILURE_OTHER] = "the system refused it: the journal of perf-recorderd has more",
};

const char *failure_sentence(Failure f) {
        return failure_sentences[f < _FAILURE_MAX ? f : FAILURE_OTHER];
}

Failure failure_of(int error) {
        switch (MIN_OF(error, 0)) {
        case 0:
                return FAILURE_NONE;
        case -ERFKILL:
                return FAILURE_MASKED;
        case -EBADMSG:
                return FAILURE_BAD_SETTING;
        case -ETIMEDOUT:
                return FAILURE_TIMEOUT;
        case -EBUSY:
                return FAILURE_BUSY;
        case -ENOSPC:
        case -EDQUOT:
                return FAILURE_NO_SPACE;
        case -EINVAL:
                return FAILURE_ARGUMENT;
        case -EACCES:
        case -EPERM:
                return FAILURE_ACCESS;
        case -EMFILE:
        case -ENOBUFS:
                return FAILURE_LIMIT;
        case -ENOMEM:
                return FAILURE_NO_MEMORY;
        case -EOPNOTSUPP:
                return FAILURE_NOT_SUPPORTED;
        default:
                return FAILURE_OTHER;
        }
}
