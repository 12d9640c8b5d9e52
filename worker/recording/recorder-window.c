/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Windows of the samples in memory (the word "window"), which are made one after the other while the flight recorder has nothing
 * else to do: a dump that is due goes first. Each is answered once, by a notification with the descriptor of its stream, or with
 * the reason why there is none. No trigger, no limit of dumps and no file of the recording knows of them. */

#include "recorder.h"

#include <inttypes.h>
#include "array.h"
#include "format-text.h"
#include "log.h"
#include "parse-number.h"

#define WINDOWS_MAX 64u

static void recorder_refuse_window(Recorder *r, const char *id, int error, const char *sentence) {
        notifier_send(r->notifier, PR_NOTIFY_WINDOW_ERROR "%s %d %s", id, -error, sentence);
}

static int recorder_parse_window(char *words, RecorderWindow *ret) {
        const char *id = strsep(&words, " "), *since = strsep(&words, " ");

        if (!since || !*id || strlen(id) >= sizeof(ret->id) || (words && !streq(words, "whole")))
                return -EINVAL;
        memcpy(ret->id, id, strlen(id) + 1);
        ret->order.whole = words != NULL;
        return parse_uint64(since, &ret->order.since);
}

int recorder_add_window(Recorder *r, const char *argument) {
        _cleanup_free_ char *words = strdup(argument ?: "");
        RecorderWindow w = {};

        if (!words)
                return -ENOMEM;
        if (recorder_parse_window(words, &w) < 0) {
                log_verbose(1, "control: no window: %s", argument ?: "");
                return 0;
        }
        if (!r->recording->kind->window) {
                recorder_refuse_window(r, w.id, -EOPNOTSUPP, "it keeps no samples in memory: what it records is in its file");
                return 0;
        }
        if (r->windows.n >= WINDOWS_MAX || ARRAY_RESIZE(r->windows.all, r->windows.n + 1) < 0) {
                recorder_refuse_window(r, w.id, -EBUSY, "too many others look at its samples");
                return 0;
        }
        r->windows.all[r->windows.n++] = w;
        return 0;
}

static void recorder_on_window(void *userdata, const FlightWindowResult *result) {
        _cleanup_free_ char *message = NULL;
        Recorder *r = userdata;

        if (result->error < 0)
                recorder_refuse_window(r, r->windows.all->id, result->error, result->sentence);
        else if ((message = format_text(PR_NOTIFY_WINDOW "%s %" PRIu64, r->windows.all->id, result->until)))
                (void) notifier_send_descriptor(r->notifier, message, result->fd);
        r->windows.n--;
        memmove(r->windows.all, r->windows.all + 1, r->windows.n * sizeof(*r->windows.all));
}

int recorder_make_window(Recorder *r) {
        int q = r->windows.n > 0 ? r->recording->kind->window(r->recording, &r->windows.all->order, recorder_on_window, r) : 0;

        if (q == -EOPNOTSUPP)
                recorder_on_window(r, &(FlightWindowResult) { .error = q, .sentence = "it counts events and keeps no samples" });
        return q == -ENOMEM ? q : 0;
}
