/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The rows of [Trigger]. Most become options of the recorder's command line; the daemon itself implements Socket=,
 * UnitFailure= and OnCalendar=. As with recorded events, the recorder checks the grammar of trigger events. */

#include <signal.h>

#include "array.h"
#include "parse-number.h"
#include "parse-counter.h"
#include "parse-pressure.h"
#include "session-name.h"
#include "setting-key.h"
#include "utf8.h"

#define UNIT_GLOB_MAX 255 /* bytes, as a unit's name */
#define CALENDARS_MAX 16  /* for each of them a program is run to find its next time */
#define DELAY_MAX (60 * USEC_PER_MINUTE)

/* Signals that are free for this use; others end the recorder or have another meaning. */
static int parse_trigger_signal(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        static const int standard[] = { SIGUSR1, SIGUSR2, SIGWINCH, SIGURG, SIGIO, SIGPWR };
        int sig = parse_signal(value);
        bool real_time = sig >= SIGRTMIN && sig <= SIGRTMAX;

        if (sig < 0 || !(real_time || ANY_OF(ELEMENTSOF(standard), i, sig == standard[i])))
                return diagnosis_set(d, -EINVAL, "not one of the signals that are free for this: USR1, USR2, WINCH, URG, IO, PWR, "
                                     "RTMIN to RTMAX");
        *(int *) field = sig;
        return 0;
}

/* Further assignments add to these lists. */
static int add_to_list(char ***list, const char *value, Diagnosis *d) {
        if (*value == '\0') {
                *list = strv_free(*list);
                return 0;
        }
        if (strv_length(*list) >= SETTING_LIST_MAX)
                return diagnosis_set(d, -E2BIG, "more than %d of them", SETTING_LIST_MAX);
        return strv_extend(list, value);
}

static int parse_trigger_event(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return add_to_list(field, value, d);
}

static int parse_trigger_bpf(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        size_t n = strlen(value);

        if (n > 0 && (*value != '/' || value[n - 1] == '/' || value[n - 1] == ':'))
                return diagnosis_set(d, -EINVAL, "not the absolute path of an object file, with or without :MAP");
        return add_to_list(field, value, d);
}

static int parse_trigger_counter(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_free_ char *event = NULL;
        uint64_t threshold;
        usec_t window;
        int r = *value ? parse_counter(value, &event, &threshold, &window, d) : 0;

        return r < 0 ? r : add_to_list(field, value, d);
}

static int parse_trigger_pressure(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t threshold, window;
        int r = parse_pressure(value, &threshold, &window, d);

        return r < 0 ? r : free_and_strdup(field, value);
}

static int parse_trigger_delay(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t;

        if (parse_timespan(value, &t) < 0 || t > DELAY_MAX)
                return diagnosis_set(d, -EINVAL, "not a time span up to an hour, such as 500ms or 5s");
        *(usec_t *) field = t;
        return 0;
}

static int parse_limit_burst(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        unsigned v = 0;

        if (parse_uint(value, &v) < 0 || v == TRIGGER_LIMIT_UNSET)
                return diagnosis_set(d, -EINVAL, "not a whole number from 0 to 4294967294");
        *(unsigned *) field = v;
        return 0;
}

static int parse_limit_interval(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        usec_t t;

        if (parse_timespan(value, &t) < 0 || t == USEC_INFINITY)
                return diagnosis_set(d, -EINVAL, "not a finite time span, such as 1min; 0 sets no limit");
        *(usec_t *) field = t;
        return 0;
}

static int parse_trigger_overlap(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        int overlap, r = parse_setting_tristate(s, &overlap, value, d);

        if (r >= 0)
                *(bool *) field = overlap > 0;
        return r;
}

/* Names or patterns separated by blanks, which is_good accepts; further assignments add to the list. */
static int add_names(char ***list, const char *value, bool (*is_good)(const char *word), const char *what, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL;
        int r = split_setting_names(value, &words, d);

        if (r < 0)
                return r;
        if (strv_length(words) == 0) {
                *list = strv_free(*list);
                return 0;
        }
        STRV_FOREACH(word, words)
                if (!is_good(*word))
                        return diagnosis_set(d, -EINVAL, "%.*s is not %s", utf8_prefix(*word, 64), *word, what);
        if (strv_length(*list) + strv_length(words) > SETTING_LIST_MAX)
                return diagnosis_set(d, -E2BIG, "more than %d of them", SETTING_LIST_MAX);
        return strv_extend_strv(list, words);
}

static bool unit_glob_is_valid(const char *word) {
        return strlen(word) <= UNIT_GLOB_MAX && !strchr(word, '/');
}

static int parse_unit_globs(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return add_names(field, value, unit_glob_is_valid, "a glob for unit names, such as nginx.service or web-*.service", d);
}

static bool session_name_is_whole(const char *word) {
        return session_name_is_valid(word) && !session_name_is_template(word);
}

static int parse_also(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        return add_names(field, value, session_name_is_whole, "the name of a session", d);
}

static int parse_on_dump(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        const char *suffix = strrchr(value, '.');

        if (*value && (!unit_name_is_valid(value) || !suffix || suffix == value || suffix[-1] != '@'))
                return diagnosis_set(d, -EINVAL, "not the name of a template unit, such as upload@.service");
        return free_and_strdup(field, *value ? value : NULL);
}

/* systemd's own program checks the expressions, and no parser waits for that: the daemon runs it when the session
 * records, perfctl verify when the file is read. */
static int parse_calendar(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        char ***list = field;

        if (*value == '\0') {
                *list = strv_free(*list);
                return 0;
        }
        if (strv_length(*list) >= CALENDARS_MAX)
                return diagnosis_set(d, -E2BIG, "more than %d of them", CALENDARS_MAX);
        return strv_extend(list, value);
}

static const SettingKey trigger_keys[] = {
        SETTING_KEY("Signal", parse_trigger_signal, SETTING_SCALAR, trigger.signal),
        SETTING_KEY_PLACED("Event", parse_trigger_event, SETTING_LIST, trigger.events, TRIGGER_EVENT),
        SETTING_KEY_PLACED("Counter", parse_trigger_counter, SETTING_LIST, trigger.counters, TRIGGER_EVENT),
        SETTING_KEY_PLACED("BPF", parse_trigger_bpf, SETTING_LIST, trigger.bpf, PATH),
        SETTING_KEY("CPUPressure", parse_trigger_pressure, SETTING_STRING, trigger.cpu_pressure),
        SETTING_KEY("MemoryPressure", parse_trigger_pressure, SETTING_STRING, trigger.memory_pressure),
        SETTING_KEY("IOPressure", parse_trigger_pressure, SETTING_STRING, trigger.io_pressure),
        SETTING_KEY("DelaySec", parse_trigger_delay, SETTING_SCALAR, trigger.delay),
        SETTING_KEY("RateLimitIntervalSec", parse_limit_interval, SETTING_SCALAR, trigger.limit_interval),
        SETTING_KEY("RateLimitBurst", parse_limit_burst, SETTING_SCALAR, trigger.limit_burst),
        SETTING_KEY("Overlap", parse_trigger_overlap, SETTING_SCALAR, trigger.overlap),
        SETTING_KEY("Shutdown", parse_setting_tristate, SETTING_SCALAR, trigger.shutdown),
        SETTING_KEY("Socket", parse_setting_tristate, SETTING_SCALAR, trigger.socket),
        SETTING_KEY_PLACED("UnitFailure", parse_unit_globs, SETTING_LIST, trigger.unit_failure, GLOBS),
        SETTING_KEY("Also", parse_also, SETTING_LIST, trigger.also),
        SETTING_KEY("OnDump", parse_on_dump, SETTING_STRING, trigger.on_dump),
        SETTING_KEY("OnCalendar", parse_calendar, SETTING_LIST, trigger.calendar),
};

const SettingSection trigger_section = { "Trigger", trigger_keys, ELEMENTSOF(trigger_keys) };

const char *trigger_settings_recorder_key(const TriggerSettings *t) {
        if (t->signal > 0)
                return "Signal";
        if (t->events)
                return "Event";
        if (t->counters)
                return "Counter";
        if (t->bpf)
                return "BPF";
        if (t->cpu_pressure)
                return "CPUPressure";
        if (t->memory_pressure)
                return "MemoryPressure";
        if (t->io_pressure)
                return "IOPressure";
        if (t->delay > 0)
                return "DelaySec";
        if (t->limit_interval != USEC_INFINITY)
                return "RateLimitIntervalSec";
        if (t->limit_burst != TRIGGER_LIMIT_UNSET)
                return "RateLimitBurst";
        if (t->overlap)
                return "Overlap";
        if (t->also)
                return "Also";
        return t->shutdown >= 0 ? "Shutdown" : NULL;
}
