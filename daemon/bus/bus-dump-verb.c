/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Dump reads what its caller asks for, and answers when the dumps exist. The dump names the caller: by the kernel's word for
 * it, which the bus passes on, and the caller's own reason behind it. */

#include "bus-verb.h"

#include "bus-dump.h"
#include "bus-error.h"
#include "format-text.h"
#include "line-reader.h"

#define OPTIONS_MAX 16u

/* The message lists all options: "since, until and delay". */
static int refuse_option(const char *name, sd_bus_error *e) {
        _cleanup_free_ char *all = NULL;
        char quoted[64];

        for (const DumpWord *w = dump_word_next(NULL, DUMP_WORD_CALLER), *next; w; w = next) {
                _cleanup_free_ char *before = all;

                next = dump_word_next(w, DUMP_WORD_CALLER);
                all = format_text("%s%s%s", before ?: "", !before ? "" : next ? ", " : " and ", w->name);
                if (!all)
                        return -ENOMEM;
        }
        return bus_error_setf(e, FAILURE_ARGUMENT, "Unknown option '%s'; options are %s",
                              bus_error_quote(quoted, sizeof(quoted), name), all);
}

/* A string is the message's. */
static int read_option(BusCall *c, const char *name, sd_bus_error *e) {
        const DumpWord *w = dump_word_find(name, DUMP_WORD_CALLER);
        const char wanted[] = { w ? dump_word_type(w) : '\0', '\0' }, *type;
        DumpWordValue value = {};
        int r, flag = 0;

        if (!w)
                return refuse_option(name, e);
        r = sd_bus_message_peek_type(c->message, NULL, &type);
        if (r < 0)
                return r;
        if (!streq(type, wanted))
                return bus_error_setf(e, FAILURE_ARGUMENT, "%s is of type %s", name, wanted);
        if (*wanted == 't')
                r = sd_bus_message_read(c->message, "v", wanted, &value.number);
        else if (*wanted == 'b')
                r = sd_bus_message_read(c->message, "v", wanted, &flag);
        else
                r = sd_bus_message_read(c->message, "v", wanted, &value.string);
        if (r < 0)
                return r;
        if (flag)
                value.number = 1;
        if ((value.string && line_complaint(value.string, strlen(value.string))) || dump_request_set(&c->dump, w, &value) < 0)
                return bus_error_setf(e, FAILURE_ARGUMENT, "%s %s", name, w->rule);
        return 0;
}

static int check_options(const DumpRequest *q, sd_bus_error *e) {
        if (q->until > 0 && q->until < q->since)
                return bus_error_set(e, FAILURE_ARGUMENT, "until is before since");
        if (q->fresh && (q->since > 0 || q->until > 0))
                return bus_error_set(e, FAILURE_ARGUMENT, "new is what no dump has yet, and has no since or until");
        return 0;
}

int bus_read_dump_options(BusCall *c, sd_bus_error *e) {
        const char *name;
        int r;

        r = sd_bus_message_enter_container(c->message, 'a', "{sv}");
        if (r < 0)
                return r;
        for (unsigned n = 0; (r = sd_bus_message_enter_container(c->message, 'e', "sv")) > 0; n++) {
                if (n >= OPTIONS_MAX)
                        return bus_error_setf(e, FAILURE_LIMIT, "More than %u options", OPTIONS_MAX);
                r = sd_bus_message_read(c->message, "s", &name);
                if (r >= 0)
                        r = read_option(c, name, e);
                if (r >= 0)
                        r = sd_bus_message_exit_container(c->message);
                if (r < 0)
                        return r;
        }
        if (r >= 0)
                r = check_options(&c->dump, e);
        return r < 0 ? r : sd_bus_message_exit_container(c->message);
}

static int append_dump(sd_bus_message *reply, const char *type, const void *rows, size_t i) {
        const DumpRow *row = (const DumpRow *) rows + i;
        _cleanup_free_ char *path = NULL;
        int r;

        r = bus_dump_path_of(row->dump, &path);
        return r < 0 ? r : sd_bus_message_append(reply, type, row->session, path, row->fd); /* "(so)" ends before it */
}

/* If a session failed, the dumps of the others are values of the error, after its message. */
static void on_dumped(Failure failure, const char *sentence, const DumpRow *rows, size_t n_rows, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;
        const char *type = c->method->answer + strlen("a"); /* unless the call is for one */
        _cleanup_free_ char *path = NULL;
        int r;

        if (failure && n_rows > 0 && c->message &&
            bus_reply_failure_with_rows(c, failure, sentence, type, n_rows, append_dump, rows) >= 0)
                return;
        if (bus_call_failed(c, failure, sentence))
                return;
        if (!bus_call_is_for_one(c))
                bus_call_replied(c, bus_reply_rows(c, type, n_rows, append_dump, rows));
        else if (!bus_call_failed(c, n_rows == 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE, NULL)) {
                r = bus_dump_path_of(rows->dump, &path);
                if (r >= 0)
                        r = sd_bus_reply_method_return(c->message, "oh", path, rows->fd); /* not every connection can carry it */
                bus_call_replied(c, r);
        }
}

static int on_caller_there(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        BusCall *c = userdata;
        int there;

        if (sd_bus_message_read(m, "b", &there) <= 0 || there)
                return 0;
        manager_withdraw_dumps(c->bus->manager, c);
        bus_call_free(c);
        return 0;
}

/* A caller that leaves is noticed, and its dumps are withdrawn. One that has left before is found by asking the bus, since a
 * dump may take an hour. If that fails, the dump is made for nobody. */
static void look_for_caller(BusCall *c) {
        const char *sender = sd_bus_message_get_sender(c->message);

        if (sender) /* otherwise it is a connection without a bus */
                (void) sd_bus_call_method_async(c->bus->bus, &c->caller_there, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                "org.freedesktop.DBus", "NameHasOwner", on_caller_there, c, "s", sender);
}

static size_t count_recording(const Sessions *l) {
        size_t n = 0;

        for (size_t i = 0; i < l->n; i++)
                n += session_is_recording(l->all[i]);
        return n;
}

int bus_verb_dump(BusCall *c, sd_bus_error *e) {
        size_t n = c->sessions ? strv_length(c->sessions) : count_recording(manager_sessions(c->bus->manager));
        BusCall *kept;
        char *detail;

        if (n > BUS_FDS_PER_MESSAGE_MAX && strchr(c->method->answer, 'h'))
                return bus_error_setf(e, FAILURE_LIMIT, "Dump answers with a descriptor for each of at most %u sessions, and "
                                      "these are %zu: name fewer, or use DumpObjects", BUS_FDS_PER_MESSAGE_MAX, n);
        if (c->dump.force && c->caller.uid != 0 && c->caller.uid != geteuid())
                return bus_error_set(e, FAILURE_ACCESS, "Only root may dump above the rate limit (force)");
        detail = format_text("%s%s%s", c->caller.text, c->dump.reason ? ": " : "", c->dump.reason ?: "");
        if (!detail)
                return -ENOMEM;
        free(c->dump_detail);
        c->dump_detail = detail;
        kept = bus_call_keep(c);
        if (!kept)
                return -ENOMEM;
        kept->dump.trigger = PR_TRIGGER_REQUEST;
        kept->dump.detail = kept->dump_detail;
        kept->dump.reason = NULL; /* it was the message's, and is in the detail */
        look_for_caller(kept);
        manager_dump(kept->bus->manager, kept->sessions, &kept->dump, on_dumped, kept);
        return 1;
}
