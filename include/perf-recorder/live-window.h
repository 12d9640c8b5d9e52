/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* perfctl top SESSION: the meter, which shows, asks perfctl, which has the bus, for one window of the session after the other,
 * over a socket of packets (SOCK_SEQPACKET). Its command line has a word for that socket: PR_WINDOWS_WORD, the number of the
 * descriptor, a colon and the session's name. perfctl answers a request by the answer, with the descriptor of the window
 * (SCM_RIGHTS), or closes the socket: then it says itself why, when the meter has ended. */
#define PR_WINDOWS_WORD "&"

/* As the method OpenWindow of org.perfrecorder1.Session has it. */
typedef struct PrWindowRequest {
        uint64_t since_nsec;
        uint64_t whole; /* 0 or 1 */
} PrWindowRequest;

typedef struct PrWindowAnswer {
        uint64_t until_nsec;
} PrWindowAnswer;
