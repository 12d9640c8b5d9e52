/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browse-view.h"
#include "parse-time.h"
#include "text-pane.h"

/* A browser of samples on a full screen. What is browsed is a face: a recording, or what happens now. */

/* Text that a command shows, read while it is shown. */
typedef struct BrowserText {
        int fd;        /* can be read when there is more; -EBADF: all is there */
        int (*read)(void *state, TextBuffer *out); /* appends what there is. 1: more may come; 0: this was all; negative errno */
        void (*done)(void *state);
        void *state;
        bool hottest;  /* it is shown from its hottest line on, once all is there */
} BrowserText;

/* A row, and how it was reached. */
typedef struct BrowserSubject {
        const BrowseChoice *choice;
        const SampleZoom *zooms; /* those of the choice, and then those of the row */
        size_t n_zooms;
        const char *function;    /* of the row; NULL: it has none */
        uint32_t place;
} BrowserSubject;

typedef struct BrowserCommand {
        uint32_t key;
        const char *title;      /* of the text: "Annotate" */
        const char *help;
        bool of_row, of_function; /* it needs a row, which is a function's */
        int (*run)(void *userdata, const BrowserSubject *subject, BrowserText *ret); /* 0, negative errno */
} BrowserCommand;

/* A key that only this face has. Returns a sentence that is shown, NULL: none. *ret_changed: what is shown is to be made anew. */
typedef struct BrowserKey {
        uint32_t key;
        const char *help;
        const char *(*press)(void *userdata, bool *ret_changed);
} BrowserKey;

typedef struct BrowserFace {
        const char *name;       /* what is browsed, for the title; one line of UTF-8 */
        void *userdata;
        SampleTable *table;
        const PlaceNames *names;
        BrowseChoice choice;    /* the first one */
        bool has_units, has_cpus; /* samples have them */
        uint64_t span;          /* ns of time that are shown first, those before slice_last; 0: all */
        bool has_slices;        /* rows of the table have times: the table is by slices */
        uint64_t slice;         /* its length, ns; 0: not known */
        uint64_t slice_first, slice_last; /* the first one, and the last */
        const BrowserCommand *commands;
        size_t n_commands;
        const BrowserKey *keys;
        size_t n_keys;
        /* Writes what is seen. *ret_name: the file, to be freed. NULL: nothing is written. */
        int (*write)(void *userdata, const char *text, size_t size, char **ret_name);
        /* NULL for a recording, which does not change. Called whenever wait_usec are over; sets table, names, remark and wait_usec
         * anew. 1: they have changed, and all that was made of the table is made anew; 2: the same, and the table before is gone;
         * 0; errors, which end the browser. */
        int (*update)(struct BrowserFace *face);
        /* Called before rows are made of the table: names what came since the last call. NULL: all has names. 0, -ENOMEM. */
        int (*look_up)(struct BrowserFace *face);
        usec_t wait_usec;       /* USEC_INFINITY: nothing changes any more */
        bool paused;            /* the user wants to see no change; set by the browser */
        char remark[256];       /* stands behind the title: rates, what was lost */
} BrowserFace;

/* Browses until the user leaves. 0; 1: he leaves by a signal (screen_raise_signal()); negative errno, and the screen was given
 * back. */
int browser_run(BrowserFace *face);

/* For tests: the same without a terminal. */
typedef struct Browser Browser;
int browser_new(BrowserFace *face, bool utf8, Browser **ret);
Browser *browser_free(Browser *b);
DEFINE_CLEANUP(Browser *, browser_free);
/* Takes a key; false: it ends. Steps until all is as it was asked for. Puts what is seen. */
bool browser_press(Browser *b, uint32_t key);
int browser_settle(Browser *b);
int browser_put(Browser *b, Page *page);
