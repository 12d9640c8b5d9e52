/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The service's dumps. One call, GetManagedObjects, returns all their properties, in no order; the list is sorted by the
 * time of their triggers. org.perfrecorder1(5) documents the properties. */

#include "dump-list.h"

#include <fnmatch.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/dump-facts.h>

#include "dump-lendings.h"
#include "format-text.h"
#include "parse-number.h"
#include "strv.h"

static int dump_compare(const void *a, const void *b) {
        const json_object *x = *(json_object *const *) a, *y = *(json_object *const *) b;
        usec_t s = json_get_unsigned(x, "Timestamp"), t = json_get_unsigned(y, "Timestamp");

        return s != t ? (s < t ? -1 : 1) : strcmp(json_get_string(x, "Id"), json_get_string(y, "Id"));
}

int dump_list_load(BusClient *c, DumpList *ret) {
        _cleanup_(json_object_putp) json_object *objects = NULL;
        _cleanup_(dump_list_done) DumpList l = {};
        int r = bus_client_get_objects(c, &objects);

        if (r < 0)
                return r;
        l.dumps = calloc(json_length(objects) + 1, sizeof(json_object *));
        if (!l.dumps)
                return -ENOMEM;
        for (struct lh_entry *e = json_entries(objects); r >= 0 && e; e = lh_entry_next(e)) {
                const json_object *dump = json_get(json_entry_value(e), PR_BUS_DUMP_INTERFACE);

                if (dump) {
                        l.dumps[l.n] = json_ref(dump);
                        r = json_set(l.dumps[l.n++], "Object", json_new_string(json_entry_key(e)));
                }
        }
        if (r < 0)
                return r;
        l.objects = steal_ptr(objects);
        qsort(l.dumps, l.n, sizeof(json_object *), dump_compare);
        for (size_t i = 0; r >= 0 && i < l.n; i++)
                r = json_set(l.dumps[i], "Back", json_object_new_uint64(l.n - i));
        if (r < 0)
                return r;
        *ret = steal_value(l, (DumpList){});
        return 0;
}

void dump_list_done(DumpList *l) {
        for (size_t i = 0; i < l->n; i++)
                json_object_put(l->dumps[i]);
        free(l->dumps);
        json_object_put(l->objects);
        *l = (DumpList){};
}

bool dump_word_counts_back(const char *word, size_t *ret) {
        unsigned n;

        if (word[0] != '-' || parse_uint(word + 1, &n) < 0 || n == 0)
                return false;
        *ret = n;
        return true;
}

static bool dump_has_session(const json_object *dump, const char *name) {
        return streq(json_get_string(dump, "Session"), name);
}

/* True if the id begins with the word. A part of the session's name is not enough, because it may be another session's name. */
static bool dump_is_abbreviated(const json_object *dump, const char *word) {
        const char *rest = startswith(word, json_get_string(dump, "Session"));

        return rest && rest[0] == '-' && rest[1] && startswith(json_get_string(dump, "Id"), word);
}

/* -ENOTUNIQ if several ids begin with the word. An id that equals the word is found even if another begins with it. */
static int dump_list_find_id(const DumpList *l, const char *word, const json_object **ret) {
        const json_object *found = NULL;

        for (size_t i = 0; i < l->n; i++) {
                const char *id = json_get_string(l->dumps[i], "Id");

                if (streq(id, word)) {
                        *ret = l->dumps[i];
                        return 0;
                }
        }
        for (size_t i = 0; i < l->n; i++)
                if (dump_is_abbreviated(l->dumps[i], word)) {
                        if (found)
                                return -ENOTUNIQ;
                        found = l->dumps[i];
                }
        if (!found)
                return -ENOENT;
        *ret = found;
        return 0;
}

bool dump_list_has_session(const DumpList *l, const char *word) {
        for (struct lh_entry *e = json_entries(l->objects); e; e = lh_entry_next(e)) {
                const json_object *session = json_get(json_entry_value(e), PR_BUS_SESSION_INTERFACE);
                const json_object *dump = json_get(json_entry_value(e), PR_BUS_DUMP_INTERFACE);

                if ((session && streq(json_get_string(session, "Name"), word)) || (dump && dump_has_session(dump, word)))
                        return true;
        }
        return false;
}

int dump_list_find(const DumpList *l, const char *word, const json_object **ret) {
        size_t back;

        if (dump_word_counts_back(word, &back)) {
                if (back > l->n)
                        return -ENOENT;
                *ret = l->dumps[l->n - back];
                return 0;
        }
        for (size_t i = l->n; i > 0; i--)
                if (dump_has_session(l->dumps[i - 1], word)) {
                        *ret = l->dumps[i - 1];
                        return 0;
                }
        return dump_list_has_session(l, word) ? -ENOENT : dump_list_find_id(l, word, ret);
}

void dump_list_print_candidates(const DumpList *l, const char *word, FILE *f) {
        for (size_t i = 0; i < l->n; i++)
                if (dump_is_abbreviated(l->dumps[i], word))
                        (void) fprintf(f, "        %s\n", json_get_string(l->dumps[i], "Id"));
}

/* A word of the command line. It is looked up among the sessions once for all dumps. */
typedef struct Pattern {
        const char *word;
        size_t back; /* "-N"; 0: none */
        bool session;
} Pattern;

/* back: the dump's number, counted from the newest. */
static bool dump_matches(const json_object *dump, size_t back, const Pattern *p) {
        const char *session = json_get_string(dump, "Session"), *id = json_get_string(dump, "Id");

        if (p->back > 0)
                return p->back == back;
        if (p->session)
                return streq(session, p->word);
        return fnmatch(p->word, session, FNM_NOESCAPE) == 0 || fnmatch(p->word, id, FNM_NOESCAPE) == 0 ||
               dump_is_abbreviated(dump, p->word);
}

/* If several triggers share a dump, its detail continues with "; WORD: DETAIL" for each of the others. Returns the first of
 * these whose word matches, or NULL. */
static const char *dump_find_further_trigger(const json_object *dump, const char *pattern) {
        const char *detail = json_get_string(dump, "TriggerDetail");
        char word[32];

        while ((detail = strstr(detail, "; "))) {
                detail += 2;
                (void) snprintf(word, sizeof(word), "%.*s", (int) strcspn(detail, ":;"), detail);
                if (fnmatch(pattern, word, 0) == 0)
                        return detail;
        }
        return NULL;
}

static bool dump_has_trigger(const json_object *dump, const char *pattern) {
        return fnmatch(pattern, json_get_string(dump, "Trigger"), 0) == 0 || dump_find_further_trigger(dump, pattern);
}

const char *dump_main_trigger(const json_object *dump) {
        return dump_has_trigger(dump, PR_TRIGGER_UNIT_FAILURE) ? PR_TRIGGER_UNIT_FAILURE : json_get_string(dump, "Trigger");
}

char *dump_describe_triggers(const json_object *dump) {
        const char *trigger = json_get_string(dump, "Trigger"), *detail = json_get_string(dump, "TriggerDetail");
        const char *further = streq(trigger, PR_TRIGGER_UNIT_FAILURE) ? NULL :
                                                                        dump_find_further_trigger(dump, PR_TRIGGER_UNIT_FAILURE);
        const char *rest = further ? strstr(further, "; ") ?: further + strlen(further) : detail;
        size_t n = further ? (size_t) (further - detail) - strlen("; ") : 0;

        if (!further)
                return format_text("%s%s%s", trigger, *detail ? ": " : "", detail);
        return format_text("%.*s; %s%s%.*s%s", (int) (rest - further), further, trigger, n > 0 ? ": " : "", (int) n, detail, rest);
}

static bool dump_trigger_is_wanted(const json_object *dump, const ClientOptions *o) {
        STRV_FOREACH(trigger, o->triggers)
                if (dump_has_trigger(dump, *trigger))
                        return true;
        return !o->triggers;
}

bool dump_is_wanted(const json_object *dump, const ClientOptions *o) {
        usec_t t = json_get_unsigned(dump, "Timestamp");

        return t >= o->dump.since && t <= o->dump.until && dump_trigger_is_wanted(dump, o);
}

bool dump_has_wanted_samples(const json_object *dump, const ClientOptions *o) {
        usec_t first = json_get_unsigned(dump, "FirstSampleUsec"), last = json_get_unsigned(dump, "LastSampleUsec");

        if (first == 0)
                return dump_is_wanted(dump, o);
        return last >= o->dump.since && first <= o->dump.until && dump_trigger_is_wanted(dump, o);
}

int dump_list_filter(DumpList *l, char *const *words, const ClientOptions *o) {
        _cleanup_free_ Pattern *patterns = calloc(strv_length(words) + 1, sizeof(Pattern));
        size_t n = 0, n_patterns = 0;

        if (!patterns)
                return -ENOMEM;
        STRV_FOREACH(word, words) {
                Pattern *p = &patterns[n_patterns++];

                *p = (Pattern){ .word = *word, .session = dump_list_has_session(l, *word) };
                (void) dump_word_counts_back(*word, &p->back);
        }
        for (size_t i = 0; i < l->n; i++) {
                bool wanted = n_patterns == 0;

                for (size_t k = 0; k < n_patterns && !wanted; k++)
                        wanted = dump_matches(l->dumps[i], l->n - i, &patterns[k]);
                if (wanted && dump_is_wanted(l->dumps[i], o))
                        l->dumps[n++] = l->dumps[i];
                else
                        json_object_put(l->dumps[i]);
        }
        l->n = n;
        return 0;
}

void dump_list_keep_newest(DumpList *l, size_t n) {
        size_t older = l->n > n ? l->n - n : 0;

        for (size_t i = 0; i < older; i++)
                json_object_put(l->dumps[i]);
        l->n -= older;
        memmove(l->dumps, l->dumps + older, l->n * sizeof(json_object *));
}

void dump_list_reverse(DumpList *l) {
        for (size_t i = 0; i < l->n / 2; i++) {
                json_object *dump = l->dumps[i];

                l->dumps[i] = l->dumps[l->n - 1 - i];
                l->dumps[l->n - 1 - i] = dump;
        }
}

bool dump_knows(const json_object *dump, const char *property) {
        const json_object *v = json_get(dump, property);

        return v && json_unsigned(v) != UINT64_MAX;
}

usec_t dump_span(const json_object *dump) {
        usec_t first = json_get_unsigned(dump, "FirstSampleUsec"), last = json_get_unsigned(dump, "LastSampleUsec");

        return first > 0 && last > first ? last - first : 0;
}

char *dump_format_span(char *buf, size_t size, usec_t span) {
        if (span < USEC_PER_SEC)
                (void) snprintf(buf, size, "%" PRIu64 "ms", (span + USEC_PER_MSEC / 2) / USEC_PER_MSEC);
        else if (span < USEC_PER_MINUTE)
                (void) snprintf(buf, size, "%.1fs", (double) span / (double) USEC_PER_SEC);
        else
                (void) format_timespan(buf, size, (span + USEC_PER_SEC / 2) / USEC_PER_SEC * USEC_PER_SEC);
        return buf;
}

int dump_to_json(const json_object *dump, json_object **ret) {
        static const struct {
                const char *key, *property;
                bool unknown_if_0;
        } names[] = {
                { "id", "Id" },                      { "session", "Session" },
                { "timestamp", "Timestamp" },        { "trigger", "Trigger" },
                { "detail", "TriggerDetail" },       { "triggers", "Triggers" },
                { "incident", "Incident" },
                { "first_usec", "FirstSampleUsec", true }, { "last_usec", "LastSampleUsec", true },
                { "samples", "Samples" },            { "lost", "Lost" },
                { "lost_records", "LostRecords" },   { "throttled", "Throttled" },
                { "size", "Size" },                  { "disk_usage", "DiskUsage" },
                { "path", "Path" },                  { "symbols", "SymbolsPath" },
        };
        _cleanup_(json_object_putp) json_object *object = json_object_new_object();
        int r = object ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(names); i++) {
                const json_object *property = json_get(dump, names[i].property);

                if (names[i].unknown_if_0 && json_unsigned(property) == 0)
                        continue;
                if (property && (json_object_is_type(property, json_type_string) || dump_knows(dump, names[i].property)))
                        r = json_set(object, names[i].key, json_ref(property));
        }
        if (r >= 0 && json_length(json_get(dump, "Lent")) > 0) {
                json_object *lent = NULL;

                r = dump_lendings_to_json(json_get(dump, "Lent"), &lent);
                if (r >= 0)
                        r = json_set(object, "lent", lent);
        }
        if (r < 0)
                return r;
        *ret = steal_ptr(object);
        return 0;
}
