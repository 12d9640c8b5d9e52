/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl monitor: prints the service's D-Bus signals, one line each, until it is interrupted. It outlives the daemon, whose start
 * and end it prints, too. With --json each line is an object. */

#include "bus-client.h"
#include "strv.h"
#include "text-width.h"
#include "verbs.h"

/* "State=recording Error="no such file"": values with blanks in quotes. */
static int monitor_append_changes(char ***words, const json_object *changed) {
        for (struct lh_entry *e = json_entries(changed); e; e = lh_entry_next(e)) {
                _cleanup_free_ char *text = json_format(json_entry_value(e));
                const char *quote = text && (strchr(text, ' ') || !*text) ? "\"" : "";

                if (!text || strv_extendf(words, "%s=%s%s%s", json_entry_key(e), quote, text, quote) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int monitor_append_arguments(char ***words, const BusSignal *s) {
        if (streq(s->member, "PropertiesChanged"))
                return monitor_append_changes(words, json_at(s->arguments, 1));
        if (streq(s->member, "NameOwnerChanged"))
                return strv_extendf(words, "perf-recorderd %s",
                                    *json_string(json_at(s->arguments, 2)) ? "started" : "ended");
        for (size_t i = 0; i < json_length(s->arguments); i++) {
                const json_object *v = json_at(s->arguments, i);

                /* only --json shows all properties of new objects */
                if (!json_object_is_type(v, json_type_object) && strv_consume(words, json_format(v)) < 0)
                        return -ENOMEM;
        }
        return 0;
}

static int monitor_print_text(const BusSignal *s, usec_t now) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL, *clean = NULL;
        time_t second = (time_t) (now / USEC_PER_SEC);
        char clock[16] = "";
        struct tm tm;
        int r = strv_extend(&words, s->member);

        if (r >= 0 && s->session)
                r = strv_extend(&words, s->session);
        if (r >= 0)
                r = monitor_append_arguments(&words, s);
        if (r < 0)
                return r;
        line = strv_join(words, " ");
        clean = line ? text_sanitize(line) : NULL;
        if (!clean)
                return -ENOMEM;
        if (localtime_r(&second, &tm))
                (void) strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
        (void) printf("%s.%03u %s\n", clock, (unsigned) (now % USEC_PER_SEC / USEC_PER_MSEC), clean);
        return 0;
}

static int monitor_print_json(const BusSignal *s, usec_t now, JsonMode mode) {
        _cleanup_(json_object_putp) json_object *v = json_object_new_object();
        int r = v ? json_set(v, "timestamp", json_object_new_uint64(now)) : -ENOMEM;

        if (r >= 0)
                r = json_set(v, "signal", json_new_string(s->member));
        if (r >= 0)
                r = json_set(v, "path", json_new_string(s->path));
        if (r >= 0 && s->session)
                r = json_set(v, "session", json_new_string(s->session));
        if (r >= 0)
                r = json_set(v, "arguments", json_ref(s->arguments));
        return r < 0 ? r : json_print(v, mode);
}

static int monitor_handle(const BusSignal *s, void *userdata) {
        const ClientOptions *o = userdata;
        usec_t now = now_usec(CLOCK_REALTIME);
        int r = o->json != JSON_OFF ? monitor_print_json(s, now, o->json) : monitor_print_text(s, now);

        if (r < 0)
                return r;
        return fflush(stdout) != 0 ? -errno : 0;
}

int verb_monitor(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        (void) bus_client_monitor(c, monitor_handle, (void *) o);
        return bus_client_fail(c, "watch the bus");
}
