/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A refresh is shown before its samples lose weight: they do so when the next records are taken. The rows that the browser made of
 * the table have the weights of that moment, whatever becomes of those of the table. */

#include "top-parts.h"

#include <fcntl.h>
#include <inttypes.h>

#include "array.h"
#include "browser.h"
#include "fd-file.h"
#include "format-text.h"
#include "screen.h"
#include "top-annotate.h"

#define WRITTEN_MAX 1000u /* files of one name */

typedef struct TopBrowsing {
        Top *t;
        usec_t next;       /* refresh */
        bool shown;        /* the last one: what it had weighs less now */
        bool early;        /* the first one comes soon: after two rounds, since a round shows what was read before it */
        bool ended;        /* nothing comes any more */
        bool paused;
        unsigned n_tables; /* of the samples, at the last refresh */
        char name[128];
} TopBrowsing;

/* Puts what came since the last refresh. */
static void top_put_remark(const TopBrowsing *b, usec_t now, const char *why, char *remark, size_t size) {
        const TopSamples *s = &b->t->samples;
        const TopWindow *w = &s->window;
        double seconds = b->t->set ? (double) (now - b->t->shown) / USEC_PER_SEC :
                                       (double) b->t->windows.duration / NSEC_PER_SEC;
        double kernel = 100.0 * (double) w->kernel / (double) MAX_OF(w->samples, UINT64_C(1));

        if (why)
                (void) snprintf(remark, size, "%s", *why ? why : "All that was sampled has ended");
        else
                (void) snprintf(remark, size, "%.0f/s, kernel %.1f%%%s", (double) w->samples / MAX_OF(seconds, 0.001), kernel,
                                s->zero ? ", no decay" : "");
        if (s->lost > 0)
                (void) snprintf(remark + strlen(remark), size - strlen(remark), ", lost %" PRIu64 "/%" PRIu64, w->lost, s->lost);
        if (s->missed > 0)
                (void) snprintf(remark + strlen(remark), size - strlen(remark), ", missed %.1fs/%.1fs",
                                (double) w->missed / NSEC_PER_SEC, (double) s->missed / NSEC_PER_SEC);
}

static void top_set_face(const TopBrowsing *b, BrowserFace *face) {
        const TopSamples *s = &b->t->samples;
        size_t n;
        const SampleRow *rows = sample_table_rows(s->table, &n);

        face->table = s->table;
        face->names = &s->names;
        face->has_slices = s->options->session;
        face->slice = TOP_SLICE_NSEC;
        face->slice_last = b->t->windows.until;
        face->slice_first = face->slice_last;
        for (size_t i = 0; face->has_slices && i < n; i++)
                face->slice_first = MIN_OF(face->slice_first, rows[i].slice);
}

/* Takes what is due. 1: the refresh is due, too; 0. */
static int top_take(TopBrowsing *b, usec_t now, const char *why) {
        Top *t = b->t;
        int r = 0;

        if (b->shown)
                r = top_samples_next_window(&t->samples);
        b->shown = false;
        if (r >= 0 && (now >= b->next || t->source->round != USEC_INFINITY))
                r = t->source->take(t, why);
        return r < 0 ? r : why || now >= b->next || b->n_tables != t->samples.n_tables;
}

static int top_face_update(BrowserFace *face) {
        TopBrowsing *b = face->userdata;
        Top *t = b->t;
        usec_t now = now_usec(CLOCK_MONOTONIC);
        const char *why = b->ended ? NULL : t->source->ended(t);
        bool gone;
        int r = 0;

        if (face->paused != b->paused && t->set) /* while it is, nothing is sampled */
                r = event_set_enable(t->set, NULL, !face->paused);
        b->paused = face->paused;
        if (r >= 0 && !b->ended && (!face->paused || why))
                r = top_take(b, now, why);
        gone = b->n_tables != t->samples.n_tables;
        if (r > 0)
                r = gone ? 2 : 1;
        if (r > 0) {
                b->n_tables = t->samples.n_tables;
                b->shown = true;
                top_set_face(b, face);
                top_put_remark(b, now, why, face->remark, sizeof(face->remark));
                t->shown = now;
        }
        b->ended = b->ended || why;
        b->early = b->early && now < b->next;
        while (b->next <= now)
                b->next += t->o->delay;
        face->wait_usec = b->ended ? USEC_INFINITY : MIN_OF(b->early ? TOP_FIRST_USEC / 2 : t->source->round, b->next - now);
        return r;
}

static int top_face_look_up(BrowserFace *face) {
        return top_samples_name(&((TopBrowsing *) face->userdata)->t->samples);
}

/* The first name that is free, in the current folder. */
static int top_write(void *userdata, const char *text, size_t size, char **ret_name) {
        _cleanup_close_ int fd = -EEXIST;
        _cleanup_free_ char *name = NULL;
        int r;

        for (unsigned i = 0; fd == -EEXIST && i < WRITTEN_MAX; i++) {
                free(name);
                name = i > 0 ? format_text("perf-top-%u.txt", i) : strdup("perf-top.txt");
                if (!name)
                        return -ENOMEM;
                fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
                fd = fd < 0 ? -errno : fd;
        }
        if (fd < 0)
                return fd;
        r = write_all(fd, text, size);
        if (r < 0)
                (void) unlink(name);
        else
                *ret_name = steal_ptr(name);
        return r;
}

static const char *top_press_zero(void *userdata, bool *ret_changed) {
        TopSamples *s = &((TopBrowsing *) userdata)->t->samples;

        s->zero = !s->zero;
        return s->zero ? "Each refresh forgets what was before" : "Samples weigh an eighth less at each refresh";
}

static const BrowserKey top_keys[] = {
        { 'z', "forget at each refresh what was before, or have it weigh less", top_press_zero },
};

static int top_run_annotate(void *userdata, const BrowserSubject *subject, BrowserText *ret) {
        TopSamples *s = &((TopBrowsing *) userdata)->t->samples;
        int r = top_samples_name(s);

        return r < 0 ? r : top_annotate(s, subject, ret);
}

static const BrowserCommand top_commands[] = {
        { 'a', "Annotate", "the code of the row's function, with the samples that hit it", .of_row = true, .of_function = true,
          .run = top_run_annotate },
};

static void top_choose(const Top *t, BrowserFace *face) {
        const TopOptions *o = t->o;
        BrowseChoice *c = &face->choice;

        for (size_t i = 0; i < o->keys.n && i < BROWSE_KEYS_MAX; i++)
                c->keys[c->n_keys++] = (ReportField) (REPORT_FIELD_KEYS + o->keys.all[i]->key);
        c->children = o->call_graph && !o->no_children;
        c->caller = c->children;
        c->hide_kernel = o->hide_kernel;
        c->hide_user = o->hide_user;
        c->least = o->look.percent_limit;
        c->least_call = 0.5;
        c->relative = o->only.relative;
        c->samples = o->look.samples;
        c->period = o->look.period;
        face->span = o->session && o->last != UINT64_MAX ? o->last : 0;
        face->has_units = face->has_cpus = true;
}

int top_browse(Top *t) {
        TopBrowsing b = { .t = t, .next = now_usec(CLOCK_MONOTONIC) };
        BrowserFace face = {
                .userdata = &b, .write = top_write, .update = top_face_update, .look_up = top_face_look_up, .keys = top_keys,
                .n_keys = t->o->session ? 0 : ELEMENTSOF(top_keys),
                .commands = top_commands, .n_commands = ELEMENTSOF(top_commands),
                .wait_usec = TOP_FIRST_USEC / 2,
        };
        int r;

        t->shown = b.next;
        b.early = t->set;
        if (t->set)
                b.next += MIN_OF(t->o->delay, (uint64_t) TOP_FIRST_USEC);
        (void) snprintf(b.name, sizeof(b.name), "top%s%s", t->o->session ? " " : "", t->o->session ?: "");
        face.name = b.name;
        b.n_tables = t->samples.n_tables;
        top_set_face(&b, &face);
        top_choose(t, &face);
        r = browser_run(&face);
        browse_choice_done(&face.choice);
        (void) screen_raise_signal();
        return MIN_OF(r, 0);
}
