/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event.h"

/* The result of read(2) for an event, whatever its read_format; missing fields are 0. */
typedef struct EventReading {
        uint64_t value;
        uint64_t enabled, running; /* ns; if running is less, the event shared its counter with others */
        uint64_t id;
        uint64_t lost;             /* records of the event that found the ring full */
} EventReading;

/* Reads an event. -ENODATA: the event has ended, or is not in the group; -EBADMSG: the result is shorter than its
 * format. */
int event_read(const Event *e, uint64_t read_format, EventReading *ret);

/* Parses the words of such a result; id selects the event of a group. -EBADMSG, -ENODATA. */
int event_reading_parse(const uint64_t *words, size_t n, uint64_t read_format, uint64_t id, EventReading *ret);
