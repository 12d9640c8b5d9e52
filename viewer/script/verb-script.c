/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Prints the samples of recordings, and other records, in the order of time: each recording has a moment that comes next, and the
 * oldest of these is printed. What the output can't show (damage, losses) is said on standard error. */

#include "verb-script.h"

#include "progress.h"
#include "raw-dump.h"
#include "recording-lendings.h"
#include "report-header.h"
#include "scripted.h"

#define STATUS_FAILED 1

static int script_fail(const RecordingInput *in, const char *what, int r) {
        (void) recording_input_fail(in, what, r);
        return STATUS_FAILED;
}

typedef struct ScriptedAll {
        ScriptContext context;
        RecordingInputs inputs;
        Scripted *scripted; /* as many */
} ScriptedAll;

static void scripted_all_done(ScriptedAll *all) {
        for (size_t i = 0; all->scripted && i < all->inputs.n; i++)
                scripted_done(all->scripted + i);
        free(all->scripted);
        recording_inputs_done(&all->inputs);
        text_buffer_done(&all->context.out);
}

/* Headers, and records as they are, come recording by recording. */
static int show_whole(const ScriptOptions *o, const RecordingInputs *inputs) {
        int status = EXIT_SUCCESS, r = 0;

        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;

                if (o->header)
                        r = report_header_print(in->reader, in->changed, o->header_full, stdout);
                if (r < 0)
                        return script_fail(in, "read", r);
                if (o->header_only)
                        status |= fflush(stdout) != 0 || ferror(stdout) ? script_fail(in, "show", -EIO) : EXIT_SUCCESS;
                else if (o->dump)
                        status |= raw_dump_print(in);
        }
        return status;
}

/* An error is printed. */
static bool script_has_event(const RecordingInput *in, const char *name) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);

        if (!name || ANY_OF(n, i, streq_ptr(events[i].name, name)))
                return true;
        (void) fprintf(stderr, "%s has no event '%s' to switch at\n", in->name, name);
        return false;
}

/* Errors are printed. */
static int script_prepare(ScriptedAll *all, size_t number) {
        const ScriptOptions *o = all->context.options;
        Scripted *s = all->scripted + number;
        const PerfDataEvent *events;
        size_t n;
        int r;

        s->in = all->inputs.inputs + number;
        s->fields = o->fields;
        n = perf_data_reader_events(s->in->reader, &events);
        if (!script_has_event(s->in, o->on) || !script_has_event(s->in, o->off))
                return -EINVAL;
        script_together_add(&all->context.together, s->in->reader);
        r = script_fields_check(&s->fields, events, n, o->style.chains);
        if (r >= 0)
                r = selection_options_find(&o->select, s->in, &s->spans, &s->selection);
        if (r < 0)
                return r;
        r = recording_inputs_leave_out_common(&all->inputs, number, &s->spans, &s->selection.n_spans);
        s->selection.spans = s->spans;
        if (r >= 0)
                recording_lendings_select(all->inputs.inputs + number, s->spans, s->selection.n_spans);
        return r < 0 ? recording_input_fail(s->in, "read", r) : 0;
}

/* Returns the recording whose next moment is the oldest, of equal ones the first; NULL: there is none. */
static Scripted *find_oldest(const ScriptedAll *all) {
        Scripted *oldest = NULL;

        for (size_t i = 0; i < all->inputs.n; i++) {
                Scripted *s = all->scripted + i;

                if (s->read == 1 && (!oldest || s->moment.time < oldest->moment.time))
                        oldest = s;
        }
        return oldest;
}

/* Ends all if the output cannot take more. */
static int show_all(ScriptedAll *all) {
        ScriptContext *c = &all->context;
        int status = EXIT_SUCCESS;
        Scripted *s;

        for (size_t i = 0; i < all->inputs.n && !c->broken; i++) {
                s = all->scripted + i;
                if (scripted_begin(s, c) < 0)
                        status = STATUS_FAILED;
                else if (s->read != 1)
                        status |= scripted_end(s, c);
        }
        while (!c->broken && (s = find_oldest(all))) {
                scripted_show(s, c);
                if (s->read == 1)
                        continue;
                status |= scripted_end(s, c);
                scripted_done(s);
        }
        return status;
}

static int script(ScriptedAll *all) {
        const ScriptOptions *o = all->context.options;
        int status = show_whole(o, &all->inputs);

        if (o->header_only || o->dump || status != EXIT_SUCCESS)
                return status;
        all->scripted = calloc(all->inputs.n + 1, sizeof(*all->scripted));
        if (!all->scripted)
                return script_fail(all->inputs.inputs, "read", -ENOMEM);
        for (size_t i = 0; i < all->inputs.n; i++) {
                if (script_prepare(all, i) < 0)
                        return STATUS_FAILED;
                if (scripted_shows_sources(o, &all->scripted[i].fields))
                        progress_catch_interrupt();
        }
        status = show_all(all);
        if (!progress_was_interrupted())
                return status;
        (void) fprintf(stderr, "Interrupted: lines of the source that were not looked up are missing\n");
        return STATUS_FAILED;
}

int verb_script(int argc, char **argv) {
        _cleanup_(script_options_done) ScriptOptions o = {};
        _cleanup_(scripted_all_done) ScriptedAll all = { .context = { .options = &o, .out = { .file = stdout } } };
        int r = script_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? STATUS_FAILED : EXIT_SUCCESS;
        return name_options_begin(&o.names) < 0 || recording_inputs_open(&all.inputs, &o.inputs) < 0 ? STATUS_FAILED :
               script(&all);
}
