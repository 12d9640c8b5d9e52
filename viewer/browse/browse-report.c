/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples are counted by all that a browser may group them by, and zoom into. What another verb shows is that verb's output, for
 * the same recordings and selection; since it reads them again, it is shown as it comes. */

#include "browse-report.h"

#include "array.h"
#include "browse-words.h"
#include "browser.h"
#include "captured-verb.h"
#include "page-writer.h"
#include "parse-time.h"
#include "report-steps.h"
#include "sample-times.h"
#include "screen.h"
#include "strv.h"
#include "verb-annotate.h"
#include "verb-flamegraph.h"
#include "verb-header.h"
#include "verb-script.h"

#define SLICES 200u               /* of a recording, about */
#define SLICE_MIN NSEC_PER_MSEC

typedef struct BrowsedReport {
        CountedSamples *counted;
        char *const *taken; /* see browse-words.h */
        const ForkedProcess *pages;
} BrowsedReport;

/* The output of a verb as a text of the browser. */
typedef struct VerbText {
        CapturedVerb verb;
        const ForkedProcess *pages; /* the output goes to a file instead; NULL: it is shown */
        size_t taken;               /* bytes of the output */
} VerbText;

static void verb_text_done(void *state) {
        VerbText *t = state;

        captured_verb_done(&t->verb);
        free(t);
}

static int verb_text_write_page(const VerbText *t, TextBuffer *out) {
        char name[NAME_MAX + 1];
        int r;

        if (t->verb.status != 0 || t->verb.cut) {
                text_buffer_puts(out, "No picture was drawn\n");
                return 0;
        }
        r = page_writer_write(t->pages, PAGE_HTML, t->verb.text.data, t->verb.text.n, name);
        if (r >= 0)
                text_buffer_format(out, "Written to %s\n", name);
        return MIN_OF(r, 0);
}

static int verb_text_read(void *state, TextBuffer *out) {
        VerbText *t = state;
        int r = captured_verb_read(&t->verb);

        if (!t->pages)
                text_buffer_put(out, t->verb.text.data ? t->verb.text.data + t->taken : "", t->verb.text.n - t->taken);
        t->taken = t->verb.text.n;
        if (r == 0 && t->pages)
                r = verb_text_write_page(t, out);
        if (r != 0)
                return r;
        if (t->verb.cut)
                text_buffer_puts(out, "\nWhat follows is left out\n");
        text_buffer_put(out, t->verb.errors.data ?: "", t->verb.errors.n);
        return out->error;
}

/* words are the verb's name and options, without recordings. */
static int browse_run_verb(const BrowsedReport *b, int (*run)(int argc, char **argv), char ***words, bool page,
                           BrowserText *ret) {
        VerbText *t = calloc(1, sizeof(*t));
        int r = t ? captured_verb_add_inputs(&b->counted->inputs, words) : -ENOMEM;

        if (t)
                t->pages = page ? b->pages : NULL;
        if (r >= 0)
                r = captured_verb_start(&t->verb, run, *words, &b->counted->inputs);
        if (r < 0) {
                if (t)
                        verb_text_done(t);
                return r;
        }
        *ret = (BrowserText) { .fd = captured_verb_fd(&t->verb), .read = verb_text_read, .done = verb_text_done, .state = t };
        return 0;
}

static int browse_annotate(void *userdata, const BrowserSubject *subject, BrowserText *ret) {
        const BrowsedReport *b = userdata;
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "annotate");

        if (r >= 0)
                r = strv_extendf(&words, "--symbol=%s", subject->function);
        if (r >= 0)
                r = browse_words_add(&(BrowserSubject) { .choice = subject->choice }, b->taken, true, &words);
        if (r >= 0)
                r = browse_run_verb(b, verb_annotate, &words, false, ret);
        ret->hottest = r >= 0;
        return r;
}

static int browse_script(void *userdata, const BrowserSubject *subject, BrowserText *ret) {
        const BrowsedReport *b = userdata;
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "script");

        if (r >= 0)
                r = browse_words_add(subject, b->taken, true, &words);
        if (r >= 0 && subject->function)
                r = browse_words_set_name(&words, "symbols", subject->function);
        return r < 0 ? r : browse_run_verb(b, verb_script, &words, false, ret);
}

static int browse_header(void *userdata, const BrowserSubject *subject, BrowserText *ret) {
        const BrowsedReport *b = userdata;
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "header");

        return r < 0 ? r : browse_run_verb(b, verb_header, &words, false, ret);
}

static int browse_picture(void *userdata, const BrowserSubject *subject, BrowserText *ret) {
        const BrowsedReport *b = userdata;
        _cleanup_strv_free_ char **words = NULL;
        int r = strv_extend(&words, "flamegraph");

        if (r >= 0)
                r = strv_extend(&words, "--output=-");
        if (r >= 0)
                r = strv_extend(&words, "--format=html");
        if (r >= 0)
                r = browse_words_add(subject, b->taken, false, &words);
        return r < 0 ? r : browse_run_verb(b, verb_flamegraph, &words, true, ret);
}

static const BrowserCommand browse_commands[] = {
        { 'a', "Annotate", "the code of the row's function, with the samples that hit it", .of_row = true, .of_function = true,
          .run = browse_annotate },
        { 's', "Script", "the samples of the row, one by one", .of_row = true, .run = browse_script },
        { 'W', "Flame graph", "write a flame graph of the samples that are seen, as a page for a browser", .run = browse_picture },
        { 'i', "Recording", "of what machine, and how, the recording was made", .run = browse_header },
};

/* Finds the times of all samples, and returns the length of slices, which is 0 if they have no times. */
static uint64_t browse_find_times(const CountedSamples *c, BrowserFace *face) {
        uint64_t first = UINT64_MAX, last = 0;

        for (size_t i = 0; i < c->inputs.n; i++) {
                uint64_t from, to;

                if (sample_times_find(c->inputs.inputs[i].reader, &from, &to) < 0)
                        continue;
                first = MIN_OF(first, from);
                last = MAX_OF(last, to);
        }
        face->has_slices = first <= last;
        face->slice_first = first;
        face->slice_last = last;
        return face->has_slices ? MAX_OF((last - first) / SLICES, (uint64_t) SLICE_MIN) : 0;
}

static void browse_choose(const ReportOptions *o, BrowserFace *face) {
        BrowseChoice *c = &face->choice;
        size_t n_events, n_rows;
        const SampleEvent *events = sample_table_events(face->table, &n_events);
        const SampleRow *rows = sample_table_rows(face->table, &n_rows);

        for (size_t i = 0; i < o->words.keys.n && c->n_keys < BROWSE_KEYS_MAX; i++) {
                ReportField key = o->words.keys.all[i];

                if (!report_field_is_number(key) && !report_field_is_trace(key))
                        c->keys[c->n_keys++] = key;
        }
        while (c->event + 1 < n_events && events[c->event].selected == 0)
                c->event++;
        c->children = !o->counting.no_children && n_events > 0 && events[c->event].callchain;
        c->caller = o->graph.order_set ? o->graph.caller : c->children;
        c->least_call = o->graph.least;
        c->samples = o->look.samples;
        c->period = o->look.period;
        c->relative = o->look.relative;
        face->has_units = ANY_OF(n_rows, i, rows[i].cgroup > 0);
        face->has_cpus = ANY_OF(n_rows, i, rows[i].cpu != UINT32_MAX);
}

static int browse_write(void *userdata, const char *text, size_t size, char **ret_name) {
        const BrowsedReport *b = userdata;
        char name[NAME_MAX + 1];
        int r = page_writer_write(b->pages, PAGE_TEXT, text, size, name);

        if (r < 0)
                return r;
        *ret_name = strdup(name);
        return *ret_name ? 0 : -ENOMEM;
}

int browse_report(ReportOptions *o, char *const *taken, CountedSamples *c, const ForkedProcess *pages) {
        BrowsedReport b = { .counted = c, .taken = taken, .pages = pages };
        BrowserFace face = {
                .userdata = &b, .commands = browse_commands, .n_commands = ELEMENTSOF(browse_commands), .write = browse_write,
        };
        uint64_t slice = browse_find_times(c, &face);
        int r;

        if (!ANY_OF(o->words.keys.n, i, o->words.keys.all[i] == REPORT_FIELD_TIME)) /* their length is the user's */
                o->counting.slice = slice;
        if (report_steps_count(o, c, SAMPLE_BY_THREAD | SAMPLE_BY_CGROUP | SAMPLE_BY_CPU | SAMPLE_BY_TIME) < 0)
                return EXIT_FAILURE;
        face.name = counted_samples_title(c);
        face.table = c->table;
        face.names = &c->names;
        if (!counted_samples_loss(c, face.remark, sizeof(face.remark)))
                *face.remark = '\0';
        browse_choose(o, &face);
        progress_release_interrupt();
        r = browser_run(&face);
        browse_choice_done(&face.choice);
        if (r == -ENODEV)
                (void) fprintf(stderr, "Nothing is known here of the terminal '%s' (TERM): --plain prints text\n", getenv("TERM"));
        else if (r < 0)
                (void) fprintf(stderr, "Failed to browse: %s\n", strerror(-r));
        if (r > 0) {
                r = screen_raise_signal();
                if (r > 0)
                        return r;
        }
        return r < 0 ? EXIT_FAILURE : counted_samples_remark(c, 0);
}
