/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From settings to the options of perf record. perf itself must understand them, because a session may name perf as its recorder.
 * --switch-output is always among them, so that SIGUSR2 makes every recorder finish its file. With Run= the options are the
 * user's, and only those for [Trigger] are added. Nothing is checked again here. */

#include "run-line.h"

#include "format-text.h"
#include "parse-number.h"
#include "quote.h"
#include "sample-field.h"
#include "session-name.h"
#include "setting-key.h"

/* perf's default event, for options that must follow an event. */
#define DEFAULT_EVENT "cycles"
#define DEFAULT_COUNTS \
        "cpu-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses" /* perf stat's */

/* Rotates a stream by default, so that it does not grow without limit: finished files are dumps, which [Storage] limits. */
#define ROTATE_DEFAULT "256M"

/* If only one of the two keys is set, the other has the recorder's default. */
#define LIMIT_BURST 5
#define LIMIT_INTERVAL USEC_PER_MINUTE

static int add_option(char ***line, const char *option, const char *value) {
        int r = strv_extend(line, option);

        return r < 0 ? r : strv_extend(line, value);
}

static int add_number(char ***line, const char *option, uint64_t value) {
        int r = strv_extend(line, option);

        return r < 0 ? r : strv_extendf(line, "%" PRIu64, value);
}

static int add_list(char ***line, const char *option, char *const *values) {
        _cleanup_free_ char *joined = strv_join(values, ",");

        return joined ? add_option(line, option, joined) : -ENOMEM;
}

static int add_events(char ***line, const RecordSettings *r) {
        size_t n = strv_length(r->events);
        int k;

        if (n == 0 && r->mode == RECORD_MODE_COUNT)
                return add_option(line, "-e", DEFAULT_COUNTS);
        if (n == 0)
                return r->unit || r->cgroup ? add_option(line, "-e", DEFAULT_EVENT) : 0;

        for (size_t i = 0; i < n; i++) {
                k = add_option(line, "-e", r->events[i]);
                if (k < 0)
                        return k;
                if (*r->filters[i] == '\0')
                        continue;
                k = add_option(line, "--filter", r->filters[i]);
                if (k < 0)
                        return k;
        }
        return 0;
}

/* perf takes a number of frames for frame pointers only. */
static int add_call_graph(char ***line, const RecordSettings *r) {
        int k;

        if (!streq(r->call_graph, "fp") || r->max_stack == 0)
                return add_option(line, "--call-graph", r->call_graph);
        k = strv_extend(line, "--call-graph");
        return k < 0 ? k : strv_extendf(line, "fp,%u", r->max_stack);
}

static int add_sampling(char ***line, const RecordSettings *r) {
        int k = 0;

        if (r->frequency == UINT64_MAX)
                k = add_option(line, "-F", "max");
        else if (r->frequency > 0)
                k = add_number(line, "-F", r->frequency);
        if (k >= 0 && r->period > 0)
                k = add_number(line, "-c", r->period);
        if (k >= 0 && r->call_graph)
                k = add_call_graph(line, r);
        if (k >= 0)
                k = sample_field_add_options(r->sample_fields, line);
        if (k >= 0 && r->clock_id)
                k = add_option(line, "-k", r->clock_id);
        if (k >= 0 && r->inherit == 0)
                k = strv_extend(line, "-i");
        return k;
}

static bool wants_all_cpus(const RecordSettings *r) {
        if (r->unit || r->cgroup) /* control groups are followed per CPU */
                return true;
        if (r->all_cpus >= 0)
                return r->all_cpus > 0;
        return !r->pids && !r->tids && !r->user && !r->cpus && !r->command;
}

static int add_target(char ***line, const RecordSettings *r, const char *cgroup, Diagnosis *d) {
        bool each = r->unit && unit_name_is_pattern(r->unit);
        int k = 0;

        if (r->unit && !cgroup && !each) {
                diagnosis_locate(d, NULL, 0, "Unit");
                return diagnosis_set(d, -EINVAL, "%s has no control group: it is not running", r->unit);
        }

        if (wants_all_cpus(r))
                k = strv_extend(line, "-a");
        if (k >= 0 && r->cpus)
                k = add_option(line, "-C", r->cpus);
        if (k >= 0 && r->pids)
                k = add_list(line, "-p", r->pids);
        if (k >= 0 && r->tids)
                k = add_list(line, "-t", r->tids);
        if (k >= 0 && r->user)
                k = add_option(line, "-u", r->user);
        if (k >= 0 && each)
                k = add_option(line, "--for-each-unit", r->unit);
        else if (k >= 0 && (r->unit || r->cgroup))
                k = add_option(line, "-G", r->unit ? cgroup : r->cgroup);
        return k;
}

/* Appends a unit, because -m takes a bare number as pages. */
static char scale_size(uint64_t *size) {
        static const char units[] = "BKMG";
        unsigned i = 0;

        while (*size > 0 && i < 3 && *size % 1024 == 0) {
                *size /= 1024;
                i++;
        }
        return units[i];
}

static int add_size(char ***line, const char *option, uint64_t size) {
        char unit = scale_size(&size);
        int k = size > 0 ? strv_extend(line, option) : 0;

        return k < 0 || size == 0 ? k : strv_extendf(line, "%" PRIu64 "%c", size, unit);
}

#ifdef __x86_64__
#define UNWINDS true
#else
#define UNWINDS false
#endif

/* An event's own term may ask for copies of stacks too: Unwind=yes is for that. Other machines' stacks are unwound by readers. */
static bool wants_unwinding(const RecordSettings *r) {
        if (!UNWINDS)
                return false;
        return r->unwind > 0 || (r->unwind < 0 && r->call_graph && startswith(r->call_graph, "dwarf"));
}

static int add_history(char ***line, const RecordSettings *r) {
        int k = add_size(line, "-M", r->history_size ?: HISTORY_SIZE_DEFAULT);

        if (k >= 0 && r->history_usec != USEC_INFINITY)
                k = strv_extendf(line, "--history-time=%" PRIu64 "s", r->history_usec / USEC_PER_SEC);
        if (k >= 0 && r->compression >= 0)
                k = strv_extendf(line, "--history-level=%d", r->compression);
        if (k >= 0 && r->mode == RECORD_MODE_COUNT)
                k = strv_extendf(line, "--history-interval=%" PRIu64 "ms", (r->interval ?: INTERVAL_DEFAULT) / USEC_PER_MSEC);
        if (k >= 0 && wants_unwinding(r))
                k = strv_extend(line, "--unwind");
        return k;
}

static int add_compression(char ***line, int level) {
        return level > 0 ? strv_extendf(line, "--compression-level=%d", level) : 0;
}

static int add_output(char ***line, const SessionSettings *s) {
        const RecordSettings *r = &s->record;
        const char *by;
        int k = 0;

        if (r->mode == RECORD_MODE_OVERWRITE)
                k = strv_extend(line, "--overwrite");
        if (record_mode_keeps_history(r->mode))
                k = add_history(line, r);
        if (k >= 0)
                k = add_compression(line, s->storage.compression >= 0 ? s->storage.compression : r->compression);
        /* with a size, perf ignores the signal that requests a file */
        by = r->rotate ?: r->mode == RECORD_MODE_STREAM && !s->recorder ? ROTATE_DEFAULT : "signal";
        return k < 0 ? k : strv_extendf(line, "--switch-output=%s", by);
}

static int add_record(char ***line, const SessionSettings *s, const char *cgroup, Diagnosis *d) {
        const RecordSettings *r = &s->record;
        int k = add_events(line, r);

        if (k >= 0)
                k = add_sampling(line, r);
        if (k >= 0)
                k = add_target(line, r, cgroup, d);
        if (k >= 0 && r->realtime_priority > 0)
                k = add_number(line, "-r", r->realtime_priority);
        if (k >= 0)
                k = add_size(line, "-m", r->buffer_size);
        if (k >= 0)
                k = add_output(line, s);
        if (k < 0 || !r->command)
                return k;
        k = strv_extend(line, "--");
        return k < 0 ? k : strv_extend_strv(line, r->command);
}

static int add_pressure(char ***line, const char *resource, const char *pressure, const char *group) {
        if (!pressure)
                return 0;
        return strv_extendf(line, "--trigger-pressure=%s:%s%s%s", resource, pressure, group ? ":" : "", group ?: "");
}

/* The options of [Trigger]. group: the control group whose pressure is watched, NULL: the machine's. */
static int add_triggers(char ***line, const TriggerSettings *t, const char *group) {
        bool has_interval = t->limit_interval != USEC_INFINITY, has_burst = t->limit_burst != TRIGGER_LIMIT_UNSET;
        int k = t->signal > 0 ? strv_extendf(line, "--trigger-signal=%s", signal_name(t->signal)) : 0;

        STRV_FOREACH(event, t->events)
                if (k >= 0)
                        k = strv_extendf(line, "--trigger-event=%s", *event);
        STRV_FOREACH(counter, t->counters)
                if (k >= 0)
                        k = strv_extendf(line, "--trigger-counter=%s%s%s", *counter, group ? ":" : "", group ?: "");
        STRV_FOREACH(file, t->bpf)
                if (k >= 0)
                        k = strv_extendf(line, "--trigger-bpf=%s", *file);
        if (k >= 0)
                k = add_pressure(line, "cpu", t->cpu_pressure, group);
        if (k >= 0)
                k = add_pressure(line, "memory", t->memory_pressure, group);
        if (k >= 0)
                k = add_pressure(line, "io", t->io_pressure, group);
        if (k >= 0 && t->delay > 0)
                k = strv_extendf(line, "--trigger-delay=%" PRIu64 "us", t->delay);
        if (k >= 0 && (has_interval || has_burst))
                k = strv_extendf(line, "--trigger-limit=%u/%" PRIu64 "us", has_burst ? t->limit_burst : LIMIT_BURST,
                                 has_interval ? t->limit_interval : LIMIT_INTERVAL);
        if (k >= 0 && t->also)
                k = strv_extend(line, "--trigger-announce");
        if (k >= 0 && t->overlap)
                k = strv_extend(line, "--trigger-overlap");
        if (k >= 0 && t->shutdown == 0)
                k = strv_extend(line, "--no-trigger-shutdown");
        return k;
}

/* Options before the words of Run=, which have precedence and may end in a command. */
static int add_front(char ***line, const SessionSettings *s, const char *cgroup) {
        int k = add_triggers(line, &s->trigger, cgroup);
        uint64_t size = s->symbols;

        if (k >= 0 && size == 0)
                k = strv_extend(line, "--no-symbols");
        else if (k >= 0 && size != SYMBOLS_UNSET) {
                char unit = scale_size(&size);

                k = strv_extendf(line, "--symbols=%" PRIu64 "%c", size, unit);
        }
        return k < 0 || !s->run ? k : add_compression(line, s->storage.compression);
}

int run_line_from_settings(const SessionSettings *s, const char *cgroup, char ***ret, Diagnosis *d) {
        _cleanup_strv_free_ char **line = NULL, **words = NULL;
        const RecordSettings *r = &s->record;
        int k = add_front(&line, s, r->unit ? cgroup : r->cgroup);

        if (k >= 0 && !s->run)
                k = add_record(&line, s, cgroup, d);
        else if (k >= 0) {
                k = split_words(s->run, SETTING_LIST_MAX, &words);
                if (k < 0 && k != -ENOMEM)
                        return diagnosis_set(d, -EINVAL, "Run= cannot be split into words");
                if (k >= 0)
                        k = strv_extend_strv(&line, words);
        }
        if (k < 0)
                return k == -ENOMEM ? k : -EINVAL;
        *ret = steal_ptr(line);
        return 0;
}

/* Run= is shown as it was written. */
static int describe_run(const SessionSettings *s, char **ret) {
        _cleanup_strv_free_ char **own = NULL;
        _cleanup_free_ char *words = NULL;

        if (add_front(&own, s, NULL) < 0)
                return -ENOMEM;
        words = quote_words(own);
        if (!words)
                return -ENOMEM;
        *ret = format_text("%s%s%s", words, *words ? " " : "", s->run);
        return *ret ? 0 : -ENOMEM;
}

int run_line_describe(const SessionSettings *s, char **ret) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *unit = NULL;
        int r;

        if (s->run)
                return describe_run(s, ret);
        if (s->record.unit && !(unit = format_text("unit:%s", s->record.unit)))
                return -ENOMEM;
        r = run_line_from_settings(s, unit, &words, NULL);
        if (r < 0)
                return r;
        *ret = quote_words(words);
        return *ret ? 0 : -ENOMEM;
}
