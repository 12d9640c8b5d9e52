/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The moments of a recording that are lines, in the order of time. Lines of the source are looked up for all places that will be
 * shown before the first one is: a pass over the recording collects these. */

#include "scripted.h"

#include "progress.h"
#include "recording-damage.h"
#include "recording-lendings.h"
#include "script-json.h"
#include "strv.h"
#include "unwound-remark.h"

#define STATUS_FAILED 1

void scripted_done(Scripted *s) {
        s->lines = script_lines_free(s->lines);
        script_source_done(&s->source);
        s->sources = frame_sources_free(s->sources);
        s->replay = replay_free(s->replay);
        s->symbols = symbols_free(s->symbols);
        free(s->spans);
        s->spans = NULL;
        s->read = 0;
}

bool scripted_shows_sources(const ScriptOptions *o, const ScriptFields *fields) {
        return o->inlined || script_fields_have(fields, SCRIPT_SRCLINE);
}

static int scripted_open(Scripted *s, const ScriptOptions *o) {
        ReplayOptions options = { .selection = &s->selection, .named = true };
        int r = name_options_symbols(&o->names, o->verbose, s->in, &s->symbols);

        if (r < 0)
                return r;
        s->files = symbols_sources(s->symbols);
        s->files.symbols = s->symbols;
        s->helpers = name_options_helpers(&o->names, o->verbose);
        s->stacks = name_options_sources(s->in, &s->helpers);
        options.symbols = s->symbols;
        options.stacks = o->style.chains ? &s->stacks : NULL;
        s->off = o->on != NULL;
        return replay_new(s->in->reader, &options, &s->replay);
}

/* Finds the places of all that the samples hit. A recording that cannot be read to its end has those until there, and so has one
 * whose reading is interrupted. */
static int scripted_meet(Scripted *s, const ScriptOptions *o) {
        const FramePlan plan = { .max_stack = o->style.chains ? o->style.max_stack : 0 };
        _cleanup_(frame_texts_freep) FrameTexts *frames = NULL;
        Moment m;
        int r = frame_texts_new(s->replay, &plan, &frames);

        if (r < 0)
                return r;
        while ((r = replay_next(s->replay, &m)) == 1) {
                r = moment_is_sample(&m) ? frame_texts_meet(frames, &m) : 0;
                if (r < 0)
                        return r;
        }
        return r == -EBADMSG || r == -EINTR ? 0 : r;
}

static int scripted_find_sources(Scripted *s, const ScriptOptions *o) {
        SymbolSources watched = s->files;
        Progress progress;
        int r;

        watched.watcher = progress_begin(&progress, "Finding the lines of", s->in->name);
        replay_rewind(s->replay, watched.watcher);
        r = scripted_meet(s, o);
        if (r >= 0)
                r = frame_sources_new(replay_names(s->replay), &watched, o->inlined || !o->not_inlined, o->full_source_path,
                                      &s->sources);
        progress_end(&progress);
        replay_rewind(s->replay, (Watcher) {});
        return r;
}

static int scripted_open_texts(Scripted *s, ScriptContext *c) {
        const ScriptOptions *o = c->options;
        const FramePlan plan = {
                .max_stack = o->style.max_stack, .json = o->json, .sources = s->sources, .stop = o->style.stop,
        };
        int r = script_source_init(&s->source, s->replay, s->in->reader, &s->fields, &plan, &s->files);

        return r >= 0 && !o->json ? script_lines_new(&s->source, &o->style, &c->together, &c->out, &s->lines) : r;
}

/* Takes a sample of an event that begins or ends what is shown. Returns whether the sample is shown. */
static bool scripted_switch(Scripted *s, const ScriptOptions *o) {
        const char *name = s->moment.event->name;

        if (s->off) {
                if (!o->on || !streq_ptr(name, o->on))
                        return false;
                s->off = false;
                return o->show_on_off;
        }
        if (!o->off || !streq_ptr(name, o->off))
                return true;
        s->off = true;
        return o->show_on_off;
}

/* Returns 1 if the sample is in one of the binaries and functions that are wanted. */
static int scripted_is_there(const Scripted *s, const SelectionOptions *o) {
        const Moment *m = &s->moment;
        NamedPlace named;
        uint32_t place;
        int r;

        if (!o->dsos && !o->symbols)
                return 1;
        r = frame_texts_find(s->source.frames, m, moment_mode(m), m->sample->ip, &place);
        if (r >= 0)
                r = place_lookup_name(replay_names(s->replay), place, &named);
        if (r < 0)
                return r;
        if (o->dsos && (named.place->dso == DSO_NONE || !(strv_contains(o->dsos, named.dso) || strv_contains(o->dsos, named.path))))
                return 0;
        return !o->symbols || (named.symbol->name && strv_contains(o->symbols, named.symbol->name));
}

/* Goes to the next moment that is shown. */
static void scripted_next(Scripted *s, const ScriptOptions *o) {
        int r = 0;

        while (r == 0 && (s->read = replay_next(s->replay, &s->moment)) == 1) {
                if (!moment_is_sample(&s->moment))
                        r = script_records_want(o->records, &s->moment);
                else
                        r = scripted_switch(s, o) ? scripted_is_there(s, &o->select) : 0;
        }
        if (r < 0)
                s->read = r;
}

int scripted_begin(Scripted *s, ScriptContext *c) {
        int r = scripted_open(s, c->options);

        if (r >= 0 && scripted_shows_sources(c->options, &s->fields))
                r = scripted_find_sources(s, c->options);
        if (r < 0)
                return recording_input_fail(s->in, "read", r);
        r = scripted_open_texts(s, c);
        if (r == -ENODATA)
                (void) fprintf(stderr, "%s does not say how its clock relates to the wall clock, which the field 'tod' needs\n",
                               s->in->name);
        if (r < 0)
                return r == -ENODATA ? r : recording_input_fail(s->in, "show", r);
        progress_release_interrupt();
        scripted_next(s, c->options);
        return 0;
}

void scripted_show(Scripted *s, ScriptContext *c) {
        const Moment *m = &s->moment;
        int r;

        if (!moment_is_sample(m))
                r = script_records_put(s->lines, s->replay, m, &c->out);
        else if (s->lines)
                r = script_lines_sample(s->lines, m);
        else
                r = script_json_sample(&s->source, c->options->style.chains, m, &c->out);
        if (r >= 0)
                scripted_next(s, c->options);
        else
                s->read = r;
}

int scripted_end(Scripted *s, ScriptContext *c) {
        const PerfDataEvent *events;
        size_t n;
        int r = text_buffer_flush(&c->out);

        if (r >= 0 && (fflush(stdout) != 0 || ferror(stdout)))
                r = -EIO;
        c->broken = r < 0;
        if (r < 0 || s->read == -ENOMEM) {
                (void) recording_input_fail(s->in, "show", r < 0 ? r : s->read);
                return STATUS_FAILED;
        }
        n = perf_data_reader_events(s->in->reader, &events);
        for (size_t i = 0; i < n; i++)
                unwound_remark(s->in->name, events[i].name ?: "an event without a name", replay_unwound(s->replay, i));
        if (s->sources && frame_sources_failed(s->sources) > 0)
                (void) fprintf(stderr, "%s: the debug information of %u files is broken, too large, or takes too long\n",
                               s->in->name, frame_sources_failed(s->sources));
        recording_lendings_remark(s->in);
        return recording_damage_print(replay_totals(s->replay), s->in, s->read);
}
