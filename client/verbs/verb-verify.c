/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl verify: reads session files, or sessions by name, as the daemon would, and prints their problems and their cost. Errors
 * make the exit status 1, warnings (an unknown key) only with --strict. With --try, the recorder opens the session's events for a
 * moment, with the caller's privileges. */

#include "dump-list.h"
#include "load.h"
#include "parse-size.h"
#include "session-cost.h"
#include "session-problems.h"
#include "session-references.h"
#include "session-try.h"
#include "settings-file.h"
#include "strv.h"
#include "verbs.h"

typedef struct Verdict {
        const char *path; /* the argument: a session's file, its drop-in or its name */
        SessionFile *file; /* NULL: a mask, or unreadable */
        bool good;
        char *error;
        SessionCost cost;
        SessionTrial trial;
} Verdict;

static void verdict_done(Verdict *v) {
        session_file_free(v->file);
        session_trial_done(&v->trial);
        free(v->error);
}

static int verify_warn(const Verdict *v, const char *section, const char *key, Diagnosis *d) {
        diagnosis_locate(d, v->file->fragment_path, settings_report_line(&v->file->report, section, key, NULL), key);
        return warnings_add(&v->file->warnings, d);
}

/* Warns if memory covers less than KeepSec=. Both are times with all CPUs busy, as in an incident. */
static int verify_compare_reach(const Verdict *v) {
        usec_t keep = v->file->settings->record.keep_usec;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char reach[64], wanted[64];

        if (keep == 0 || v->cost.reach >= keep)
                return 0;
        (void) diagnosis_set(&d, 0, "memory reaches %s back while all CPUs are busy, less than %s",
                             dump_format_span(reach, sizeof(reach), v->cost.reach), format_timespan(wanted, sizeof(wanted), keep));
        return verify_warn(v, "Record", "KeepSec", &d);
}

/* Warns if the kernel would kill the recorder before its history is full. */
static int verify_compare_memory(const Verdict *v) {
        const SessionSettings *s = v->file->settings;
        uint64_t history = s->record.history_size ?: HISTORY_SIZE_DEFAULT;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char max[32], size[32];

        if (!record_mode_keeps_history(s->record.mode) || s->scope.memory_max == 0 || s->scope.memory_max > history)
                return 0;
        (void) diagnosis_set(&d, 0, "%s leaves no room for a history of %s (HistorySize=): the kernel kills the recorder before "
                             "that is full", format_size(max, sizeof(max), s->scope.memory_max),
                             format_size(size, sizeof(size), history));
        return verify_warn(v, "Scope", "MemoryMax", &d);
}

static const char *verify_explain(const Verdict *v, int error) {
        if (error != -ENOENT)
                return strerror(-error);
        if (access(v->path, F_OK) >= 0)
                return "the session of this drop-in does not exist";
        return strchr(v->path, '/') ? strerror(ENOENT) : "there is neither such a file nor such a session";
}

static int verify_judge(const ClientOptions *o, const SearchPath *p, const DaemonSettings *daemon, Verdict *v) {
        int r = session_file_verify(p, v->path, &v->file);

        v->good = r == -ERFKILL || (r >= 0 && v->file->settings);
        if (r == -ERFKILL)
                return 0;
        if (r < 0)
                return (v->error = strdup(verify_explain(v, r))) ? 0 : -ENOMEM;
        if (!v->good)
                return (v->error = diagnosis_format(&v->file->error)) ? 0 : -ENOMEM;
        session_cost_estimate(v->file->settings, daemon->default_buffer_size, &v->cost);
        r = verify_compare_reach(v);
        if (r >= 0)
                r = verify_compare_memory(v);
        if (r >= 0)
                r = session_references_check(v->file, o->user);
        if (r < 0)
                return r;
        if (strv_length(v->file->warnings) > 0 && (o->given & OPTION_BIT(OPTION_STRICT)))
                v->good = false;
        if (!(o->given & OPTION_BIT(OPTION_TRY)))
                return 0;
        r = session_try(v->file, daemon, o->user, &v->trial);
        v->good = v->good && r >= 0 && !v->trial.error;
        return r;
}

static void verify_print_trial(const ClientOptions *o, const Verdict *v) {
        char size[32];

        if (v->trial.error)
                (void) fprintf(stderr, "%s\n", v->trial.error);
        else if (v->trial.n_rings > 0 && !o->quiet)
                (void) printf("%s: tried: %" PRIu64 " events open, %" PRIu64 " rings, %s of locked memory\n", v->path,
                              v->trial.n_events, v->trial.n_rings, format_size(size, sizeof(size), v->trial.ring_bytes));
}

static void verify_print(const ClientOptions *o, const Verdict *v) {
        if (!v->file && v->good) {
                if (!o->quiet)
                        (void) fprintf(stderr, "%s: a mask (an empty file, or a link to /dev/null): no session of this name "
                                       "exists\n", v->path);
                return;
        }
        if (!v->file) {
                (void) fprintf(stderr, "%s: %s\n", v->path, v->error);
                return;
        }
        if (!session_problems_print(v->file, !o->quiet))
                return;
        if (!o->quiet)
                session_cost_print(v->file->settings, &v->cost, v->path);
        verify_print_trial(o, v);
}

static int verify_add_strings(json_object *row, const char *key, char *const *strings) {
        _cleanup_(json_object_putp) json_object *array = json_object_new_array();
        int r = array ? 0 : -ENOMEM;

        STRV_FOREACH(s, strings)
                if (r >= 0)
                        r = json_append(array, json_new_string(*s));
        return r < 0 ? r : json_set(row, key, steal_ptr(array));
}

static int verify_add_cost(json_object *row, const Verdict *v) {
        uint64_t locked = v->trial.ring_bytes ?: v->cost.locked;
        int r = 0;

        if (v->cost.ring_size > 0)
                r = json_set(row, "buffer_size", json_object_new_uint64(v->cost.ring_size));
        if (r >= 0 && locked > 0)
                r = json_set(row, "locked_memory", json_object_new_uint64(locked));
        if (r >= 0 && v->cost.samples_per_sec > 0) {
                r = json_set(row, "bytes_per_hour", json_object_new_uint64((uint64_t) v->cost.bytes_per_hour));
                if (r >= 0 && v->cost.reach != USEC_INFINITY)
                        r = json_set(row, "reach_usec", json_object_new_uint64(v->cost.reach));
        }
        return r;
}

static int verify_append_row(json_object *rows, const Verdict *v) {
        json_object *row = json_object_new_object();
        const char *error = v->error ?: v->trial.error;
        int r = json_append(rows, row);

        if (r >= 0)
                r = json_set(row, "file", json_new_string(v->file ? v->file->fragment_path : v->path));
        if (r >= 0)
                r = json_set(row, "valid", json_object_new_boolean(v->good));
        if (r >= 0 && error)
                r = json_set(row, "error", json_new_string(error));
        if (r >= 0 && v->file && v->file->report.errors)
                r = verify_add_strings(row, "errors", v->file->report.errors);
        if (r >= 0)
                r = verify_add_strings(row, "warnings", v->file ? v->file->warnings : NULL);
        return r < 0 || !v->file || !v->file->settings ? r : verify_add_cost(row, v);
}

static int verify_file(const ClientOptions *o, const SearchPath *p, const DaemonSettings *daemon, const char *path,
                       json_object *rows, bool *good) {
        _cleanup_(verdict_done) Verdict v = { .path = path };
        int r = verify_judge(o, p, daemon, &v);

        if (r >= 0 && rows)
                r = verify_append_row(rows, &v);
        else if (r >= 0)
                verify_print(o, &v);
        *good = *good && v.good;
        return r;
}

int verb_verify(const ClientOptions *o, char **arguments) {
        _cleanup_(daemon_settings_done) DaemonSettings daemon = {};
        _cleanup_(search_path_done) SearchPath p = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(json_object_putp) json_object *rows = o->json != JSON_OFF ? json_object_new_array() : NULL;
        bool good = true;
        int r = o->json != JSON_OFF && !rows ? -ENOMEM : 0;

        if (daemon_settings_load(o->user, &daemon, &d) < 0) /* the daemon would keep its old settings, or not start */
                daemon = (DaemonSettings) {};
        if (r >= 0)
                r = search_path_init(&p, o->user);
        if (r >= 0)
                r = free_and_strdup(&p.perf_config, daemon.perf_config);
        STRV_FOREACH(path, arguments)
                if (r >= 0)
                        r = verify_file(o, &p, &daemon, *path, rows, &good);
        if (r >= 0 && rows)
                r = json_print(rows, o->json);
        if (r < 0)
                return verb_fail("verify", r);
        return good ? STATUS_OK : STATUS_FAILED;
}
