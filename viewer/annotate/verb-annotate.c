/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Counts as a report does, then shows the functions of each event, as text or as JSON. What has no code at hand is said on standard
 * error, once a binary. */

#include "verb-annotate.h"

#include <inttypes.h>

#include "annotate-json.h"
#include "annotate-print.h"
#include "counted-json.h"
#include "counted-samples.h"
#include "raw-dump.h"
#include "recording-damage.h"
#include "report-stats.h"
#include "strv.h"
#include "utf8.h"

#define STATUS_FAILED 1
#define NAME_MAX_BYTES ((size_t) 8192)

typedef struct Annotating {
        const AnnotateOptions *options;
        CountedSamples *counted;
        SourceFiles sources;
        TextBuffer out;     /* of JSON */
        JsonWriter json;
        bool *without_code; /* for each binary: that was said */
        size_t shown;
        unsigned failed;    /* files whose debug information is broken */
} Annotating;

static int annotate_fail(const RecordingInput *in, const char *what, int r) {
        (void) recording_input_fail(in, what, r);
        return STATUS_FAILED;
}

static const DsoHit *dso_of(const Annotating *a, const FunctionHit *function) {
        return sample_table_places(a->counted->table)->dsos->dsos + function->dso;
}

static const NamedSymbol *symbol_of(const Annotating *a, const FunctionHit *function) {
        return a->counted->names.symbols + function->symbol;
}

static const char *dso_name_of(const Annotating *a, const FunctionHit *function) {
        const PlaceNames *names = &a->counted->names;

        return place_names_text(names, names->dso_name_of[function->dso]);
}

static const char *why_without_code(const DsoHit *dso, int r) {
        if (streq(dso->path, "[kernel.kallsyms]"))
                return "the kernel's code is not at hand (see --vmlinux)";
        if (dso->cpumode == PERF_RECORD_MISC_KERNEL && *dso->path == '[')
                return r == -ESTALE ? "the module's file here is another one than was recorded" : "the module's file is not here";
        if (symbols_are_generated(dso->path) || *dso->path != '/')
                return "its code was in memory only";
        switch (r) {
        case -ENOENT:
                return "the file is not here";
        case -ESTALE:
                return "the file here is another one than was recorded";
        case -EOPNOTSUPP:
                return "its processor is not known";
        default:
                return strerror(-r);
        }
}

static void remark_without_code(Annotating *a, const FunctionHit *function, int r) {
        const char *name = dso_name_of(a, function);

        if (r == -EFBIG || r == -ENODATA)
                (void) fprintf(stderr, "%s of %s cannot be shown: %s\n", symbol_of(a, function)->name, name,
                               r == -EFBIG ? "it is too large" : "the file does not have it");
        else if (!a->without_code[function->dso])
                (void) fprintf(stderr, "Functions of %s cannot be shown: %s\n", name, why_without_code(dso_of(a, function), r));
        a->without_code[function->dso] |= r != -EFBIG && r != -ENODATA;
}

/* The first of several recordings that has the event counts. */
static uint64_t frequency_of(const RecordingInputs *inputs, const char *event) {
        for (size_t k = 0; k < inputs->n; k++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[k].reader, &events);

                for (size_t i = 0; i < n; i++)
                        if (events[i].name && streq(events[i].name, event) && events[i].attr.freq)
                                return events[i].attr.sample_freq;
        }
        return 0;
}

/* Returns whether a file may have the code; programs of BPF are in the kernel's memory only. */
static bool has_code(const DsoHit *dso) {
        if (dso->cpumode == PERF_RECORD_MISC_KERNEL)
                return *dso->path == '/' || *dso->path == '[';
        return *dso->path == '/' && !symbols_are_generated(dso->path);
}

/* Finds a function's code, with its lines; what it lacks is said. Returns 1; 0: it cannot be shown; -ENOMEM. */
static int load_code(Annotating *a, const FunctionHits *hits, const FunctionHit *function, FunctionCode *code) {
        CountedSamples *c = a->counted;
        Symbols *symbols = c->each[process_view_recording_of(sample_table_view(c->table), function->dso)].symbols;
        const AnnotateOptions *o = a->options;
        const FunctionCodeStyle style = { .syntax = o->syntax, .lines = !o->no_source || o->print_lines || o->json };
        int r = -ENOENT;

        if (has_code(dso_of(a, function))) {
                (void) progress_begin(&c->progress, "Finding the code of", symbol_of(a, function)->name);
                r = function_code_load(code, symbols, dso_of(a, function), symbol_of(a, function), hits, function, &style);
                progress_end(&c->progress);
        }
        a->failed += code->source.failed;
        if (r < 0 && r != -ENOMEM && !o->quiet)
                remark_without_code(a, function, r);
        return r >= 0 ? 1 : r == -ENOMEM ? r : 0;
}

static int show_function(Annotating *a, const SampleEvent *e, const FunctionHits *hits, const FunctionHit *function) {
        CountedSamples *c = a->counted;
        _cleanup_(function_code_done) FunctionCode code = { .file = DEBUG_FILE_EMPTY };
        _cleanup_free_ char *path = utf8_line(dso_of(a, function)->path, SIZE_MAX, NAME_MAX_BYTES);
        const AnnotatePrint print = {
                .options = a->options, .code = &code, .function = function, .symbol = symbol_of(a, function),
                .dso = dso_of(a, function), .path = path, .sources = &a->sources, .event = e->name,
                .symbols = c->each[process_view_recording_of(sample_table_view(c->table), function->dso)].symbols,
                .frequency = frequency_of(&c->inputs, e->name), .f = stdout,
                .samples = a->options->symbol ? function->samples : hits->samples,
                .period = a->options->symbol ? function->period : hits->period,
                .event_samples = hits->samples, .event_period = hits->period,
        };
        int r = path ? load_code(a, hits, function, &code) : -ENOMEM;

        if (r <= 0)
                return r;
        if (a->options->json) {
                a->shown++;
                return annotate_json_function(&a->json, &print);
        }
        if (a->shown++ > 0)
                (void) fputc('\n', stdout);
        return annotate_print(&print);
}

static bool annotate_is_wanted(const Annotating *a, const FunctionHits *hits, const FunctionHit *function) {
        const SelectionOptions *select = &a->options->select;

        if (select->dsos && !strv_contains(select->dsos, dso_name_of(a, function)) &&
            !strv_contains(select->dsos, dso_of(a, function)->path))
                return false;
        if (a->options->symbol && !streq(a->options->symbol, symbol_of(a, function)->name))
                return false;
        return hits->period == 0 || 100.0 * (double) function->period / (double) hits->period >= a->options->percent_limit;
}

static int show_event(Annotating *a, uint32_t number, const SampleEvent *e) {
        _cleanup_(function_hits_done) FunctionHits hits = {};
        int r = function_hits_find(&hits, a->counted->table, &a->counted->names, number);

        if (r >= 0 && a->options->json)
                counted_json_begin_event(&a->json, e->name, hits.samples, hits.period, "functions");
        for (size_t i = 0; r >= 0 && i < hits.n && !progress_is_interrupted(); i++)
                if (annotate_is_wanted(a, &hits, hits.functions + i))
                        r = show_function(a, e, &hits, hits.functions + i);
        if (a->options->json)
                counted_json_end_event(&a->json);
        return r;
}

/* An interrupt that came before ends the counting and the naming, and what there is of them is shown. */
static int show_events(Annotating *a) {
        CountedSamples *c = a->counted;
        size_t n;
        const SampleEvent *events = sample_table_events(c->table, &n);
        int r = 0;

        progress_settle_interrupt();
        a->without_code = calloc(sample_table_places(c->table)->dsos->n + 1, sizeof(*a->without_code));
        if (!a->without_code)
                return -ENOMEM;
        a->json.out = &a->out;
        if (a->options->json)
                counted_json_begin(&a->json, sample_table_totals(c->table), &c->lent);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (events[i].samples > 0)
                        r = show_event(a, (uint32_t) i, events + i);
        if (r >= 0 && a->options->json) {
                counted_json_end(&a->json);
                r = text_buffer_flush(&a->out);
        }
        if (r < 0)
                return r;
        return fflush(stdout) != 0 || ferror(stdout) ? -EIO : 0;
}

static void annotating_done(Annotating *a) {
        source_files_done(&a->sources);
        text_buffer_done(&a->out);
        free(a->without_code);
}

static void remark(const Annotating *a) {
        const char *title = counted_samples_title(a->counted);

        if (a->shown == 0)
                (void) fprintf(stderr, a->options->symbol ? "%s: no sample hit code of '%s' that can be shown\n" :
                               "%s: no sample hit code that can be shown\n", title, a->options->symbol);
        if (a->failed > 0)
                (void) fprintf(stderr, "%s: debug information of %u functions is broken, too large, or takes too long\n", title,
                               a->failed);
}

static int annotate(const AnnotateOptions *o, CountedSamples *c) {
        const CountingPlan plan = {
                .select = &o->select, .names = &o->names, .dimensions = SAMPLE_WITHOUT_CHAIN, .verbose = o->verbose,
        };
        _cleanup_(annotating_done) Annotating a = {
                .options = o, .counted = c, .out = { .file = stdout }, .sources.trusted = o->prefix != NULL,
        };
        int r = counted_samples_count(c, &plan);

        progress_settle_interrupt();
        if (r < 0 || counted_samples_name(c) < 0)
                return STATUS_FAILED;
        r = show_events(&a);
        if (r < 0)
                return annotate_fail(c->inputs.inputs, "annotate", r);
        remark(&a);
        return counted_samples_remark(c, COUNTED_ALL);
}

/* In perf, numbers of records follow them. */
static int dump(const RecordingInput *in) {
        int status = raw_dump_print(in), read = report_stats_print(in->reader, stdout);

        if (read == -ENOMEM || fflush(stdout) != 0 || ferror(stdout))
                return annotate_fail(in, "dump", read == -ENOMEM ? read : -EIO);
        return status != EXIT_SUCCESS ? status : recording_damage_print(&(SampleTotals) {}, in, read);
}

int verb_annotate(int argc, char **argv) {
        _cleanup_(annotate_options_done) AnnotateOptions o = {};
        _cleanup_(counted_samples_done) CountedSamples all = {};
        int r = annotate_options_parse(&o, argc, argv), status = EXIT_SUCCESS;

        if (r != 0)
                return r < 0 ? STATUS_FAILED : EXIT_SUCCESS;
        if (!o.dump)
                progress_catch_interrupt();
        if (name_options_begin(&o.names) < 0 || counted_samples_open(&all, &o.inputs) < 0)
                return STATUS_FAILED;
        for (size_t i = 0; o.dump && i < all.inputs.n; i++)
                status |= dump(all.inputs.inputs + i);
        return o.dump ? status : annotate(&o, &all);
}
