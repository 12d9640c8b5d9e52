/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event.h"

/* What read(2) answers for an event, whatever its read_format; what that lacks is 0. */
typedef struct EventReading {
        uint64_t value;
        uint64_t enabled, running; /* ns; where running is less, it shared its counter with others */
        uint64_t id;
        uint64_t lost;             /* samples that found the ring full */
} EventReading;

/* -ENODATA: the event is at its end, or a group does not have it; -EBADMSG: it answers less than its format says. */
int event_read(const Event *e, uint64_t read_format, EventReading *ret);

/* The words of such an answer, of the event id in a group. -EBADMSG, -ENODATA. */
int event_reading_parse(const uint64_t *words, size_t n, uint64_t read_format, uint64_t id, EventReading *ret);
