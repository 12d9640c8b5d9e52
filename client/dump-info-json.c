/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What perfctl info knows of a dump, as JSON: keys as in the other tables, all processes and
 * functions. */

#include "demangle.h"
#include "dump-list.h"
#include "dump-view.h"
#include "strv.h"

static int set_feature(Value *v, const char *key, const PerfDataReader *reader, unsigned feature) {
        const char *s;

        return perf_data_reader_feature_string(reader, feature, &s) < 0 ? 0 : value_set(v, key, value_new_string(s));
}

static int set_machine(Value *v, const PerfDataReader *reader) {
        static const struct {
                const char *key;
                unsigned feature;
        } strings[] = {
                { "hostname", PERF_FEATURE_HOSTNAME }, { "kernel", PERF_FEATURE_OSRELEASE },
                { "architecture", PERF_FEATURE_ARCH }, { "cpu", PERF_FEATURE_CPUDESC },
        };
        uint32_t cpus[2];
        const void *data;
        size_t size;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(strings); i++)
                r = set_feature(v, strings[i].key, reader, strings[i].feature);
        if (r < 0 || perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) < 0 || size < sizeof(cpus))
                return r;
        memcpy(cpus, data, sizeof(cpus));
        return value_set(v, "cpus", value_new_unsigned(cpus[1]));
}

static int set_command(Value *v, const PerfDataReader *reader) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_(value_freep) Value *array = value_new_array();
        int r = array ? 0 : -ENOMEM;

        if (perf_data_reader_command_line(reader, &words) < 0)
                return 0;
        STRV_FOREACH(word, words)
                if (r >= 0)
                        r = value_append(array, value_new_string(*word));
        return r < 0 ? r : value_set(v, "command", steal_ptr(array));
}

/* {"KEY": name, "samples": n}, and the pid if there is one. */
static int append_row(Value *rows, const char *key, const char *name, uint64_t n, const uint32_t *pid) {
        Value *row = value_new_object();
        int r = value_append(rows, row);

        if (r >= 0)
                r = value_set(row, key, value_new_string(name));
        if (r >= 0 && pid)
                r = value_set(row, "pid", value_new_unsigned(*pid));
        return r < 0 ? r : value_set(row, "samples", value_new_unsigned(n));
}

static int set_events(Value *v, const PerfDataReader *reader, const RecordingCounts *s) {
        _cleanup_(value_freep) Value *rows = value_new_array();
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = append_row(rows, "event", events[i].name ?: "", s->of_event[i], NULL);
        return r < 0 ? r : value_set(v, "events", steal_ptr(rows));
}

static int set_processes(Value *v, const Profile *p) {
        _cleanup_(value_freep) Value *rows = value_new_array();
        size_t n;
        const ProfileProcess *processes = profile_processes(p, &n);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = append_row(rows, "name", processes[i].comm, processes[i].samples,
                               processes[i].pid == PROFILE_PID_EXITED ? NULL : &processes[i].pid);
        return r < 0 ? r : value_set(v, "processes", steal_ptr(rows));
}

static int set_functions(Value *v, const Profile *p) {
        _cleanup_(value_freep) Value *rows = value_new_array();
        size_t n;
        const ProfileSymbol *symbols = profile_symbols(p, &n);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                _cleanup_free_ char *name = symbols[i].name ? demangle(symbols[i].name) : NULL;
                Value *row = value_new_object();

                r = value_append(rows, row);
                if (r >= 0 && symbols[i].name)
                        r = name ? value_set(row, "function", value_new_string(name)) : -ENOMEM;
                if (r >= 0)
                        r = value_set(row, "binary", value_new_string(symbols[i].dso));
                if (r >= 0)
                        r = value_set(row, "kernel", value_new_boolean(symbols[i].kernel));
                if (r >= 0)
                        r = value_set(row, "samples", value_new_unsigned(symbols[i].samples));
        }
        return r < 0 ? r : value_set(v, "functions", steal_ptr(rows));
}

/* How many, and those that are listed: {"binary": path, "reason": why}. */
static int set_left_out(Value *v, const SymbolsMissing *l) {
        _cleanup_(value_freep) Value *rows = value_new_array();
        int r = rows ? value_set(v, "binaries_without_symbols", value_new_unsigned(l->n)) : -ENOMEM;

        STRV_FOREACH(line, l->lines) {
                const char *reason = symbols_missing_reason(*line);
                _cleanup_free_ char *path = strndup(*line, (size_t) (reason - *line) - (*reason ? strlen(": ") : 0));
                Value *row = r >= 0 && path ? value_new_object() : NULL;

                if (r >= 0)
                        r = value_append(rows, row);
                if (r >= 0)
                        r = value_set(row, "binary", value_new_string(path));
                if (r >= 0)
                        r = value_set(row, "reason", value_new_string(reason));
        }
        return r < 0 ? r : value_set(v, "without_symbols", steal_ptr(rows));
}

int dump_info_to_value(const DumpInfo *d, Value **ret) {
        _cleanup_(value_freep) Value *v = NULL;
        int r = dump_to_json_value(d->dump, &v);

        if (r >= 0)
                r = value_set(v, "samples", value_new_unsigned(d->counts->samples));
        if (r >= 0 && !value_get(v, "lost"))
                r = value_set(v, "lost", value_new_unsigned(d->counts->lost));
        if (r >= 0)
                r = set_machine(v, d->reader);
        if (r >= 0)
                r = set_command(v, d->reader);
        if (r >= 0)
                r = set_events(v, d->reader, d->counts);
        if (r >= 0 && d->profile && d->filtered)
                r = value_set(v, "selected", value_new_unsigned(profile_samples(d->profile)));
        if (r >= 0 && d->profile)
                r = value_set(v, "idle", value_new_unsigned(profile_idle(d->profile)));
        if (r >= 0 && *value_get_string(d->dump, "SymbolsPath"))
                r = set_left_out(v, d->left_out);
        if (r >= 0 && d->profile)
                r = set_processes(v, d->profile);
        if (r >= 0 && d->profile)
                r = set_functions(v, d->profile);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}
