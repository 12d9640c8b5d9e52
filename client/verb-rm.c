/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl rm: removes dumps of the service. All words are looked up before anything goes, so that "-1 -2" are the two
 * newest, and a word that names nothing leaves everything as it was. */

#include "dump-source.h"
#include "parse-size.h"
#include "strv.h"
#include "verbs.h"

static bool is_named(const Value *dumps, const char *object) {
        for (size_t i = 0; i < value_length(dumps); i++)
                if (streq(value_get_string(value_at(dumps, i), "Object"), object))
                        return true;
        return false;
}

static int find_all(DumpSource *source, char *const *words, Value *ret) {
        int status = STATUS_OK;

        STRV_FOREACH(word, words) {
                _cleanup_(value_freep) Value *dump = NULL;
                const char *object;
                int one = dump_source_find(source, *word, &dump);

                if (status == STATUS_OK)
                        status = one;
                if (one != STATUS_OK)
                        continue;
                object = value_get_string(dump, "Object");
                if (!*object) {
                        (void) fprintf(stderr, "%s is a file and no dump of the service's: leave it to rm\n", *word);
                        status = STATUS_FAILED;
                } else if (!is_named(ret, object) && value_append(ret, steal_ptr(dump)) < 0)
                        return verb_fail("find the dumps", -ENOMEM);
        }
        return status;
}

static int remove_dump(const Options *o, BusClient *c, const Value *dump) {
        BusCall call = {
                .method = "Remove",
                .object = value_get_string(dump, "Object"),
                .flags = BUS_CALL_AUTHORIZE | BUS_CALL_NO_AUTO_START,
        };
        char *names[] = { (char *) value_get_string(dump, "Id"), NULL };
        char size[32];

        if (bus_client_call(c, &call, NULL) < 0)
                return bus_client_fail_for(c, "remove", names);
        if (!o->quiet)
                (void) printf("Removed %s (%s)\n", names[0],
                              format_size(size, sizeof(size), value_get_unsigned(dump, "Size")));
        return STATUS_OK;
}

int verb_rm(const Options *o, char **arguments) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(value_freep) Value *dumps = value_new_array();
        int status = dumps ? find_all(&source, arguments, dumps) : verb_fail("find the dumps", -ENOMEM);

        if (status != STATUS_OK)
                return status;
        for (size_t i = 0; i < value_length(dumps); i++) {
                int one = remove_dump(o, source.bus, value_at(dumps, i));

                if (status == STATUS_OK)
                        status = one;
        }
        return status;
}
