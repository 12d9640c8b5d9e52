/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The settings of one session, filled key by key. A row of its section's table (setting-key.h) defines each key; this file walks
 * the tables, and has the defaults, the rows of [Session], and the checks that need more than one key. It does not know
 * whether a value comes from a file or the bus. */

#include "settings.h"

#include <limits.h>

#include "line-reader.h"
#include "parse-number.h"
#include "session-name.h"
#include "setting-key.h"
#include "string-table.h"

/* The same defaults as for services, systemd-system.conf(5). */
static const SessionSettings default_settings = {
        .enabled = -1,
        .restart = RESTART_ON_FAILURE,
        .restart_usec = 100 * USEC_PER_MSEC,
        .start_limit_interval_usec = 10 * USEC_PER_SEC,
        .start_limit_burst = 5,
        .record = { .all_cpus = -1, .inherit = -1, .history_usec = USEC_INFINITY, .unwind = -1, .compression = -1 },
        .trigger = { .limit_interval = USEC_INFINITY, .limit_burst = TRIGGER_LIMIT_UNSET, .shutdown = -1, .socket = -1 },
        .storage = STORAGE_SETTINGS_EMPTY,
        .symbols = SYMBOLS_UNSET,
        .scope = {
                .cpu_quota_per_sec = USEC_INFINITY,
                .tasks_max = UINT64_MAX,
                .nice = INT_MIN,
        },
};

static int parse_run(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        _cleanup_strv_free_ char **words = NULL;
        int r = split_setting_words(value, &words, d);

        if (r < 0)
                return r;
        return free_and_strdup(field, value);
}

static int parse_restart(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        static const char *const names[_RESTART_POLICY_MAX] = {
                [RESTART_NO] = "no",
                [RESTART_ON_FAILURE] = "on-failure",
                [RESTART_ALWAYS] = "always",
        };
        RestartPolicy p = string_table_value(names, ELEMENTSOF(names), value);

        if (p < 0)
                return diagnosis_set(d, -EINVAL, "none of no, on-failure, always");
        *(RestartPolicy *) field = p;
        return 0;
}

static int parse_restart_delay(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        if (streq(value, "infinity"))
                return diagnosis_set(d, -EINVAL, "not a finite time span; Restart=no is the way to say never");
        return parse_setting_timespan(s, field, value, d);
}

static int parse_start_limit_burst(SessionSettings *s, void *field, const char *value, Diagnosis *d) {
        int r = parse_uint(value, field);

        return r < 0 ? diagnosis_set(d, r, "not a whole number from 0 to 4294967295") : 0;
}

static const SettingKey session_keys[] = {
        SETTING_KEY_LIVE("Description", parse_setting_string, SETTING_STRING, description, TEXT),
        SETTING_KEY_LIVE("Enabled", parse_setting_tristate, SETTING_SCALAR, enabled, VALUE),
        SETTING_KEY_PLACED("Run", parse_run, SETTING_STRING, run, OPTIONS),
        SETTING_KEY_PLACED("Recorder", parse_setting_path, SETTING_STRING, recorder, PATH),
        SETTING_KEY_LIVE("Restart", parse_restart, SETTING_SCALAR, restart, VALUE),
        SETTING_KEY_LIVE("RestartSec", parse_restart_delay, SETTING_SCALAR, restart_usec, VALUE),
        SETTING_KEY_LIVE("StartLimitIntervalSec", parse_setting_timespan, SETTING_SCALAR, start_limit_interval_usec, VALUE),
        SETTING_KEY_LIVE("StartLimitBurst", parse_start_limit_burst, SETTING_SCALAR, start_limit_burst, VALUE),
};

const SettingSection session_section = { "Session", session_keys, ELEMENTSOF(session_keys) };

static const SettingSection *const sections[] = { &session_section, &record_section, &trigger_section,
                                                  &storage_section, &scope_section };

#define FOREACH_KEY(section, key)                                  \
        for (size_t _i = 0; _i < ELEMENTSOF(sections); _i++)       \
                for (const SettingSection *section = sections[_i]; section; section = NULL) \
                        for (const SettingKey *key = section->keys; key < section->keys + section->n_keys; key++)

static void *key_field(const SettingKey *key, SessionSettings *s) {
        return (char *) s + key->offset;
}

int session_settings_new(SessionSettings **ret) {
        SessionSettings *s = malloc(sizeof(*s));

        if (!s)
                return -ENOMEM;
        *s = default_settings;
        *ret = s;
        return 0;
}

SessionSettings *session_settings_free(SessionSettings *s) {
        if (!s)
                return NULL;

        FOREACH_KEY(section, key)
                if (key->kind == SETTING_STRING)
                        free(*(char **) key_field(key, s));
                else if (key->kind == SETTING_LIST)
                        strv_free(*(char ***) key_field(key, s));
        free(s);
        return NULL;
}

bool setting_key_equal(const SettingKey *key, const void *a, const void *b) {
        const void *x = (const char *) a + key->offset, *y = (const char *) b + key->offset;

        switch (key->kind) {
        case SETTING_STRING:
                return streq_ptr(*(char *const *) x, *(char *const *) y);
        case SETTING_LIST:
                return strv_equal(*(char **const *) x, *(char **const *) y);
        case SETTING_SCALAR:
                return memcmp(x, y, key->size) == 0;
        }
        return false;
}

bool session_settings_equal_for_recorder(const SessionSettings *a, const SessionSettings *b) {
        FOREACH_KEY(section, key)
                if (!key->is_live && !setting_key_equal(key, a, b))
                        return false;
        return true;
}

bool session_settings_equal(const SessionSettings *a, const SessionSettings *b) {
        FOREACH_KEY(section, key)
                if (key->is_live && !setting_key_equal(key, a, b))
                        return false;
        return session_settings_equal_for_recorder(a, b);
}

static const SettingSection *find_section(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(sections); i++)
                if (streq(sections[i]->name, name))
                        return sections[i];
        return NULL;
}

int session_settings_check_section(const char *section, Diagnosis *d) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *list = NULL;

        if (find_section(section))
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(sections); i++)
                if (strv_extendf(&names, "[%s]", sections[i]->name) < 0)
                        return -ENOMEM;
        list = strv_join(names, ", ");
        return diagnosis_set(d, -EINVAL, "unknown section [%s]; there are %s", section, list ?: "others");
}

const SettingKey *setting_section_find(const SettingSection *section, const char *name) {
        for (size_t i = 0; i < section->n_keys; i++)
                if (streq(section->keys[i].name, name))
                        return section->keys + i;
        return NULL;
}

const SettingKey *setting_key_find(const char *section_name, const char *name) {
        const SettingSection *section = find_section(section_name);

        return section ? setting_section_find(section, name) : NULL;
}

int setting_key_set(const SettingKey *key, SessionSettings *s, void *field, const void *default_value, const char *value,
                    Diagnosis *d) {
        if (*value != '\0' || key->kind == SETTING_LIST)
                return key->parse(s, field, value, d);
        if (key->kind == SETTING_STRING)
                return free_and_strdup(field, NULL);
        memcpy(field, default_value, key->size);
        return 0;
}

int session_settings_set(SessionSettings *s, const char *section_name, const char *key_name, const char *value,
                         Diagnosis *d) {
        const SettingSection *section = find_section(section_name);
        const SettingKey *key = section ? setting_section_find(section, key_name) : NULL;
        const char *complaint;
        int r;

        if (!section)
                return diagnosis_set(d, -ENOKEY, "unknown section [%s]", section_name);
        diagnosis_locate(d, NULL, 0, key_name);
        if (!key)
                return diagnosis_set(d, -ENOKEY, "unknown key in [%s]", section_name);

        if (strlen(value) > LINE_SIZE_MAX)
                return diagnosis_set(d, -E2BIG, "a value of more than %d bytes", LINE_SIZE_MAX);
        complaint = line_complaint(value, strlen(value));
        if (complaint)
                return diagnosis_set(d, -EINVAL, "%s in the value", complaint);

        r = setting_key_set(key, s, key_field(key, s), (const char *) &default_settings + key->offset, value, d);
        if (r < 0) {
                setting_show_value(value, d);
                return r;
        }
        if (section == &record_section && *value != '\0')
                s->has_record = true;
        return 0;
}

static int refuse(Diagnosis *d, const char *key, const char *sentence) {
        diagnosis_locate(d, NULL, 0, key);
        return diagnosis_set(d, -EINVAL, "%s", sentence);
}

/* Two targets are an error. perf record only warns that one overrides the other. */
static int check_target(const RecordSettings *r, Diagnosis *d) {
        if (r->pids && r->tids)
                return refuse(d, "TID", "cannot be used beside PID=");
        if (r->user && (r->pids || r->tids))
                return refuse(d, "UserID", "cannot be used beside PID= or TID=");
        if (r->cpus && (r->pids || r->tids || r->user))
                return refuse(d, "CPU", "cannot be used beside PID=, TID= or UserID=");
        if (r->unit && (r->pids || r->tids || r->user))
                return refuse(d, "Unit", "cannot be used beside PID=, TID= or UserID=");
        if (r->cgroup && (r->pids || r->tids || r->user || r->unit))
                return refuse(d, "CGroup", "cannot be used beside PID=, TID=, UserID= or Unit=");
        if (r->all_cpus > 0 && (r->pids || r->tids || r->user))
                return refuse(d, "AllCPUs", "cannot be yes beside PID=, TID= or UserID=");
        if (r->all_cpus == 0 && !r->pids && !r->tids && !r->user && !r->cpus && !r->unit && !r->cgroup && !r->command)
                return refuse(d, "AllCPUs",
                              "leaves nothing to record; one of PID=, TID=, UserID=, CPU=, Unit=, CGroup= or Command= is "
                              "needed beside AllCPUs=no");
        return 0;
}

/* Refuses what only samples have beside Mode=count, and the reverse. */
static int check_counting(const RecordSettings *r, Diagnosis *d) {
        const struct {
                bool set;
                const char *key;
        } of_samples[] = {
                { r->frequency > 0, "Frequency" }, { r->period > 0, "Period" }, { r->call_graph, "CallGraph" },
                { r->sample_fields, "SampleFields" }, { r->buffer_size > 0, "BufferSize" }, { r->rotate, "Rotate" },
        };

        if (r->mode != RECORD_MODE_COUNT)
                return r->interval > 0 ? refuse(d, "Interval", "is for Mode=count only") : 0;
        for (size_t i = 0; i < ELEMENTSOF(of_samples); i++)
                if (of_samples[i].set)
                        return refuse(d, of_samples[i].key, "cannot be used beside Mode=count, which takes no samples");
        return 0;
}

/* Checks the settings of the mode and of the output files. */
static int check_mode(const RecordSettings *r, Diagnosis *d) {
        if (r->rotate && r->mode == RECORD_MODE_OVERWRITE)
                return refuse(d, "Rotate", "cannot be used beside Mode=overwrite, which only writes dumps");
        if (r->rotate && r->mode == RECORD_MODE_HISTORY)
                return refuse(d, "Rotate", "cannot be used beside Mode=history, which only writes dumps");
        if (r->history_size > 0 && !record_mode_keeps_history(r->mode))
                return refuse(d, "HistorySize", "is for Mode=history and Mode=count only");
        if (r->history_usec != USEC_INFINITY && !record_mode_keeps_history(r->mode))
                return refuse(d, "HistorySec", "is for Mode=history and Mode=count only");
        if (r->unwind > 0 && r->mode != RECORD_MODE_HISTORY)
                return refuse(d, "Unwind", "is for Mode=history only");
        if (r->keep_usec > 0 && r->mode == RECORD_MODE_STREAM)
                return refuse(d, "KeepSec", "is for Mode=overwrite, Mode=history and Mode=count, which keep samples in memory");
        return check_counting(r, d);
}

/* Units that match a pattern are counted one by one; what has a single control group is not for them. */
static int check_unit_pattern(const SessionSettings *s, Diagnosis *d) {
        const TriggerSettings *t = &s->trigger;

        if (!s->record.unit || !unit_name_is_pattern(s->record.unit))
                return 0;
        if (s->record.mode != RECORD_MODE_COUNT)
                return refuse(d, "Unit", "can be a pattern of names for Mode=count only");
        if (t->counters)
                return refuse(d, "Counter", "cannot be used beside a pattern in Unit=, which stands for several units");
        if (t->cpu_pressure || t->memory_pressure || t->io_pressure)
                return refuse(d, t->cpu_pressure ? "CPUPressure" : t->memory_pressure ? "MemoryPressure" : "IOPressure",
                              "cannot be used beside a pattern in Unit=, which stands for several units");
        return 0;
}

int session_settings_check(const SessionSettings *s, Diagnosis *d) {
        int r;

        if (s->run && s->has_record)
                return refuse(d, "Run", "cannot be used beside [Record]; use one or the other");
        if (s->record.frequency > 0 && s->record.period > 0)
                return refuse(d, "Period",
                              "cannot be used beside Frequency=; an event can have its own: Event=NAME/period=N/");
        if (s->recorder && trigger_settings_recorder_key(&s->trigger))
                return refuse(d, trigger_settings_recorder_key(&s->trigger),
                              "cannot be used beside Recorder=; only perf-recorder's own recorder supports it");
        if (s->recorder && record_mode_keeps_history(s->record.mode))
                return refuse(d, "Mode",
                              "cannot be history or count beside Recorder=; only perf-recorder's own recorder supports it");
        if (s->recorder && s->symbols != SYMBOLS_UNSET)
                return refuse(d, "Symbols", "cannot be used beside Recorder=; only perf-recorder's own recorder supports it");
        r = check_mode(&s->record, d);
        if (r >= 0)
                r = check_target(&s->record, d);
        if (r >= 0)
                r = check_unit_pattern(s, d);
        if (r >= 0 && !s->run && !s->has_record)
                return refuse(d, NULL, "neither Run= nor anything in [Record]: there is nothing to record");
        return r;
}
