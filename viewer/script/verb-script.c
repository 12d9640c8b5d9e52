/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Walks over the samples of recordings in the order of time, and prints each. What the output can't show (damage,
 * losses) is said on standard error. */

#include "verb-script.h"

#include "progress.h"
#include "raw-dump.h"
#include "recording-damage.h"
#include "recording-lendings.h"
#include "recording-turns.h"
#include "report-header.h"
#include "script-json.h"
#include "script-options.h"
#include "unwind-files.h"
#include "unwound-remark.h"

#define STATUS_FAILED 1

static int fail(const RecordingInput *in, const char *what, int r) {
        (void) recording_input_fail(in, what, r);
        return STATUS_FAILED;
}

static int flush_output(void) {
        return fflush(stdout) != 0 || ferror(stdout) ? -EIO : 0;
}

/* One recording of those that are printed. */
typedef struct Scripted {
        const RecordingInput *in;
        SampleSpan *spans;
        SampleSelection selection;
        ScriptFields fields; /* those that its events have */
} Scripted;

typedef struct ScriptedAll {
        const ScriptOptions *options;
        RecordingInputs inputs;
        Scripted *scripted; /* as many */
        ScriptTogether together;
        TextBuffer out;
} ScriptedAll;

static void scripted_all_done(ScriptedAll *all) {
        for (size_t i = 0; all->scripted && i < all->inputs.n; i++)
                free(all->scripted[i].spans);
        free(all->scripted);
        recording_inputs_done(&all->inputs);
        text_buffer_done(&all->out);
}

typedef struct Printing {
        const ScriptOptions *options;
        ScriptSource *source;
        ScriptLines *lines; /* NULL: JSON */
        TextBuffer *out;
        RecordingTurns *turns;
        size_t number;      /* of the recording */
        bool off;           /* no sample is shown until one of an event comes */
} Printing;

/* Takes a sample of an event that begins or ends what is shown. Returns whether the sample is shown. */
static bool switch_by(Printing *p, const PerfDataEvent *e) {
        const ScriptOptions *o = p->options;

        if (p->off) {
                if (!o->on || !streq_ptr(e->name, o->on))
                        return false;
                p->off = false;
                return o->show_on_off;
        }
        if (!o->off || !streq_ptr(e->name, o->off))
                return true;
        p->off = true;
        return o->show_on_off;
}

static bool is_listed(char *const *list, const char *word) {
        for (; list && word && *list; list++)
                if (streq(*list, word))
                        return true;
        return false;
}

/* True if the sample is in one of the binaries and functions that are wanted. */
static int is_wanted(const SelectionOptions *o, const ScriptSource *source, const WalkedSample *s) {
        NamedPlace named;
        uint32_t place;
        int r;

        if (!o->dsos && !o->symbols)
                return 1;
        r = frame_texts_find(source->frames, s, s->misc & PERF_RECORD_MISC_CPUMODE_MASK, s->sample->ip, &place);
        if (r >= 0)
                r = place_lookup_name(sample_walk_names(source->walk), place, &named);
        if (r < 0)
                return r;
        if (o->dsos && (named.place->dso == DSO_NONE || (!is_listed(o->dsos, named.dso) && !is_listed(o->dsos, named.path))))
                return 0;
        return !o->symbols || is_listed(o->symbols, named.symbol->name);
}

static int take_sample(void *userdata, const WalkedSample *s) {
        Printing *p = userdata;
        int r = !switch_by(p, s->event) ? 0 : is_wanted(&p->options->select, p->source, s);

        if (r > 0)
                r = recording_turns_wait(p->turns, p->number, s->sample->time);
        else
                return r;
        if (r < 0)
                return r;
        return p->lines ? script_lines_sample(p->lines, s) : script_json_sample(p->source, p->options->style.chains, s, p->out);
}

static int take_record(void *userdata, const WalkedRecord *r) {
        const Printing *p = userdata;
        int q = script_records_want(p->options->records, r) ? recording_turns_wait(p->turns, p->number, r->time) : 0;

        return q < 0 ? q : script_records_put(p->options->records, p->lines, p->source->walk, r, p->out);
}

static int take_round(void *userdata) {
        const Printing *p = userdata;

        script_records_put_round(p->out);
        return p->out->error;
}

static void remark_chains(const RecordingInput *in, const SampleWalk *walk) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);

        for (size_t i = 0; i < n; i++)
                unwound_remark(in->name, events[i].name ?: "an event without a name", sample_walk_unwound(walk, i));
}

/* Ends all if the output cannot take more. */
static int script_samples(ScriptedAll *all, size_t number, RecordingTurns *turns, SampleWalk *walk, const SymbolSources *files,
                          const FrameSources *sources) {
        _cleanup_script_lines_free_ ScriptLines *lines = NULL;
        _cleanup_(script_source_done) ScriptSource source = {};
        const Scripted *s = all->scripted + number;
        const ScriptOptions *o = all->options;
        Printing printing = {
                .options = o, .source = &source, .out = &all->out, .turns = turns, .number = number, .off = o->on != NULL,
        };
        const SampleWalkUser user = {
                .sample = take_sample, .record = o->records != 0 ? take_record : NULL,
                .round = o->records & SCRIPT_RECORDS_ROUNDS ? take_round : NULL, .userdata = &printing,
        };
        int r = script_source_init(&source, walk, s->in->reader, &s->fields, o->style.max_stack, o->json), read;

        if (r == -ENODATA) {
                (void) fprintf(stderr, "%s does not say how its clock relates to the wall clock, which the field 'tod' needs\n",
                               s->in->name);
                return STATUS_FAILED;
        }
        if (r >= 0)
                r = script_source_add_instructions(&source, files);
        if (r >= 0 && !o->json)
                r = script_lines_new(&source, &o->style, &all->together, &all->out, &lines);
        if (r < 0)
                return fail(s->in, "show", r);
        progress_release_interrupt();
        printing.lines = lines;
        frame_texts_set_sources(source.frames, sources);
        frame_texts_set_stop(source.frames, o->style.stop);
        read = sample_walk_run(walk, &user);
        r = text_buffer_flush(&all->out);
        if (r >= 0)
                r = flush_output();
        if (r < 0)
                recording_turns_cancel(turns);
        if (read == -ECANCELED)
                return STATUS_FAILED;
        if (r < 0 || read == -ENOMEM)
                return fail(s->in, "show", r < 0 ? r : read);
        remark_chains(s->in, walk);
        if (sources && frame_sources_failed(sources) > 0)
                (void) fprintf(stderr, "%s: the debug information of %u files is broken, too large, or takes too long\n",
                               s->in->name, frame_sources_failed(sources));
        recording_lendings_remark(s->in);
        return recording_damage_print(sample_walk_totals(walk), s->in, read);
}

/* A walk and what it needs for call chains of copied stacks. */
typedef struct ScriptWalk {
        SampleWalk *walk;
        UnwindFiles *files;
        SymbolHelpers helpers;
        UnwindSource rules;
} ScriptWalk;

static void script_walk_done(ScriptWalk *w) {
        sample_walk_free(w->walk);
        unwind_files_free(w->files);
}

static int script_walk_init(ScriptWalk *w, const ScriptOptions *o, const RecordingInput *in, const SampleSelection *selection,
                            Symbols *symbols) {
        const SymbolSources sources = name_options_sources(in, &w->helpers);
        int r = sample_walk_new(in->reader, selection, symbols, &w->walk);

        w->helpers = name_options_helpers(&o->names, o->verbose);
        if (r >= 0)
                r = unwind_files_new(sample_walk_places(w->walk), in->reader, &sources, &w->files);
        if (r < 0)
                return r;
        w->rules = unwind_files_source(w->files);
        if (o->style.chains)
                sample_walk_unwind(w->walk, &w->rules);
        return 0;
}

static int meet_sample(void *userdata, const WalkedSample *s) {
        return frame_texts_meet(userdata, s);
}

/* Looks up lines of the source and inlined functions of all that the samples hit. A recording that cannot be read to its
 * end has those until there, and so has one whose reading is interrupted. */
static int find_sources(const ScriptOptions *o, SampleWalk *walk, bool inlined, const SymbolSources *files, Watcher watcher,
                        FrameSources **ret) {
        _cleanup_(frame_texts_freep) FrameTexts *frames = NULL;
        SampleWalkUser user = { .sample = meet_sample };
        SymbolSources watched = *files;
        int r = frame_texts_new(walk, o->style.chains ? o->style.max_stack : 0, false, &frames);

        user.userdata = frames;
        watched.watcher = watcher;
        sample_walk_set_watcher(walk, watcher);
        if (r >= 0)
                r = sample_walk_run(walk, &user);
        if (r < 0 && r != -EBADMSG && r != -EINTR)
                return r;
        return frame_sources_new(sample_walk_names(walk), &watched, inlined, o->full_source_path, ret);
}

static bool shows_sources(const ScriptOptions *o, const ScriptFields *fields) {
        return o->inlined || script_fields_have(fields, SCRIPT_SRCLINE);
}

static int script_recording(void *userdata, size_t number, RecordingTurns *turns) {
        ScriptedAll *all = userdata;
        const ScriptOptions *o = all->options;
        const Scripted *s = all->scripted + number;
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        _cleanup_(script_walk_done) ScriptWalk first = {}, walk = {};
        _cleanup_(frame_sources_freep) FrameSources *sources = NULL;
        SymbolSources files = {};
        Progress progress;
        int r = name_options_symbols(&o->names, o->verbose, s->in, &symbols);

        if (r >= 0) {
                files = symbols_sources(symbols);
                files.symbols = symbols;
        }
        if (r >= 0 && shows_sources(o, &s->fields)) {
                Watcher watcher = progress_begin(&progress, "Finding the lines of", s->in->name);

                r = script_walk_init(&first, o, s->in, &s->selection, symbols);
                if (r >= 0)
                        r = find_sources(o, first.walk, o->inlined || !o->not_inlined, &files, watcher, &sources);
                progress_end(&progress);
        }
        if (r >= 0)
                r = script_walk_init(&walk, o, s->in, &s->selection, symbols);
        return r < 0 ? fail(s->in, "read", r) : script_samples(all, number, turns, walk.walk, &files, sources);
}

/* Headers, and records as they are, come recording by recording. */
static int show_whole(const ScriptOptions *o, const RecordingInputs *inputs) {
        int status = EXIT_SUCCESS, r = 0;

        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;

                if (o->header)
                        r = report_header_print(in->reader, in->changed, o->header_full, stdout);
                if (r < 0)
                        return fail(in, "read", r);
                if (o->header_only)
                        status |= flush_output() < 0 ? fail(in, "show", -EIO) : EXIT_SUCCESS;
                else if (o->dump)
                        status |= raw_dump_print(in);
        }
        return status;
}

/* An error is printed. */
static bool has_event(const RecordingInput *in, const char *name) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(in->reader, &events);

        if (!name || ANY_OF(n, i, streq_ptr(events[i].name, name)))
                return true;
        (void) fprintf(stderr, "%s has no event '%s' to switch at\n", in->name, name);
        return false;
}

/* Errors are printed. */
static int prepare(ScriptedAll *all, size_t number) {
        const ScriptOptions *o = all->options;
        Scripted *s = all->scripted + number;
        const PerfDataEvent *events;
        size_t n;
        int r;

        s->in = all->inputs.inputs + number;
        s->fields = o->fields;
        n = perf_data_reader_events(s->in->reader, &events);
        if (!has_event(s->in, o->on) || !has_event(s->in, o->off))
                return -EINVAL;
        script_together_add(&all->together, s->in->reader);
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

static int script(ScriptedAll *all) {
        const ScriptOptions *o = all->options;
        int status = show_whole(o, &all->inputs), r;

        if (o->header_only || o->dump || status != EXIT_SUCCESS)
                return status;
        all->scripted = calloc(all->inputs.n + 1, sizeof(*all->scripted));
        if (!all->scripted)
                return fail(all->inputs.inputs, "read", -ENOMEM);
        for (size_t i = 0; i < all->inputs.n; i++) {
                if (prepare(all, i) < 0)
                        return STATUS_FAILED;
                if (shows_sources(o, &all->scripted[i].fields))
                        progress_catch_interrupt();
        }
        r = recording_turns_run(all->inputs.n, script_recording, all);
        if (r < 0)
                return fail(all->inputs.inputs, "read", r);
        if (!progress_was_interrupted())
                return r;
        (void) fprintf(stderr, "Interrupted: lines of the source that were not looked up are missing\n");
        return STATUS_FAILED;
}

int verb_script(int argc, char **argv) {
        _cleanup_(script_options_done) ScriptOptions o = {};
        _cleanup_(scripted_all_done) ScriptedAll all = { .options = &o, .out = { .file = stdout } };
        int r = script_options_parse(&o, argc, argv);

        if (r != 0)
                return r < 0 ? STATUS_FAILED : EXIT_SUCCESS;
        return name_options_begin(&o.names) < 0 || recording_inputs_open(&all.inputs, &o.inputs) < 0 ? STATUS_FAILED :
               script(&all);
}
