/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "private-bus.h"

/* org.freedesktop.PolicyKit1 on a private bus: it notes its questions, and answers as the test sets it. */

typedef enum FakePolkitMood {
        FAKE_POLKIT_YES,
        FAKE_POLKIT_NO,
        FAKE_POLKIT_CHALLENGE,
        FAKE_POLKIT_ONLY_CYCLES, /* yes for the session "cycles" */
        FAKE_POLKIT_FAILS,
        FAKE_POLKIT_NONSENSE,    /* an answer of another type; set it before the start */
        FAKE_POLKIT_HOLDS,       /* no answer */
} FakePolkitMood;

typedef struct FakePolkit {
        sd_bus *bus;
        FakePolkitMood mood;
        unsigned n_asked;
        /* of the last question */
        char subject[64], action[64], session[64], verb[64], unit[64], request[64], cancellation[64], what[64];
        unsigned n_details;
        uint32_t flags;
        bool asked, cancelled; /* cancelled: the last question was cancelled */
} FakePolkit;

void fake_polkit_start(FakePolkit *p, PrivateBus *b, FakePolkitMood mood);
void fake_polkit_stop(FakePolkit *p);
