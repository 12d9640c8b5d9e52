/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* The process that a request comes from. */

#define UID_INVALID ((uid_t) -1)

typedef struct Caller {
        uid_t uid;       /* UID_INVALID: not known */
        uid_t login_uid; /* of its login, which sudo(8) leaves as it was; UID_INVALID: none */
        pid_t pid;       /* 0: not known */
        char comm[64];   /* its name, one line of valid UTF-8; "": not known */
        char text[192];  /* "uid 0 (perfctl[1234], login uid 1000)", as far as it is known */
} Caller;

#define CALLER_UNKNOWN { .uid = UID_INVALID, .login_uid = UID_INVALID, .text = "somebody" }
