/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl merge: merges dumps into one recording. A session's name means all its dumps, or those with the times and triggers in
 * the options; without words there must be only one session. A range of times also selects the samples. The file has
 * the triggers of all of them, and the facts that they have in common. */

#include <fcntl.h>
#include <sys/stat.h>

#include <perf-recorder/dump-facts.h>

#include "dump-source.h"
#include "dump-lendings.h"
#include "dump-list.h"
#include "fd-file.h"
#include "file-facts.h"
#include "format-text.h"
#include "merge.h"
#include "parse-size.h"
#include "strv.h"
#include "utf8.h"
#include "verbs.h"

#define READERS_MAX 1024u

typedef struct Merging {
        const ClientOptions *o;
        DumpSource source;
        json_object *dumps;
        PerfDataReader **readers;
        usec_t first, last; /* times of the samples of the dumps that the words name, also of those that are not wanted */
} Merging;

static void merging_done(Merging *m) {
        for (size_t i = 0; m->readers && i < json_length(m->dumps); i++)
                perf_data_reader_free(m->readers[i]);
        free(m->readers);
        json_object_put(m->dumps);
        dump_source_done(&m->source);
}

/* Adds a dump unless it was named before. */
static int merging_add(Merging *m, const json_object *dump) {
        const char *object = json_get_string(dump, "Object");

        for (size_t i = 0; *object && i < json_length(m->dumps); i++)
                if (streq(json_get_string(json_at(m->dumps, i), "Object"), object))
                        return STATUS_OK;
        if (json_length(m->dumps) >= READERS_MAX) {
                (void) fprintf(stderr, "Cannot merge more than %u dumps\n", READERS_MAX);
                return STATUS_FAILED;
        }
        return json_append(m->dumps, json_ref(dump)) < 0 ? verb_fail("find the dumps", -ENOMEM) : STATUS_OK;
}

static void merging_note_span(Merging *m, usec_t first, usec_t last) {
        m->first = m->first == 0 ? first : first > 0 ? MIN_OF(m->first, first) : m->first;
        m->last = MAX_OF(m->last, last);
}

static bool merging_has_window(const Merging *m) {
        return m->o->dump.since > 0 || m->o->dump.until != USEC_INFINITY;
}

static int merging_refuse_window(const Merging *m) {
        char from[64], to[64];

        if (m->first == 0)
                (void) fprintf(stderr, "Failed to merge: there are no samples in the dumps\n");
        else
                (void) fprintf(stderr,
                               "Failed to merge: there are no samples of that time in the dumps, which reach from %s to %s\n",
                               format_timestamp(from, sizeof(from), m->first),
                               format_timestamp(to, sizeof(to), m->last));
        return STATUS_FAILED;
}

/* Adds all wanted dumps of a session (NULL: of all). *ret_any: the session has a dump. */
static int merging_add_session(Merging *m, const char *name, bool *ret_any) {
        const DumpList *l = &m->source.list;
        int status = STATUS_OK;

        for (size_t i = 0; i < l->n && status == STATUS_OK; i++) {
                if (name && !streq(json_get_string(l->dumps[i], "Session"), name))
                        continue;
                *ret_any = true;
                merging_note_span(m, json_get_unsigned(l->dumps[i], "FirstSampleUsec"),
                                  json_get_unsigned(l->dumps[i], "LastSampleUsec"));
                if (dump_has_wanted_samples(l->dumps[i], m->o))
                        status = merging_add(m, l->dumps[i]);
        }
        return status;
}

static int merging_add_word(Merging *m, const char *word) {
        _cleanup_(json_object_putp) json_object *dump = NULL;
        bool any = false;
        int status = dump_source_find(&m->source, word, &dump); /* asks the service if needed */

        if (status != STATUS_OK || !*json_get_string(dump, "Object"))
                return status != STATUS_OK ? status : merging_add(m, dump);
        status = merging_add_session(m, word, &any);
        return any || status != STATUS_OK ? status : merging_add(m, dump);
}

/* Fails if the dumps differ in the property, because readers would take them for one. */
static int merging_check(const Merging *m, const char *property, const char *what) {
        const json_object *first = json_at(m->dumps, 0);

        for (size_t i = 1; i < json_length(m->dumps); i++) {
                const json_object *other = json_at(m->dumps, i);
                const char *a = json_get_string(first, property), *b = json_get_string(other, property);

                if (!*a || !*b || streq(a, b))
                        continue;
                (void) fprintf(stderr, "%s and %s are of different %s\n", dump_name(first), dump_name(other), what);
                return STATUS_FAILED;
        }
        return STATUS_OK;
}

static int merging_find_all(Merging *m, char *const *words) {
        int status = STATUS_OK;
        bool any = false;

        STRV_FOREACH(word, words)
                if (status == STATUS_OK)
                        status = merging_add_word(m, *word);
        if (!words) {
                status = dump_source_load(&m->source);
                if (status == STATUS_OK)
                        status = merging_add_session(m, NULL, &any);
                if (status == STATUS_OK)
                        status = merging_check(m, "Session", "sessions: name the ones to merge");
        }
        if (status != STATUS_OK)
                return status;
        if (json_length(m->dumps) == 0 && m->first > 0 && merging_has_window(m))
                return merging_refuse_window(m);
        if (json_length(m->dumps) == 0) {
                (void) fprintf(stderr, "No dumps found.\n");
                return STATUS_FAILED;
        }
        return merging_check(m, "BootID", "boots");
}

static int merging_open_all(Merging *m) {
        size_t n = json_length(m->dumps);

        m->readers = calloc(n + 1, sizeof(PerfDataReader *));
        if (!m->readers)
                return verb_fail("open the dumps", -ENOMEM);
        for (size_t i = 0; i < n; i++) {
                const json_object *dump = json_at(m->dumps, i);
                _cleanup_close_ int fd = -EBADF;
                int r, status = dump_source_open(&m->source, dump, &fd);

                if (status != STATUS_OK)
                        return status;
                r = perf_data_reader_new_partial(fd, &m->readers[i]);
                if (r < 0) {
                        (void) fprintf(stderr, "Failed to read %s: %s\n", dump_name(dump), perf_data_reader_explain(fd, r));
                        return STATUS_FAILED;
                }
        }
        return STATUS_OK;
}

/* The merged file has the unknown records, too. */
static int merging_report_damage(const Merging *m) {
        int status = STATUS_OK;

        for (size_t i = 0; i < json_length(m->dumps); i++) {
                const char *name = dump_name(json_at(m->dumps, i));
                const UnknownRecords *u = perf_data_reader_unknown(m->readers[i]);
                bool cut = perf_data_reader_is_cut(m->readers[i]);
                char how[128];

                if (cut)
                        (void) fprintf(stderr, "%s %s: only a part of it could be read\n", name,
                                       perf_data_reader_explain_cut(m->readers[i], how, sizeof(how)));
                for (size_t k = 0; k < u->n_types; k++)
                        (void) fprintf(stderr, "%s: %" PRIu64 " records of type %" PRIu32 " not understood\n", name, u->of[k].n,
                                       u->of[k].type);
                if (u->others > 0)
                        (void) fprintf(stderr, "%s: %" PRIu64 " records of other types not understood\n", name, u->others);
                if (cut || u->n_types > 0)
                        status = STATUS_FAILED;
        }
        return status;
}

/* Adds up a number of the dumps; UINT64_MAX: one of them does not have it. */
static uint64_t merging_add_up(const Merging *m, const char *property) {
        uint64_t sum = 0;

        for (size_t i = 0; i < json_length(m->dumps); i++) {
                if (!dump_knows(json_at(m->dumps, i), property))
                        return UINT64_MAX;
                sum += json_get_unsigned(json_at(m->dumps, i), property);
        }
        return sum;
}

/* Returns the text if all dumps have the same, otherwise "". */
static const char *merging_common(const Merging *m, const char *property) {
        const char *text = json_get_string(json_at(m->dumps, 0), property);

        for (size_t i = 1; i < json_length(m->dumps); i++)
                if (!streq(json_get_string(json_at(m->dumps, i), property), text))
                        return "";
        return text;
}

/* The first dump's detail, and "; WORD: DETAIL" for each of the others, as in a dump that several triggers share. */
static char *merging_list_details(const Merging *m) {
        char *all = strdup(json_get_string(json_at(m->dumps, 0), "TriggerDetail"));

        for (size_t i = 1; all && i < json_length(m->dumps); i++) {
                const char *word = json_get_string(json_at(m->dumps, i), "Trigger");
                const char *detail = json_get_string(json_at(m->dumps, i), "TriggerDetail");
                char *longer = *word ? format_text("%s; %s%s%s", all, word, *detail ? ": " : "", detail) : strdup(all);

                free(all);
                all = longer;
        }
        return all;
}

typedef struct MergedFile {
        int fd;
        FileFacts facts;
} MergedFile;

static void merged_file_put_text(MergedFile *f, const char *name, const char *text) {
        if (*text)
                (void) file_facts_put(&f->facts, f->fd, name, text, (size_t) utf8_prefix(text, PR_DUMP_DETAIL_MAX));
}

static void merged_file_put_number(MergedFile *f, const char *name, uint64_t n, uint64_t unknown) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%" PRIu64, n);
        if (n != unknown)
                merged_file_put_text(f, name, text);
}

/* Numbers of what is in parts of the dumps only, or in two of them, are not known. */
static void merging_put_counts(const Merging *m, const MergeTotals *totals, MergedFile *f) {
        static const struct {
                const char *attribute, *property;
        } counts[] = {
                { PR_DUMP_XATTR_LOST, "Lost" },
                { PR_DUMP_XATTR_LOST_RECORDS, "LostRecords" },
                { PR_DUMP_XATTR_THROTTLED, "Throttled" },
        };

        for (size_t i = 0; i < ELEMENTSOF(counts) && totals->duplicates == 0 && !merging_has_window(m); i++)
                merged_file_put_number(f, counts[i].attribute, merging_add_up(m, counts[i].property), UINT64_MAX);
}

/* The merged file has those of its time; without known times, those of all dumps. */
static void merging_put_lendings(const Merging *m, usec_t first, usec_t last, MergedFile *f) {
        _cleanup_(lendings_done) Lendings l = {};
        _cleanup_free_ char *text = NULL;

        for (size_t i = 0; i < json_length(m->dumps); i++)
                (void) dump_lendings_add(json_get(json_at(m->dumps, i), "Lent"), &l);
        text = lendings_format(&l, first < USEC_INFINITY ? first : 0, last > 0 ? last : UINT64_MAX);
        if (text && *text)
                (void) file_facts_put(&f->facts, f->fd, PR_DUMP_XATTR_LENT, text, strlen(text));
}

static void merging_put_reasons(const Merging *m, MergedFile *f) {
        _cleanup_free_ char *details = merging_list_details(m);
        const json_object *first = json_at(m->dumps, 0);

        merged_file_put_text(f, PR_DUMP_XATTR_SESSION, json_get_string(first, "Session"));
        merged_file_put_text(f, PR_DUMP_XATTR_BOOT, json_get_string(first, "BootID"));
        merged_file_put_text(f, PR_DUMP_XATTR_TRIGGER, json_get_string(first, "Trigger"));
        merged_file_put_text(f, PR_DUMP_XATTR_DETAIL, details ?: "");
        merged_file_put_number(f, PR_DUMP_XATTR_TRIGGERS, merging_add_up(m, "Triggers"), UINT64_MAX);
        merged_file_put_text(f, PR_DUMP_XATTR_INCIDENT, merging_common(m, "Incident"));
}

/* Puts the facts about the file, and finds its span and size. */
static void merging_describe(const Merging *m, const MergeTotals *totals, usec_t *ret_span, uint64_t *ret_size) {
        _cleanup_close_ int fd = open(m->o->output, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        MergedFile f = { .fd = fd };
        usec_t first = USEC_INFINITY, last = 0, timestamp = 0;
        struct stat st = {};
        int r;

        for (size_t i = 0; i < json_length(m->dumps); i++) {
                const json_object *dump = json_at(m->dumps, i);
                usec_t begin = json_get_unsigned(dump, "FirstSampleUsec");

                first = begin > 0 ? MIN_OF(first, begin) : first;
                last = MAX_OF(last, json_get_unsigned(dump, "LastSampleUsec"));
                timestamp = MAX_OF(timestamp, json_get_unsigned(dump, "Timestamp"));
        }
        if (totals->last > 0) {
                first = totals->first / NSEC_PER_USEC;
                last = totals->last / NSEC_PER_USEC;
        }
        *ret_span = last > first ? last - first : 0;
        if (fd < 0)
                return;
        merging_put_reasons(m, &f);
        merging_put_counts(m, totals, &f);
        merging_put_lendings(m, first, last, &f);
        merged_file_put_number(&f, PR_DUMP_XATTR_TIMESTAMP, timestamp, 0);
        merged_file_put_number(&f, PR_DUMP_XATTR_SAMPLES, totals->samples, UINT64_MAX);
        merged_file_put_number(&f, PR_DUMP_XATTR_FIRST, first, USEC_INFINITY);
        merged_file_put_number(&f, PR_DUMP_XATTR_LAST, last, 0);
        r = file_facts_append(&f.facts, fd);
        if (r < 0)
                (void) fprintf(stderr, "%s lacks the triggers and times of its dumps: %s\n", m->o->output, strerror(-r));
        file_facts_done(&f.facts);
        *ret_size = fstat(fd, &st) < 0 ? 0 : (uint64_t) st.st_size;
}

static int merging_write(Merging *m) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        size_t n = json_length(m->dumps);
        MergeTotals totals = {};
        char span_text[64], size_text[32];
        uint64_t size = 0;
        usec_t span = 0;
        _cleanup_free_ uint64_t *first = calloc(n + 1, sizeof(uint64_t));
        const MergeWindow window = {
                .since = m->o->dump.since * NSEC_PER_USEC,
                .until = m->o->dump.until == USEC_INFINITY ? UINT64_MAX : m->o->dump.until * NSEC_PER_USEC,
                .first = first,
        };
        int status, r;

        for (size_t i = 0; first && i < n; i++)
                first[i] = json_get_unsigned(json_at(m->dumps, i), "FirstSampleUsec") * NSEC_PER_USEC;
        r = !first ? -ENOMEM : perf_data_merge(m->readers, n, merging_has_window(m) ? &window : NULL, AT_FDCWD, m->o->output,
                                               &totals, &d);
        if (r == -ENODATA) {
                merging_note_span(m, totals.first / NSEC_PER_USEC, totals.last / NSEC_PER_USEC);
                return merging_refuse_window(m);
        }
        if (r < 0) {
                (void) fprintf(stderr, "Failed to merge into %s: %s\n", m->o->output, d.sentence ?: file_error_string(r));
                return STATUS_FAILED;
        }
        status = merging_report_damage(m);
        merging_describe(m, &totals, &span, &size);
        if (m->o->quiet)
                return status;
        (void) printf("%s: %zu dump%s", m->o->output, n, n == 1 ? "" : "s");
        if (span > 0)
                (void) printf(", %s", dump_format_span(span_text, sizeof(span_text), span));
        (void) printf(", %" PRIu64 " samples", totals.samples);
        if (totals.duplicates > 0)
                (void) printf(" (%" PRIu64 " were in several)", totals.duplicates);
        (void) printf(", %s\n", format_size(size_text, sizeof(size_text), size));
        return status;
}

int verb_merge(const ClientOptions *o, char **arguments) {
        _cleanup_(merging_done) Merging m = { .o = o, .source = { .options = o }, .dumps = json_object_new_array() };
        int status;

        if (!o->output || streq(o->output, "-")) {
                (void) fprintf(stderr, "'merge' needs --output=FILE\n");
                return STATUS_FAILED;
        }
        if (o->host) {
                (void) fprintf(stderr, "'merge' does not work with --host=: run perfctl there\n");
                return STATUS_FAILED;
        }
        status = m.dumps ? merging_find_all(&m, arguments) : verb_fail("find the dumps", -ENOMEM);
        if (status == STATUS_OK)
                status = merging_open_all(&m);
        return status == STATUS_OK ? merging_write(&m) : status;
}
