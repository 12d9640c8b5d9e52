/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "polkit.h"
#include "rate-limit.h"

/* Answers about all objects, which take megabytes and milliseconds. The memory of those that wait to be sent is
 * limited, and so is the time that they take from other callers. The privileged user has only the limit of each
 * connection. */

#define LARGE_ANSWERS_PER_SENDER_MAX 2u /* that wait to be sent */
#define LARGE_ANSWERS_MAX 64u           /* in all, beyond the first of each sender */
#define LARGE_ANSWERS_SENDERS_MAX 1024u
#define LARGE_ANSWERS_INTERVAL_USEC (5 * USEC_PER_SEC)
#define LARGE_ANSWERS_PER_USER_MAX 15u /* in an interval, beyond as many of all users, for which the bus is not asked */
#define LARGE_ANSWERS_USERS_MAX 64u    /* that are counted */

typedef struct LargeAnswersUser {
        uid_t uid;
        RateLimit limit;
} LargeAnswersUser;

typedef struct LargeAnswers {
        sd_event *event;
        sd_bus *bus;
        const Polkit *polkit;
        char **receivers;      /* one name for each answer, since the last time that all was sent */
        bool is_stuck;         /* the bus did not answer whose a call is, and has not read everything since */
        sd_event_source *trim; /* gives their memory back */
        RateLimit limit;       /* of all users */
        LargeAnswersUser users[LARGE_ANSWERS_USERS_MAX];
} LargeAnswers;

/* Uses this connection until large_answers_detach(). The loop and polkit must live until then. */
void large_answers_attach(LargeAnswers *l, sd_event *event, sd_bus *bus, const Polkit *polkit);
void large_answers_detach(LargeAnswers *l);
void large_answers_done(LargeAnswers *l);

/* Counts the answer to a message. Returns 0, or a negative errno with the error set if there are too many. */
int large_answers_admit(LargeAnswers *l, sd_bus_message *m, sd_bus_error *error);
