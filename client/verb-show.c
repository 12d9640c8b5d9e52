/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl show: properties as KEY=value, of sessions or, without a name, of the daemon. Times are shown as systemctl
 * shows them; JSON has the numbers. */

#include "bus-client.h"
#include "pager.h"
#include "strv.h"
#include "text-width.h"
#include "verbs.h"

static bool is_timestamp(const char *key) {
        static const char suffix[] = "Timestamp";
        size_t n = strlen(key);

        return n >= strlen(suffix) && streq(key + n - strlen(suffix), suffix);
}

static int format(const char *key, const Value *v, char **ret) {
        _cleanup_free_ char *text = NULL;
        char timestamp[64] = "";

        if (is_timestamp(key)) {
                if (value_unsigned(v) > 0)
                        (void) format_timestamp(timestamp, sizeof(timestamp), value_unsigned(v));
                text = strdup(timestamp);
        } else
                text = value_format(v);
        *ret = text ? text_sanitize(text) : NULL;
        return *ret ? 0 : -ENOMEM;
}

static bool is_wanted(const Options *o, const char *key) {
        return !o->properties || strv_contains(o->properties, key);
}

static int print_text(const Options *o, const Value *properties) {
        for (size_t i = 0; i < value_length(properties); i++) {
                const char *key = value_key(properties, i);
                _cleanup_free_ char *text = NULL;
                int r;

                if (!is_wanted(o, key))
                        continue;
                r = format(key, value_at(properties, i), &text);
                if (r < 0)
                        return r;
                if (o->value_only)
                        (void) puts(text);
                else
                        (void) printf("%s=%s\n", key, text);
        }
        return 0;
}

/* Appends the wanted ones as an object to *all. */
static int collect(const Options *o, const Value *properties, Value *all) {
        Value *object = value_new_object();
        int r = value_append(all, object);

        for (size_t i = 0; r >= 0 && i < value_length(properties); i++)
                if (is_wanted(o, value_key(properties, i)))
                        r = value_set(object, value_key(properties, i), value_copy(value_at(properties, i)));
        return r;
}

/* One set of properties: printed, or kept for the JSON at the end. */
static int handle(const Options *o, const Value *properties, size_t index, Value *all) {
        if (o->json != JSON_OFF)
                return collect(o, properties, all);
        if (index > 0)
                (void) putchar('\n');
        return print_text(o, properties);
}

int verb_show(const Options *o, char **arguments) {
        _cleanup_(value_freep) Value *all = value_new_array();
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        size_t n = MAX_OF(strv_length(arguments), (size_t) 1);
        int r = all ? 0 : -ENOMEM;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        pager_open(!o->no_pager);
        for (size_t i = 0; r >= 0 && i < n; i++) {
                _cleanup_(value_freep) Value *properties = NULL;

                r = arguments ? bus_client_get_session(c, arguments[i], &properties)
                              : bus_client_get_manager(c, &properties);
                if (r < 0)
                        return bus_client_fail(c, "show properties");
                r = handle(o, properties, i, all);
        }
        /* one thing asked for is one object, several are an array */
        if (r >= 0 && o->json != JSON_OFF)
                r = value_print_json(n == 1 ? value_at(all, 0) : all, o->json);
        return r < 0 ? verb_fail("print properties", r) : STATUS_OK;
}
