/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What perfctl info knows of a dump, as JSON: keys as in the other tables, all processes and
 * functions. */

#include "demangle.h"
#include "dump-list.h"
#include "dump-view.h"
#include "strv.h"

static int info_set_machine(json_object *v, const PerfDataReader *reader) {
        static const struct {
                const char *key;
                unsigned feature;
        } strings[] = {
                { "hostname", PERF_FEATURE_HOSTNAME }, { "kernel", PERF_FEATURE_OSRELEASE },
                { "architecture", PERF_FEATURE_ARCH }, { "cpu", PERF_FEATURE_CPUDESC },
        };
        uint32_t cpus[2];
        const void *data;
        const char *s;
        size_t size;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(strings); i++)
                if (perf_data_reader_feature_string(reader, strings[i].feature, &s) >= 0)
                        r = json_set(v, strings[i].key, json_new_string(s));
        if (r < 0 || perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) < 0 || size < sizeof(cpus))
                return r;
        memcpy(cpus, data, sizeof(cpus));
        return json_set(v, "cpus", json_object_new_uint64(cpus[1]));
}

static int info_set_command(json_object *v, const PerfDataReader *reader) {
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

/* {"KEY": name, "samples": n}, and the pid if there is one. */
static int info_append_row(json_object *rows, const char *key, const char *name, uint64_t n, const uint32_t *pid) {
        json_object *row = json_object_new_object();
        int r = json_append(rows, row);

        if (r >= 0)
                r = json_set(row, key, json_new_string(name));
        if (r >= 0 && pid)
                r = json_set(row, "pid", json_object_new_uint64(*pid));
        return r < 0 ? r : json_set(row, "samples", json_object_new_uint64(n));
}

static int info_set_events(json_object *v, const PerfDataReader *reader, const RecordingCounts *s) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = info_append_row(rows, "event", events[i].name ?: "", s->of_event[i], NULL);
        return r < 0 ? r : json_set(v, "events", steal_ptr(rows));
}

static int info_set_processes(json_object *v, const Profile *p) {
        _cleanup_(json_object_putp) json_object *rows = json_object_new_array();
        size_t n;
        const ProfileProcess *processes = profile_processes(p, &n);
        int r = rows ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = info_append_row(rows, "name", processes[i].comm, processes[i].samples,
                               processes[i].pid == PROFILE_PID_EXITED ? NULL : &processes[i].pid);
        return r < 0 ? r : json_set(v, "processes", steal_ptr(rows));
}

static int info_set_functions(json_object *v, const Profile *p) {
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

/* How many, and those that are listed: {"binary": path, "reason": why}. */
static int info_set_left_out(json_object *v, const SymbolsMissing *l) {
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
                r = info_set_machine(v, d->reader);
        if (r >= 0)
                r = info_set_command(v, d->reader);
        if (r >= 0)
                r = info_set_events(v, d->reader, d->counts);
        if (r >= 0 && d->profile && d->filtered)
                r = json_set(v, "selected", json_object_new_uint64(profile_samples(d->profile)));
        if (r >= 0 && d->profile)
                r = json_set(v, "idle", json_object_new_uint64(profile_idle(d->profile)));
        if (r >= 0 && *json_get_string(d->dump, "SymbolsPath"))
                r = info_set_left_out(v, d->left_out);
        if (r >= 0 && d->profile)
                r = info_set_processes(v, d->profile);
        if (r >= 0 && d->profile)
                r = info_set_functions(v, d->profile);
        if (r < 0)
                return r;
        *ret = steal_ptr(v);
        return 0;
}
