/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A session's settings and where they are from. Settings in force are those that a recorder runs with or would be started with: a
 * file that turned bad takes nothing away from a recorder that runs. It knows of no recorder and starts none. */

#include "session-config.h"

#include <perf-recorder/message-ids.h>

#include "fnv.h"
#include "run-line.h"
#include "session.h"

#define ROOM_MEMORY (UINT64_C(1) << 30)  /* of one that keeps samples in memory */
#define BUFFER_SIZE_DEFAULT (UINT64_C(512) << 10) /* the recorder's own */
#define ROOM_WRITING (UINT64_C(4) << 30) /* of one that writes them */

void session_config_done(SessionConfig *c) {
        session_file_free(c->file);
        session_settings_free(c->settings);
        free(c->command);
        strv_free(c->assignments);
        *c = (SessionConfig) {};
}

bool session_config_has_bad_file(const SessionConfig *c) {
        return c->file && c->file->error.sentence;
}

bool session_config_is_foreign(const SessionConfig *c) {
        return c->settings && c->settings->recorder && *c->settings->recorder;
}

bool session_name_is_made_up(const char *name, const char *fragment_path) {
        const char *file = fragment_path ? strrchr(fragment_path, '/') : NULL;

        return strchr(name, '@') && (!file || !startswith(file + 1, name));
}

static uint64_t hash_scope(uint64_t h, const ScopeSettings *s) {
        /* as a previous daemon had them: one that is updated restarts no recorder */
        const uint64_t memory_max = s->memory_max ?: UINT64_MAX, memory_high = s->memory_high ?: UINT64_MAX;
        const uint64_t numbers[] = { s->cpu_quota_per_sec, s->cpu_weight, s->io_weight, memory_max,
                                     memory_high,          s->tasks_max,  (uint64_t) s->nice };
        char text[24];

        h = fnv_word(h, s->slice);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++) {
                snprintf(text, sizeof(text), "%" PRIu64, numbers[i]);
                h = fnv_word(h, text);
        }
        return h;
}

uint64_t session_config_hash(const SessionConfig *c) {
        return hash_scope(fnv_word(fnv_word(FNV_BEGIN, c->command), c->settings->recorder), &c->settings->scope);
}

static int set_assignment(SessionSettings *settings, const char *assignment, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(assignment);
        char *dot, *equals;
        int r;

        if (!copy)
                return -ENOMEM;
        equals = strchr(copy, '=');
        dot = strchr(copy, '.');
        if (!equals || !dot || dot > equals)
                return diagnosis_set(d, -EINVAL, "a setting is said as Section.Key, not \"%s\"", assignment);
        *dot = *equals = '\0';
        r = session_settings_set(settings, copy, dot + 1, equals + 1, d);
        if (r == -ENOKEY)
                return diagnosis_set(d, -EINVAL, "there is no setting %s.%s", copy, dot + 1);
        return r;
}

int session_settings_from_assignments(char *const *assignments, SessionSettings **ret, Diagnosis *d) {
        _cleanup_(session_settings_freep) SessionSettings *settings = NULL;
        int r;

        r = session_settings_new(&settings);
        if (r < 0)
                return r;
        STRV_FOREACH(assignment, assignments) {
                r = set_assignment(settings, *assignment, d);
                if (r < 0)
                        return r;
        }
        r = session_settings_check(settings, d);
        if (r < 0)
                return r;
        *ret = steal_ptr(settings);
        return 0;
}

int session_config_set_settings(SessionConfig *c, SessionSettings *settings) {
        _cleanup_(session_settings_freep) SessionSettings *owned = settings;
        _cleanup_free_ char *command = NULL;
        int r;

        r = run_line_describe(settings, &command);
        if (r < 0)
                return r;
        free(c->command);
        c->command = steal_ptr(command);
        session_settings_free(c->settings);
        c->settings = steal_ptr(owned);
        return 0;
}

int session_config_set_transient(SessionConfig *c, SessionSettings *settings, char *const *assignments) {
        char **copy = NULL;
        int r;

        r = session_config_set_settings(c, settings);
        if (r >= 0)
                r = strv_extend_strv(&copy, assignments);
        strv_free(c->assignments);
        c->assignments = copy;
        c->transient = true;
        return r;
}

void session_config_drop_settings(SessionConfig *c) {
        c->settings = session_settings_free(c->settings);
        c->command = (free(c->command), NULL);
}

static bool is_same_diagnosis(const Diagnosis *a, const Diagnosis *b) {
        return streq_ptr(a->file, b->file) && a->line == b->line && streq_ptr(a->key, b->key) &&
               streq_ptr(a->sentence, b->sentence);
}

static int take_settings(SessionConfig *c, SessionFile *f, const JournalSession *j, SessionUpdate *ret) {
        _cleanup_free_ char *sentence = NULL;
        bool was_bad = session_config_has_bad_file(c);

        if (!f->settings) {
                *ret = was_bad && is_same_diagnosis(&c->file->error, &f->error) ? SESSION_SAME : SESSION_TURNED_BAD;
                if (*ret == SESSION_SAME)
                        return 0;
                sentence = diagnosis_format(&f->error); /* it is journaled when it is new, and shown until the file is good */
                journal_log_session(j, LOG_ERR, PR_MESSAGE_BAD_SETTING, "Bad setting: %s", sentence ?: "no memory");
                return 0;
        }
        if (c->settings && session_settings_equal(c->settings, f->settings)) {
                *ret = was_bad ? SESSION_MENDED : SESSION_SAME;
                return 0;
        }
        *ret = c->settings && session_settings_equal_for_recorder(c->settings, f->settings) ? SESSION_RETAINED : SESSION_CHANGED;
        return session_config_set_settings(c, steal_ptr(f->settings));
}

int session_config_set_file(SessionConfig *c, SessionFile *file, const JournalSession *j, SessionUpdate *ret) {
        _cleanup_(session_file_freep) SessionFile *f = file;
        SessionUpdate update;
        int r;

        r = take_settings(c, f, j, &update);
        if (r < 0)
                return r;
        if (update != SESSION_SAME || !c->file)
                STRV_FOREACH(warning, f->warnings)
                        journal_log_session(j, LOG_WARNING, NULL, "%s", *warning);
        c->enabled = f->enabled;
        session_file_free(c->file);
        c->file = steal_ptr(f);
        *ret = update;
        return 0;
}

void session_config_write(const SessionConfig *c, FILE *f) {
        session_record_put_number(f, "transient", c->transient);
        STRV_FOREACH(assignment, c->assignments)
                session_record_put_text(f, "assignment", *assignment);
}

int session_config_read(SessionConfig *c, const SessionRecord *r) {
        _cleanup_(session_settings_freep) SessionSettings *settings = NULL;
        _cleanup_strv_free_ char **assignments = NULL;
        int k = 0;

        c->transient = session_record_number(r, "transient", 1);
        for (size_t i = 0; k >= 0 && i < r->n_lines; i++)
                if (streq(r->lines[i].key, "assignment"))
                        k = strv_extend(&assignments, r->lines[i].value);
        if (k >= 0)
                k = session_settings_from_assignments(assignments, &settings, NULL);
        return k < 0 ? k : session_config_set_transient(c, steal_ptr(settings), assignments);
}

/* The default stops a recorder whose memory grows without bound before the machine has none left, and is never met by one
 * that works: the side band and everything else that is bounded in a recorder stay below 200 MB. What is known to be large comes on
 * top: the history, and twice the rings, since a dump copies overwrite rings and has the records that it writes in memory.
 * The rings themselves are the kernel's pages and not charged to a control group (perf_mmap_alloc_page() in
 * kernel/events/ring_buffer.c asks for them without __GFP_ACCOUNT). Page cache is charged, and given
 * back where the limit is met; but the kernel also lets a group have only so many dirty pages as its limit allows, so that
 * a recorder that writes all the time needs more room, or a slow disk would hold it up.
 *
 * Other programs may run in the scope: that of Command=, a recorder of Recorder=, and those of Run=, whose words, sizes of rings
 * among them, only the recorder's own parser knows. They may have half of the machine's memory. */
uint64_t session_config_memory_limit(const SessionSettings *s, uint64_t buffer_size) {
        static uint64_t n_cpus; /* to count them reads sysfs */
        uint64_t ring_bytes;
        bool has_others = (s->recorder && *s->recorder) || s->run || strv_length(s->record.command) > 0;
        uint64_t sum = s->record.mode == RECORD_MODE_STREAM ? ROOM_WRITING : ROOM_MEMORY;

        if (record_mode_keeps_history(s->record.mode) &&
            __builtin_add_overflow(sum, s->record.history_size ?: HISTORY_SIZE_DEFAULT, &sum))
                return 0;
        if (n_cpus == 0)
                n_cpus = (uint64_t) sysconf(_SC_NPROCESSORS_CONF);
        buffer_size = s->record.buffer_size ?: buffer_size ?: BUFFER_SIZE_DEFAULT;
        if (__builtin_mul_overflow(buffer_size, 2 * n_cpus, &ring_bytes) || __builtin_add_overflow(sum, ring_bytes, &sum))
                return 0;
        if (has_others)
                sum = MAX_OF(sum, (uint64_t) sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t) sysconf(_SC_PAGESIZE));
        return sum;
}
