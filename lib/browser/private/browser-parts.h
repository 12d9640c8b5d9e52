/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browser.h"
#include "screen.h"

/* The state of a browser, for the files of this folder. */

#define BROWSER_STEPS_MAX 16u
#define BROWSER_GROUPS_MAX 12u

/* A step before a change, to go back to. */
typedef struct BrowserStep {
        BrowseChoice choice;
        BrowseView view; /* without a table: its samples are gone, and it is made anew */
        uint64_t span, end;
        size_t group;
        bool seen;       /* the view had it when it was left; false: the next key came before it was complete */
} BrowserStep;

typedef struct BrowserGroup {
        const char *name;
        ReportField keys[BROWSE_KEYS_MAX];
        size_t n_keys;
} BrowserGroup;

/* A line that is typed. */
typedef struct BrowserPrompt {
        const char *label; /* NULL: nothing is typed */
        char text[128];
        bool fresh;        /* nothing was typed: a character replaces the text */
        uint64_t identity; /* of the line that was selected before */
        void (*changed)(Browser *b); /* at each key; NULL: only at the end */
        void (*entered)(Browser *b);
} BrowserPrompt;

struct Browser {
        BrowserFace *face;
        bool utf8;
        unsigned height;       /* of the page that was put last */
        BrowseChoice choice;   /* as it is wished; that of the view's table may be an older one */
        BrowseView view;
        BrowseTable *pending;  /* being made */
        bool working;          /* a table is not complete: it, or the view's */
        double done;           /* of that, 0 to 1 */
        uint64_t identity;     /* of the line that is selected then */
        bool stepped;          /* the view goes to the newest step then */
        BrowserStep steps[BROWSER_STEPS_MAX];
        size_t n_steps;
        BrowserGroup groups[BROWSER_GROUPS_MAX];
        size_t n_groups, group;
        uint64_t span, end;    /* of time, ns: how much is seen, 0: all; where it ends, 0: at the newest */
        BrowserPrompt prompt;
        TextPane text;         /* over the rows, if it has a title */
        BrowserText source;    /* of the text; without a state: there is none */
        bool ended;
        char message[160];     /* of the last key */
};

void browser_say(Browser *b, const char *format, ...) _printf_(2, 3);

/* Keeps what is seen as a step, before b->choice is changed. False: there is no memory, or there are too many steps, which was
 * said. */
bool browser_keep_step(Browser *b);
/* Goes a step back, or says that there is none. */
void browser_go_back(Browser *b);
/* Begins to make the table anew, by b->choice. */
void browser_remake(Browser *b);
/* Drops what was made of a table that is gone. */
void browser_forget_table(Browser *b);
/* The same; the entry or call of that line is selected then. */
void browser_remake_at(Browser *b, size_t line);
/* Selects the line of that identity, if there is one. */
void browser_select(Browser *b, uint64_t identity);
void browser_note(Browser *b, int r); /* says an error */

/* Does a part of what is to be done. 1: more is left; 0. */
int browser_step(Browser *b);

/* Takes a key that is one of the rows' view. */
void browser_press_row_key(Browser *b, uint32_t key);
/* Finds what entries can be grouped by. */
void browser_find_groups(Browser *b);

void browser_ask(Browser *b, const char *label, const char *text, void (*changed)(Browser *), void (*entered)(Browser *));
void browser_press_prompt(Browser *b, uint32_t key);
bool browser_parse_number(const char *text, double *ret); /* false: the text is none */

/* Shows the text of a command of the face; what was put into b->text.text, under that title; all of the selected row. */
void browser_run_command(Browser *b, const BrowserCommand *command);
void browser_show(Browser *b, const char *title);
void browser_show_details(Browser *b);
void browser_read_text(Browser *b);
void browser_close_text(Browser *b);
void browser_press_text_key(Browser *b, uint32_t key);
void browser_write_file(Browser *b);
