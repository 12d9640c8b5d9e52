/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl show: prints properties of sessions, or without a name of the daemon, as KEY=value. Times are shown as in systemctl;
 * JSON has the numbers. */

#include "bus-client.h"
#include "pager.h"
#include "strv.h"
#include "text-width.h"
#include "verbs.h"

static int show_format(const char *key, const json_object *v, char **ret) {
        _cleanup_free_ char *text = NULL;
        char timestamp[64] = "";
        size_t n = strlen(key);

        if (n >= strlen("Timestamp") && streq(key + n - strlen("Timestamp"), "Timestamp")) {
                if (json_unsigned(v) > 0)
                        (void) format_timestamp(timestamp, sizeof(timestamp), json_unsigned(v));
                text = strdup(timestamp);
        } else
                text = json_format(v);
        *ret = text ? text_sanitize(text) : NULL;
        return *ret ? 0 : -ENOMEM;
}

static bool show_is_wanted(const ClientOptions *o, const char *key) {
        return !o->properties || strv_contains(o->properties, key);
}

static int show_print_text(const ClientOptions *o, const json_object *properties) {
        for (struct lh_entry *e = json_entries(properties); e; e = lh_entry_next(e)) {
                const char *key = json_entry_key(e);
                _cleanup_free_ char *text = NULL;
                int r;

                if (!show_is_wanted(o, key))
                        continue;
                r = show_format(key, json_entry_value(e), &text);
                if (r < 0)
                        return r;
                if (o->table.value_only)
                        (void) puts(text);
                else
                        (void) printf("%s=%s\n", key, text);
        }
        return 0;
}

/* Appends an object with the wanted properties to all. */
static int show_collect(const ClientOptions *o, const json_object *properties, json_object *all) {
        json_object *object = json_object_new_object();
        int r = json_append(all, object);

        for (struct lh_entry *e = json_entries(properties); r >= 0 && e; e = lh_entry_next(e))
                if (show_is_wanted(o, json_entry_key(e)))
                        r = json_set(object, json_entry_key(e), json_ref(json_entry_value(e)));
        return r;
}

int verb_show(const ClientOptions *o, char **arguments) {
        _cleanup_(json_object_putp) json_object *all = json_object_new_array();
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        size_t n = MAX_OF(strv_length(arguments), (size_t) 1);
        int r = all ? 0 : -ENOMEM;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        pager_open(!o->no_pager);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                _cleanup_(json_object_putp) json_object *properties = NULL;

                r = arguments ? bus_client_get_session(c, arguments[i], &properties)
                              : bus_client_get_manager(c, &properties);
                if (r < 0)
                        return bus_client_fail(c, "show properties");
                if (i > 0 && o->json == JSON_OFF)
                        (void) putchar('\n');
                r = o->json != JSON_OFF ? show_collect(o, properties, all) : show_print_text(o, properties);
        }
        /* one session or the daemon is an object, several sessions are an array */
        if (r >= 0 && o->json != JSON_OFF)
                r = json_print(n == 1 ? json_at(all, 0) : all, o->json);
        return r < 0 ? verb_fail("print properties", r) : STATUS_OK;
}
