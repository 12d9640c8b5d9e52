/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reading counts: the layouts that perf_event_open(2) describes as struct read_format, with the lost samples that
 * Linux 6.0 added. Reading any member of a group gives the counts of all. */

#include "event-reading.h"

#define GROUP_MEMBERS_MAX 1024u

typedef struct Words {
        const uint64_t *next;
        size_t left;
} Words;

static uint64_t words_take(Words *w, bool there) {
        if (!there || w->left == 0)
                return 0;
        w->left--;
        return *w->next++;
}

static size_t words_of_event(uint64_t format) {
        return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

static int event_reading_parse_group(Words w, uint64_t format, uint64_t id, EventReading *ret) {
        uint64_t n = words_take(&w, true);
        EventReading r = {
                .enabled = words_take(&w, format & PERF_FORMAT_TOTAL_TIME_ENABLED),
                .running = words_take(&w, format & PERF_FORMAT_TOTAL_TIME_RUNNING),
        };

        if (!(format & PERF_FORMAT_ID))
                return -ENODATA;
        if (n > w.left / words_of_event(format))
                return -EBADMSG;
        for (; n > 0; n--) {
                r.value = words_take(&w, true);
                r.id = words_take(&w, true);
                r.lost = words_take(&w, format & PERF_FORMAT_LOST);
                if (r.id == id) {
                        *ret = r;
                        return 0;
                }
        }
        return -ENODATA;
}

int event_reading_parse(const uint64_t *words, size_t n, uint64_t format, uint64_t id, EventReading *ret) {
        size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
        Words w = { words, n };

        if (n == 0)
                return -ENODATA;
        if (n < times + (format & PERF_FORMAT_GROUP ? 1 : words_of_event(format)))
                return -EBADMSG;
        if (format & PERF_FORMAT_GROUP)
                return event_reading_parse_group(w, format, id, ret);
        ret->value = words_take(&w, true);
        ret->enabled = words_take(&w, format & PERF_FORMAT_TOTAL_TIME_ENABLED);
        ret->running = words_take(&w, format & PERF_FORMAT_TOTAL_TIME_RUNNING);
        ret->id = words_take(&w, format & PERF_FORMAT_ID);
        ret->lost = words_take(&w, format & PERF_FORMAT_LOST);
        return 0;
}

int event_read(const Event *e, uint64_t format, EventReading *ret) {
        size_t size = sizeof(uint64_t) * (3 + (format & PERF_FORMAT_GROUP ? GROUP_MEMBERS_MAX : 1) * 3);
        _cleanup_free_ uint64_t *words = malloc(size);
        ssize_t n;

        if (!words)
                return -ENOMEM;
        n = read(e->fd, words, size);
        return n < 0 ? -errno : event_reading_parse(words, (size_t) n / sizeof(uint64_t), format, e->id, ret);
}
