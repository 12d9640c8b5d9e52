/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include <systemd/sd-bus.h>

#include "caller.h"

/* Asks polkit if the sender of a message is permitted to do what it requests, without blocking, and without
 * remembering the answer for longer than the message. */

typedef struct Polkit Polkit;

/* privileged: the uid that needs no polkit: root on the system bus, the user on the user's own. */
int polkit_new(sd_bus *bus, uid_t privileged, Polkit **ret);
Polkit *polkit_free(Polkit *p); /* pending checks are cancelled, their handlers are not entered again */
DEFINE_CLEANUP(Polkit *, polkit_free);

/* The subject of one check, as polkit's rules see it: details of these names, besides "verb", "request" and "what". */
typedef struct PolkitCheck {
        const char *session; /* "" where all sessions or none in particular are meant */
        const char *unit;    /* "": none; NULL: unit_of() of the question says it when polkit is asked */
} PolkitCheck;

typedef struct PolkitQuestion {
        const char *action; /* NULL: everybody may, and only the caller is looked up */
        const char *verb;
        const PolkitCheck *checks; /* made one after the other; every one must pass */
        size_t n_checks;
        char *(*unit_of)(const char *session, void *userdata); /* with the handler's userdata; NULL: no memory */
        const char *dump;  /* the id of the dump that it is about, for sentences; NULL: it is about sessions */
        const char *group; /* whose members need no password, for sentences; NULL: no group's */
        const char *phrase;  /* what sentences have for the verb: "send a signal to"; NULL: the verb */
        bool names_sessions; /* the session or "all sessions" follows in sentences; otherwise the phrase is whole */
        bool (*admits)(uid_t uid, void *userdata); /* false: that user has too much under way; NULL: nobody has */
        const char *what;    /* the counters that it is about, as the detail "what"; NULL: it is about none */
} PolkitQuestion;

/* Returns 1: permitted. 0: not known yet; the handler returns 1 at once, and is entered again with the same
 * message, to ask the same question again and get the answer. Negative: refused, error says why. The question is
 * copied. The handler is entered at most once more: not at all if the caller leaves in the meantime. */
int polkit_authorize(Polkit *p, sd_bus_message *m, const PolkitQuestion *question, sd_bus_message_handler_t handler,
                     void *userdata, sd_bus_error *error);

/* Gets the sender of a message; only while its handler is entered again. False: not known. */
bool polkit_caller(const Polkit *p, sd_bus_message *m, Caller *ret);
bool polkit_is_privileged(const Polkit *p, uid_t uid);

bool polkit_is_asked(const Polkit *p, sd_bus_message *m); /* m waits for its answer, or has just got it */
size_t polkit_n_asked(const Polkit *p, uid_t uid);        /* messages of that user; UID_INVALID: of users not known yet */
