/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of [Record]. Values are checked as far as possible without opening an event: the recorder checks the grammar of Event=
 * and Filter=, whether a user or unit exists, and what the machine can count. Invariant: the lists of events and filters have
 * the same length. */

#include <limits.h>

#include "array.h"
#include "call-graph.h"
#include "clock-name.h"
#include "fd-file.h"
#include "parse-number.h"
#include "parse-size.h"
#include "sample-field.h"
#include "session-name.h"
#include "setting-key.h"
#include "string-table.h"

#define REALTIME_PRIORITY_MAX 99 /* sched(7) */
#define COMPRESSION_MAX 22
#define USER_NAME_MAX 256   /* bytes */
#define HISTORY_SIZE_MIN (UINT64_C(1) << 20) /* the recorder's limit */
#define HISTORY_SIZE_MAX (UINT64_C(1) << 40)
#define INTERVAL_MIN (10 * USEC_PER_MSEC) /* likewise */
#define INTERVAL_MAX (24 * 60 * USEC_PER_MINUTE)

static int check_room(char *const *list, Diagnosis *d) {
        if (strv_length(list) >= SETTING_LIST_MAX)
                return diagnosis_set(d, -E2BIG, "more than %d of them", SETTING_LIST_MAX);
        return 0;
}

static int parse_event(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        RecordSettings *record = &s->record;
        int r;

        if (*value == '\0') {
                record->events = strv_free(record->events);
                record->filters = strv_free(record->filters);
                return 0;
        }

        r = check_room(record->events, d);
        if (r < 0)
                return r;
        r = strv_extend(&record->filters, "");
        if (r < 0)
                return r;
        r = strv_extend(&record->events, value);
        if (r < 0) {
                size_t last = strv_length(record->filters) - 1;

                free(steal_ptr(record->filters[last]));
        }
        return r;
}

static int parse_filter(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strv_length(s->record.filters);

        if (n == 0 && *value != '\0')
                return diagnosis_set(d, -EINVAL, "there is no Event= before it that it could be for");
        return n == 0 ? 0 : free_and_strdup(&s->record.filters[n - 1], value);
}

static int parse_frequency(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t *frequency = field;

        if (streq(value, "max")) {
                *frequency = UINT64_MAX;
                return 0;
        }
        if (parse_setting_number(s, field, value, NULL) < 0 || *frequency > UINT32_MAX) {
                *frequency = 0;
                return diagnosis_set(d, -EINVAL, "neither samples per second, a whole number above 0, nor max");
        }
        return 0;
}

/* Stores the value in the syntax of --call-graph. */
static int parse_call_graph(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_free_ char *copy = NULL;
        CallGraph g;
        char *colon;

        if (parse_boolean(value) == 0)
                return free_and_strdup(field, NULL);
        copy = strdup(value);
        if (!copy)
                return -ENOMEM;
        colon = strchr(copy, ':');
        if (colon)
                *colon = ',';
        if (call_graph_parse(copy, &g, NULL) < 0)
                return diagnosis_set(d, -EINVAL, "neither no, fp, dwarf, dwarf:SIZE with at most %u bytes, nor lbr",
                                     CALL_GRAPH_DUMP_MAX);
        free(copy);
        copy = call_graph_format(&g);
        return copy ? free_and_strdup(field, copy) : -ENOMEM;
}

static int parse_max_stack(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned v = 0;

        if (parse_uint(value, &v) < 0 || v == 0 || v > CALL_GRAPH_FRAMES_MAX)
                return diagnosis_set(d, -EINVAL, "not a number of frames from 1 to %u", CALL_GRAPH_FRAMES_MAX);
        *(unsigned *) field = v;
        return 0;
}

static int parse_clock_id(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        clockid_t clock;
        int r = clock_name_parse(value, &clock, d);

        return r < 0 ? r : free_and_strdup(field, value);
}

/* Words separated by blanks or commas; further assignments add to the list. */
static int parse_sample_fields(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(value), *all = NULL;
        _cleanup_strv_free_ char **words = NULL;
        char ***list = field, *rest = NULL;
        int r;

        if (!copy)
                return -ENOMEM;
        for (char *word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
                if (!sample_field_option(word)) {
                        all = sample_field_list();
                        return diagnosis_set(d, -EINVAL, "%s is not a field of samples; the fields are: %s", word, all ?: "");
                }
                r = strv_extend(&words, word);
                if (r < 0)
                        return r;
        }
        if (!words) {
                *list = strv_free(*list);
                return 0;
        }
        r = check_room(*list, d);
        return r < 0 ? r : strv_extend_strv(list, words);
}

static int parse_cpus(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_free_ int *cpus = NULL;
        size_t n;
        int r = parse_cpu_list(value, &cpus, &n);

        if (r < 0)
                return diagnosis_set(d, r, "not a list of CPUs, such as 0-3,5");
        return free_and_strdup(field, value);
}

/* PIDs separated by blanks or commas; further assignments add to the list. */
static int parse_pids(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_free_ char *copy = NULL;
        char ***list = field, *rest = NULL;

        if (*value == '\0') {
                *list = strv_free(*list);
                return 0;
        }

        copy = strdup(value);
        if (!copy)
                return -ENOMEM;
        for (char *word = strtok_r(copy, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
                pid_t pid;
                int r;

                r = parse_pid(word, &pid);
                if (r < 0)
                        return diagnosis_set(d, r, "not a list of process or thread ids, whole numbers above 0");
                r = check_room(*list, d);
                if (r < 0)
                        return r;
                r = strv_extendf(list, "%d", (int) pid);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int parse_user(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

        if (value[n] == '$') /* machine accounts of Samba's domains */
                n++;
        if (value[n] != '\0' || *value == '-' || n > USER_NAME_MAX)
                return diagnosis_set(d, -EINVAL, "neither the name nor the number of a user");
        return free_and_strdup(field, value);
}

static int parse_unit(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        static const char *const without_cgroup[] = { ".timer", ".path", ".target", ".device", ".automount" };
        _cleanup_free_ char *name = NULL;
        const char *suffix;

        name = unit_name_complete(value);
        if (!name)
                return -ENOMEM;
        if (!unit_name_is_valid(name) && !unit_name_is_pattern(name))
                return diagnosis_set(d, -EINVAL, "not the name of a unit, such as nginx.service");

        suffix = strrchr(name, '.');
        if (ANY_OF(ELEMENTSOF(without_cgroup), i, streq(suffix, without_cgroup[i])))
                return diagnosis_set(d, -EINVAL, "not a unit that has processes, such as a service, scope or slice");
        return free_and_strdup(field, name);
}

/* On the command line, commas separate groups, and a group is a path below the root. */
static int parse_cgroup(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        if (*value == '\0')
                return free_and_strdup(field, NULL);
        if (strchr(value, ',') || strlen(value) >= PATH_MAX)
                return diagnosis_set(d, -EINVAL, "not the path of a control group, such as system.slice/nginx.service");
        if (path_leads_up(value))
                return diagnosis_set(d, -EINVAL, "has a \"..\" in it; a control group is named by its path from the root");
        return free_and_strdup(field, value);
}

static int parse_realtime_priority(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned v = 0;

        if (parse_uint(value, &v) < 0 || v == 0 || v > REALTIME_PRIORITY_MAX)
                return diagnosis_set(d, -EINVAL, "not a real-time priority from 1 to %d", REALTIME_PRIORITY_MAX);
        *(unsigned *) field = v;
        return 0;
}

static int parse_command(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        char ***command = field, **words = NULL;
        int r = split_setting_words(value, &words, d);

        if (r < 0)
                return r;

        strv_free(*command);
        *command = words;
        return 0;
}

static int parse_mode(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        static const char *const names[_RECORD_MODE_MAX] = {
                [RECORD_MODE_STREAM] = "stream",
                [RECORD_MODE_OVERWRITE] = "overwrite",
                [RECORD_MODE_HISTORY] = "history",
                [RECORD_MODE_COUNT] = "count",
        };
        RecordMode m = string_table_value(names, ELEMENTSOF(names), value);

        if (m < 0)
                return diagnosis_set(d, -EINVAL, "neither stream, overwrite, history nor count");
        *(RecordMode *) field = m;
        return 0;
}

/* Levels as perf record takes them, 1 by default. */
int parse_setting_compression(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned v = 1;
        const char *rest = startswith(value, "zstd");

        if (parse_boolean(value) == 0)
                v = 0;
        else if (!rest || (*rest && (*rest != ':' || parse_uint(rest + 1, &v) < 0 || v == 0 || v > COMPRESSION_MAX)))
                return diagnosis_set(d, -EINVAL, "neither no nor zstd, nor zstd:LEVEL from 1 to %d", COMPRESSION_MAX);
        *(int *) field = (int) v;
        return 0;
}

/* A size with one of perf's units is not changed, a time span is converted to seconds. A bare number is ambiguous. */
static int parse_rotate(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strlen(value);
        uint64_t size = 0;
        usec_t t = 0;
        char seconds[32];

        if (streq(value, "infinity"))
                return free_and_strdup(field, "signal");
        if (strchr("BKMG", value[n - 1]) && parse_size(value, &size) >= 0 && size > 0 && !strchr(value, '.'))
                return free_and_strdup(field, value);
        if (value[strspn(value, "0123456789.")] == '\0' || parse_timespan(value, &t) < 0 ||
            t == USEC_INFINITY || t < USEC_PER_SEC || t % USEC_PER_SEC != 0)
                return diagnosis_set(d, -EINVAL,
                                     "neither a size with its unit B, K, M or G, nor a time span with its unit, in whole "
                                     "seconds, such as 100M or 1h, nor infinity");

        (void) snprintf(seconds, sizeof(seconds), "%" PRIu64 "s", t / USEC_PER_SEC);
        return free_and_strdup(field, seconds);
}

static int parse_history_size(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        uint64_t size = 0;
        int r = parse_setting_size(s, &size, value, d);

        if (r < 0)
                return r;
        if (size < HISTORY_SIZE_MIN || size > HISTORY_SIZE_MAX)
                return diagnosis_set(d, -EINVAL, "not a size from 1M to 1T");
        *(uint64_t *) field = size;
        return 0;
}

static int parse_history_time(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t = 0;
        int r = parse_setting_timespan(s, &t, value, d);

        if (r < 0)
                return r;
        if (t != USEC_INFINITY && (t < USEC_PER_SEC || t % USEC_PER_SEC != 0 || t / USEC_PER_SEC > UINT32_MAX))
                return diagnosis_set(d, -EINVAL, "not a time span in whole seconds, such as 30min, nor infinity");
        *(usec_t *) field = t;
        return 0;
}

static int parse_keep_time(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t = 0;
        int r = parse_setting_timespan(s, &t, value, d);

        if (r < 0)
                return r;
        if (t == 0 || t == USEC_INFINITY)
                return diagnosis_set(d, -EINVAL, "not a time span above 0, such as 5min");
        *(usec_t *) field = t;
        return 0;
}

static int parse_interval(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t = 0;
        int r = parse_setting_timespan(s, &t, value, d);

        if (r < 0)
                return r;
        if (t < INTERVAL_MIN || t > INTERVAL_MAX || t % USEC_PER_MSEC != 0)
                return diagnosis_set(d, -EINVAL, "not a time span from 10ms to 1d, in whole milliseconds");
        *(usec_t *) field = t;
        return 0;
}

static const SettingKey record_keys[] = {
        SETTING_KEY_PLACED("Event", parse_event, SETTING_LIST, record.events, EVENT),
        SETTING_KEY_PLACED("Filter", parse_filter, SETTING_LIST, record.filters, FILTER),
        SETTING_KEY("Frequency", parse_frequency, SETTING_SCALAR, record.frequency),
        SETTING_KEY("Period", parse_setting_number, SETTING_SCALAR, record.period),
        SETTING_KEY("CallGraph", parse_call_graph, SETTING_STRING, record.call_graph),
        SETTING_KEY("MaxStack", parse_max_stack, SETTING_SCALAR, record.max_stack),
        SETTING_KEY("SampleFields", parse_sample_fields, SETTING_LIST, record.sample_fields),
        SETTING_KEY("ClockID", parse_clock_id, SETTING_STRING, record.clock_id),
        SETTING_KEY("AllCPUs", parse_setting_tristate, SETTING_SCALAR, record.all_cpus),
        SETTING_KEY("CPU", parse_cpus, SETTING_STRING, record.cpus),
        SETTING_KEY("PID", parse_pids, SETTING_LIST, record.pids),
        SETTING_KEY("TID", parse_pids, SETTING_LIST, record.tids),
        SETTING_KEY("UserID", parse_user, SETTING_STRING, record.user),
        SETTING_KEY("Unit", parse_unit, SETTING_STRING, record.unit),
        SETTING_KEY("CGroup", parse_cgroup, SETTING_STRING, record.cgroup),
        SETTING_KEY_PLACED("Command", parse_command, SETTING_LIST, record.command, COMMAND),
        SETTING_KEY("Inherit", parse_setting_tristate, SETTING_SCALAR, record.inherit),
        SETTING_KEY("RealtimePriority", parse_realtime_priority, SETTING_SCALAR, record.realtime_priority),
        SETTING_KEY("BufferSize", parse_setting_buffer_size, SETTING_SCALAR, record.buffer_size),
        SETTING_KEY("Mode", parse_mode, SETTING_SCALAR, record.mode),
        SETTING_KEY("HistorySize", parse_history_size, SETTING_SCALAR, record.history_size),
        SETTING_KEY("HistorySec", parse_history_time, SETTING_SCALAR, record.history_usec),
        SETTING_KEY("Interval", parse_interval, SETTING_SCALAR, record.interval),
        SETTING_KEY("Unwind", parse_setting_tristate, SETTING_SCALAR, record.unwind),
        SETTING_KEY_LIVE("KeepSec", parse_keep_time, SETTING_SCALAR, record.keep_usec, VALUE),
        SETTING_KEY("Compress", parse_setting_compression, SETTING_SCALAR, record.compression),
        SETTING_KEY("Rotate", parse_rotate, SETTING_STRING, record.rotate),
};

const SettingSection record_section = { "Record", record_keys, ELEMENTSOF(record_keys) };
