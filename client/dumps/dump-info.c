/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl info of one dump, as text and as JSON. Text has labels and values as coredumpctl info does, then the processes
 * and functions that were sampled, as small tables beside their labels; JSON has all of these, with keys as in the other
 * tables. A fact that neither the service nor the file has is left out. This file asks no service and opens no file: what the
 * file has was found by the viewer, which restricts itself before it reads what others wrote. */

#include "dump-info.h"

#include <perf-recorder/dump-facts.h>

#include "age.h"
#include "dump-lendings.h"
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
        _cleanup_free_ char *triggers = dump_describe_triggers(dump), *more = NULL, *cut = NULL;
        uint64_t n = json_get_unsigned(dump, "Triggers");

        if (!triggers || !*json_get_string(dump, "Trigger"))
                return;
        if (n > 1)
                more = format_text(" (and %" PRIu64 " more)", n - 1);
        if (more && columns > LABEL_WIDTH + 2 + strlen(more)) /* the number has its room */
                cut = text_ellipsize(triggers, columns - (LABEL_WIDTH + 2) - strlen(more), true, terminal_get()->utf8);
        line_print(columns, "Trigger", "%s%s", cut ?: triggers, more ?: "");
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
static void dump_info_print_span(const DumpInfo *d) {
        usec_t first = json_get_unsigned(d->dump, "FirstSampleUsec"), last = json_get_unsigned(d->dump, "LastSampleUsec");
        uint64_t begin = json_get_unsigned(d->found, "first_nsec"), end = json_get_unsigned(d->found, "last_nsec");
        char span[64], from[48], to[48];

        if (first > 0 && last >= first)
                line_print(0, "Span", "%s, %s to %s", dump_format_span(span, sizeof(span), last - first),
                           dump_info_format_clock(from, sizeof(from), first), dump_info_format_clock(to, sizeof(to), last));
        else if (end > begin)
                line_print(0, "Span", "%s", dump_format_span(span, sizeof(span), (end - begin) / NSEC_PER_USEC));
}

/* The number that the dump's property has, otherwise the one that was counted. */
static uint64_t dump_info_number(const DumpInfo *d, const char *property, const char *key) {
        return dump_knows(d->dump, property) ? json_get_unsigned(d->dump, property) : json_get_unsigned(d->found, key);
}

/* UINT64_MAX: they are not told from lost samples. */
static uint64_t dump_info_lost_records(const DumpInfo *d) {
        if (dump_knows(d->dump, "LostRecords") || (!dump_knows(d->dump, "Lost") && json_get(d->found, "lost_records")))
                return dump_info_number(d, "LostRecords", "lost_records");
        return UINT64_MAX;
}

static void dump_info_print_samples(const DumpInfo *d) {
        uint64_t throttled = dump_info_number(d, "Throttled", "throttled");
        uint64_t left_out = json_get_unsigned(d->dump, "LeftOutMappings");

        line_print_samples(0, json_get_unsigned(d->found, "samples"), dump_info_number(d, "Lost", "lost"),
                           dump_info_lost_records(d));
        if (throttled > 0)
                line_print(0, "Throttled", "%" PRIu64 " times", throttled);
        if (left_out > 0)
                line_print(0, "Left out", "%" PRIu64 " mappings of %" PRIu64 " processes that have more than their share", left_out,
                           json_get_unsigned(d->dump, "LeftOutProcesses"));
}

static void dump_info_print_lent(const json_object *dump) {
        _cleanup_(lendings_done) Lendings l = {};

        (void) dump_lendings_add(json_get(dump, "Lent"), &l);
        for (size_t i = 0; i < l.n; i++) {
                _cleanup_free_ char *phrase = lending_describe(&l.all[i]);

                line_print(0, "Lent", "%s", phrase ?: "");
        }
}

static void dump_info_print_machine(const json_object *found, unsigned columns) {
        const char *model = json_get_string(found, "cpu"), *kernel = json_get_string(found, "kernel");
        const char *architecture = json_get_string(found, "architecture");
        uint64_t online = json_get_unsigned(found, "cpus"), all = json_get_unsigned(found, "cpus_available");

        line_print_if_set(columns, "Hostname", json_get_string(found, "hostname"));
        if (*kernel || *architecture)
                line_print(columns, "Kernel", "%s%s%s", kernel, *kernel && *architecture ? " " : "", architecture);
        if (!json_get(found, "cpus"))
                return;
        if (online == all)
                line_print(columns, "CPUs", "%" PRIu64 "%s%s", all, *model ? ", " : "", model);
        else
                line_print(columns, "CPUs", "%" PRIu64 " of %" PRIu64 "%s%s", online, all, *model ? ", " : "", model);
}

static void dump_info_print_command(const json_object *found, unsigned columns) {
        const json_object *command = json_get(found, "command");
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL;

        for (size_t i = 0; i < json_length(command); i++)
                if (strv_extend(&words, json_string(json_at(command, i))) < 0)
                        return;
        line = words ? quote_words(words) : NULL;
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

static void dump_info_print_size(const json_object *dump) {
        uint64_t bytes = json_get_unsigned(dump, "Size"), all = json_get_unsigned(dump, "DiskUsage");
        char size[32], usage[32];

        (void) format_size(size, sizeof(size), bytes);
        if (*json_get_string(dump, "SymbolsPath") && all > bytes)
                line_print(0, "Size", "%s, with its symbols %s on disk", size, format_size(usage, sizeof(usage), all));
        else
                line_print(0, "Size", "%s", size);
}

/* A dummy event exists for the side band only. Counts of different events have no sum, and so no shares. */
static void dump_info_print_events(const json_object *found, unsigned columns) {
        const json_object *events = json_get(found, "events");
        size_t row = 0;

        for (size_t i = 0; i < json_length(events); i++) {
                const char *name = json_get_string(json_at(events, i), "event");
                bool counted = json_get(json_at(events, i), "count");
                uint64_t n = json_get_unsigned(json_at(events, i), counted ? "count" : "samples");

                if (n > 0 || !startswith(name, "dummy:"))
                        dump_info_print_row("Events", row++, n, counted ? 0 : json_get_unsigned(found, "samples"),
                                            *name ? name : "?", columns);
        }
}

/* "web[4711]", or as in perf ":4711" if the name is not known; "web[4711], instance 2" if another process had that PID before. */
static char *dump_info_format_process(const json_object *process) {
        const char *name = json_get_string(process, "name");
        uint64_t pid = json_get_unsigned(process, "pid"), instance = json_get_unsigned(process, "instance");
        char again[48] = "";

        if (!json_get(process, "pid"))
                return strdup("(exited)");
        if (instance > 0)
                (void) snprintf(again, sizeof(again), ", instance %" PRIu64, instance);
        return format_text(*name ? "%s[%" PRIu64 "]%s" : "%s:%" PRIu64 "%s", name, pid, again);
}

/* "[k] _raw_spin_lock", "[.] main (gzip)", marked as in perf report. */
static char *dump_info_format_function(const json_object *function) {
        const char *binary = json_get_string(function, "binary"), *slash = strrchr(binary, '/');
        const char *name = json_get_string(function, "function");

        if (*name && streq(binary, "[kernel.kallsyms]"))
                return format_text("[k] %s", name);
        return format_text("%s %s (%s)", json_get_unsigned(function, "kernel") ? "[k]" : "[.]", *name ? name : "?",
                           slash ? slash + 1 : binary);
}

/* One table counts samples of all events, which mean different things: then it has a heading. Returns the rows printed. */
static size_t dump_info_print_heading(const char *label, const json_object *events) {
        size_t n = 0;

        for (size_t i = 0; i < json_length(events); i++)
                n += json_get_unsigned(json_at(events, i), "samples") > 0;
        if (n <= 1)
                return 0;
        line_print(0, label, "samples of %zu events together", n);
        return 1;
}

/* all: the samples of which the rows have shares; more: the word for rows that are not shown, which are two or more. */
static void dump_info_print_table(const DumpInfo *d, const char *label, const char *key, const char *more,
                                  char *(*format)(const json_object *row), uint64_t all, unsigned columns) {
        const json_object *rows = json_get(d->found, key);
        size_t n = json_length(rows), shown = n > ROWS + 1 ? ROWS : n;
        size_t first = n > 0 ? dump_info_print_heading(label, json_get(d->found, "events")) : 0;

        for (size_t i = 0; i < shown; i++) {
                _cleanup_free_ char *text = format(json_at(rows, i));

                dump_info_print_row(label, first + i, json_get_unsigned(json_at(rows, i), "samples"), all, text ?: "", columns);
        }
        if (n > shown)
                (void) printf("%*s%s%zu more %s%s\n", LABEL_WIDTH + 2, "", colour_sequence(COLOUR_GREY), n - shown, more,
                              colour_sequence(COLOUR_NONE));
}

/* "web.service" */
static char *dump_info_format_unit(const json_object *unit) {
        return strdup(json_get_string(unit, "unit"));
}

/* Without idle samples the busiest second is the measure. */
static void dump_info_print_seconds(const json_object *found) {
        static const char *const bars[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }, ascii[] = " .:-=+*%#";
        const json_object *seconds = json_get(found, "seconds");
        usec_t begin = json_get_unsigned(found, "seconds_begin_usec");
        size_t n = json_length(seconds);
        size_t trigger = json_get(found, "trigger_second") ? json_get_unsigned(found, "trigger_second") : n;
        uint64_t idle = 0, most = 1;
        double share, busiest = 0;
        char from[48], to[48];

        for (size_t i = 0; i < n; i++) {
                idle += json_get_unsigned(json_at(seconds, i), "idle");
                most = MAX_OF(most, json_get_unsigned(json_at(seconds, i), "samples"));
        }
        if (n < 2)
                return;
        line_print_label("CPU");
        for (size_t i = 0; i < n; i++) {
                uint64_t samples = json_get_unsigned(json_at(seconds, i), "samples");
                uint64_t busy = samples - json_get_unsigned(json_at(seconds, i), "idle");
                size_t level;

                share = (double) busy / (double) (idle > 0 ? MAX_OF(samples, 1u) : most);
                busiest = MAX_OF(busiest, share);
                level = MIN_OF((size_t) (share * 8 + 0.99), (size_t) 8);
                (void) printf("%s%.*s", terminal_get()->utf8 ? bars[level] : "", terminal_get()->utf8 ? 0 : 1, ascii + level);
                if (i == trigger)
                        (void) fputs(terminal_get()->utf8 ? "│" : "|", stdout);
        }
        (void) printf("\n%*s", LABEL_WIDTH + 2, "");
        if (begin > 0)
                (void) printf("%.8s to %.8s, ", dump_info_format_clock(from, sizeof(from), begin),
                              dump_info_format_clock(to, sizeof(to), begin + n * USEC_PER_SEC));
        (void) printf("a second each");
        if (idle > 0)
                (void) printf(", up to %.0f%% busy", 100 * busiest);
        (void) puts(trigger < n ? terminal_get()->utf8 ? "; │ is the trigger" : "; | is the trigger" : "");
}

/* Shares are those of a report: the time of idle CPUs counts, unless it is left out. */
static void dump_info_print_profile(const DumpInfo *d, unsigned columns) {
        uint64_t selected = json_get_unsigned(d->found, "selected"), idle = json_get_unsigned(d->found, "idle");
        uint64_t samples = json_get_unsigned(d->found, "samples");

        if (d->selected)
                line_print(0, "Selected", "%" PRIu64 " (%.1f%%)", selected,
                           100.0 * (double) selected / (double) MAX_OF(samples, 1u));
        if (idle > 0)
                line_print(0, "Idle", "%" PRIu64 " (%.1f%%)%s", idle,
                           100.0 * (double) idle / (double) (d->no_idle ? selected + idle : selected),
                           d->no_idle ? ", left out of the shares below" : "");
        dump_info_print_seconds(d->found);
        dump_info_print_table(d, "Units", "units", "units", dump_info_format_unit, selected, columns);
        dump_info_print_table(d, "Processes", "processes",
                              "processes; 'perfctl report --sort=comm' adds up those of one name", dump_info_format_process,
                              selected, columns);
        dump_info_print_table(d, "Threads", "threads", "threads with names of their own", dump_info_format_process, selected,
                              columns);
        dump_info_print_table(d, "Functions", "functions", "functions", dump_info_format_function, selected, columns);
}

/* Prints the list below the line of the directory. */
static void dump_info_print_missing(const json_object *found, unsigned columns) {
        const json_object *rows = json_get(found, "without_symbols");
        uint64_t n = json_get_unsigned(found, "binaries_without_symbols");

        if (n == 0)
                return;
        (void) printf("%*s%" PRIu64 " %s no symbols here:\n", LABEL_WIDTH + 2, "", n, n == 1 ? "binary has" : "binaries have");
        for (size_t i = 0; i < json_length(rows) && i < LEFT_OUT_ROWS; i++) {
                const char *reason = json_get_string(json_at(rows, i), "reason");
                _cleanup_free_ char *line = format_text("%s%s%s", json_get_string(json_at(rows, i), "binary"),
                                                        *reason ? ": " : "", reason);

                (void) printf("%*s", LABEL_WIDTH + 4, "");
                line_print_rest(line ?: "", columns, LABEL_WIDTH + 4);
        }
        if (n > LEFT_OUT_ROWS)
                (void) printf("%*s%s%" PRIu64 " more in " PR_SYMBOLS_LEFT_OUT "%s\n", LABEL_WIDTH + 4, "",
                              colour_sequence(COLOUR_GREY), n - LEFT_OUT_ROWS, colour_sequence(COLOUR_NONE));
}

/* "/lib/a.so, /lib/b.so, /lib/c.so and 4 more" */
static void dump_info_print_stripped(const json_object *found, unsigned columns) {
        const json_object *rows = json_get(found, "stripped");
        _cleanup_strv_free_ char **paths = NULL;
        _cleanup_free_ char *line = NULL;
        size_t n = json_length(rows);
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n && i < LEFT_OUT_ROWS; i++)
                r = strv_extend(&paths, json_string(json_at(rows, i)));
        line = r >= 0 && paths ? strv_join(paths, ", ") : NULL;
        if (line && n > LEFT_OUT_ROWS)
                line_print(columns, "Stripped", "%s and %zu more", line, n - LEFT_OUT_ROWS);
        else if (line)
                line_print(columns, "Stripped", "%s", line);
}

/* The lines are not cut: what they say last is what to look at. */
static void dump_info_print_unusual(const json_object *found, unsigned columns) {
        const json_object *unusual = json_get(found, "unusual");
        _cleanup_free_ char *rest = NULL;
        const char *little = json_get_string(found, "unusual_too_little");
        char span[64];

        if (!unusual)
                return;
        line_print_label("Unusual");
        for (size_t i = 0; i < json_length(unusual); i++) {
                (void) printf("%*s", i == 0 ? 0 : LABEL_WIDTH + 2, "");
                line_print_wrapped(json_get_string(json_at(unusual, i), "text"), columns, LABEL_WIDTH + 2);
        }
        (void) format_timespan(span, sizeof(span), json_get_unsigned(found, "unusual_span_usec"));
        if (json_length(unusual) > 0)
                rest = format_text("in the %s before the trigger; 'perfctl diff --trigger' shows more", span);
        else if (*little)
                rest = format_text("%s; 'perfctl diff --trigger --baseline=2' compares with earlier dumps", little);
        else
                rest = format_text("nothing in the %s before the trigger", span);
        if (json_length(unusual) > 0)
                (void) printf("%*s%s", LABEL_WIDTH + 2, "", colour_sequence(COLOUR_GREY));
        line_print_wrapped(rest ?: "", columns, LABEL_WIDTH + 2);
        (void) fputs(json_length(unusual) > 0 ? colour_sequence(COLOUR_NONE) : "", stdout);
        if (json_get(found, "unusual_missing")) {
                (void) printf("%*s", LABEL_WIDTH + 2, "");
                line_print_wrapped(json_get_string(found, "unusual_missing"), columns, LABEL_WIDTH + 2);
        }
}

void dump_info_print(const DumpInfo *d, unsigned columns) {
        line_print_if_set(columns, "Dump", json_get_string(d->dump, "Id"));
        line_print_if_set(columns, "Session", json_get_string(d->dump, "Session"));
        dump_info_print_trigger(d->dump, columns);
        line_print_if_set(0, "Incident", json_get_string(d->dump, "Incident"));
        dump_info_print_unusual(d->found, columns);
        dump_info_print_time(d->dump);
        dump_info_print_span(d);
        dump_info_print_samples(d);
        dump_info_print_lent(d->dump);
        dump_info_print_size(d->dump);
        if (!d->removed)
                line_print_if_set(0, "File", json_get_string(d->dump, "Path")); /* never cut, so that it can be copied */
        if (!d->removed && d->symbols_by_service)
                line_print(0, "Symbols", "read through the service; 'perfctl cp --bundle' copies them");
        else if (!d->removed)
                line_print_if_set(0, "Symbols", json_get_string(d->dump, "SymbolsPath"));
        dump_info_print_missing(d->found, columns);
        dump_info_print_machine(d->found, columns);
        dump_info_print_command(d->found, columns);
        dump_info_print_events(d->found, columns);
        if (json_get(d->found, "processes"))
                dump_info_print_profile(d, columns);
        dump_info_print_stripped(d->found, columns);
}

int dump_info_to_json(const DumpInfo *d, json_object **ret) {
        static const char *const keys[] = {
                "samples", "lost", "hostname", "kernel", "architecture", "cpu", "cpus", "command", "events", "selected", "idle",
                "binaries_without_symbols", "without_symbols", "units", "processes", "threads", "functions", "stripped",
                "seconds_begin_usec", "trigger_second", "seconds", "unusual", "unusual_span_usec", "unusual_missing",
                "unusual_too_little",
        };
        _cleanup_(json_object_putp) json_object *v = NULL;
        int r = dump_to_json(d->dump, &v);

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(keys); i++) {
                const json_object *value = json_get(d->found, keys[i]);

                if (value && !(streq(keys[i], "lost") && json_get(v, "lost")) && (d->selected || !streq(keys[i], "selected")))
                        r = json_set(v, keys[i], json_ref(value));
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}
