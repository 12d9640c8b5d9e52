/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The answers of a caller that sends faster than it reads wait here, and are counted until everything is sent. A
 * caller with no reply pending is always allowed one, however many others have unread; the privileged user has only
 * the limit of each connection. Answers that are read delay others too, since calls are answered in order, so a
 * user gets a limited number in an interval. */

#include "large-answers.h"

#include <malloc.h>

#include "bus-error.h"
#include "defer.h"
#include "strv.h"

#define TRIM_DELAY_USEC USEC_PER_SEC
#define UID_TIMEOUT_USEC (2 * USEC_PER_SEC)
#define UNREAD "Large answers wait to be read: read those first"

void large_answers_attach(LargeAnswers *l, sd_event *event, sd_bus *bus, const Polkit *polkit) {
        l->event = event;
        l->bus = bus;
        l->polkit = polkit;
}

void large_answers_detach(LargeAnswers *l) {
        l->bus = NULL;
        l->polkit = NULL;
}

void large_answers_done(LargeAnswers *l) {
        sd_event_source_disable_unref(l->trim);
        l->trim = NULL;
        l->receivers = strv_free(l->receivers);
}

static void trim_later(LargeAnswers *l);

static int on_trim(sd_event_source *source, uint64_t usec, void *userdata) {
        LargeAnswers *l = userdata;
        uint64_t n_queued;

        if (l->bus && sd_bus_get_n_queued_write(l->bus, &n_queued) >= 0 && n_queued > 0)
                trim_later(l);
        else
                (void) malloc_trim(0);
        return 0;
}

/* malloc keeps the memory of large answers, which may be many megabytes, even if the service is idle for hours
 * afterwards. */
static void trim_later(LargeAnswers *l) {
        defer_for(l->event, &l->trim, TRIM_DELAY_USEC, USEC_PER_SEC, on_trim, l);
}

/* This blocks, since sd-bus itself answers some of these messages and does so at once. A bus that reads nothing
 * would hold up the service for each of them: after a timeout it is not asked again until it has read everything. */
static uid_t uid_of(LargeAnswers *l, const char *sender) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL, *reply = NULL;
        uint32_t uid = UID_INVALID;
        int r;

        if (l->is_stuck)
                return UID_INVALID;
        r = sd_bus_message_new_method_call(l->bus, &m, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                           "GetConnectionUnixUser");
        if (r >= 0)
                r = sd_bus_message_append_basic(m, 's', sender);
        if (r >= 0)
                r = sd_bus_call(l->bus, m, UID_TIMEOUT_USEC, NULL, &reply);
        l->is_stuck = r == -ETIMEDOUT;
        if (r < 0 || sd_bus_message_read_basic(reply, 'u', &uid) <= 0)
                return UID_INVALID;
        return uid;
}

/* An unknown user replaces the one whose interval began first. */
static LargeAnswersUser *find_user(LargeAnswers *l, uid_t uid) {
        LargeAnswersUser *oldest = l->users;

        for (LargeAnswersUser *u = l->users; u < l->users + LARGE_ANSWERS_USERS_MAX; u++) {
                if (u->limit.begin > 0 && u->uid == uid)
                        return u;
                if (u->limit.begin < oldest->limit.begin)
                        oldest = u;
        }
        *oldest = (LargeAnswersUser) { .uid = uid };
        return oldest;
}

static bool waits_for_too_many(const LargeAnswers *l, const char *sender, bool *ret_own) {
        size_t n = 0, n_all = strv_length(l->receivers);

        STRV_FOREACH(receiver, l->receivers)
                n += streq(*receiver, sender);
        *ret_own = n >= LARGE_ANSWERS_PER_SENDER_MAX;
        return *ret_own || n_all >= (n > 0 ? LARGE_ANSWERS_MAX : LARGE_ANSWERS_SENDERS_MAX);
}

int large_answers_admit(LargeAnswers *l, sd_bus_message *m, sd_bus_error *error) {
        const char *sender = sd_bus_message_get_sender(m);
        bool unread, unread_own, often;
        uint64_t n_queued;
        uid_t uid;

        if (!sender || sd_bus_get_n_queued_write(l->bus, &n_queued) < 0)
                return 0;
        if (n_queued == 0) {
                l->receivers = strv_free(l->receivers);
                l->is_stuck = false;
        }
        unread = waits_for_too_many(l, sender, &unread_own);
        if (unread_own)
                return bus_error_set(error, FAILURE_LIMIT, UNREAD);
        often = !rate_limit_below(&l->limit, LARGE_ANSWERS_INTERVAL_USEC, LARGE_ANSWERS_PER_USER_MAX);
        if ((unread || often) && !polkit_is_privileged(l->polkit, (uid = uid_of(l, sender)))) {
                if (unread)
                        return bus_error_set(error, FAILURE_LIMIT, UNREAD);
                if (!rate_limit_below(&find_user(l, uid)->limit, LARGE_ANSWERS_INTERVAL_USEC, LARGE_ANSWERS_PER_USER_MAX))
                        return bus_error_setf(error, FAILURE_LIMIT, "All objects are asked for too often: try again in %u s",
                                              (unsigned) (LARGE_ANSWERS_INTERVAL_USEC / USEC_PER_SEC));
        }
        trim_later(l);
        return strv_extend(&l->receivers, sender);
}
