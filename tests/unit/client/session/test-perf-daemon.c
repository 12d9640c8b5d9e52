/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf daemon's two lists, compared with what perf 6.1 prints for the same sessions. */


#include "check-main.h"
#include "perf-daemon.h"

static void set(json_object *v, const char *key, const char *text) {
        ck_assert_int_eq(json_set(v, key, json_new_string(text)), 0);
}

static json_object *make_session(const char *name, uint64_t pid, const char *run) {
        json_object *v = json_object_new_object();
        char path[64];

        set(v, "Name", name);
        set(v, "Command", run);
        ck_assert_int_eq(json_set(v, "MainPID", json_object_new_uint64(pid)), 0);
        ck_assert_int_eq(json_set(v, "StartTimestamp", json_object_new_uint64(1000 * USEC_PER_SEC)), 0);
        (void) snprintf(path, sizeof(path), "/opt/perfdata/session-%s", name);
        set(v, "Directory", path);
        (void) snprintf(path, sizeof(path), "/opt/perfdata/session-%s/output", name);
        set(v, "OutputPath", path);
        (void) snprintf(path, sizeof(path), "/opt/perfdata/session-%s/control", name);
        set(v, "ControlPath", path);
        (void) snprintf(path, sizeof(path), "/opt/perfdata/session-%s/ack", name);
        set(v, "AckPath", path);
        return v;
}

static const PerfDaemon perf_daemon = {
        .pid = 603349,
        .base = "/opt/perfdata",
        .start = 900 * USEC_PER_SEC,
        .now = 1179 * USEC_PER_SEC, /* 4 minutes and 39 s; of the sessions 2 minutes and 59 s */
};

typedef enum Form { FIELDS, SHORT, LONG } Form;

static char *print(Form form) {
        _cleanup_(json_object_putp) json_object *cycles =
                        make_session("cycles", 603350, "-m 10M -e cycles --overwrite --switch-output -a");
        _cleanup_(json_object_putp) json_object *idle = make_session("idle", 0, "-e cpu-clock");
        const json_object *sessions[] = { cycles, idle };
        SessionList l = { .sessions = sessions, .n = 2 };
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        ck_assert_ptr_nonnull(f);
        if (form == FIELDS)
                perf_daemon_print_fields(f, &perf_daemon, &l, ":");
        else
                perf_daemon_print_lines(f, &perf_daemon, &l, form == LONG);
        (void) fclose(f);
        return text;
}

START_TEST(test_fields) {
        _cleanup_free_ char *text = print(FIELDS);

        ck_assert_str_eq(text,
                         "603349:daemon:/opt/perfdata:/opt/perfdata/output:/opt/perfdata/lock:4\n"
                         "603350:cycles:-m 10M -e cycles --overwrite --switch-output -a:/opt/perfdata/session-cycles:"
                         "/opt/perfdata/session-cycles/output:/opt/perfdata/session-cycles/control:"
                         "/opt/perfdata/session-cycles/ack:2\n");
}
END_TEST

START_TEST(test_short) {
        _cleanup_free_ char *text = print(SHORT);

        ck_assert_str_eq(text, "[603349:daemon] base: /opt/perfdata\n"
                               "[603350:cycles] perf record -m 10M -e cycles --overwrite --switch-output -a\n");
}
END_TEST

START_TEST(test_long) {
        _cleanup_free_ char *text = print(LONG);

        ck_assert_str_eq(text,
                         "[603349:daemon] base: /opt/perfdata\n"
                         "  output:  /opt/perfdata/output\n"
                         "  lock:    /opt/perfdata/lock\n"
                         "  up:      4 minutes\n"
                         "[603350:cycles] perf record -m 10M -e cycles --overwrite --switch-output -a\n"
                         "  base:    /opt/perfdata/session-cycles\n"
                         "  output:  /opt/perfdata/session-cycles/output\n"
                         "  control: /opt/perfdata/session-cycles/control\n"
                         "  ack:     /opt/perfdata/session-cycles/ack\n"
                         "  up:      2 minutes\n");
}
END_TEST

CHECK_MAIN("perf-daemon", test_fields, test_short, test_long);
