/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The letters after an event: u k h (levels), G H (guest, host), I (idle), p pp ppp P (precision), S (group samples),
 * D (pinned), e (exclusive), W (weak group). As with perf, an event's own letters replace its defaults (so cpu-clock:k
 * samples guests again), and those after a group's brace add to those of its events. */

#include "grammar-parser.h"

static void start_levels(struct perf_event_attr *a) {
        if (!a->exclude_user && !a->exclude_kernel && !a->exclude_hv)
                a->exclude_user = a->exclude_kernel = a->exclude_hv = true;
}

static void start_guest(EventSpec *s) {
        if (!s->keep_guest)
                s->attr.exclude_guest = s->attr.exclude_host = true;
        s->keep_guest = true;
}

/* Precision and user level exclude guests, whose samples would be wrong. */
static void leave_out_guest(EventSpec *s) {
        if (!s->keep_guest)
                s->attr.exclude_guest = true;
}

/* 0, or -EINVAL: no such letter. */
static int apply_letter(EventSpec *s, char c) {
        struct perf_event_attr *a = &s->attr;

        switch (c) {
        case 'u':
                start_levels(a);
                leave_out_guest(s);
                a->exclude_user = false;
                break;
        case 'k':
                start_levels(a);
                a->exclude_kernel = false;
                break;
        case 'h':
                start_levels(a);
                a->exclude_hv = false;
                break;
        case 'G':
                start_guest(s);
                a->exclude_guest = false;
                break;
        case 'H':
                start_guest(s);
                a->exclude_host = false;
                break;
        case 'I':
                a->exclude_idle = true;
                break;
        case 'p':
                if (a->precise_ip == 3)
                        return -ERANGE;
                a->precise_ip++;
                leave_out_guest(s);
                break;
        case 'P':
                s->precise_max = true;
                break;
        case 'S':
                s->sample_read = true;
                break;
        case 'D':
                a->pinned = a->pinned || s->leader;
                break;
        case 'e':
                a->exclusive = a->exclusive || s->leader;
                break;
        case 'W':
                s->weak = true;
                break;
        default:
                return -EINVAL;
        }
        return 0;
}

static int apply_letters(Parser *p, EventSpec *s, size_t at, size_t n, bool group) {
        struct perf_event_attr *a = &s->attr;

        if (!group) {
                a->exclude_user = a->exclude_kernel = a->exclude_hv = a->exclude_idle = false;
                a->exclude_guest = a->exclude_host = false;
                a->precise_ip = 0;
        }
        for (size_t i = 0; i < n; i++) {
                int r = apply_letter(s, p->text[at + i]);

                if (r == -ERANGE)
                        return parser_fail(p, at + i, -EINVAL, "There is nothing more precise than ppp");
                if (r < 0)
                        return parser_fail(p, at + i, r, "\"%c\" is not a modifier: those are u k h G H I p P S D W e",
                                           p->text[at + i]);
        }
        return 0;
}

static int check_letters(Parser *p, size_t at, size_t n) {
        for (size_t i = 1; i < n; i++) {
                char c = p->text[at + i];

                if (c != 'p' && memchr(p->text + at, c, i))
                        return parser_fail(p, at + i, -EINVAL, "The modifier \"%c\" occurs twice", c);
        }
        return 0;
}

int parse_modifiers(Parser *p, size_t first, bool group) {
        size_t at, n;
        int r;

        (void) parser_accept(p, ':');
        if (strchr(",}/ \t\n", parser_peek(p))) /* also finds the end of the string */
                return 0;
        at = p->at;
        n = strcspn(p->text + at, ",{}/: \t\n");
        p->at += n;
        if (n == 0)
                return parser_fail(p, at, -EINVAL, "\"%c\" is not expected here", p->text[at]);
        r = n > 64 ? parser_fail(p, at, -EINVAL, "There are too many modifiers") : check_letters(p, at, n);
        for (size_t i = first; i < p->list->n_specs && r >= 0; i++)
                r = apply_letters(p, &p->list->specs[i], at, n, group);
        return r;
}
