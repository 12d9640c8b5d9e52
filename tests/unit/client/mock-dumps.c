/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Dumps as perfctl sees them. Opening any of them opens the same file; a removed one does not exist until it is made again. */

#include "mock-dumps.h"

#include <fcntl.h>

#include <perf-recorder/bus-names.h>
#include <perf-recorder/errors.h>

#include "parse-time.h"
#include "strv.h"

#define AT(seconds) ((UINT64_C(1795258398) + (seconds)) * USEC_PER_SEC) /* Sat 2026-11-21 10:53:18 UTC */

#define SYMBOLS "/base/session-sched/symbols.2026112011000000"

typedef struct MockDump {
        const char *id, *session, *path, *trigger, *detail;
        uint64_t timestamp, size, samples, lost, first, last;
        bool removed;
        uint64_t lost_records;
} MockDump;

static MockDump dumps[] = {
        { "web@1-2026112110561800", "web@1", "/base/session-web@1/perf.data.2026112110561800", "cpu-pressure",
          "some 150ms/1s; unit-failure: x.service", AT(180), 4096, 1000, 0, AT(178), AT(180) - 600000, false },
        { "cpu-2026112110531800", "cpu", "/base/session-cpu/perf.data.2026112110531800", "request", "uid 0: \033[1mwhy",
          AT(0), 1572864, 12345, 3, AT(0) - 125 * USEC_PER_SEC, AT(0), false },
        { "cpu-2026112110541800", "cpu", "/base/session-cpu/perf.data.2026112110541800", "signal", "", AT(60), 1048576,
          800, 0, AT(48) - 345678, AT(60), false, 19031 },
        { "sched-2026112011000000", "sched", "/base/session-sched/perf.data.2026112011000000", "", "",
          AT(0) - UINT64_C(85998) * USEC_PER_SEC, 512, UINT64_MAX, UINT64_MAX, 0, 0, false },
};
static char *file, *symbols, *lent, *once, *held, *slow;
static void (*write_log)(const char *format, ...);

static int find(sd_bus *bus, const char *path, const char *interface, void *userdata, void **ret, sd_bus_error *e) {
        _cleanup_free_ char *id = NULL;

        if (sd_bus_path_decode(path, PR_BUS_DUMP_PATH, &id) <= 0)
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(dumps); i++)
                if (streq(dumps[i].id, id) && !dumps[i].removed) {
                        *ret = &dumps[i];
                        return 1;
                }
        return 0;
}

static int enumerate(sd_bus *bus, const char *prefix, void *userdata, char ***ret, sd_bus_error *e) {
        char **nodes = calloc(ELEMENTSOF(dumps) + 1, sizeof(char *));
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(dumps); i++)
                if (!dumps[i].removed && sd_bus_path_encode(PR_BUS_DUMP_PATH, dumps[i].id, &nodes[n++]) < 0)
                        return -ENOMEM;
        *ret = nodes;
        return 1;
}

static int get(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
               void *userdata, sd_bus_error *e) {
        const MockDump *d = userdata;
        const struct {
                const char *name, *string;
        } strings[] = {
                { "Id", d->id },           { "Session", d->session },      { "Path", d->path },
                { "Trigger", d->trigger }, { "TriggerDetail", d->detail }, { "SymbolsPath", streq(d->session, "sched") ? SYMBOLS : "" },
        };
        const struct {
                const char *name;
                uint64_t number;
        } numbers[] = {
                { "Timestamp", d->timestamp },   { "Size", d->size },           { "Samples", d->samples },
                { "Lost", d->lost },             { "Throttled", d->lost },      { "FirstSampleUsec", d->first },
                { "LastSampleUsec", d->last },   { "LostRecords", d->lost_records }, { "DiskUsage", 3 * d->size },
        };

        for (size_t i = 0; i < ELEMENTSOF(strings); i++)
                if (streq(strings[i].name, property))
                        return sd_bus_message_append(reply, "s", strings[i].string);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (streq(numbers[i].name, property))
                        return sd_bus_message_append(reply, "t", numbers[i].number);
        return sd_bus_message_append(reply, "u", access(once, F_OK) >= 0 ? 1 : 2); /* Triggers */
}

static int get_lent(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                    void *userdata, sd_bus_error *e) {
        const MockDump *d = userdata;

        if (!streq(d->session, "web@1") || access(lent, F_OK) < 0)
                return sd_bus_message_append(reply, "a(ttss)", 0);
        return sd_bus_message_append(reply, "a(ttss)", 1, AT(179), UINT64_C(0), "hardware", "pmda");
}

/* A window of any session is the file; the third call with that is too late. */
int mock_dumps_open_window(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_close_ int fd = open(file, O_RDONLY | O_CLOEXEC);
        static unsigned n;
        uint64_t since;
        int whole, r;

        r = sd_bus_message_read(m, "tb", &since, &whole);
        if (r < 0)
                return r;
        write_log("OpenWindow %s %d %d\n", strrchr(sd_bus_message_get_path(m), '/') + 1, since == UINT64_MAX ? -1 : (int) since, whole);
        if (since != UINT64_MAX && ++n == 3)
                return sd_bus_error_set(e, PR_ERROR_NOT_RUNNING, "its recorder ended");
        return fd < 0 ? -errno : sd_bus_reply_method_return(m, "ht", fd, since == UINT64_MAX ? UINT64_C(7) : since + 1);
}

static int method_open(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_close_ int fd = open(file, O_RDONLY | O_CLOEXEC);
        const MockDump *d = userdata;

        write_log("Open %s\n", d->id);
        if (streq(d->session, "web@1"))
                return sd_bus_error_set(e, SD_BUS_ERROR_ACCESS_DENIED, "Only root may do that");
        return fd < 0 ? -errno : sd_bus_reply_method_return(m, "h", fd);
}

static int method_open_symbols(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        _cleanup_close_ int fd = open(symbols, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        return fd < 0 ? sd_bus_error_set(e, SD_BUS_ERROR_FILE_NOT_FOUND, "There are no symbols")
                      : sd_bus_reply_method_return(m, "h", fd);
}

static int method_remove(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        MockDump *d = userdata;

        write_log("Remove %s\n", d->id);
        if (access(held, F_OK) >= 0)
                return sd_bus_error_set(e, SD_BUS_ERROR_ACCESS_DENIED, "Only root may do that");
        d->removed = true;
        return sd_bus_reply_method_return(m, NULL);
}

static const sd_bus_vtable vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("Open", "", "h", method_open, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("OpenSymbols", "", "h", method_open_symbols, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("Remove", "", "", method_remove, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_PROPERTY("Id", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Session", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Path", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Trigger", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("TriggerDetail", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Triggers", "u", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Timestamp", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Size", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("DiskUsage", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Samples", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Lost", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LostRecords", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Throttled", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("FirstSampleUsec", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("LastSampleUsec", "t", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("SymbolsPath", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Lent", "a(ttss)", get_lent, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_VTABLE_END,
};

int mock_dumps_add(sd_bus *bus, const char *directory, void (*log)(const char *format, ...)) {
        int r;

        write_log = log;
        if (asprintf(&file, "%s/dump", directory) < 0 || asprintf(&symbols, "%s/kept", directory) < 0 ||
            asprintf(&lent, "%s/lent", directory) < 0 || asprintf(&once, "%s/once", directory) < 0 ||
            asprintf(&held, "%s/held", directory) < 0 || asprintf(&slow, "%s/slow", directory) < 0)
                return -ENOMEM;
        r = sd_bus_add_fallback_vtable(bus, NULL, PR_BUS_DUMP_PATH, PR_BUS_DUMP_INTERFACE, vtable, find, NULL);
        return r < 0 ? r : sd_bus_add_node_enumerator(bus, NULL, PR_BUS_DUMP_PATH, enumerate, NULL);
}

static int log_options(sd_bus_message *m, uint64_t *ret_timeout) {
        const char *key, *text;
        uint64_t t;
        int b, r = sd_bus_message_enter_container(m, 'a', "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
                r = sd_bus_message_read(m, "s", &key);
                if (r >= 0 && (streq(key, "new") || streq(key, "force"))) {
                        r = sd_bus_message_read(m, "v", "b", &b);
                        write_log(" %s=%s", key, b ? "yes" : "no");
                } else if (r >= 0 && streq(key, "reason")) {
                        r = sd_bus_message_read(m, "v", "s", &text);
                        write_log(" %s=%s", key, text);
                } else if (r >= 0) {
                        r = sd_bus_message_read(m, "v", "t", &t);
                        if (streq(key, "since") || streq(key, "until")) /* seconds ago, roughly */
                                t = (now_usec(CLOCK_REALTIME) - t) / (10 * USEC_PER_SEC) * 10;
                        if (streq(key, "timeout"))
                                *ret_timeout = t;
                        write_log(" %s=%" PRIu64, key, t);
                }
                if (r >= 0)
                        r = sd_bus_message_exit_container(m);
        }
        write_log("\n");
        return r;
}

/* Replies with the older dump of "cpu", the only dump of web@1, or both for all sessions; in an error beside "sched". */
static int dump(sd_bus_message *m, bool with_fds, sd_bus_error *e) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        _cleanup_close_ int fd = open(file, O_RDONLY | O_CLOEXEC);
        _cleanup_strv_free_ char **names = NULL;
        uint64_t timeout = 0;
        int r = sd_bus_message_read_strv(m, &names);

        write_log(with_fds ? "Dump" : "DumpObjects");
        STRV_FOREACH(name, names)
                write_log(" %s", *name);
        if (r >= 0)
                r = log_options(m, &timeout);
        if (strv_contains(names, "nosuch"))
                return sd_bus_error_set(e, PR_ERROR_NO_SUCH_SESSION, "There is no session 'nosuch'");
        if (strv_contains(names, "sched") && strv_contains(names, "off"))
                return sd_bus_error_set(e, PR_ERROR_NOT_RUNNING, "sched: it is not running\noff: it is not running");
        if (strv_contains(names, "sched") && !strv_contains(names, "cpu"))
                return sd_bus_error_set(e, PR_ERROR_NOT_RUNNING, "Session 'sched' is not running");
        if (strv_contains(names, "hung")) /* the service never answers */
                return 1;
        if (strv_contains(names, "stopped")) { /* its recorder never answers, and the service says so in time */
                (void) usleep((useconds_t) timeout);
                return sd_bus_error_set(e, PR_ERROR_TIMEOUT, "its recorder did not answer in time");
        }
        if (access(slow, F_OK) >= 0)
                (void) usleep(800000);
        if (r >= 0)
                r = strv_contains(names, "sched")
                            ? sd_bus_message_new_method_errorf(m, &reply, PR_ERROR_NOT_RUNNING, "sched: it is not running")
                            : sd_bus_message_new_method_return(m, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', with_fds ? "(soh)" : "(so)");
        for (size_t i = 0; r >= 0 && i < 2; i++) {
                _cleanup_free_ char *path = NULL;

                if (names && !strv_contains(names, dumps[i].session))
                        continue;
                dumps[i].removed = false;
                r = sd_bus_path_encode(PR_BUS_DUMP_PATH, dumps[i].id, &path);
                if (r >= 0)
                        r = with_fds ? sd_bus_message_append(reply, "(soh)", dumps[i].session, path, fd)
                                     : sd_bus_message_append(reply, "(so)", dumps[i].session, path);
        }
        if (r >= 0 && strv_contains(names, "brief")) /* its dump has been removed by the time of the answer */
                r = with_fds ? sd_bus_message_append(reply, "(soh)", "brief", PR_BUS_DUMP_PATH "/brief_2d2026112110571800", fd)
                             : sd_bus_message_append(reply, "(so)", "brief", PR_BUS_DUMP_PATH "/brief_2d2026112110571800");
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}

int mock_dumps_dump(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        return dump(m, true, e);
}

int mock_dumps_dump_objects(sd_bus_message *m, void *userdata, sd_bus_error *e) {
        return dump(m, false, e);
}
