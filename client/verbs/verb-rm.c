/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl rm: removes the service's dumps that words or options select, and prints them. All words are looked up before any
 * dump is removed, so that "-1 -2" are the two newest, and a word that names no dump removes none. A session's name removes
 * nothing either, because it means the newest dump to some verbs, and all dumps to others. */

#include <fnmatch.h>

#include "dump-source.h"
#include "parse-size.h"
#include "session-list.h"
#include "strv.h"
#include "verbs.h"

/* Adds a dump unless it was named before. */
static int rm_add(json_object *dumps, const json_object *dump) {
        for (size_t i = 0; i < json_length(dumps); i++)
                if (streq(json_get_string(json_at(dumps, i), "Object"), json_get_string(dump, "Object")))
                        return STATUS_OK;
        return json_append(dumps, json_ref(dump)) < 0 ? verb_fail("find the dumps", -ENOMEM) : STATUS_OK;
}

/* Options restrict the dumps that words name. */
static bool rm_is_wanted(const ClientOptions *o, const json_object *dump) {
        return dump_is_wanted(dump, o) && session_name_matches(json_get_string(dump, "Session"), o->sessions);
}

/* Adds the dumps whose ids match the pattern, or all if that is NULL. */
static int rm_add_matching(const DumpSource *source, const char *pattern, json_object *dumps) {
        bool any = !pattern;
        int status = STATUS_OK;

        for (size_t i = 0; i < source->list.n && status == STATUS_OK; i++) {
                const json_object *dump = source->list.dumps[i];

                if (pattern && fnmatch(pattern, json_get_string(dump, "Id"), FNM_NOESCAPE) != 0)
                        continue;
                any = true;
                if (rm_is_wanted(source->options, dump))
                        status = rm_add(dumps, dump);
        }
        if (any)
                return status;
        (void) fprintf(stderr, "No dump matches '%s'\n", pattern);
        return STATUS_FAILED;
}

/* Finds the dump of a file by the service's path, because this user may not be able to read the service's directory. */
static const json_object *rm_find_path(const DumpSource *source, const char *word) {
        bool here = !source->options->host && !source->options->machine;
        _cleanup_free_ char *real = here ? realpath(word, NULL) : NULL;

        for (size_t i = 0; i < source->list.n; i++) {
                const char *path = json_get_string(source->list.dumps[i], "Path");

                if (streq(path, word) || (real && streq(path, real)))
                        return source->list.dumps[i];
        }
        return NULL;
}

static int rm_add_one(DumpSource *source, const char *word, json_object *dumps) {
        _cleanup_(json_object_putp) json_object *dump = NULL;
        int status = dump_source_find(source, word, &dump);

        if (status != STATUS_OK)
                return status;
        if (*json_get_string(dump, "Object"))
                return rm_is_wanted(source->options, dump) ? rm_add(dumps, dump) : STATUS_OK;
        (void) fprintf(stderr, "%s is no dump of the service: use rm to remove files\n", word);
        return STATUS_FAILED;
}

static int rm_add_word(DumpSource *source, const char *word, json_object *dumps) {
        const json_object *dump = strchr(word, '/') ? rm_find_path(source, word) : NULL;
        size_t n = 0;

        if (dump)
                return rm_is_wanted(source->options, dump) ? rm_add(dumps, dump) : STATUS_OK;
        if (strchr(word, '/'))
                return rm_add_one(source, word, dumps);
        if (word[strcspn(word, "*?[")])
                return rm_add_matching(source, word, dumps);
        for (size_t i = 0; i < source->list.n; i++)
                n += streq(json_get_string(source->list.dumps[i], "Session"), word);
        if (n == 0)
                return rm_add_one(source, word, dumps);
        (void) fprintf(stderr, "'%s' is a session with %zu dump%s: --session=%s removes %s, an id removes one\n", word, n,
                       n == 1 ? "" : "s", word, n == 1 ? "it" : "all of them");
        return STATUS_FAILED;
}

/* Continues after an error, so that all errors are reported. */
static int rm_add_words(DumpSource *source, char *const *words, json_object *dumps) {
        int status = STATUS_OK;

        STRV_FOREACH(word, words) {
                int one = rm_add_word(source, *word, dumps);

                if (status == STATUS_OK)
                        status = one;
        }
        return status;
}

static int rm_find_all(DumpSource *source, char *const *words, json_object *ret) {
        const ClientOptions *o = source->options;
        int status;

        if (!words && !o->sessions && !o->triggers && o->dump.since == 0 && o->dump.until == USEC_INFINITY) {
                (void) fprintf(stderr, "Name the dumps to remove, or select them with --session=, --trigger=, --since= or "
                               "--until=\n");
                return STATUS_FAILED;
        }
        status = dump_source_load(source);
        if (status != STATUS_OK)
                return status;
        status = words ? rm_add_words(source, words, ret) : rm_add_matching(source, NULL, ret);
        if (status != STATUS_OK || json_length(ret) > 0)
                return status;
        if (!source->options->quiet)
                (void) fprintf(stderr, "No dumps found.\n");
        return STATUS_FAILED;
}

static int rm_remove_dump(DumpSource *source, const json_object *dump) {
        int status = dump_source_remove(source, dump);
        char size[32];

        if (status == STATUS_OK && !source->options->quiet)
                (void) printf("Removed %s (%s)\n", json_get_string(dump, "Id"),
                              format_size(size, sizeof(size), json_get_unsigned(dump, "Size")));
        return status;
}

int verb_rm(const ClientOptions *o, char **arguments) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(json_object_putp) json_object *dumps = json_object_new_array();
        int status = dumps ? rm_find_all(&source, arguments, dumps) : verb_fail("find the dumps", -ENOMEM);

        if (status != STATUS_OK)
                return status;
        for (size_t i = 0; i < json_length(dumps); i++) {
                int one = rm_remove_dump(&source, json_at(dumps, i));

                if (status == STATUS_OK)
                        status = one;
        }
        return status;
}
