/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The dumps' objects. As for sessions there is one vtable: a path is decoded to an id, and the manager is asked for
 * that dump. A dump exists without its session. Callers get a descriptor of it: paths are returned to them, and
 * never taken from them. */

#include "bus-dump.h"

#include <perf-recorder/bus-names.h>

#include "bus-error.h"

int bus_dump_path_of(const char *id, char **ret) {
        return sd_bus_path_encode(PR_BUS_DUMP_PATH, id, ret);
}

int bus_dump_path(const Dump *d, char **ret) {
        return d ? bus_dump_path_of(d->id, ret) : free_and_strdup(ret, "/");
}

static const Dump *find(Bus *b, const char *path) {
        _cleanup_free_ char *id = NULL;

        if (sd_bus_path_decode(path, PR_BUS_DUMP_PATH, &id) <= 0)
                return NULL;
        return b->leaving_dump && streq(b->leaving_dump->id, id) ? b->leaving_dump : dump_store_find(manager_dumps(b->manager), id);
}

static int gone(sd_bus_error *e) {
        return bus_error_set(e, FAILURE_NO_SUCH_OBJECT, "There is no such dump any more: ListDumps lists all");
}

/* polkit is asked about its session. */
static int read_path(BusCall *c, sd_bus_error *e) {
        const Dump *d = find(c->bus, sd_bus_message_get_path(c->message));

        int r;

        if (!d)
                return gone(e);
        r = free_and_strdup(&c->dump_id, d->id);
        return r < 0 ? r : strv_extend(&c->sessions, d->session);
}

static int fail(const Dump *d, int error, sd_bus_error *e) {
        if (error == -ENOENT || error == -ESTALE || error == -ELOOP || error == -EBADFD || error == -ENOTDIR)
                return gone(e);
        if (error == -EACCES || error == -EPERM)
                return bus_error_setf(e, FAILURE_OTHER, "The service itself has no permission to do that with %s: %s", d->path,
                                      strerror(-error));
        return bus_error_setf(e, failure_of(error), "%s: %s", d->path, strerror(-error));
}

static int method_open(BusCall *c, sd_bus_error *e) {
        const Dump *d = find(c->bus, sd_bus_message_get_path(c->message));
        _cleanup_close_ int fd = -EBADF;
        int r;

        if (!d) /* it may have been removed while polkit was asked */
                return gone(e);
        r = dump_store_open(manager_dumps(c->bus->manager), d, &fd);
        return r < 0 ? fail(d, r, e) : sd_bus_reply_method_return(c->message, "h", fd);
}

static int method_open_symbols(BusCall *c, sd_bus_error *e) {
        const Dump *d = find(c->bus, sd_bus_message_get_path(c->message));
        _cleanup_close_ int fd = -EBADF;
        int r;

        if (!d)
                return gone(e);
        r = dump_store_open_symbols(manager_dumps(c->bus->manager), d, &fd);
        if (r == -ENODATA)
                return bus_error_setf(e, FAILURE_NO_SYMBOLS, "Dump %s has no symbols beside it", d->id);
        return r < 0 ? fail(d, r, e) : sd_bus_reply_method_return(c->message, "h", fd);
}

static int method_remove(BusCall *c, sd_bus_error *e) {
        const char *path = sd_bus_message_get_path(c->message);
        const Dump *d = find(c->bus, path);
        int r;

        if (!d)
                return gone(e);
        r = manager_remove_dump(c->bus->manager, d);
        if (r < 0) {
                d = find(c->bus, path);
                return d ? fail(d, r, e) : gone(e);
        }
        return sd_bus_reply_method_return(c->message, NULL);
}

static const BusMethod methods[] = {
        { "Open",        "", "h", SD_BUS_PARAM(fd), PR_POLKIT_VIEW, "open",   read_path, method_open },
        { "OpenSymbols", "", "h", SD_BUS_PARAM(fd), PR_POLKIT_VIEW, "open",   read_path, method_open_symbols },
        { "Remove",      "", "",  "",               PR_POLKIT_DUMP, "remove", read_path, method_remove },
};

static int handle(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return bus_call_handle(userdata, m, methods, ELEMENTSOF(methods), handle, error);
}

/* userdata is the dump, as for properties; the Bus is that of the vtable. */
static int on_method(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return handle(m, sd_bus_slot_get_userdata(sd_bus_get_current_slot(sd_bus_message_get_bus(m))), error);
}

#define PROPERTY(name, type, value) BUS_PROPERTY(Dump, d, name, type, value)
#define TEXT(name, value) BUS_TEXT_PROPERTY(Dump, d, name, value)

TEXT(id, d->id);
TEXT(session, d->session);
TEXT(dump_path, d->path);
TEXT(trigger, d->trigger);
TEXT(trigger_detail, d->detail);
TEXT(incident, d->incident);
PROPERTY(n_triggers, "u", (uint32_t) d->n_triggers);
PROPERTY(timestamp, "t", d->timestamp);
PROPERTY(size, "t", d->size);
PROPERTY(disk_usage, "t", d->usage);
PROPERTY(samples, "t", d->samples);
PROPERTY(lost, "t", d->lost);
PROPERTY(lost_records, "t", d->lost_records);
PROPERTY(throttled, "t", d->throttled);
PROPERTY(left_out_mappings, "t", d->left_out_mappings);
PROPERTY(left_out_processes, "t", d->left_out_processes);
PROPERTY(first, "t", d->first);
PROPERTY(last, "t", d->last);
TEXT(boot_id, d->boot_id);
TEXT(symbols_path, d->symbols.path);

static int get_lent(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                    void *userdata, sd_bus_error *error) {
        const Lendings *l = &((const Dump *) userdata)->lent;
        int r;

        r = sd_bus_message_open_container(reply, 'a', "(ttss)");
        for (size_t i = 0; r >= 0 && i < l->n; i++)
                r = sd_bus_message_append(reply, "(ttss)", l->all[i].first, l->all[i].last, counter_kind_to_string(l->all[i].kind),
                                          l->all[i].who);
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

static const sd_bus_vtable properties[] = {
        SD_BUS_PROPERTY("Id", "s", get_id, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Session", "s", get_session, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Path", "s", get_dump_path, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Trigger", "s", get_trigger, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("TriggerDetail", "s", get_trigger_detail, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Triggers", "u", get_n_triggers, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Timestamp", "t", get_timestamp, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Size", "t", get_size, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("DiskUsage", "t", get_disk_usage, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Samples", "t", get_samples, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Lost", "t", get_lost, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LostRecords", "t", get_lost_records, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Throttled", "t", get_throttled, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LeftOutMappings", "t", get_left_out_mappings, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LeftOutProcesses", "t", get_left_out_processes, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("FirstSampleUsec", "t", get_first, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LastSampleUsec", "t", get_last, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Lent", "a(ttss)", get_lent, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Incident", "s", get_incident, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("BootID", "s", get_boot_id, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("SymbolsPath", "s", get_symbols_path, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_VTABLE_END,
};

static int on_find(sd_bus *bus, const char *path, const char *interface, void *userdata, void **ret, sd_bus_error *error) {
        const Dump *d = find(userdata, path);

        if (!d)
                return 0;
        *ret = (void *) d; /* which no handler changes */
        return 1;
}

static int on_enumerate(sd_bus *bus, const char *prefix, void *userdata, char ***ret, sd_bus_error *error) {
        _cleanup_strv_free_ char **paths = NULL;
        const Dump *const *all;
        Bus *b = userdata;
        size_t n;
        int r;

        all = dump_store_all(manager_dumps(b->manager), &n);
        paths = calloc(n + 1, sizeof(char *));
        if (!paths)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                r = bus_dump_path(all[i], &paths[i]);
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(paths);
        return 0;
}

int bus_dump_export(Bus *b) {
        int r;

        if (!b->dump_vtable) {
                r = bus_methods_to_vtable(methods, ELEMENTSOF(methods), on_method, properties, &b->dump_vtable);
                if (r < 0)
                        return r;
        }
        r = sd_bus_add_fallback_vtable(b->bus, NULL, PR_BUS_DUMP_PATH, PR_BUS_DUMP_INTERFACE, b->dump_vtable, on_find, b);
        return r < 0 ? r : sd_bus_add_node_enumerator(b->bus, NULL, PR_BUS_DUMP_PATH, on_enumerate, b);
}

static int append_dumps(sd_bus_message *reply, const Dump *const *dumps, size_t n) {
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *path = NULL;
                const Dump *d = dumps[i];
                int r;

                r = bus_dump_path(d, &path);
                if (r >= 0)
                        r = sd_bus_message_append(reply, "(ostttss)", path, d->session, d->timestamp, d->size, d->samples,
                                                  d->trigger, d->detail);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* A session that does not exist has an empty list, as one without dumps: there may be dumps of a former session. */
int bus_verb_list_dumps(BusCall *c, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        const Dump *const *dumps;
        size_t n;
        int r;

        r = sd_bus_message_new_method_return(c->message, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(ostttss)");
        STRV_FOREACH(name, c->sessions) {
                dumps = dump_store_of(manager_dumps(c->bus->manager), *name, &n);
                if (r >= 0)
                        r = append_dumps(reply, dumps, n);
        }
        if (r >= 0 && strv_length(c->sessions) == 0) {
                dumps = dump_store_all(manager_dumps(c->bus->manager), &n);
                r = append_dumps(reply, dumps, n);
        }
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

static void emit_signal(Bus *b, const char *signal, const Dump *d, const char *path) {
        (void) sd_bus_emit_signal(b->bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, signal, "so", d->session, path);
}

void bus_dump_emit_added(Bus *b, const Dump *d) {
        _cleanup_free_ char *path = NULL;

        if (bus_dump_path(d, &path) < 0)
                return;
        (void) sd_bus_emit_object_added(b->bus, path);
        emit_signal(b, "DumpNew", d, path);
}

/* It is still shown while its removal is reported. */
void bus_dump_emit_removed(Bus *b, const Dump *d) {
        _cleanup_free_ char *path = NULL;

        if (bus_dump_path(d, &path) < 0)
                return;
        b->leaving_dump = d;
        (void) sd_bus_emit_object_removed(b->bus, path);
        b->leaving_dump = NULL;
        emit_signal(b, "DumpRemoved", d, path);
}

void bus_dump_emit_changed(Bus *b, const Dump *d) {
        _cleanup_free_ char *path = NULL;

        if (bus_dump_path(d, &path) >= 0)
                (void) sd_bus_emit_properties_changed(b->bus, path, PR_BUS_DUMP_INTERFACE, "SymbolsPath", "DiskUsage", NULL);
}
