/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Converts settings from the bus to assignments as in a session file. A value cannot leave its line. Keys that name
 * programs are refused here, by name, before the domain sees anything: a caller with org.perfrecorder1.record may
 * record everything and run nothing. Number and size are limited before anything is copied. */

#include "bus-settings.h"

#include "bus-error.h"
#include "parse-time.h"

typedef struct Reader {
        sd_bus_message *message;
        sd_bus_error *error;
        const char *key;
        char **assignments;
        size_t n_assignments, size;
} Reader;

/* Refused on the bus: they name programs and files. */
static const char *const refused_keys[] = {
        "Session.Recorder",
};

static int wrong(const Reader *r, Failure failure, const char *what) {
        char key[80];

        return bus_error_setf(r->error, failure, "Setting '%s': %s", bus_error_quote(key, sizeof(key), r->key), what);
}

static bool is_word(const char *s, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= '0' && s[i] <= '9')))
                        return false;
        return n > 0;
}

static int check_key(const Reader *r) {
        const char *dot = strchr(r->key, '.');

        if (!dot || !is_word(r->key, dot - r->key) || !is_word(dot + 1, strlen(dot + 1)))
                return wrong(r, FAILURE_ARGUMENT, "a key is Section.Key, such as Record.Event");
        for (size_t i = 0; i < ELEMENTSOF(refused_keys); i++)
                if (streq(r->key, refused_keys[i]))
                        return wrong(r, FAILURE_ARGUMENT,
                                     "can't be set over the bus, since it names a program; use a session file");
        return 0;
}

static int add(Reader *r, const char *value) {
        size_t size = strlen(r->key) + strlen(value) + 2;

        for (const char *c = value; *c; c++)
                if ((unsigned char) *c < ' ' || *c == 0x7f)
                        return wrong(r, FAILURE_ARGUMENT, "a value has no control characters");
        if (r->n_assignments >= BUS_SETTINGS_MAX || size > BUS_SETTINGS_SIZE_MAX - r->size)
                return wrong(r, FAILURE_LIMIT, "too many or too long settings");

        r->n_assignments++;
        r->size += size;
        return strv_extendf(&r->assignments, "%s=%s", r->key, value);
}

static int add_strings(Reader *r) {
        const char *value;
        bool any = false;
        int q;

        q = sd_bus_message_enter_container(r->message, 'a', "s");
        if (q < 0)
                return q;
        while ((q = sd_bus_message_read_basic(r->message, 's', &value)) > 0) {
                q = add(r, value);
                if (q < 0)
                        return q;
                any = true;
        }
        if (q >= 0 && !any)
                q = add(r, "");
        return q < 0 ? q : sd_bus_message_exit_container(r->message);
}

/* Any basic type of a variant, with its own width. */
typedef union Basic {
        const char *s;
        int b;
        uint8_t y;
        int16_t n;
        uint16_t q;
        int32_t i;
        uint32_t u;
        int64_t x;
        uint64_t t;
} Basic;

static int add_basic(Reader *r, char type) {
        char number[24];
        Basic v;
        int q;

        q = sd_bus_message_read_basic(r->message, type, &v);
        if (q < 0)
                return q;
        switch (type) {
        case 's': return add(r, v.s);
        case 'b': return add(r, v.b ? "yes" : "no");
        case 'n': (void) snprintf(number, sizeof(number), "%i", v.n); break;
        case 'i': (void) snprintf(number, sizeof(number), "%i", v.i); break;
        case 'x': (void) snprintf(number, sizeof(number), "%" PRIi64, v.x); break;
        case 'y': (void) snprintf(number, sizeof(number), "%u", v.y); break;
        case 'q': (void) snprintf(number, sizeof(number), "%u", v.q); break;
        case 'u': (void) snprintf(number, sizeof(number), "%u", v.u); break;
        default:  (void) snprintf(number, sizeof(number), "%" PRIu64, v.t); break;
        }
        return add(r, number);
}

static int add_variant(Reader *r) {
        const char *contents;
        int q;

        q = sd_bus_message_peek_type(r->message, NULL, &contents);
        if (q < 0)
                return q;
        if (!streq(contents, "as") && (strlen(contents) != 1 || !strchr("sbynqiuxt", contents[0])))
                return wrong(r, FAILURE_ARGUMENT, "a value is a string, a boolean, an integer or an array of strings");

        q = sd_bus_message_enter_container(r->message, 'v', contents);
        if (q < 0)
                return q;
        q = streq(contents, "as") ? add_strings(r) : add_basic(r, contents[0]);
        return q < 0 ? q : sd_bus_message_exit_container(r->message);
}

static int add_entries(Reader *r) {
        int q;

        q = sd_bus_message_enter_container(r->message, 'a', "{sv}");
        if (q < 0)
                return q;
        while ((q = sd_bus_message_enter_container(r->message, 'e', "sv")) > 0) {
                q = sd_bus_message_read_basic(r->message, 's', &r->key);
                if (q >= 0)
                        q = check_key(r);
                if (q >= 0)
                        q = add_variant(r);
                if (q >= 0)
                        q = sd_bus_message_exit_container(r->message);
                if (q < 0)
                        return q;
        }
        return q < 0 ? q : sd_bus_message_exit_container(r->message);
}

int bus_read_settings(sd_bus_message *m, char ***ret, sd_bus_error *e) {
        Reader r = { .message = m, .error = e };
        int q;

        q = add_entries(&r);
        if (q < 0) {
                strv_free(r.assignments);
                return q;
        }
        *ret = r.assignments;
        return 0;
}
