/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"

/* A caption says what a picture, a page or a table is of. Each item is a line of valid UTF-8, or NULL if it is not known. */
typedef enum CaptionItem {
        CAPTION_RECORDING, /* its name, or those of several ones */
        CAPTION_HOST,      /* the machine, or several ones */
        CAPTION_TIME,      /* of the samples that are selected, by the time of day if that is known */
        CAPTION_TRIGGER,   /* of a dump */
        CAPTION_SAMPLES,   /* how many of which event */
        CAPTION_IDLE,      /* the share of idle CPUs, if they have one */
        CAPTION_SELECTION, /* which samples are selected, unless all are */
        CAPTION_LOSS,      /* what the samples lack */
        _CAPTION_MAX,
} CaptionItem;

typedef struct Caption {
        char *items[_CAPTION_MAX];
} Caption;

/* Describes samples that were counted and named. event: the one that is shown; NULL: none is shown by itself. 0, -ENOMEM; done
 * after a failure too. */
int caption_init(Caption *c, const CountedSamples *samples, const SampleEvent *event);
void caption_done(Caption *c);

/* Adds to an item, behind a comma, what only the caller knows. 0, -ENOMEM. */
int caption_add(Caption *c, CaptionItem item, const char *text);

/* Returns the items as phrases that are understood without a label, such as "host web1", in a new array. NULL without memory. */
char **caption_phrases(const Caption *c);
