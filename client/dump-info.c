/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl info of one dump, as text and as JSON. Text has labels and values as coredumpctl info does, then the processes
 * and functions that were sampled, as small tables beside their labels; JSON has all of these, with keys as in the other
 * tables. A fact that neither the service nor the file has is left out. This file asks no service and opens no file. */

#include "dump-info.h"

#include <perf-recorder/dump-facts.h>

#include "age.h"
#include "demangle.h"
#include "dump-list.h"
#include "format-text.h"
#include "labelled-line.h"
#include "parse-size.h"
#include "quote.h"
#include "strv.h"
#include "terminal.h"
#include "text-width.h"

#define ROWS 10 /* rows of each table */
#define LEFT_OUT_ROWS 3u

static void dump_info_print_trigger(const json_object *dump, unsigned columns) {
        const char *trigger = json_get_string(dump, "Trigger"), *detail = json_get_string(dump, "TriggerDetail");
        uint64_t n = json_get_unsigned(dump, "Triggers");
        _cleanup_free_ char *more = NULL;

        if (!*trigger)
                return;
        if (n > 1)
                more = format_text(" (and %" PRIu64 " more)", n - 1);
        line_print(columns, "Trigger", "%s%s%s%s", trigger, *detail ? ": " : "", detail, more ?: "");
}

static void dump_info_print_time(const json_object *dump) {
        usec_t t = json_get_unsigned(dump, "Timestamp");
        char timestamp[64], age[64];

        if (t == 0)
                return;
        (void) format_timestamp(timestamp, sizeof(timestamp), t);
        line_print(0, "Time", "%s; %s", timestamp, format_age(age, sizeof(age), t));
}

/* "10:53:18.250" */
static char *dump_info_format_clock(char *buf, size_t size, usec_t t) {
        time_t second = (time_t) (t / USEC_PER_SEC);
        char clock[32] = "";
        struct tm tm;

        if (localtime_r(&second, &tm))
                (void) strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
        (void) snprintf(buf, size, "%s.%03u", clock, (unsigned) (t % USEC_PER_SEC / USEC_PER_MSEC));
        return buf;
}

/* If the dump has no times, the samples' own clock gives the span. */
static void dump_info_print_span(const json_object *dump, const RecordingCounts *s) {
        usec_t first = json_get_unsigned(dump, "FirstSampleUsec"), last = json_get_unsigned(dump, "LastSampleUsec");
        char span[64], from[48], to[48];

        if (first > 0 && last >= first)
                line_print(0, "Span", "%s, %s to %s", dump_format_span(span, sizeof(span), last - first),
                           dump_info_format_clock(from, sizeof(from), first), dump_info_format_clock(to, sizeof(to), last));
        else if (s->last > s->first)
                line_print(0, "Span", "%s", dump_format_span(span, sizeof(span), (s->last - s->first) / NSEC_PER_USEC));
}

static void dump_info_print_samples(const json_object *dump, const RecordingCounts *s) {
        uint64_t lost = dump_knows(dump, "Lost") ? json_get_unsigned(dump, "Lost") : s->lost;
        uint64_t records = dump_knows(dump, "LostRecords") ? json_get_unsigned(dump, "LostRecords") :
                           dump_knows(dump, "Lost") ? UINT64_MAX : s->lost_records;
        uint64_t throttled = dump_knows(dump, "Throttled") ? json_get_unsigned(dump, "Throttled") : s->throttled;
        uint64_t left_out = json_get_unsigned(dump, "LeftOutMappings");

        line_print_samples(0, s->samples, lost, records);
        if (throttled > 0)
                line_print(0, "Throttled", "%" PRIu64 " times", throttled);
        if (left_out > 0)
                line_print(0, "Left out", "%" PRIu64 " mappings of %" PRIu64 " processes that have more than their share", left_out,
                           json_get_unsigned(dump, "LeftOutProcesses"));
}

static const char *dump_info_feature(const PerfDataReader *reader, unsigned feature) {
        const char *s;

        return perf_data_reader_feature_string(reader, feature, &s) < 0 ? "" : s;
}

/* ret: the number of CPUs, and of those that were online. False if the file lacks it. */
static bool dump_info_count_cpus(const PerfDataReader *reader, uint32_t ret[static 2]) {
        const void *data;
        size_t size;

        if (perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) < 0 || size < 2 * sizeof(uint32_t))
                return false;
        memcpy(ret, data, 2 * sizeof(uint32_t));
        return true;
}

static void dump_info_print_machine(const PerfDataReader *reader, unsigned columns) {
        const char *model = dump_info_feature(reader, PERF_FEATURE_CPUDESC);
        uint32_t cpus[2];

        line_print_if_set(columns, "Hostname", dump_info_feature(reader, PERF_FEATURE_HOSTNAME));
        line_print(columns, "Kernel", "%s %s", dump_info_feature(reader, PERF_FEATURE_OSRELEASE),
                   dump_info_feature(reader, PERF_FEATURE_ARCH));
        if (!dump_info_count_cpus(reader, cpus))
                return;
        if (cpus[0] == cpus[1])
                line_print(columns, "CPUs", "%u%s%s", cpus[0], *model ? ", " : "", model);
        else
                line_print(columns, "CPUs", "%u of %u%s%s", cpus[1], cpus[0], *model ? ", " : "", model);
}

static void dump_info_print_command(const PerfDataReader *reader, unsigned columns) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL;

        if (perf_data_reader_command_line(reader, &words) < 0 || !words)
                return;
        line = quote_words(words);
        if (line)
                line_print_if_set(columns, "Command", line);
}

/* Prints a row of a table. Only the first row has the label. */
static void dump_info_print_row(const char *label, size_t i, uint64_t n, uint64_t all, const char *text, unsigned columns) {
        char share[32] = "";
        int used;

        if (i == 0)
                line_print_label(label);
        if (all > 0)
                (void) snprintf(share, sizeof(share), "%.1f%%", 100.0 * (double) n / (double) all);
        used = printf("%*s%8" PRIu64 " %6s ", i == 0 ? 0 : LABEL_WIDTH + 2, "", n, share);
        line_print_rest(text, columns, (size_t) MAX_OF(used, 0) + (i == 0 ? LABEL_WIDTH + 2 : 0));
}

static void dump_info_print_more(size_t n, const char *what) {
        if (n > ROWS)
                (void) printf("%*s%s%zu more %s%s\n", LABEL_WIDTH + 2, "", colour_sequence(COLOUR_GREY), n - ROWS, what,
                              colour_sequence(COLOUR_NONE));
}

static const char *dump_info_event_name(const PerfDataEvent *e) {
        return e->name && *e->name ? e->name : "?";
}

/* A dummy event exists for the side band only. */
static void dump_info_print_events(const PerfDataReader *reader, const RecordingCounts *s, unsigned columns) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events), row = 0;

        for (size_t i = 0; i < n; i++)
                if (s->of_event[i] > 0 || !startswith(dump_info_event_name(&events[i]), "dummy:"))
                        dump_info_print_row("Events", row++, s->of_event[i], s->samples, dump_info_event_name(&events[i]), columns);
}

/* "web[4711]", or as in perf ":4711" if the name is not known. */
static void dump_info_format_process(char *buf, size_t size, const ProfileProcess *p) {
        if (p->pid == PROFILE_PID_EXITED)
                (void) snprintf(buf, size, "(exited)");
        else if (*p->comm)
                (void) snprintf(buf, size, "%s[%u]", p->comm, p->pid);
        else
                (void) snprintf(buf, size, ":%u", p->pid);
}

/* One table counts samples of all events, which mean different things: then it has a heading. Returns the rows printed. */
static size_t dump_info_print_heading(const char *label, const RecordingCounts *s) {
        size_t n = 0;

        for (size_t i = 0; i < s->n_events; i++)
                n += s->of_event[i] > 0;
        if (n <= 1)
                return 0;
        line_print(0, label, "samples of %zu events together", n);
        return 1;
}

static void dump_info_print_processes(const DumpInfo *d, uint64_t all, unsigned columns) {
        size_t n, row;
        const ProfileProcess *processes = profile_processes(d->profile, &n);

        row = n > 0 ? dump_info_print_heading("Processes", d->counts) : 0;
        for (size_t i = 0; i < n && i < ROWS; i++) {
                char text[48];

                dump_info_format_process(text, sizeof(text), &processes[i]);
                dump_info_print_row("Processes", row + i, processes[i].samples, all, text, columns);
        }
        dump_info_print_more(n, "processes");
}

/* "[k] _raw_spin_lock", "[.] main (gzip)", marked as in perf report. */
static char *dump_info_format_symbol(const ProfileSymbol *s) {
        const char *slash = strrchr(s->dso, '/'), *file = slash ? slash + 1 : s->dso;
        _cleanup_free_ char *name = s->name ? demangle(s->name) : strdup("?");

        if (!name)
                return NULL;
        if (s->name && streq(s->dso, "[kernel.kallsyms]"))
                return format_text("[k] %s", name);
        return format_text("%s %s (%s)", s->kernel ? "[k]" : "[.]", name, file);
}

static void dump_info_print_symbols(const DumpInfo *d, uint64_t all, unsigned columns) {
        size_t n, row;
        const ProfileSymbol *symbols = profile_symbols(d->profile, &n);

        row = n > 0 ? dump_info_print_heading("Functions", d->counts) : 0;
        for (size_t i = 0; i < n && i < ROWS; i++) {
                _cleanup_free_ char *text = dump_info_format_symbol(&symbols[i]);

                dump_info_print_row("Functions", row + i, symbols[i].samples, all, text ?: "", columns);
        }
        dump_info_print_more(n, "functions");
}

static void dump_info_print_line_of(const char *label, uint64_t n, uint64_t all) {
        line_print(0, label, "%" PRIu64 " (%.1f%%)", n, all > 0 ? 100.0 * (double) n / (double) all : 0.0);
}

/* The shares of processes and functions do not count idle samples. */
static void dump_info_print_profile(const DumpInfo *d, unsigned columns) {
        uint64_t samples = profile_samples(d->profile), idle = profile_idle(d->profile);

        if (d->filtered)
                dump_info_print_line_of("Selected", samples, d->counts->samples);
        if (idle > 0)
                dump_info_print_line_of("Idle", idle, samples);
        dump_info_print_processes(d, samples - idle, columns);
        dump_info_print_symbols(d, samples - idle, columns);
}

/* Prints the list below the line of the directory. */
static void dump_info_print_left_out(const SymbolsMissing *l, unsigned columns) {
        if (l->n == 0)
                return;
        (void) printf("%*s%zu %s no symbols here:\n", LABEL_WIDTH + 2, "", l->n, l->n == 1 ? "binary has" : "binaries have");
        for (size_t i = 0; l->lines && l->lines[i] && i < LEFT_OUT_ROWS; i++) {
                (void) printf("%*s", LABEL_WIDTH + 4, "");
                line_print_rest(l->lines[i], columns, LABEL_WIDTH + 4);
        }
        if (l->n > LEFT_OUT_ROWS)
                (void) printf("%*s%s%zu more in " PR_SYMBOLS_LEFT_OUT "%s\n", LABEL_WIDTH + 4, "", colour_sequence(COLOUR_GREY),
                              l->n - LEFT_OUT_ROWS, colour_sequence(COLOUR_NONE));
}

void dump_info_print(const DumpInfo *d, unsigned columns) {
        char size[32];

        line_print_if_set(columns, "Dump", json_get_string(d->dump, "Id"));
        line_print_if_set(columns, "Session", json_get_string(d->dump, "Session"));
        dump_info_print_trigger(d->dump, columns);
        line_print_if_set(0, "Incident", json_get_string(d->dump, "Incident"));
        dump_info_print_time(d->dump);
        dump_info_print_span(d->dump, d->counts);
        dump_info_print_samples(d->dump, d->counts);
        line_print(0, "Size", "%s", format_size(size, sizeof(size), json_get_unsigned(d->dump, "Size")));
        line_print_if_set(0, "File", json_get_string(d->dump, "Path")); /* never cut, so that it can be copied from the terminal */
        line_print_if_set(0, "Symbols", d->symbols_by_service ? "read through the service; 'perfctl cp --symbols' copies them" :
                                                           json_get_string(d->dump, "SymbolsPath"));
        dump_info_print_left_out(d->left_out, columns);
        dump_info_print_machine(d->reader, columns);
        dump_info_print_command(d->reader, columns);
        dump_info_print_events(d->reader, d->counts, columns);
        if (d->profile)
                dump_info_print_profile(d, columns);
}

static int dump_info_set_machine(json_object *v, const PerfDataReader *reader) {
        static const struct {
                const char *key;
                unsigned feature;
        } strings[] = {
                { "hostname", PERF_FEATURE_HOSTNAME }, { "kernel", PERF_FEATURE_OSRELEASE },
                { "architecture", PERF_FEATURE_ARCH }, { "cpu", PERF_FEATURE_CPUDESC },
        };
        uint32_t cpus[2];
        const char *s;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(strings); i++)
                if (perf_data_reader_feature_string(reader, strings[i].feature, &s) >= 0)
                        r = json_set(v, strings[i].key, json_new_string(s));
        return r < 0 || !dump_info_count_cpus(reader, cpus) ? r : json_set(v, "cpus", json_object_new_uint64(cpus[1]));
}

static int dump_info_set_command(json_object *v, const PerfDataReader *reader) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_(json_object_putp) json_object *array = json_object_new_array();
        int r = array ? 0 : -ENOMEM;

        if (perf_data_reader_command_line(reader, &words) < 0)
                return 0;
        STRV_FOREACH(word, words)
                if (r >= 0)
                        r = json_append(array, json_new_string(*word));
        return r < 0 ? r : json_set(v, "command", steal_ptr(array));
}

/* Appends {"KEY": name, "pid": pid, "samples": n}, without the pid if that is NULL. */
static int dump_info_append_row(json_object *rows, const char *key, const char *name, uint64_t n, const uint32_t *pid) {
        json_object *row = json_object_new_object();
        int r = json_append(rows, row);

        if (r >= 0)
                r = json_set(row, key, json_new_string(name));
        if (r >= 0 && pid)
                r = json_set(row, "pid", json_object_new_uint64(*pid));
        return r < 0 ? r : json_set(row, "samples", json_object_new_uint64(n));
}

static int dump_info_set_events(json_object *v, const PerfDataReader *reader, const RecordingCounts *s) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = dump_info_append_row(rows, "event", events[i].name ?: "", s->of_event[i], NULL);
        return r < 0 ? r : json_set(v, "events", steal_ptr(rows));
}

static int dump_info_set_processes(json_object *v, const Profile *p) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        size_t n;
        const ProfileProcess *processes = profile_processes(p, &n);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = dump_info_append_row(rows, "name", processes[i].comm, processes[i].samples,
                               processes[i].pid == PROFILE_PID_EXITED ? NULL : &processes[i].pid);
        return r < 0 ? r : json_set(v, "processes", steal_ptr(rows));
}

static int dump_info_set_functions(json_object *v, const Profile *p) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        size_t n;
        const ProfileSymbol *symbols = profile_symbols(p, &n);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                _cleanup_free_ char *name = symbols[i].name ? demangle(symbols[i].name) : NULL;
                json_object *row = json_object_new_object();

                r = json_append(rows, row);
                if (r >= 0 && symbols[i].name)
                        r = name ? json_set(row, "function", json_new_string(name)) : -ENOMEM;
                if (r >= 0)
                        r = json_set(row, "binary", json_new_string(symbols[i].dso));
                if (r >= 0)
                        r = json_set(row, "kernel", json_object_new_boolean(symbols[i].kernel));
                if (r >= 0)
                        r = json_set(row, "samples", json_object_new_uint64(symbols[i].samples));
        }
        return r < 0 ? r : json_set(v, "functions", steal_ptr(rows));
}

/* Sets the number, and the list with {"binary": path, "reason": why}. */
static int dump_info_set_left_out(json_object *v, const SymbolsMissing *l) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        int r = rows ? json_set(v, "binaries_without_symbols", json_object_new_uint64(l->n)) : -ENOMEM;

        STRV_FOREACH(line, l->lines) {
                const char *reason = symbols_missing_reason(*line);
                _cleanup_free_ char *path = strndup(*line, (size_t) (reason - *line) - (*reason ? strlen(": ") : 0));
                json_object *row = r >= 0 && path ? json_object_new_object() : NULL;

                if (r >= 0)
                        r = json_append(rows, row);
                if (r >= 0)
                        r = json_set(row, "binary", json_new_string(path));
                if (r >= 0)
                        r = json_set(row, "reason", json_new_string(reason));
        }
        return r < 0 ? r : json_set(v, "without_symbols", steal_ptr(rows));
}

int dump_info_to_json(const DumpInfo *d, json_object **ret) {
        _cleanup_(json_object_putp) json_object *v = NULL;
        int r = dump_to_json(d->dump, &v);

        if (r >= 0)
                r = json_set(v, "samples", json_object_new_uint64(d->counts->samples));
        if (r >= 0 && !json_get(v, "lost"))
                r = json_set(v, "lost", json_object_new_uint64(d->counts->lost));
        if (r >= 0)
                r = dump_info_set_machine(v, d->reader);
        if (r >= 0)
                r = dump_info_set_command(v, d->reader);
        if (r >= 0)
                r = dump_info_set_events(v, d->reader, d->counts);
        if (r >= 0 && d->profile && d->filtered)
                r = json_set(v, "selected", json_object_new_uint64(profile_samples(d->profile)));
        if (r >= 0 && d->profile)
                r = json_set(v, "idle", json_object_new_uint64(profile_idle(d->profile)));
        if (r >= 0 && *json_get_string(d->dump, "SymbolsPath"))
                r = dump_info_set_left_out(v, d->left_out);
        if (r >= 0 && d->profile)
                r = dump_info_set_processes(v, d->profile);
        if (r >= 0 && d->profile)
                r = dump_info_set_functions(v, d->profile);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}
