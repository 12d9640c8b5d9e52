/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl's verbs for dumps, end to end on a private bus: their calls, their output and files, their exit status. */

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "check-main.h"
#include "client-fixture.h"
#include "file-facts.h"
#include "scratch.h"

#define RECORDING PR_TEST_GOLDEN "/perf-6.1-plain.data"

#define WITH_SERVICE                                        \
        _cleanup_(fixture_done) Fixture f = {};             \
        fixture_init(&f, true);                             \
        put_recording(&f);                                  \
        fixture_start_service(&f)

static char *contents(const char *path, size_t *ret_size) {
        char *data;

        ck_assert_int_eq(read_file(path, 1 << 20, &data, ret_size), 0);
        return data;
}

/* The content of the mock's dumps. */
static void put_recording(const Fixture *f) {
        size_t size;
        _cleanup_free_ char *data = contents(RECORDING, &size);

        scratch_write(f->dir, "dump", data, size);
        ck_assert_int_eq(chdir(f->dir), 0);
}

/* Makes a script, which perfctl runs as the program that a variable names. */
static void put_program(const Fixture *f, const char *name, const char *variable, const char *text) {
        _cleanup_free_ char *script = NULL;

        scratch_write_text(f->dir, name, text);
        ck_assert_int_gt(asprintf(&script, "%s/%s", f->dir, name), 0);
        ck_assert_int_eq(chmod(script, 0755), 0);
        (void) setenv(variable, script, 1);
}

/* In place of all programs that look at recordings. */
static void put_view(const Fixture *f, const char *text) {
        put_program(f, "view", "PERF_RECORDER_VIEW", text);
        put_program(f, "view", "PERF_RECORDER_METER", text);
}

static void assert_same(const char *path) {
        size_t a, b;
        _cleanup_free_ char *data = contents(path, &a), *recording = contents(RECORDING, &b);

        ck_assert(a == b && memcmp(data, recording, a) == 0);
}

START_TEST(test_dumps) {
        WITH_SERVICE;

        expect("dumps", 0,
               " # TIME                        SESSION TRIGGER         SPAN SAMPLES LOST SIZE DETAIL                                 ID\n"
               "-4 Fri 2026-11-20 11:00:00 UTC sched   -                  -       -    - 512B -                                      "
               "sched-2026112011000000\n"
               "-3 Sat 2026-11-21 10:53:18 UTC cpu     request      2min 5s   12345    3 1.5M uid 0: ?[1mwhy                         "
               "cpu-2026112110531800\n"
               "-2 Sat 2026-11-21 10:54:18 UTC cpu     signal         12.3s     800    0   1M -                                      "
               "cpu-2026112110541800\n"
               "-1 Sat 2026-11-21 10:56:18 UTC web@1   unit-failure    1.4s    1000    0   4K x.service; cpu-pressure: some 150ms/1s "
               "web@1-2026112110561800\n",
               "");
        (void) setenv("COLUMNS", "95", 1);
        expect("dumps cpu", 0,
               " # TIME            SESSION TRIGGER    SPAN SAMPLES LOST SIZE DETAIL        ID\n"
               "-3 Nov 21 10:53:18 cpu     request 2min 5s   12345    3 1.5M uid 0: ?[1mw… cpu-2026112110531800\n"
               "-2 Nov 21 10:54:18 cpu     signal    12.3s     800    0   1M -             cpu-2026112110541800\n",
               "");
        (void) setenv("COLUMNS", "80", 1);
        expect("dumps cpu", 0,
               " # TIME            TRIGGER    SPAN SAMPLES LOST SIZE ID\n"
               "-3 Nov 21 10:53:18 request 2min 5s   12345    3 1.5M cpu-2026112110531800\n"
               "-2 Nov 21 10:54:18 signal    12.3s     800    0   1M cpu-2026112110541800\n",
               "");
        (void) setenv("COLUMNS", "70", 1);
        expect("dumps --no-legend -1", 0, "-1 Nov 21 10:56:18 unit-failure 1.4s 1000 0 4K web@1-2026112110561800\n", "");
        (void) setenv("COLUMNS", "50", 1);
        expect("dumps --no-legend -1", 0, "-1 Nov 21 10:56:18 unit-fa… 1.4s 1000 web@1-2026112110561800\n", "");
}
END_TEST

START_TEST(test_dumps_choice) {
        WITH_SERVICE;

        (void) setenv("COLUMNS", "1", 1); /* the id is last */
        expect_like("dumps --no-legend -n 1 cpu", 0, "cpu-2026112110541800\n", "");
        expect_like("dumps --no-legend -n 2 -r", 0, "cpu-2026112110541800\n", "");
        expect_like("dumps --no-legend --trigger=signal,*-pressure -n1", 0, "web@1-2026112110561800\n", "");
        expect_like("dumps --no-legend --trigger=unit-failure", 0, "web@1-2026112110561800\n", "");
        expect_like("dumps --no-legend --trigger=signal", 0, "cpu-2026112110541800\n", "");
        expect_like("dumps --no-legend --since='2026-11-21 10:55'", 0, "web@1-2026112110561800\n", "");
        expect_like("dumps --no-legend --since=2026-11-21T12:55:00,5+02:00", 0, "web@1-2026112110561800\n", "");
        expect_like("dumps --no-legend --until='2026-11-21 10:50'", 0, "sched-2026112011000000\n", "");
        expect_like("dumps --no-legend --session='w*'", 0, "web@1-2026112110561800\n", "");
        expect_like("dumps --no-legend '*-2026112110531800'", 0, "cpu-2026112110531800\n", "");
        expect_like("dumps --no-legend cpu-20261121105418", 0, "cpu-2026112110541800\n", "");
        expect_like("dumps --no-legend -n1 'sc*'", 0, "sched-2026112011000000\n", "");
        expect_like("dumps --no-legend -4", 0, "sched-2026112011000000\n", "");
        expect("dumps nosuch", 1, "", "No dumps found.\n");
        expect("dumps nosuch -q", 1, "", "");
        expect("dumps nosuch --json=short", 1, "[]\n", "");
        expect_like("dumps --since=soon", 1, "", "Not a time: 'soon'");
        expect("dumps cpu -n1 --json=short", 0,
               "[{\"id\":\"cpu-2026112110541800\",\"session\":\"cpu\",\"timestamp\":1795258458000000,\"trigger\":\"signal\","
               "\"detail\":\"\",\"triggers\":2,\"first_usec\":1795258445654322,\"last_usec\":1795258458000000,"
               "\"samples\":800,\"lost\":0,\"lost_records\":19031,\"throttled\":0,\"size\":1048576,\"disk_usage\":3145728,"
               "\"path\":\"/base/session-cpu/perf.data.2026112110541800\",\"symbols\":\"\"}]\n",
               "");
        expect("dumps sched --json=short", 0, /* without samples */
               "[{\"id\":\"sched-2026112011000000\",\"session\":\"sched\",\"timestamp\":1795172400000000,\"trigger\":\"\","
               "\"detail\":\"\",\"triggers\":2,\"lost_records\":0,\"size\":512,\"disk_usage\":1536,"
               "\"path\":\"/base/session-sched/perf.data.2026112011000000\","
               "\"symbols\":\"/base/session-sched/symbols.2026112011000000\"}]\n",
               "");
        expect_calls(&f, "");
}
END_TEST

/* The name of a session is also the beginning of another session's ids, or of its name. */
START_TEST(test_session_without_dumps) {
        static const char *const verbs[] = { "info", "cp -q", "open", "rm", "merge -o merged" };
        WITH_SERVICE;

        expect("rm web", 1, "", "There is no dump 'web'; 'perfctl dumps' shows all\n");
        expect("dumps web", 1, "", "No dumps found.\n");
        expect("info web@1-", 1, "", "There is no dump 'web@1-'; 'perfctl dumps' shows all\n");
        expect("info cpu-2", 1, "", "Several dumps begin with 'cpu-2':\n        cpu-2026112110531800\n        cpu-2026112110541800\n");
        expect("start -q web cpu-2", 0, NULL, NULL);
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                _cleanup_free_ char *line = NULL;

                ck_assert_int_gt(asprintf(&line, "%s cpu-2%s", verbs[i], startswith(verbs[i], "cp") ? " copy" : ""), 0);
                expect(line, 1, "", "Session 'cpu-2' has no dumps\n");
        }
        expect("rm web", 1, "", "Session 'web' has no dumps\n");
        expect("dumps cpu-2", 1, "", "No dumps found.\n");
        expect("dumps --session=cpu-2", 1, "", "No dumps found.\n");
        expect("rm --session=cpu-2", 1, "", "No dumps found.\n");
        expect_like("dumps --no-legend --session='cpu-2*'", 0, "cpu-2026112110541800\n", "");
        expect("rm -q cpu-202611211054", 0, "", "");
        expect_calls(&f, "Start web cpu-2\nRemove cpu-2026112110541800\n");
}
END_TEST

/* A terminal gets a message when it takes long. */
START_TEST(test_dump_of_one_that_hangs) {
        WITH_SERVICE;

        expect("dump --timeout=100ms hung", 1, "", "Failed to dump 'hung': perf-recorderd did not answer in time\n");
        expect("dump --timeout=400ms stopped", 1, "", "Failed to dump 'stopped': its recorder did not answer in time\n");
        expect_calls(&f, "DumpObjects hung timeout=100000\nDumpObjects stopped timeout=400000\n");
        if (system("command -v script >/dev/null") == 0) {
                expect_like("--version; script -qec '" PERFCTL " dump --timeout=2s hung' /dev/null", 1, "Still waiting for the dump", "");
                expect("--version >/dev/null; script -qec '" PERFCTL " dump -q --timeout=2s hung' /dev/null", 1,
                       "Failed to dump 'hung': perf-recorderd did not answer in time\r\n", "");
        }
        expect_like("dump --timeout=1min cpu", 0, "cpu: cpu-2026112110531800", "");
}
END_TEST

#define REMOVED "Failed to show dump 'brief-2026112110571800': the dump has been removed in the meantime\n"

/* Each line names a dump, also if perfctl comes too late to learn more about it. A descriptor is good nevertheless. */
START_TEST(test_dump_that_is_removed) {
        WITH_SERVICE;

        expect("dump brief", 1, "", REMOVED);
        expect_like("dump brief cpu", 1, "cpu: cpu-2026112110531800", REMOVED);
        expect("dump brief --json=short", 1, "[]\n", REMOVED);
        expect("dump brief -o copy", 0, "", REMOVED);
        assert_same("copy");
}
END_TEST

START_TEST(test_dump) {
        WITH_SERVICE;

        expect("dump cpu", 0, "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n", "");
        expect("dump --since=30s --until='10s ago' --delay=2s --force --why='a test'", 0,
               "web@1: web@1-2026112110561800, 1.4s, 1000 samples, 4K\n"
               "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n", "");
        expect("dump -q --session=cpu", 0, "", "");
        expect_like("dump cpu --json=short", 0, "[{\"id\":\"cpu-2026112110531800\",\"session\":\"cpu\"", "");
        expect("dump cpu -o copy", 0, "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n", "");
        assert_same("copy");
        expect("dump cpu -qo- >piped && cmp piped dump", 0, "", "");
        expect_like("dump cpu -o-", 0, "PERFILE2", "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n");
        ck_assert_int_eq(system("script -qec '" PERFCTL " dump cpu --delay=2s' /dev/null </dev/null | tr -d '\\r' | "
                                "grep -qx 'The dump is due in 2s'"), 0);
        expect_like("dump cpu --delay=0", 0, "cpu: cpu-2026112110531800", "");
        expect_calls(&f, "DumpObjects cpu\nDumpObjects since=30 until=10 delay=2000000 force=yes reason=a test\nDumpObjects cpu\n"
                         "DumpObjects cpu\nDump cpu\nDump cpu\nDump cpu\nDumpObjects cpu delay=2000000\nDumpObjects cpu delay=0\n");
        expect("dump cpu --output=json", 1, "",
               "--output= names a file here: write ./json for a file of this name; --json=short prints JSON\n");
        expect("merge cpu -o short", 1, "", "--output= names a file here: write ./short for a file of this name\n");
        expect("list --output=json-pretty", 1, "", "'list' takes no --output; --json=pretty prints JSON\n");
        expect_like("dump cpu --output=./json", 0, "12345 samples", "");
        expect_like("dump -o copy", 1, "web@1", "2 dumps do not fit into one file: copy them with 'perfctl cp'\n");
        expect_like("dump cpu web@1 -o copy", 1, "", "--output= takes the dump of one session only");
        expect_like("dump --since=tomorrow", 1, "", "still to come");
        expect_like("dump --until=tomorrow", 1, "", "still to come");
        expect_like("dump --since=1min --until=-2min", 1, "", "--until= is before --since=");
        expect_like("dump --since=1min --new", 1, "", "--new cannot be combined with --since= and --until=");
        expect("dump cpu --delay=61min", 1, "", "--delay= is more than an hour\n");
        expect_like("dump cpu --since=1970-01-02", 0, "cpu: cpu-2026112110531800",
                    " old, less than the ");
        expect_like("dump cpu -q --since=1970-01-02 && echo done", 0, "done\n", "");
        expect("pause cpu && " PERFCTL " dump cpu --since=1970-01-02", 0, /* memory reaches back, and there are no older samples */
               "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n", "");
        expect_like("dump --overlap", 1, "", "--overlap");
        expect("dump --since=1min cpu idle", 1, "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n",
               "idle: no dump: there are no samples of that time in memory\n");
        expect_like("dump -q --new idle cpu", 1, "", "idle: no dump: there is nothing new since the last dump\n");
        expect("dump nosuch", 5, "", "Failed to dump 'nosuch': There is no session 'nosuch'\n");
        expect("dump sched", 3, "", "Failed to dump 'sched': Session 'sched' is not running\n");
        expect("dump sched off", 3, "", "Failed to dump: sched: it is not running\nFailed to dump: off: it is not running\n");
        expect("dump sched cpu", 3, "cpu: cpu-2026112110531800, 2min 5s, 12345 samples (3 lost), 1.5M\n",
               "Failed to dump: sched: it is not running\n");
        expect_like("dump cpu -o nosuch/copy", 1, NULL, "Failed to write nosuch/copy: No such file or directory\n");
}
END_TEST

START_TEST(test_info) {
        WITH_SERVICE;

        expect_like("info cpu-2026112110531800", 0,
                    "       Dump: cpu-2026112110531800\n"
                    "    Session: cpu\n"
                    "    Trigger: request: uid 0: ?[1mwhy (and 1 more)\n"
                    "       Time: Sat 2026-11-21 10:53:18 UTC; ", "");
        (void) setenv("COLUMNS", "40", 1);
        expect_like("info cpu-2026112110531800", 0, "    Trigger: request: uid… (and 1 more)\n", "");
        (void) unsetenv("COLUMNS");
        expect_like("info cpu-2026112110531800", 0,
                    "       Span: 2min 5s, 10:51:13.000 to 10:53:18.000\n", "");
        expect_like("info cpu-2026112110531800", 0,
                    "       Size: 1.5M\n"
                    "       File: /base/session-cpu/perf.data.2026112110531800\n"
                    "   Hostname: ", "");
        expect_like("info -2 -3", 0, "\n\n       Dump: cpu-2026112110531800\n", "");
        expect_like("info cpu-20261121105", 1, "",
                    "Several dumps begin with 'cpu-20261121105':\n"
                    "        cpu-2026112110531800\n        cpu-2026112110541800\n");
        expect("info nosuch", 1, "", "There is no dump 'nosuch'; 'perfctl dumps' shows all\n");
        expect("info -5", 1, "", "There are only 4 dumps\n");
        expect_calls(&f, "Open cpu-2026112110531800\nOpen cpu-2026112110531800\nOpen cpu-2026112110531800\nOpen cpu-2026112110531800\n"
                         "Open cpu-2026112110541800\nOpen cpu-2026112110531800\n");
        expect("info web@1", 4, "", "Failed to open the dump: Only root may do that\n");
        expect_like("info cpu --json=short", 0, "\"events\":[{\"event\":", "");
        expect_like("info cpu sched --json=short", 0, "},{\"id\":\"sched-2026112011000000\"", "");
}
END_TEST

#define MERGED "uid 0, pid 1234: a slow request; unit-failure: web.service; signal"

/* Files need no service; their own facts are shown as the service's are. */
START_TEST(test_info_file) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *data = NULL;
        size_t size;

        fixture_init(&f, false);
        put_recording(&f);
        expect_like("info dump", 0, "       File: dump\n", "");
        expect_like("info ./dump", 0, "\n     Events: ", "");
        expect_like("info ./dump --comm='s*' --pid=1,24757", 0, "   Selected: 84 (100.0%)\n  Processes:       84 100.0% sh[24757]\n", "");
        expect_like("info ./dump --comm=bash,dash", 0, "   Selected: 0 (0.0%)\n",
                    "./dump: none of the 84 samples matches --comm=bash --comm=dash\n");
        expect_like("info ./dump --comm='[ET_NET 0]'", 0, "   Selected: 0 (0.0%)\n",
                    "./dump: none of the 84 samples matches --comm=[ET_NET 0]; '[ET_NET 0]' was taken for a name and for a pattern\n");
        expect("info ./dump --pid=1 --quiet >selected 2>&1 && grep -c sample selected", 1, "0\n", "");
        expect_like("info ./dump --tid=24757 --json=short", 0, "\"selected\":84,\"idle\":0,\"units\":[],\"processes\":[{\"name\":\"sh\",\"pid\":24757", "");
        expect("info ./dump --pid=sh", 1, "", "Not a process ID: 'sh'\n");
        expect_like("info ./dump -u web.service", 1, "", "./dump does not have the units of its samples");
        expect_like("info " PR_TEST_GOLDEN "/perf-6.1-groups.data", 0, "  Processes: samples of 3 events together\n", "");
        expect("info ./nosuch", 1, "", "Failed to open ./nosuch: No such file or directory\n");
        expect("info ./", 1, "", "Failed to open ./: Is a directory\n");
        expect("info /dev/null", 1, "", "Failed to open /dev/null: not a regular file\n");
        if (setxattr("dump", "user.perf-recorder.session", "web", 3, 0) == 0) {
                ck_assert_int_eq(setxattr("dump", "user.perf-recorder.trigger", "socket", 6, 0), 0);
                expect_like("info dump", 0, "    Session: web\n    Trigger: socket\n", "");
                ck_assert_int_eq(setxattr("dump", "user.perf-recorder.detail", MERGED, strlen(MERGED), 0), 0);
                expect_like("info dump", 0, "    Trigger: unit-failure: web.service; socket: uid 0, pid 1234: a slow request; signal\n", "");
                (void) setenv("COLUMNS", "60", 1);
                expect_like("info dump", 0, "    Trigger: unit-failure: web.service; socket: uid 0, pid…\n", "");
                (void) unsetenv("COLUMNS");
        }
        data = contents("dump", &size);
        scratch_write(f.dir, "cut-off", data, size - 3000);
        expect_like("info ./cut-off", 1, "    Samples: 84 (lost: 0)\n", "./cut-off is cut at byte 12936, within what follows its data: only a part of it could be read\n");
        memset(data + 40, 0xff, 8);
        scratch_write(f.dir, "broken", data, size);
        scratch_write_text(f.dir, "text", "This is no recording at all, whatever it is\n");
        expect("info text", 1, "", "Failed to read text: it is not a perf.data file\n");
        scratch_write_text(f.dir, "empty", "");
        expect("info empty", 1, "", "Failed to read empty: it is empty\n");
        scratch_write_text(f.dir, "swapped", "2ELIFREP and the rest");
        expect("info ./swapped", 1, "", "Failed to read ./swapped: it has another byte order\n");
        scratch_write_text(f.dir, "cut", "PERFILE2");
        expect("info cut", 1, "", "Failed to read cut: it is cut before its data\n");
        expect_like("info broken", 1, NULL, "Failed to read broken: it is broken\n");
}
END_TEST

START_TEST(test_cp) {
        WITH_SERVICE;
        struct stat st;

        expect("cp -1 copy", 4, "", "Failed to open the dump: Only root may do that\n");
        ck_assert_int_lt(stat("copy", &st), 0);
        expect("cp cpu copy", 0, "", "");
        assert_same("copy");
        ck_assert(stat("copy", &st) >= 0 && (st.st_mode & 07777) == 0600);
        expect("cp cpu - >piped && cmp piped dump", 0, "", "");
        expect("cp -3 .", 0, "", "");
        assert_same("perf.data.2026112110531800");
        expect("cp cpu nosuch/copy", 1, "", "Failed to write nosuch/copy: No such file or directory\n");
        expect("cp cpu /dev/null", 1, "", "Failed to write /dev/null: not a regular file\n");
        expect("cp cpu copy --symbols", 0, "", "cpu-2026112110541800 has no symbols: copying only the file\n");
        expect("cp cpu copy --bundle", 0, "", "cpu-2026112110541800 has no symbols: copying only the file\n");
        assert_same("copy");
        ck_assert_int_eq(unlink("copy"), 0);
        expect_like("cp cpu", 1, "", "Too few arguments");
}
END_TEST

/* A copy has the dump's extended attributes, and the directory of its symbols. */
START_TEST(test_cp_file) {
        _cleanup_(fixture_done) Fixture f = {};
        char value[16];

        fixture_init(&f, false);
        put_recording(&f);
        scratch_write_text(f.dir, "symbols.dump/usr/bin/a", "a");
        scratch_write_text(f.dir, "symbols.dump/boot/vmlinux", "kernel");
        scratch_write_text(f.dir, "symbols.copy/old", "old");
        expect("cp ./dump copy --symbols", 0, "", "");
        assert_same("copy");
        ck_assert_int_eq(system("diff -r symbols.dump symbols.copy && test ! -e symbols.copy/old"), 0);
        ck_assert_int_eq(system("ls -A | grep -q 'copy[^ ]*[.#]..*[.]' && exit 1; exit 0"), 0);
        expect("cp ./dump bundle --bundle", 0, "", "");
        ck_assert_int_eq(system("cmp -n $(stat -c %s dump) dump bundle && ! test -e symbols.bundle && python3 -m zipfile -e bundle extracted && "
                                "diff -r extracted/symbols symbols.dump"), 0);
        expect("cp ./dump - --bundle", 1, "", "--bundle works neither with standard output nor with --machine=\n");
        if (setxattr("dump", "user.perf-recorder.session", "web", 3, 0) < 0)
                return; /* a file system without them */
        expect("cp ./dump bundle --bundle", 0, "", "");
        ck_assert_int_eq(system("tail -c 50 bundle | grep -q '^user.perf-recorder.session=web$'"), 0);
        expect("cp dump copy", 0, "", "");
        ck_assert_int_eq(getxattr("copy", "user.perf-recorder.session", value, sizeof(value)), 3);
}
END_TEST

/* Makes a recording of another name with facts at its end, where any file system has them. */
static void put_facts(const Fixture *f, const char *name, const char *lent) {
        static const char *const facts[][2] = {
                { PR_DUMP_XATTR_LOST, "7" }, { PR_DUMP_XATTR_FIRST, "1795258380000000" }, { PR_DUMP_XATTR_LAST, "1795258402000000" },
        };
        _cleanup_(file_facts_done) FileFacts all = {};
        _cleanup_close_ int fd = -EBADF;
        size_t size;
        _cleanup_free_ char *data = contents(RECORDING, &size);

        scratch_write(f->dir, name, data, size);
        fd = open(name, O_RDWR | O_APPEND | O_CLOEXEC);
        for (size_t i = 0; i < ELEMENTSOF(facts); i++)
                ck_assert_int_eq(file_facts_add(&all, facts[i][0], facts[i][1], strlen(facts[i][1])), 0);
        ck_assert_int_eq(file_facts_add(&all, PR_DUMP_XATTR_LENT, lent, strlen(lent)), 0);
        ck_assert_int_eq(file_facts_append(&all, fd), 0);
}

/* The times in which counters were lent are shown, copied, and merged: the second dump knows when the first lending was over. */
START_TEST(test_lent) {
        WITH_SERVICE;

        put_facts(&f, "first", "1795258398000000 0 hardware li\033kwid");
        put_facts(&f, "second", "1795258398000000 1795258400000000 hardware li?kwid; 1795258401000000 1795258402000000 breakpoint gdb; "
                                "1795258499000000 0 hardware later");
        put_facts(&f, "wrong", "yesterday");
        expect_like("info ./first", 0, "    Samples: 84 (lost: up to 7)\n       Lent: hardware to li?kwid, since 10:53:18\n", "");
        expect_like("info ./first --json=short", 0,
                    "\"lent\":[{\"first_usec\":1795258398000000,\"what\":\"hardware\",\"who\":\"li?kwid\"}]", "");
        expect("info ./wrong >wrong.info && grep -c Lent wrong.info", 1, "0\n", "");
        expect("cp ./first copy", 0, "", "");
        expect_like("info ./copy", 0, "       Lent: hardware to li?kwid, since 10:53:18\n", "");
        expect_like("merge ./first ./second ./wrong -o merged", 0, "merged: 3 dumps", "");
        expect_like("info ./merged", 0,
                    "       Lent: hardware to li?kwid, 10:53:18 to 10:53:20\n       Lent: breakpoint to gdb, 10:53:21 to 10:53:22\n"
                    "       Size:", "");
        scratch_write_text(f.dir, "lent", "");
        expect("dumps --no-legend -1", 0,
               "-1 Sat 2026-11-21 10:56:18 UTC web@1 unit-failure 1.4s 1000 0, lent 4K x.service; cpu-pressure: some 150ms/1s "
               "web@1-2026112110561800\n", "");
        expect_like("dumps -1 --json=short", 0,
                    "\"lent\":[{\"first_usec\":1795258577000000,\"what\":\"hardware\",\"who\":\"pmda\"}]", "");
}
END_TEST

/* The facts of a copy and of a merged file are at its end. */
START_TEST(test_facts_without_attributes) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *disk = NULL;

        fixture_init(&f, false);
        disk = path_join(f.dir, "disk");
        put_recording(&f);
        if (setxattr("dump", "user.perf-recorder.trigger", "signal", 6, 0) < 0 || !scratch_mount_ramfs(disk))
                return;
        ck_assert_int_eq(setxattr("dump", "user.perf-recorder.detail", "SIGUSR2", 7, 0), 0);
        ck_assert_int_eq(setxattr("dump", "user.perf-recorder.lost", "7", 1, 0), 0);
        ck_assert_int_eq(setxattr("dump", "user.perf-recorder.triggers", "1", 1, 0), 0);
        expect("cp ./dump disk/copy", 0, "", "");
        expect_like("info disk/copy", 0, " Trigger: signal: SIGUSR2\n", "");
        expect("cp disk/copy disk/second && cmp disk/copy disk/second", 0, "", "");
        expect_like("merge ./dump disk/copy -o disk/merged", 0, "disk/merged: 2 dumps", "");
        expect_like("info disk/merged", 0, " Trigger: signal: SIGUSR2; signal: SIGUSR2 (and 1 more)\n", "");
        expect_like("merge disk/copy -o merged", 0, "merged: 1 dump", "");
        expect_like("info ./merged", 0, "(lost: up to 7)", "");
        ck_assert_int_eq(umount2(disk, MNT_DETACH), 0);
}
END_TEST

START_TEST(test_open) {
        WITH_SERVICE;

        expect_like("open cpu --viewer='cmp dump'", 0, "", "");
        expect_like("open cpu --viewer='echo to see'", 0, "to see ", "");
        expect_like("open cpu --viewer=echo -- --stdio -v", 0, " --stdio -v\n", "");
        expect_like("open ./dump --viewer=echo", 0, "./dump\n", "");
        expect("open cpu --viewer=false", 1, "", "");
        expect_like("open cpu --viewer=nosuch-viewer", 1, "", "Failed to run nosuch-viewer");
        (void) setenv("PERF_RECORDER_VIEWER", "echo instead", 1);
        expect("open ./dump", 0, "instead ./dump\n", "");
        expect("open -- --stdio", 4, "", "Failed to open the dump: Only root may do that\n"); /* that of the newest
                                                                                               * dump */
        /* no copy remains */
        ck_assert_int_ne(system("ls -A $TMPDIR | grep -q perf.data"), 0);
}
END_TEST

/* The viewer gets the dump as its standard input, and the words of the command line. */
START_TEST(test_report) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *expected = NULL;

        fixture_init(&f, false);
        put_recording(&f);
        scratch_write_text(f.dir, "symbols.dump/vmlinux", "kernel");
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncmp - dump || exit 5\nexit 7\n");
        ck_assert_int_gt(asprintf(&expected, "report\n--input=-\n--input-name=./dump\n--symfs=%s/symbols.dump\n--show-nr-samples\n--stdio\n",
                                  f.dir), 0);
        expect("report ./dump -n --stdio", 7, expected, "");
        scratch_write_text(f.dir, "view", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        expect("report -n -i ./dump", 0, "report\n--show-nr-samples\n--input=./dump\n", "");
        /* a terminal's width is perfctl's to tell, since the viewer may write to a pager */
        ck_assert_int_eq(system("script -qec 'stty cols 72; " PERFCTL " --no-pager report -n -i ./dump; " PERFCTL " --no-pager report -i ./dump "
                                "--stdio' /dev/null </dev/null | tr -d '\\r' >screen; printf '%s\\n' report --columns=72 --show-nr-samples "
                                "--input=./dump report --columns=72 --input=./dump --stdio | cmp - screen"), 0);
        expect("report -ni ./dump", 0, "report\n--show-nr-samples\n--input=./dump\n", "");
        expect("report --input=./dump", 0, "report\n--input=./dump\n", "");
        expect("header ./dump", 0, "header\n--input=-\n--input-name=./dump\n", ""); /* it needs no symbols */
        expect("evlist -vi ./dump", 0, "evlist\n--verbose\n--input=./dump\n", "");
        expect("script -Gi ./dump", 0, "script\n--hide-call-graph\n--input=./dump\n", "");
        expect("script -Di ./dump", 0, "script\n--dump-raw-trace\n--input=./dump\n", "");
        expect("annotate -li ./dump", 0, "annotate\n--print-line\n--input=./dump\n", "");
        expect("export --format=csv -i ./dump", 0, "export\n--format=csv\n--input=./dump\n", "");
        expect("flamegraph -o x.svg -i ./dump", 0, "flamegraph\n--input=./dump\n--output=x.svg\n", "");
        expect("flamegraph --format=svg -i ./dump", 0, "flamegraph\n--format=svg\n--input=./dump\n", "");
        expect_like("flamegraph ./dump", 0, "--input-name=./dump\n", "");
        expect_like("flamegraph ./dump --by=pid", 0, "--by=pid\n--output=perf-dump.html\n", "");
        scratch_write_text(f.dir, "perf-dump.html", "a page");
        expect_like("flamegraph ./dump", 0, "--output=perf-dump.html\nperf-dump.html\n", ""); /* its name is printed if it is there */
        expect("script -i ./dump --no-pager --json=short", 0, "script\n--input=./dump\n--json\n", "");
        expect("evlist --no-pager ./dump --json=off", 0, "evlist\n--input=-\n--input-name=./dump\n", "");
        expect("report - --stats", 0, "report\n--input=-\n--stats\n", "");
        expect_like("report ./dump ./dump -n", 0, "\n--input-name=./dump\n--symfs=", "");
        expect_like("report ./dump ./dump -n", 0, "report\n--input=&", "");
        expect_like("script ./dump ./dump -G", 0, "script\n--input=&", "");
        expect("evlist ./dump ./dump", 1, "", "'evlist' takes one dump\n");
        expect("diff -o 0", 0, "diff\n--order=0\n", ""); /* the viewer knows which two there are */
        expect_like("diff ./dump ./dump -o x.svg", 0, "\n--output=x.svg\n", "");
        expect("diff --on=a -o x.html", 0, "diff\n--on=a\n--output=x.html\n", "");
        expect_like("flamegraph --diff ./dump ./dump -o x.svg", 0, "\n--diff\n--output=x.svg\n", "");
        expect_like("diff ./dump ./dump -c ratio", 0, "diff\n--input=&", "");
        expect_like("diff ./dump --last 10s", 0, "diff\n--input=-\n--input-name=./dump\n--symfs=", "");
        expect("diff ./dump ./dump ./dump", 1, "", "'diff' takes up to 2 dumps\n");
        expect_like("diff --trigger=1min ./dump ./dump ./dump", 0, "--trigger=1min\n", "");
        expect_like("diff --trigger ./dump", 0, "diff\n--input=-\n--input-name=./dump\n", "");
        expect_like("diff --trigger", 3, "", "Failed to list dumps: "); /* the newest one */
        expect("diff --trigger --baseline=x -i ./dump", 0, "diff\n--trigger\n--baseline=x\n--input=./dump\n", "");
        expect("report ./dump -i ./dump", 1, "", "Both './dump' and -i name a recording\n");
        expect_like("heatmap cpu", 3, "", "\nThe path of a dump's file, with a slash in it, works without the service\n");
        expect_like("report -1 -n", 3, "", "Failed to list dumps: "); /* there is no service to ask */
        expect_like("script -G -1", 3, "", "Failed to list dumps: ");
        expect_like("report ./nothing", 1, "", "./nothing");
        expect_like("report --sort=comm ./dump", 0, "\n--symfs=", "");
        expect_like("annotate ./dump mix_words", 3, "", "\n-s names a function: perfctl annotate ./dump -s mix_words\n");
        expect_like("report --help", 0, "perfctl [OPTIONS...] report [DUMP...] [OPTION...]\n", "");
        expect_like("report --help ./nothing", 0, "\n     --now[=SESSION]           Make a dump of the session, and show it\n", "");
        expect_like("--help evlist", 0, "\n  -F --freq                    Show frequencies and periods\n", "");
        expect_like("report ./dump -H there --user", 1, "", "--user");
}
END_TEST

/* Runs "perfctl WORDS" at a terminal, where the viewer says how it was called, and a pager that it runs. */
static void expect_at_terminal(const char *before, const char *words, const char *expected) {
        _cleanup_free_ char *command = NULL, *screen = NULL;
        size_t size;

        ck_assert_int_gt(asprintf(&command, "script -qec \"stty cols 72; %s " PERFCTL " %s\" /dev/null </dev/null | tr -d '\\r' | "
                                  "sed 's/&[0-9]*$/\\&N/; /^--symfs/d' >screen", before, words), 0);
        ck_assert_int_eq(system(command), 0);
        screen = contents("screen", &size);
        ck_assert_uint_eq(size, strlen(expected));
        ck_assert_mem_eq(screen, expected, size);
}

#define BROWSED "report\n--input=&N\n--input-name=./dump\n"
#define PAGED "paged\nreport\n--input=-\n--input-name=./dump\n--columns=72\n"

/* On a terminal it is a browser, which has the terminal itself, unless something else is asked for. */
START_TEST(test_browser) {
        static const struct {
                const char *words, *text; /* what is printed as text in the pager */
        } others[] = {
                { "--plain", "--plain\n" }, { "--stdio", "--stdio\n" }, { "--tui --plain", "--tui\n--plain\n" }, { "--stats", "--stats\n" },
                { "--json", "--json\n" }, { "-D", "--dump-raw-trace\n" }, { "-t,", "--field-separator=,\n" }, { "-q", "--quiet\n" },
                { "-g flat", "--call-graph=flat\n" }, { "--columns 9", "--columns=9\n" },
        };
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        put_recording(&f);
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n[ ! -t 0 ] || [ ! -t 1 ] || echo terminal\n"
                    "[ ! -t 0 ] || for fd in $(seq 3 30); do cmp -s - dump <&$fd && echo recording; done 2>/dev/null\n:\n");
        put_program(&f, "pager", "SYSTEMD_PAGER", "#!/bin/sh\necho paged; cat\n");
        expect_at_terminal("TERM=xterm", "report ./dump", BROWSED "--tui\nterminal\nrecording\n");
        expect_at_terminal("TERM=xterm", "report ./dump -s comm -g caller", BROWSED "--tui\n--sort=comm\n--call-graph=caller\nterminal\nrecording\n");
        expect_at_terminal("TERM=xterm", "report -i ./dump", "report\n--tui\n--input=./dump\nterminal\n");
        for (size_t i = 0; i < ELEMENTSOF(others); i++) {
                _cleanup_free_ char *words = NULL, *text = NULL;

                ck_assert_int_gt(asprintf(&words, "report ./dump %s", others[i].words), 0);
                ck_assert_int_gt(asprintf(&text, PAGED "%s", others[i].text), 0);
                expect_at_terminal("TERM=xterm", words, text);
        }
        expect_at_terminal("TERM=dumb", "report ./dump", PAGED);
        expect_at_terminal("unset TERM;", "report ./dump", PAGED);
        expect_at_terminal("TERM=dumb", "report ./dump --tui", BROWSED "--tui\n--tui\nterminal\nrecording\n"); /* which refuses */
        expect_at_terminal("TERM=xterm", "report ./dump </dev/null", PAGED);
        expect_at_terminal("TERM=xterm", "report ./dump | cat", "report\n--input=-\n--input-name=./dump\n");
        expect_at_terminal("TERM=xterm", "report ./dump --no-pager", "report\n--input=-\n--input-name=./dump\n--columns=72\n");
        expect_at_terminal("TERM=xterm", "script ./dump", "paged\nscript\n--input=-\n--input-name=./dump\n");
        expect_like("report --tui ./dump", 0, "--input-name=./dump\n", ""); /* the viewer says that there is no terminal */
        expect_like("report --tui ./dump", 0, "\n--tui\n", "");
}
END_TEST

/* A viewer that is killed leaves the terminal in the mode that it was in before. */
START_TEST(test_browser_killed) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        put_recording(&f);
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nstty raw -echo\nkill -SEGV $$\n");
        ck_assert_int_eq(system("script -qec 'stty -g >before; TERM=xterm " PERFCTL " report ./dump; stty -g >after' /dev/null </dev/null "
                                ">screen; grep -q 'was killed by SIGSEGV' screen && cmp before after"), 0);
}
END_TEST

/* The meter gets a dump of the service as its standard input, and all other words as they are. */
START_TEST(test_stat_report) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "meter", "PERF_RECORDER_METER", "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncase \"$*\" in *--input=-*) cmp - dump || exit 5 ;; esac\nexit 7\n");
        expect("stat report cpu", 7, "stat\nreport\n--input=-\n--log-fd=1\n", "");
        expect("stat report -1", 4, "", "Failed to open the dump: Only root may do that\n"); /* the newest one is such */
        expect("stat report -j -1", 4, "", "Failed to open the dump: Only root may do that\n");
        expect("stat report -- -1", 4, "", "Failed to open the dump: Only root may do that\n");
        expect("stat report -A ./dump -x , --summary", 7, "stat\nreport\n-A\n-x\n,\n--summary\n--input=-\n--log-fd=1\n", "");
        expect("stat report -i dump -j", 7, "stat\nreport\n-i\ndump\n-j\n", "");
        expect("stat report", 7, "stat\nreport\n", "");
        expect("stat", 7, "stat\n", "");
        expect("stat report --no-such -j", 7, "stat\nreport\n--no-such\n-j\n", "");
        expect("stat -e cs report", 7, "stat\n-e\ncs\nreport\n", "");
        expect("stat report cpu sched", 1, "", "'stat report' takes one dump\n");
        expect_like("stat report ./nothing", 1, "", "./nothing");
}
END_TEST

/* The meter gets a command with its words, the viewer dumps and what only recordings have. */
START_TEST(test_trace) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "meter", "PERF_RECORDER_METER", "#!/bin/sh\nprintf '%s\\n' meter \"$@\"\nexit 7\n");
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' view \"$@\"\nexit 8\n");
        expect("trace -e open sh -i x --last 3s", 7, "meter\ntrace\n-e\nopen\nsh\n-i\nx\n--last\n3s\n", "");
        expect("trace -p 7 -s", 7, "meter\ntrace\n-p\n7\n-s\n", "");
        expect("trace", 7, "meter\ntrace\n", "");
        expect("trace --unit web.service", 7, "meter\ntrace\n--unit\nweb.service\n", "");
        expect("trace -u root -G x", 7, "meter\ntrace\n-u\nroot\n-G\nx\n", "");
        expect_like("trace --unit web.service ./dump", 8, "view\ntrace\n", "");
        expect("trace --no-such", 7, "meter\ntrace\n--no-such\n", "");
        expect_like("trace ./dump -s", 8, "view\ntrace\n", "");
        expect_like("trace -s -i dump", 8, "view\ntrace\n", "");
        expect_like("trace --last 3s ./dump", 8, "view\ntrace\n", "");
        expect_like("trace ./nothing", 1, "", "./nothing");
        expect("trace --help --last 3s", 7, "meter\ntrace\n--help\n--last\n3s\n", "");
        expect_like("trace --now=cpu --last 10s -u nginx.service", 8,
                    "view\ntrace\n--input=-\n--input-name=cpu-2026112110531800\n--last=10s\n--unit=nginx.service\n", "");
        expect_like("trace -u nginx.service --last=10s cpu --now", 8,
                    "view\ntrace\n--input=-\n--input-name=cpu-2026112110531800\n--unit=nginx.service\n--last=10s\n", "");
        expect_like("trace --now -s", 1, "", "syscalls: no dump: ");
        expect_like("trace -s --last 10s", 4, "", "Failed to open the dump"); /* the newest, which is not this user's */
        expect_calls(&f, "DumpObjects cpu\nOpen cpu-2026112110531800\nDumpObjects cpu\nOpen cpu-2026112110531800\nDumpObjects syscalls\n"
                     "Open web@1-2026112110561800\n");
}
END_TEST

/* The meter asks for windows of a session, until the service refuses one. */
START_TEST(test_top) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "meter", "PERF_RECORDER_METER", "#!/bin/sh\nprintf '%s\\n' meter \"$@\" | sed 's/^&[0-9]*:/\\&:/'\nexit 7\n");
        expect("top -s comm -g -d 1", 7, "meter\ntop\n-s\ncomm\n-g\n-d\n1\n", "");
        expect("top --no-such", 7, "meter\ntop\n--no-such\n", "");
        expect_calls(&f, "");
        expect("top -s comm cpu -g", 7, "meter\ntop\n-s\ncomm\n&:cpu\n-g\n", "");
        expect("top --last 5s -- cpu", 7, "meter\ntop\n--last\n5s\n--\n&:cpu\n", "");
        expect("top cpu sched", 1, "", "One session at a time can be looked at\n");
        expect("top nosuch", 5, "", "Failed to look at the session 'nosuch': There is no session 'nosuch', says the service\n");
        expect_calls(&f, "OpenWindow cpu -1 0\nOpenWindow cpu -1 0\n");

        (void) setenv("PERF_RECORDER_METER", METER, 1);
        expect_like("top cpu --batch -s comm --last=all -d 0.05", 1, "(session: cpu)\n", "Failed to look at the session 'cpu': its recorder ended\n");
        expect_calls(&f, "OpenWindow cpu -1 0\nOpenWindow cpu -1 0\nOpenWindow cpu 0 1\nOpenWindow cpu 1 0\nOpenWindow cpu 2 0\n");
        expect_like("top cpu --batch -s comm --last=all --iterations=1", 0, "%  ", "");
        expect_like("top cpu -e cpu-clock", 1, "", "--event is not for a session");
}
END_TEST

/* Earlier dumps of the session come behind the dump. */
START_TEST(test_diff_baseline) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\" | sed 's/=&.*/=\\&/'\nexit 8\n");
        expect("diff --trigger --baseline=1 cpu", 8, "diff\n--input=&\n--input-name=cpu-2026112110541800\n--input=&\n"
               "--input-name=cpu-2026112110531800\n--trigger\n--baseline=1\n", "");
        expect_like("diff cpu --baseline=5 --trigger", 8, "--input-name=cpu-2026112110531800\n",
                    "Session 'cpu' has 1 earlier dump\n");
        expect("diff --trigger --baseline=5 cpu-2026112110531800", 1, "", "Session 'cpu' has 0 earlier dumps\n");
        expect("diff --trigger --baseline=0 cpu", 8, "diff\n--input=-\n--input-name=cpu-2026112110541800\n--trigger\n--baseline=0\n", "");
}
END_TEST

/* The viewer gets what selects samples, and its answer is all that is known of the file. */
START_TEST(test_info_viewer) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\" >words\ncmp - dump || exit 5\n"
                    "echo '{\"samples\":7,\"lost\":2,\"lost_records\":0,\"selected\":0,\"idle\":0,\"processes\":[],\"functions\":[]}'\n");
        expect_like("info ./dump --comm='a,b\\,c' -u web --pid=1 -C 0-3 --last=10s --since=-5min --time=,3", 0, "    Samples: 7 (lost: 2)\n",
                    "./dump: none of the 7 samples matches --comm=a --comm=b\\,c --unit=web.service --pid=1 --cpu=0-3 --last=10s --since=-5min "
                    "--time=,3\n");
        ck_assert_int_eq(system("printf '%s\\n' info --input=- --input-name=./dump --comms=a '--comms=b\\,c' --unit=web.service --pid=1 --cpu=0-3 "
                                "--last=10s --since=-5min --time=,3 | cmp - words"), 0);
        expect_like("info ./dump --user -q --before-trigger=1s --around-trigger=2s --json=short", 0,
                    "\"samples\":7,\"lost\":2,\"selected\":0,\"idle\":0,\"processes\":[],\"functions\":[]}\n", "");
        ck_assert_int_eq(system("printf '%s\\n' info --input=- --input-name=./dump --user --quiet --before-trigger=1s --around-trigger=2s | "
                                "cmp - words"), 0);
        expect_like("info ./dump --no-idle", 0, "    Samples: 7 (lost: 2)\n", "");
        ck_assert_int_eq(system("printf '%s\n' info --input=- --input-name=./dump --no-idle | cmp - words"), 0);
        scratch_write_text(f.dir, "view", "#!/bin/sh\ncat >/dev/null\n"
                                          "case \"$*\" in *--no-idle*) n=1 ;; *) n=4 ;; esac\n"
                                          "echo '{\"samples\":4,\"selected\":'$n',\"idle\":3,\"processes\":[{\"name\":\"web\",\"pid\":7,"
                                          "\"samples\":1}],\"functions\":[]}'\n");
        expect_like("info ./dump", 0, "       Idle: 3 (75.0%)\n  Processes:        1  25.0% web[7]\n", "");
        expect_like("info ./dump --no-idle", 0, "       Idle: 3 (75.0%), left out of the shares below\n"
                                                "  Processes:        1 100.0% web[7]\n", "");
        scratch_write_text(f.dir, "view", "#!/bin/sh\ncat >/dev/null\n"
                                          "echo '{\"samples\":4,\"selected\":8,\"idle\":4,\"units\":[{\"unit\":\"web.service\",\"samples\":4}],"
                                          "\"processes\":[],\"functions\":[],\"seconds_begin_usec\":1795258398000000,\"trigger_second\":1,"
                                          "\"seconds\":[{\"samples\":4,\"idle\":3},{\"samples\":4,\"idle\":1},{\"samples\":0,\"idle\":0}]}'\n");
        expect_like("info ./dump", 0, "        CPU: ▂▆│ \n"
                                      "             10:53:18 to 10:53:21, a second each, up to 75% busy; │ is the trigger\n"
                                      "      Units:        4  50.0% web.service\n", "");
        scratch_write_text(f.dir, "more", "{\"samples\":4,\"unusual\":[{\"text\":\"a.service took 9.0 %\"},{\"text\":\"b took none\"}],"
                                          "\"unusual_span_usec\":10000000,\"unusual_missing\":\"3 samples were lost\"}\n");
        scratch_write_text(f.dir, "none", "{\"samples\":4,\"unusual\":[],\"unusual_span_usec\":2000000}\n");
        scratch_write_text(f.dir, "view", "#!/bin/sh\ncat >/dev/null\ncat \"${FOUND:-/dev/null}\"\n");
        (void) setenv("FOUND", "more", 1);
        expect_like("info ./dump", 0, "    Unusual: a.service took 9.0 %\n"
                                      "             b took none\n"
                                      "             in the 10s before the trigger; 'perfctl diff --trigger' shows more\n"
                                      "             3 samples were lost\n", "");
        expect_like("info ./dump --json=short", 0, "\"unusual\":[{\"text\":\"a.service took 9.0 %\"},{", "");
        (void) setenv("COLUMNS", "33", 1);
        expect_like("info ./dump", 0, "    Unusual: a.service took 9.0 %\n"
                                      "             b took none\n"
                                      "             in the 10s before\n"
                                      "             the trigger;\n"
                                      "             'perfctl diff\n"
                                      "             --trigger' shows\n"
                                      "             more\n", "");
        (void) unsetenv("COLUMNS");
        (void) setenv("FOUND", "none", 1);
        expect_like("info ./dump", 0, "    Unusual: nothing in the 2s before the trigger\n", "");
        scratch_write_text(f.dir, "none", "{\"samples\":4,\"unusual\":[],\"unusual_span_usec\":200000,"
                                          "\"unusual_too_little\":\"too little before the trigger to compare (1.0 s)\"}\n");
        expect_like("info ./dump", 0, "    Unusual: too little before the trigger to compare (1.0 s); 'perfctl diff --trigger "
                                      "--baseline=2' compares with earlier dumps\n", "");
        scratch_write_text(f.dir, "view", "#!/bin/sh\ncat >/dev/null\n"
                                          "echo '{\"samples\":4,\"seconds_begin_usec\":1795258398000000,\"trigger_second\":1,"
                                          "\"selected\":8,\"idle\":4,\"processes\":[],"
                                          "\"seconds\":[{\"samples\":4,\"idle\":3},{\"samples\":4,\"idle\":1},{\"samples\":0,\"idle\":0}]}'\n");
        (void) setenv("LC_ALL", "C", 1);
        expect_like("info ./dump", 0, "        CPU: :*| \n", "");
        (void) setenv("LC_ALL", "C.UTF-8", 1);
        scratch_write_text(f.dir, "view", "#!/bin/sh\ncat >/dev/null\n"
                                          "units=$(seq -s , -f '{\"unit\":\"u%g\",\"samples\":1}' $(cat n))\n"
                                          "echo '{\"samples\":20,\"selected\":20,\"processes\":[],\"functions\":[],\"units\":['$units']}'\n");
        scratch_write_text(f.dir, "n", "11"); /* a line that says "1 more" has room for it */
        expect_like("info ./dump", 0, "                    1   5.0% u10\n                    1   5.0% u11\n", "");
        scratch_write_text(f.dir, "n", "12");
        expect_like("info ./dump", 0, "                    1   5.0% u10\n             2 more units\n", "");
        expect("info ./dump --since=x", 1, "", "Not a time: 'x'; write it as '2026-11-21 10:53:18' or '-5min'\n");

        expect_like("info --now cpu", 0, "       Dump: cpu-2026112110531800\n", "");
        expect("info --now", 1, "", "--now takes a session\n");
        expect_like("info --now nosuch", 5, "", "There is no session 'nosuch'");
        expect_calls(&f, "DumpObjects cpu\nOpen cpu-2026112110531800\nDumpObjects nosuch\n");

        scratch_write_text(f.dir, "view", "#!/bin/sh\necho '{\"samples\":4,\"selected\":4,\"stripped\":[\"/a\",\"/b\",\"/c\",\"/d\"],"
                                          "\"processes\":[{\"name\":\"sh\",\"pid\":7,\"samples\":3},"
                                          "{\"name\":\"sh\",\"pid\":7,\"instance\":2,\"samples\":1}],"
                                          "\"threads\":[{\"name\":\"worker-1\",\"pid\":7,\"samples\":2}],\"functions\":[]}'\n");
        expect_like("info ./dump", 0, "   Stripped: /a, /b, /c and 1 more\n", "");
        expect_like("info ./dump --json=short", 0, ",\"stripped\":[\"/a\",\"/b\",\"/c\",\"/d\"]}\n", "");
        expect_like("info ./dump", 0, "  Processes:        3  75.0% sh[7]\n                    1  25.0% sh[7], instance 2\n"
                    "    Threads:        2  50.0% worker-1[7]\n", "");
        expect_like("info ./dump --json=short", 0, ",\"threads\":[{\"name\":\"worker-1\",\"pid\":7,\"samples\":2}],", "");
        scratch_write_text(f.dir, "view", "#!/bin/sh\necho '{\"samples\":7'\n");
        expect("info ./dump", 1, "", "Failed to read what the viewer found: Bad message\n");
        scratch_write_text(f.dir, "view", "#!/bin/sh\necho 'It is broken' >&2\nexit 1\n");
        expect("info ./dump", 1, "", "It is broken\n");
        scratch_write_text(f.dir, "view", "#!/bin/sh\nkill -SEGV $$\n");
        expect_like("info ./dump", 1, "", "/view was killed by SIGSEGV\n");
}
END_TEST

/* The dump that was made is shown, and no newer one. */
START_TEST(test_report_now) {
        WITH_SERVICE;

        put_recording(&f);
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncmp - dump\n");
        expect_like("report --now cpu -n", 0, "report\n--input=-\n--input-name=cpu-2026112110531800\n", "");
        expect_like("evlist --now=cpu", 0, "evlist\n--input=-\n--input-name=cpu-2026112110531800\n", "");
        expect_like("evlist cpu --now", 0, "evlist\n--input=-\n--input-name=cpu-2026112110531800\n", "");
        expect("report --now", 1, "", "--now takes a session\n");
        expect("report --now=", 1, "", "--now takes a session\n");
        expect("report --now cpu -i ./dump", 1, "", "Both 'cpu' and -i name a recording\n");
        expect_like("report --now nosuch", 5, "", "There is no session 'nosuch'");
        expect_calls(&f, "DumpObjects cpu\nOpen cpu-2026112110531800\nDumpObjects cpu\nOpen cpu-2026112110531800\nDumpObjects cpu\n"
                     "Open cpu-2026112110531800\nDumpObjects nosuch\n");
}
END_TEST

#define MADE "cpu-2026112110531800"

/* The dump that was made is removed once, however the viewer ends. */
START_TEST(test_no_keep) {
        WITH_SERVICE;

        scratch_write_text(f.dir, "once", "");
        put_view(&f, "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncmp - dump\n");
        expect_like("report --now=cpu --no-keep -n", 0, "report\n--input=-\n--input-name=" MADE "\n", "");
        expect_like("sched latency --no-keep --now cpu", 0, "sched\nlatency\n--input=-\n--input-name=" MADE "\n", "");
        expect_like("mem report --now cpu --no-keep", 0, "--input-name=" MADE "\n--mem-mode\n", "");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\nDumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n"
                     "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n");
        put_view(&f, "#!/bin/sh\necho 'There are no such events' >&2\nexit 7\n");
        expect("sched blame --now cpu --no-keep", 7, "", "There are no such events\n");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n");
        put_view(&f, "#!/bin/sh\nkill -SEGV $$\n");
        expect_like("report --now cpu --no-keep", 1, "", "/view was killed by SIGSEGV\n");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n");
        expect("report --now web@1 --no-keep", 4, "", "Failed to open the dump: Only root may do that\n");
        expect_calls(&f, "DumpObjects web@1\nOpen web@1-2026112110561800\nRemove web@1-2026112110561800\n");
        expect_like("report --now nosuch --no-keep", 5, "", "There is no session 'nosuch'");
        expect_like("report --now sched --no-keep", 3, "", "Session 'sched' is not running");
        expect_calls(&f, "DumpObjects nosuch\nDumpObjects sched\n");
        expect("report cpu --no-keep", 1, "", "--no-keep is about the dump that --now makes: 'perfctl rm' removes others\n");
        expect("info cpu --no-keep", 1, "", "--no-keep is about the dump that --now makes: 'perfctl rm' removes others\n");
        expect("stat report cpu --no-keep", 1, "", "--no-keep is about the dump that --now makes: 'perfctl rm' removes others\n");
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_no_keep_stays) {
        WITH_SERVICE;

        put_view(&f, "#!/bin/sh\ncmp - dump\n");
        expect("report --now cpu --no-keep", 0, "", MADE " is kept, since something else caused it, too\n");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\n");
        scratch_write_text(f.dir, "once", "");
        scratch_write_text(f.dir, "held", "");
        expect("report --now cpu --no-keep", 4, "", "Failed to remove '" MADE "': Only root may do that\n" MADE " is still there: "
               "'perfctl rm " MADE "' removes it\n");
        put_view(&f, "#!/bin/sh\nexit 7\n");
        expect_like("report --now cpu --no-keep", 7, "", MADE " is still there: "); /* the viewer's status comes first */
}
END_TEST

START_TEST(test_no_keep_elsewhere) {
        _cleanup_run_ Run made = {};
        WITH_SERVICE;

        scratch_write_text(f.dir, "once", "");
        put_view(&f, "#!/bin/sh\ncmp - dump || exit 5\necho '{\"samples\":7,\"lost\":2}'\n");
        made = perfctl("info --now cpu --no-keep");
        ck_assert_msg(strstr(made.out, "       Dump: " MADE "\n") && !strstr(made.out, "File:") && made.status == 0, "%s", made.out);
        expect_like("info --now --no-keep cpu cpu --json=short", 0, "[{\"id\":\"" MADE "\"", "");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\nDumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n"
                     "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n");
        expect("open --now", 1, "", "--now takes a session\n");
        expect_like("open cpu --now -H there", 1, "", "makes no dump on another host");
        expect("open cpu --now --no-keep '--viewer=cmp dump'", 0, "", "");
        expect("open --now cpu '--viewer=cmp dump'", 0, "", "");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\nDumpObjects cpu\nOpen " MADE "\n");
        put_view(&f, "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncmp - dump || exit 5\nexit 7\n");
        expect("stat report --now=cpu -j --no-keep", 7, "stat\nreport\n-j\n--input=-\n--log-fd=1\n", "");
        expect("stat report -j --now cpu", 7, "stat\nreport\n-j\n--input=-\n--log-fd=1\n", "");
        expect("stat report --now", 1, "", "--now takes a session\n");
        expect("stat report --now=cpu cpu", 1, "", "'stat report' takes one dump\n");
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\nDumpObjects cpu\nOpen " MADE "\n");
}
END_TEST

/* The dump that is made is compared with the one that was there. */
START_TEST(test_diff_now) {
        WITH_SERVICE;

        scratch_write_text(f.dir, "once", "");
        put_view(&f, "#!/bin/sh\nprintf '%s ' \"$@\" | sed -E 's/&[0-9]+/FD/g; s/ --symfs=[^ ]*//g'\n");
        expect("diff ./dump --now cpu", 0, "diff --input=FD --input-name=./dump --input=FD --input-name=" MADE " ", "");
        expect("diff --now cpu ./dump -c ratio", 0, "diff --input=FD --input-name=./dump --input=FD --input-name=" MADE " --compute=ratio ", "");
        expect("diff cpu --now=cpu --no-keep", 0, "diff --input=FD --input-name=cpu-2026112110541800 --input=FD --input-name=" MADE " ", "");
        expect("diff --now cpu --last=1s", 0, "diff --input=- --input-name=" MADE " --last=1s ", "");
        expect("diff ./dump ./dump --now=cpu", 1, "", "'diff' takes up to 2 dumps\n");
        expect("diff ./dump ./dump --now", 1, "", "--now takes a session\n");
        expect("report ./dump --now=cpu", 1, "", "Both --now=cpu and './dump' name a recording\n");
        expect("report --now=cpu --now cpu", 1, "", "Both --now=cpu and --now=cpu: one dump is made\n");
        expect_like("diff ./nothing --now=cpu", 1, "", "./nothing"); /* nothing is made for it */
        expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nDumpObjects cpu\nOpen " MADE "\nOpen cpu-2026112110541800\nDumpObjects cpu\n"
                     "Open " MADE "\nRemove " MADE "\nDumpObjects cpu\nOpen " MADE "\n");
}
END_TEST

/* Runs a shell, which finds the program as $perfctl. Requires the exit status, or 128 and the number of the signal, and the remark. */
static void expect_of_shell(const char *line, int status, const char *remark) {
        _cleanup_free_ char *text = NULL;
        int r;

        (void) setenv("perfctl", PERFCTL, 1);
        r = system(line);
        ck_assert_int_eq(WIFSIGNALED(r) ? 128 + WTERMSIG(r) : WEXITSTATUS(r), status);
        text = contents("err", NULL);
        ck_assert_str_eq(text, remark);
}

/* The signal goes to all of the terminal's processes, as that of Ctrl-C does. */
START_TEST(test_no_keep_interrupted) {
        static const char *const signals[] = { "INT", "TERM", "HUP" };
        static const char *const lines[] = {
                "report --now cpu --no-keep", "open --now cpu --no-keep --viewer=./view", "stat report --now cpu --no-keep",
        };
        WITH_SERVICE;

        scratch_write_text(f.dir, "once", "");
        put_view(&f, "#!/bin/sh\nkill -$signal 0\nexec sleep 60\n");
        for (size_t i = 0; i < ELEMENTSOF(signals) * ELEMENTSOF(lines); i++) {
                (void) setenv("signal", signals[i % ELEMENTSOF(signals)], 1);
                (void) setenv("line", lines[i / ELEMENTSOF(signals)], 1);
                expect_of_shell("setsid -w $perfctl $line >out 2>err", 1, "");
                expect_calls(&f, "DumpObjects cpu\nOpen " MADE "\nRemove " MADE "\n");
        }
}
END_TEST

START_TEST(test_no_keep_interrupted_early) {
        static const char *const signals[] = { "INT", "TERM", "HUP" };
        const char *line = "env --default-signal $perfctl report --now cpu $option 2>err & until grep -q Dump log 2>/dev/null; do sleep 0.02; done; "
                           "kill -$signal $!; wait $!";
        WITH_SERVICE;

        scratch_write_text(f.dir, "once", "");
        scratch_write_text(f.dir, "slow", "");
        put_view(&f, "#!/bin/sh\nexit 7\n");
        (void) setenv("option", "--no-keep", 1);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++) {
                (void) setenv("signal", signals[i], 1);
                expect_of_shell(line, 1, "The dump is removed as soon as it is written; another signal ends perfctl at once, and leaves it\n");
                expect_calls(&f, "DumpObjects cpu\nRemove " MADE "\n");
        }
        (void) setenv("option", "-n", 1);
        expect_of_shell(line, 128 + SIGHUP, "");
}
END_TEST

static void put_perf(Fixture *f, const char *text) {
        _cleanup_free_ char *script = NULL, *path = NULL;

        scratch_write_text(f->dir, "bin/perf", text);
        ck_assert_int_gt(asprintf(&script, "%s/bin/perf", f->dir), 0);
        ck_assert_int_eq(chmod(script, 0755), 0);
        ck_assert_int_gt(asprintf(&path, "%s/bin:%s", f->dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
}

/* perf gets one directory in place of the root, with links to the symbols that were kept: the recording does not
 * identify /usr/bin/a. */
START_TEST(test_open_symbols) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *expected = NULL;

        fixture_init(&f, false);
        put_recording(&f);
        put_perf(&f, "#!/bin/sh\nfor word; do\n"
                     "case $word in --symfs=*) cd \"${word#--symfs=}\" && find . -type l -printf '%P %l\\n' | grep symbols.dump | sort;;\n"
                     "*) echo \"$word\";; esac\ndone\nexit 7\n");
        scratch_write_text(f.dir, "symbols.dump/usr/bin/a", "a");
        scratch_write_text(f.dir, "symbols.dump/vmlinux", "kernel");
        ck_assert_int_eq(symlink("/etc", "symbols.dump/out"), 0);
        ck_assert_int_gt(asprintf(&expected, "report\n-i\n./dump\nvmlinux %s/symbols.dump/vmlinux\n--stdio\n", f.dir), 0);
        expect("open ./dump -- --stdio", 7, expected, "");
        ck_assert_int_ne(system("ls -A $TMPDIR | grep -q perf-recorder-symbols"), 0);
        ck_assert_int_eq(access("symbols.dump/usr/bin/a", F_OK), 0);
        expect("open ./dump --viewer=echo", 0, "./dump\n", "");
}
END_TEST

/* Only the service may open these symbols: it passes a descriptor, which perf inherits. */
START_TEST(test_symbols_of_the_service) {
        WITH_SERVICE;

        put_perf(&f, "#!/bin/sh\nfor word; do\ncase $word in --symfs=*) cat \"${word#--symfs=}/vmlinux\";; esac\ndone\n");
        expect("cp sched copy --symbols", 1, "", "Failed to open the symbols of the dump: There are no symbols\n");
        assert_same("copy");
        ck_assert_int_lt(access("symbols.copy", F_OK), 0);
        expect_like("info sched", 0, "    Symbols: /base/session-sched/symbols.2026112011000000\n",
                    "Failed to open the symbols of the dump: There are no symbols\n");

        scratch_write_text(f.dir, "kept/usr/bin/a", "symbols of a");
        scratch_write_text(f.dir, "kept/vmlinux", "symbols of the kernel");
        scratch_write_text(f.dir, "kept/left-out", "/b: too large\n");
        expect("cp sched copy --symbols", 0, "", "");
        ck_assert_int_eq(system("diff -r kept symbols.copy"), 0);
        expect_like("info sched", 0, "    Symbols: read through the service; 'perfctl cp --bundle' copies them\n"
                                     "             1 binary has no symbols here:\n               /b: too large\n", "");
        expect_like("info sched", 0, "       Size: 512B, with its symbols 1.5K on disk\n", "");
        expect_like("info sched --json=short", 0, "\"binaries_without_symbols\":1,", "");
        expect("open sched", 0, "symbols of the kernel", "");
        ck_assert_int_ne(system("ls -A $TMPDIR | grep -q perf-recorder-symbols"), 0);
}
END_TEST

START_TEST(test_info_left_out) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, false);
        put_recording(&f);
        scratch_write_text(f.dir, "symbols.dump/left-out", "/a: too large\n/b: gone\n/c: gone\n/d: gone\n");
        expect_like("info ./dump", 0, "             4 binaries have no symbols here:\n"
                                      "               /a: too large\n               /b: gone\n               /c: gone\n"
                                      "               1 more in left-out\n", "");
        expect_like("info --json=short ./dump", 0,
                    "\"binaries_without_symbols\":4,\"without_symbols\":[{\"binary\":\"/a\",\"reason\":\"too large\"},", "");
        scratch_write_text(f.dir, "symbols.dump/left-out", "/a: too large\n");
        expect_like("info ./dump", 0, "1 binary has no symbols here:\n", "");
}
END_TEST

START_TEST(test_rm) {
        WITH_SERVICE;

        expect("rm nosuch cpu-2026112110531800", 1, "", "There is no dump 'nosuch'; 'perfctl dumps' shows all\n");
        expect("rm cpu", 1, "", "'cpu' is a session with 2 dumps: --session=cpu removes all of them, an id removes one\n");
        expect("rm -1 sched", 1, "", "'sched' is a session with 1 dump: --session=sched removes it, an id removes one\n");
        expect("rm 'x*'", 1, "", "No dump matches 'x*'\n");
        expect("rm cpu-20", 1, "", "Several dumps begin with 'cpu-20':\n        cpu-2026112110531800\n        cpu-2026112110541800\n");
        expect_like("rm", 1, "", "Name the dumps to remove, or select them");
        expect("rm --session=cpu --trigger=calendar", 1, "", "No dumps found.\n");
        expect("rm ./dump", 1, "", "./dump is no dump of the service: use rm to remove files\n");
        expect_calls(&f, "");
        expect("rm -2 cpu-202611211054 web@1-2026112110561800", 0,
               "Removed cpu-2026112110541800 (1M)\nRemoved web@1-2026112110561800 (4K)\n", "");
        expect_calls(&f, "Remove cpu-2026112110541800\nRemove web@1-2026112110561800\n");
        expect("rm -q /base/session-cpu/perf.data.2026112110531800", 0, "", "");
        expect_calls(&f, "Remove cpu-2026112110531800\n");
        expect("rm /base/session-cpu/perf.data.2026112110531800", 1, "",
               "Failed to open /base/session-cpu/perf.data.2026112110531800: No such file or directory\n");
        expect_like("dumps", 0, "sched-2026112011000000\n", "");
}
END_TEST

START_TEST(test_rm_choice) {
        WITH_SERVICE;

        expect("rm --session='c*' --since='2026-11-21 10:54'", 0, "Removed cpu-2026112110541800 (1M)\n", "");
        expect("rm 'web*' 'cpu*' --trigger=*-pressure", 0, "Removed web@1-2026112110561800 (4K)\n", "");
        expect("rm --until='2026-11-21 10:50'", 0, "Removed sched-2026112011000000 (512B)\n", "");
        expect_calls(&f, "Remove cpu-2026112110541800\nRemove web@1-2026112110561800\nRemove sched-2026112011000000\n");
}
END_TEST

START_TEST(test_merge) {
        WITH_SERVICE;

        expect_like("merge cpu -o merged", 0, "merged: 2 dumps, 3min 5s, ", "");
        expect_like("merge cpu -o merged", 0, " were in several), ", "");
        expect_like("info ./merged", 0, "     Events: ", "");
        expect_like("merge cpu --trigger=request -o merged", 0, "merged: 1 dump, 2min 5s, ", "");
        expect_like("merge -2 cpu ./dump -o merged", 0, "merged: 3 dumps, ", "");
        expect("merge cpu -qo merged", 0, "", "");
        expect_like("merge -o merged", 1, "", " are of different sessions: name the ones to merge\n");
        expect("merge cpu", 1, "", "'merge' needs --output=FILE\n");
        expect_like("merge nosuch -o merged", 1, "", "There is no dump 'nosuch'");
        expect("merge sched --since=tomorrow -o none", 1, "", "No dumps found.\n");
        expect("merge cpu --since=tomorrow -o none", 1, "",
               "Failed to merge: there are no samples of that time in the dumps, which reach from Sat 2026-11-21 10:51:13 UTC to "
               "Sat 2026-11-21 10:54:18 UTC\n");
        expect_like("merge cpu-2026112110531800 --until='2026-11-21 10:00' -o none", 1, "",
                    "Failed to merge: there are no samples of that time in the dumps, which reach from Sat 2026-11-21 10:51:13 UTC");
        ck_assert_int_eq(access("none", F_OK), -1);
        expect_like("merge ./out cpu -o merged", 1, "", "Failed to read ./out: it is empty");
        expect_like("-H there merge cpu -o merged", 1, "", "run perfctl there");
}
END_TEST

/* The type of one of perf's own records becomes one that nobody knows. */
static void put_unknown_record(const char *path) {
        size_t size, place = 264;
        _cleanup_free_ char *data = contents(RECORDING, &size);
        struct {
                uint32_t type;
                uint16_t misc, size;
        } h;

        for (;; place += h.size) {
                ck_assert_uint_le(place, size - sizeof(h));
                memcpy(&h, data + place, sizeof(h));
                if (h.type == 82)
                        break;
        }
        h.type = 85;
        memcpy(data + place, &h, sizeof(h));
        scratch_write(".", path, data, size);
}

START_TEST(test_unknown_records) {
        WITH_SERVICE;

        put_unknown_record("unknown");
        expect_like("merge ./unknown ./dump -o merged", 1, "merged: 2 dumps, ", "./unknown: 1 records of type 85 not understood\n");
        expect_like("merge -q ./unknown -o merged", 1, "", "./unknown: 1 records of type 85 not understood\n");
        expect_like("info ./merged", 1, "     Events: ", "./merged: 1 records of type 85 not understood\n");
}
END_TEST

START_TEST(test_cut) {
        WITH_SERVICE;
        size_t size;
        _cleanup_free_ char *data = contents(RECORDING, &size);

        scratch_write(".", "cut", data, 4000);
        expect_like("merge ./cut ./dump -o merged", 1, "merged: 2 dumps, ",
                    "./cut is cut at byte 4000, within its data: only a part of it could be read\n");
        expect_like("info ./merged", 0, "Samples: 84 ", "");
        expect_like("merge -q ./cut -o merged", 1, "", "./cut is cut at byte 4000, within its data: only a part of it could be read\n");
        expect_like("info ./merged", 0, "Samples: 35 ", "");
        expect_like("info ./merged", 0, "Events:       35 100.0% cpu-clock\n", "");
        expect_like("info ./cut", 1, "Size: 3.9K\n       File: ./cut\n     Events:       35 100.0% cpu-clock\n"
                                     "  Processes:       35 100.0% sh[24757]\n", "./cut is cut at byte 4000, within its data");
        memset(data + 48, 0, 8); /* the size of the data, as long as the recorder runs */
        scratch_write(".", "killed", data, 264 + 5728);
        expect_like("merge ./killed -o merged", 1, ", 84 samples, ", "./killed was not finished (the size of its data is 0): only a part");
        expect_like("info ./killed", 1, "Samples: 84 ", "./killed was not finished (the size of its data is 0): only a part");
        scratch_write(".", "head", data, 200);
        expect("merge ./head -o merged", 1, "", "Failed to read ./head: it is cut before its data\n");
}
END_TEST

/* ssh is a script that runs the remote command here, with the perfctl under test. */
START_TEST(test_host) {
        WITH_SERVICE;
        _cleanup_free_ char *script = NULL, *ssh = path_join(f.dir, "bin/ssh"), *path = NULL;

        ck_assert_int_gt(asprintf(&script,
                                  "#!/bin/sh\necho \"$@\" >%s/ssh-words\n"
                                  "while [ $# -gt 0 ] && [ \"$1\" != perfctl ]; do shift; done\nshift\n"
                                  "DBUS_SYSTEM_BUS_ADDRESS=unix:path=%s/bus\nexport DBUS_SYSTEM_BUS_ADDRESS\n"
                                  "eval '%s' \"$@\"\n", f.dir, f.dir, PERFCTL), 0);
        scratch_write_text(f.dir, "bin/ssh", script);
        ck_assert_int_eq(chmod(ssh, 0755), 0);
        ck_assert_int_gt(asprintf(&path, "%s/bin:%s", f.dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);

        expect("-H me@there:22 cp cpu copy", 0, "", "");
        assert_same("copy");
        ck_assert_int_eq(system("grep -qx -- \"-xT -p 22 -- me@there perfctl --no-pager 'cp' '--' 'cpu' '-'\" ssh-words"), 0);
        expect_like("-H there info cpu-2026112110531800", 0, "    Session: cpu\n", "");
        expect_like("-H there open cpu --viewer='cmp dump'", 0, "", "");
        expect_like("-H there dump cpu -o other", 0, "", "12345 samples");
        assert_same("other");
        expect_like("-H there dump cpu --delay=0 --new --force --timeout=5s --why='a b' -q", 0, "", "");
        ck_assert_int_eq(system("grep -q -- \" 'dump' '--delay=0us' '--new' '--force' '--why=a b' '--timeout=5000000us' 'cpu'\" ssh-words"), 0);
        expect_like("-H there dump cpu --since=1h --until=59min -q", 0, "", "");
        ck_assert_int_eq(system("grep -q -- \" '--since=3600000000us' '--until=3540000000us' 'cpu'\" ssh-words"), 0);
        expect("-H there cp nosuch never", 1, "", "There is no dump 'nosuch'; 'perfctl dumps' shows all\n");
        ck_assert_int_lt(access("never", F_OK), 0);
        expect_like("-H there cp --symbols cpu copy", 1, "", "run perfctl there");
        put_program(&f, "view", "PERF_RECORDER_VIEW", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n[ ! -t 0 ] || [ ! -t 1 ] || echo terminal\n");
        expect_at_terminal("TERM=xterm", "-H there report cpu -n", "report\n--input=&N\n--input-name=cpu-2026112110541800\n--tui\n"
                           "--show-nr-samples\nterminal\n");
        ck_assert_int_eq(system("grep -qx -- \"-xt -- there perfctl 'report' 'cpu' '--show-nr-samples'\" ssh-words"), 0);
        expect_at_terminal("SYSTEMD_PAGER= TERM=xterm", "-H there report cpu --plain", "report\n--input=-\n"
                           "--input-name=cpu-2026112110541800\n--columns=72\n--columns=72\n--plain\n");
        ck_assert_int_eq(system("grep -qx -- \"-xT -- there perfctl --no-pager 'report' 'cpu' '--columns=72' '--plain'\" ssh-words"), 0);
        expect_like("-H there/container info cpu", 1, "", "run perfctl there");
}
END_TEST

START_TEST(test_not_running) {
        _cleanup_(fixture_done) Fixture f = {};
        static const char *const verbs[] = { "dumps", "dump", "info", "info x", "open x", "cp x y", "rm x",
                                             "merge -o x", "top x" };

        fixture_init(&f, true);
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                expect_like(verbs[i], 3, "", "perf-recorderd is not running; 'perfctl start' starts it\n");
        expect_calls(&f, ""); /* none of them started it */
}
END_TEST

CHECK_MAIN("perfctl-dumps", test_dumps, test_dumps_choice, test_session_without_dumps, test_dump_of_one_that_hangs,
           test_dump_that_is_removed, test_dump, test_info, test_info_file, test_diff_baseline, test_info_viewer, test_cp, test_cp_file, test_lent, test_facts_without_attributes, test_report, test_browser, test_browser_killed, test_report_now, test_no_keep, test_no_keep_stays, test_no_keep_elsewhere,
           test_diff_now, test_no_keep_interrupted, test_no_keep_interrupted_early, test_stat_report, test_trace, test_top,
           test_open, test_open_symbols, test_symbols_of_the_service, test_info_left_out, test_rm, test_rm_choice,
           test_merge, test_unknown_records, test_cut, test_host, test_not_running);
