/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl's verbs that work on files: cat, edit, verify, import; status without a daemon; and those that execute
 * another program. */

#include <sys/stat.h>
#include <sys/syscall.h>

#include "check-main.h"
#include "client-fixture.h"
#include "refused-call.h"
#include "scratch.h"
#include "strv.h"

#define GOOD "[Session]\nDescription=Processor time\nRun=-e cpu-clock -a\n"

static void init(Fixture *f) {
        fixture_init(f, true);
        scratch_write_text(f->dir, "sessions.d/cpu.session", GOOD);
        scratch_write_text(f->dir, "sessions.d/cpu.session.d/10-more.conf", "[Session]\nRestart=always\n");
}

static char *read_session(const Fixture *f, const char *name) {
        _cleanup_free_ char *path = NULL;
        char *text;

        ck_assert_int_gt(asprintf(&path, "%s/sessions.d/%s", f->dir, name), 0);
        return read_file(path, 1024 * 1024, &text, NULL) < 0 ? NULL : text;
}

static bool staging_is_gone(const Fixture *f) {
        _cleanup_strv_free_ char **names = NULL;

        ck_assert_int_eq(list_directory(f->dir, 100, &names), 0);
        STRV_FOREACH(name, names)
                if (startswith(*name, "perfctl-edit"))
                        return false;
        return true;
}

START_TEST(test_cat) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *expected = NULL;

        init(&f);
        scratch_write_text(f.dir, "sessions.d/odd.session", "[Session]\nRun=-a");
        ck_assert_int_gt(asprintf(&expected,
                                  "# %s/sessions.d/cpu.session\n" GOOD
                                  "\n# %s/sessions.d/cpu.session.d/10-more.conf\n[Session]\nRestart=always\n"
                                  "\n# %s/sessions.d/odd.session\n[Session]\nRun=-a\n", f.dir, f.dir, f.dir), 0);
        expect("cat cpu odd", 0, expected, "");
        expect_like("cat nosuch cpu", 1, "Processor", "There is no session 'nosuch'\n");
        scratch_write_text(f.dir, "sessions.d/masked.session", "");
        scratch_write_text(f.dir, "sessions.d/t@.session", "[Record]\nUnit=%i\n");
        scratch_write_text(f.dir, "sessions.d/t@.session.d/x.conf", "[Session]\nRestart=no\n");
        expect_like("cat t@", 0, "/t@.session\n[Record]\nUnit=%i\n\n# ", "");
        expect_like("cat t@", 0, "/t@.session.d/x.conf\n[Session]\nRestart=no\n", "");
        expect("cat masked", 1, "", "Session 'masked' is masked\n");
        expect("cat ../cpu", 1, "", "There is no session '../cpu'\n");
        expect("cat", 1, "", "Too few arguments: perfctl cat NAME...\n");
}
END_TEST

START_TEST(test_verify) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "odd.session", "[Session]\nRun=-a\nNonsense=1\n");
        scratch_write_text(f.dir, "short.session",
                           "[Record]\nEvent=cpu-clock\nFrequency=99\nMode=overwrite\nBufferSize=1M\nKeepSec=1h\n");
        scratch_write_text(f.dir, "bad.session", "[Session]\nRun=-a\n\nRestart=perhaps\n");
        expect_like("verify ./sessions.d/cpu.session", 0,
                    "/cpu.session: the cost of Run= is not known here; --try asks the recorder\n", "");
        expect("verify -q ./sessions.d/cpu.session", 0, "", "");
        expect_like("verify --strict ./odd.session", 1, "", "Nonsense");
        expect_like("verify --json=short ./odd.session", 0, "\"valid\":true,\"warnings\":[\"", "");
        expect_like("verify ./odd.session", 0, "--try asks the recorder", "/odd.session:3: ");
        expect_like("verify ./odd.session", 0, "--try asks the recorder", "Nonsense");
        expect_like("verify ./short.session", 0, "memory reaches", "/short.session:6: KeepSec: memory reaches ");
        expect_like("verify ./short.session", 0, "memory reaches", "back while all CPUs are busy, less than 1h\n");
        scratch_write_text(f.dir, "small.session", "[Record]\nMode=history\n[Scope]\nMemoryMax=32M\n");
        scratch_write_text(f.dir, "roomy.session", "[Record]\nMode=history\nHistorySize=16M\n[Scope]\nMemoryMax=32M\n");
        expect_like("verify --strict ./small.session", 1, "",
                    "/small.session:4: MemoryMax: 32M leaves no room for a history of 64M (HistorySize=): ");
        expect_like("verify --strict ./roomy.session", 0, "memory reaches", "");
        expect_like("verify -q ./odd.session ./bad.session", 1, "", "/bad.session:4: Restart: ");
        expect("verify /nonexistent.session", 1, "", NULL);
        expect_calls(&f, "");
}
END_TEST

/* As the daemon reads it: with its drop-ins of all directories if it is in one of them. */
START_TEST(test_verify_with_drop_ins) {
        static const char text[] = "[Record]\nEvent=cpu-clock\nMode=overwrite\nBufferSize=1M\nCPU=0\n";
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "sessions.d/a.session", text);
        scratch_write_text(f.dir, "elsewhere/a.session", text);
        expect_like("verify a", 0, "a: 1.5M of locked memory: 1M, and 512K for the side band, for each of 1 CPUs\n", "");
        scratch_write_text(f.dir, "sessions.d/a.session.d/x.conf", "[Record]\nBufferSize=8M\n");
        scratch_write_text(f.dir, "elsewhere/a.session.d/x.conf", "[Record]\nBufferSize=2M\n");
        scratch_write_text(f.dir, "elsewhere/none.session.d/x.conf", "[Record]\n");
        expect_like("verify sessions.d/a.session", 0, "sessions.d/a.session: 8.5M of locked memory", "");
        expect_like("verify a", 0, "a: 8.5M of locked memory", "");
        expect_like("verify ./sessions.d/a.session.d/x.conf", 0, "x.conf: 8.5M of locked memory", "");
        expect_like("verify elsewhere/a.session", 0, "a.session: 1.5M of locked memory", "");
        expect_like("verify elsewhere/a.session.d/x.conf", 0, "x.conf: 2.5M of locked memory", "");
        expect("verify elsewhere/none.session.d/x.conf", 1, "",
               "elsewhere/none.session.d/x.conf: the session of this drop-in does not exist\n");
        expect("verify nosuch", 1, "", "nosuch: there is neither such a file nor such a session\n");
        scratch_write_text(f.dir, "sessions.d/a.session.d/y.conf", "[Record]\nFrequency=zz\n");
        expect_like("verify sessions.d/a.session", 1, "", "/sessions.d/a.session.d/y.conf:2: Frequency: ");
        expect_like("verify --json=short a", 1, "/sessions.d/a.session\",\"valid\":false,\"error\":\"", "");
        scratch_write_text(f.dir, "sessions.d/t@.session", "[Record]\nPID=%i\n");
        scratch_write_text(f.dir, "sessions.d/t@.session.d/x.conf", "[Session]\nRestart=perhaps\n");
        expect_like("verify t@", 1, "", "/sessions.d/t@.session.d/x.conf:2: Restart: ");
        expect_like("verify t@5", 1, "", "/sessions.d/t@.session.d/x.conf:2: Restart: ");
}
END_TEST

static void write_program(const Fixture *f, const char *name, const char *text) {
        _cleanup_free_ char *path = path_join(f->dir, name);

        scratch_write_text(f->dir, name, text);
        ck_assert_int_eq(chmod(path, 0755), 0);
}

/* Sessions are searched beside the file, too, and units in systemd's path. */
START_TEST(test_verify_names) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *path = NULL;

        init(&f);
        write_program(&f, "bin/systemctl", "#!/bin/sh\n"
                      "case $6 in sent@dump.service | web.service) echo loaded ;; *) echo not-found ;; esac\n");
        ck_assert_int_gt(asprintf(&path, "%s/bin:%s", f.dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "beside.session", GOOD);
        scratch_write_text(f.dir, "names.session", GOOD "[Trigger]\nAlso=cpu beside\nAlso=cpuu\nOnDump=sennd@.service\n");
        scratch_write_text(f.dir, "right.session", GOOD "[Trigger]\nAlso=cpu\nOnDump=sent@.service\n");
        scratch_write_text(f.dir, "t@.session", GOOD "[Trigger]\nAlso=cpu-%i\n");
        expect_like("verify names.session", 0, "names.session",
                    "names.session:6: Also: there is no session 'cpuu'\n"
                    "names.session:7: OnDump: there is no unit sennd@.service\n");
        expect_like("verify --strict names.session", 1, "", "cpuu");
        expect("verify -q --strict right.session t@.session", 0, "", "");
        scratch_write_text(f.dir, "unit.session", "[Record]\nUnit=wbe\n");
        scratch_write_text(f.dir, "known.session", "[Record]\nUnit=web\n");
        scratch_write_text(f.dir, "u@.session", "[Record]\nUnit=%i\n");
        expect_like("verify unit.session", 0, "unit.session",
                    "unit.session:2: Unit: systemd does not know the unit wbe.service: the session waits for it\n");
        expect_like("verify -q --strict unit.session", 1, "", "");
        expect("verify -q --strict known.session u@.session", 0, "", "");
}
END_TEST

/* All errors of a file are reported, each with its line. */
START_TEST(test_verify_all_errors) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "bad.session", "[Session]\nRestart=perhaps\nRun=-a\n[Trigger]\nSignal=KILL\n");
        expect_like("verify bad.session", 1, "", "bad.session:2: Restart: ");
        expect_like("verify bad.session", 1, "", "\nbad.session:5: Signal: ");
        expect_like("verify --json=short bad.session", 1, "\"errors\":[\"bad.session:2: Restart: ", "");
}
END_TEST

/* C1 characters of a file may begin a control sequence of the terminal. */
START_TEST(test_verify_control_characters) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "odd.session", "[Session]\nRun=-a\n[Trigger]\nAlso=a\xc2\x9b" "b\n");
        expect_like("verify odd.session", 1, "", "a?b");
        expect_like("verify --json=short odd.session", 1, "a\\u009bb", "");
}
END_TEST

/* An error of the recorder is printed with the name of the file. */
START_TEST(test_verify_try) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *worker = NULL;

        init(&f);
        write_program(&f, "worker", "#!/bin/sh\n"
                                    "printf \"event syntax error: 'b'\\n     \\\\___ There is no b\\n\" >&2\nexit 129\n");
        worker = path_join(f.dir, "worker");
        (void) setenv("PERF_RECORDER_WORKER", worker, 1);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "x.session", "[Record]\nEvent=cpu-clock\nEvent=b\n");
        scratch_write_text(f.dir, "perf.session", "[Session]\nRun=-a\nRecorder=/no/such/perf\n");
        expect_like("verify -q --try x.session", 1, "", "x.session: There is no b");
        expect_like("verify -q --try perf.session", 1, "", "perf.session:3: Recorder: /no/such/perf: No such file or directory\n");
}
END_TEST

/* The service's limit counts, not that of perfctl. */
START_TEST(test_verify_try_descriptors) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *worker = NULL, *path = NULL;

        init(&f);
        write_program(&f, "bin/systemctl", "#!/bin/sh\n[ \"$4 $6\" = 'LimitNOFILE perf-recorderd.service' ] && echo 1000\n");
        ck_assert_int_gt(asprintf(&path, "%s/bin:%s", f.dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
        write_program(&f, "worker", "#!/bin/sh\nprintf 'EVENTS=%s\\nRINGS=2\\nRING_BYTES=4096\\n' \"${PR_TEST_EVENTS}\"\n");
        worker = path_join(f.dir, "worker");
        (void) setenv("PERF_RECORDER_WORKER", worker, 1);
        ck_assert_int_eq(chdir(f.dir), 0);
        scratch_write_text(f.dir, "x.session", "[Record]\nEvent=cpu-clock\n");
        (void) setenv("PR_TEST_EVENTS", "936", 1);
        expect_like("verify --try x.session", 0, "tried: 936 events open, 2 rings", "");
        (void) setenv("PR_TEST_EVENTS", "937", 1);
        expect_like("verify --try x.session", 1, "", "Too many events: 1001 descriptors are needed");
        expect_like("verify --try x.session", 1, "", "the service has 1000; name fewer, or raise LimitNOFILE=");
}
END_TEST

START_TEST(test_status_without_daemon) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        scratch_write_text(f.dir, "sessions.d/bad.session", "[Session]\nRestart=perhaps\n");
        expect_like("status cpu", 3, "○ cpu - Processor time\n     Loaded: loaded (", "");
        expect_like("status cpu", 3, "             └─10-more.conf\n      State: inactive\n"
                                     "      Error: perf-recorderd is not running\n", "");
        expect_like("status bad", 3, "      State: bad-setting\n      Error: ", "");
        expect_like("status nosuch", 4, "", "There is no session 'nosuch'");
}
END_TEST

START_TEST(test_edit_template) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *text = NULL;

        init(&f);
        scratch_write_text(f.dir, "sessions.d/t@.session", "[Record]\nUnit=%i\n");
        (void) setenv("EDITOR", "sed -i '2a [Record]\\nFrequency=zz'", 1);
        expect_like("edit t@", 1, "", "Frequency: ");
        (void) setenv("EDITOR", "sed -i '2a [Session]\\nRestart=no'", 1);
        expect_like("edit t@", 0, "/sessions.d/t@.session.d/override.conf\n", "");
        text = read_session(&f, "t@.session.d/override.conf");
        ck_assert_str_eq(text, "[Session]\nRestart=no\n");
}
END_TEST

START_TEST(test_edit_drop_in) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *text = NULL, *again = NULL;

        init(&f);
        fixture_start_service(&f);
        (void) setenv("EDITOR", "sed -i '2a [Session]\\nRestart=no'", 1);
        expect_like("edit cpu", 0, "/sessions.d/cpu.session.d/override.conf\ncpu: changed\n", "");
        text = read_session(&f, "cpu.session.d/override.conf");
        ck_assert_str_eq(text, "[Session]\nRestart=no\n");
        expect_calls(&f, "Reload\n");

        (void) setenv("EDITOR", "true", 1);
        expect_like("edit cpu", 0, "Nothing changed: ", "");
        again = read_session(&f, "cpu.session.d/override.conf");
        ck_assert_str_eq(again, text);
        expect_calls(&f, "");
        ck_assert(staging_is_gone(&f));
}
END_TEST

START_TEST(test_edit_full) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *text = NULL, *new = NULL;

        init(&f);
        (void) setenv("EDITOR", "sed -i s/cpu-clock/task-clock/", 1);
        expect_like("edit --full cpu", 0, "Wrote ", "");
        text = read_session(&f, "cpu.session");
        ck_assert_str_eq(text, "[Session]\nDescription=Processor time\nRun=-e task-clock -a\n");

        /* nor is a bus needed, as when an image is built */
        (void) setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
        expect_like("edit --full new", 1, "", "Session 'new' does not exist");
        (void) setenv("EDITOR", "sed -i '2a [Session]\\nRun=-a'", 1);
        expect_like("edit --full --force new", 0, "Wrote ", "");
        new = read_session(&f, "new.session");
        ck_assert_str_eq(new, "[Session]\nRun=-a\n");
        ck_assert(staging_is_gone(&f));
}
END_TEST

/* Checks that a refused text still exists, and removes it. */
static void check_kept(const Fixture *f, const char *name, const char *part) {
        _cleanup_strv_free_ char **names = NULL;
        unsigned n = 0;

        ck_assert_int_eq(list_directory(f->dir, 100, &names), 0);
        STRV_FOREACH(entry, names)
                if (startswith(*entry, "perfctl-edit")) {
                        _cleanup_free_ char *directory = path_join(f->dir, *entry), *path = path_join(directory, name), *text = NULL;

                        ck_assert_int_eq(read_file(path, 1024 * 1024, &text, NULL), 0);
                        ck_assert_ptr_nonnull(strstr(text, part));
                        scratch_remove(directory);
                        n++;
                }
        ck_assert_uint_eq(n, 1);
}

/* A file that does not load is never written. */
START_TEST(test_edit_bad) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *text = NULL, *none = NULL, *path = NULL;

        init(&f);
        (void) setenv("EDITOR", "sed -i s/-a/-a\\\\nRestart=perhaps/", 1);
        expect_like("edit --full cpu", 1, "", "Restart: ");
        check_kept(&f, "cpu.session", "-a\nRestart=perhaps");
        expect_like("edit --full cpu", 1, "", "Not written: ");
        check_kept(&f, "cpu.session", "-a\nRestart=perhaps");
        text = read_session(&f, "cpu.session");
        ck_assert_str_eq(text, GOOD);
        (void) setenv("EDITOR", "false", 1);
        expect("edit cpu", 1, "", "Failed to run the editor 'false', which $EDITOR names: it failed\n");
        (void) setenv("EDITOR", "/nonexistent/editor", 1);
        expect("edit cpu", 1, "", "Failed to run the editor '/nonexistent/editor', which $EDITOR names: No such file or directory\n");
        (void) unsetenv("EDITOR");
        path = strdup(getenv("PATH"));
        (void) setenv("PATH", f.dir, 1);
        expect_like("edit cpu", 1, "", "found neither editor, nano, vim nor vi; set $EDITOR to an installed one\n");
        (void) setenv("PATH", path, 1);
        none = read_session(&f, "cpu.session.d/override.conf");
        ck_assert_ptr_null(none);
        expect_like("edit nosuch", 1, "", "does not exist");
        expect_like("edit ../cpu", 1, "", "no session name");
        scratch_write_text(f.dir, "sessions.d/masked.session", "");
        expect_like("edit masked", 1, "", "masked");
        ck_assert(staging_is_gone(&f));
}
END_TEST

START_TEST(test_import) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *file = NULL, *force = NULL, *cycles = NULL;

        init(&f);
        scratch_write_text(f.dir, "config",
                           "[daemon]\nbase=/opt/perfdata\n\n[session-cycles]\nrun = -m 10M -e cycles -a\n\n"
                           "[session-cpu]\nrun = -e cpu-clock\n");
        ck_assert_int_gt(asprintf(&file, "import %s/config", f.dir), 0);
        expect_like(file, 1, "/sessions.d/cycles.session\n",
                    "/sessions.d/cpu.session exists already; --force replaces it\n");
        cycles = read_session(&f, "cycles.session");
        ck_assert_ptr_nonnull(cycles);
        ck_assert_ptr_nonnull(strstr(cycles, "\nRun=-m 10M -e cycles -a\n"));
        expect_like(file, 1, "", "base=/opt/perfdata was not imported");
        ck_assert_int_gt(asprintf(&force, "%s --force -q", file), 0);
        expect(force, 0, "", "");
        expect("import /dev/null", 1, "", "/dev/null: cannot be read: not a regular file\n");
        expect_like("import /nonexistent", 1, "", "/nonexistent: cannot be read: No such file or directory\n");
}
END_TEST

START_TEST(test_import_replaces_a_packaged_session) {
        _cleanup_free_ char *expected = NULL, *directories = NULL;
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        ck_assert_int_gt(asprintf(&directories, "%s/sessions.d:%s/packaged", f.dir, f.dir), 0);
        (void) setenv("PERF_RECORDER_SESSION_PATH", directories, 1);
        scratch_write_text(f.dir, "config", "[session-sched]\nrun = -a\n\n[session-own]\nrun = -a\n");
        scratch_write_text(f.dir, "packaged/sched.session", GOOD);
        ck_assert_int_gt(asprintf(&expected, "%s/sessions.d/sched.session takes the place of %s/packaged/sched.session\n", f.dir,
                                  f.dir), 0);
        expect("import -q ./config", 0, "", expected);
}
END_TEST

START_TEST(test_import_default) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *text = NULL;

        init(&f);
        scratch_write_text(f.dir, ".perfconfig", "[session-mine]\nrun = -a\n");
        expect_like("import", 0, "/sessions.d/mine.session\n", NULL);
        text = read_session(&f, "mine.session");
        ck_assert_ptr_nonnull(text);
}
END_TEST

START_TEST(test_record) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        (void) setenv("PERF_RECORDER_WORKER", "/bin/echo", 1);
        expect("record -F 99 --help -- sleep 1", 0, "-F 99 --help -- sleep 1\n", "");
        expect("-q record", 0, "\n", "");
        (void) setenv("PERF_RECORDER_WORKER", "/nonexistent", 1);
        expect("record", 1, "", "Failed to run the recorder: No such file or directory\n");
}
END_TEST

/* The list depends on the machine, though all machines have cs and the forms. */
START_TEST(test_events) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_run_ Run all = {};

        init(&f);
        expect_like("events sw", 0, "context-switches OR cs ", "");
        expect_like("events sw", 0, " listed, ", "");
        expect_like("--no-legend events 'CONTEXT-switch*'", 0, "context-switches OR cs Software", "");
        expect_like("events raw breakpoint", 0, "rNNN ", "");
        expect_like("events cs", 0, "Switches of a CPU from one thread to another", "");
        expect("--no-legend events --no-desc cs", 0, "cs Software \n", "");
        expect_like("events --no-desc -d cs", 0, "cs    Software Switches", "");
        expect_like("events -v cs", 0, "cs  [Software]\n        Switches of a CPU from one thread to another\n\n1 event", "");
        expect("--no-legend events --details --no-desc page-faults", 0, "page-faults  [Software]\n        type 1, config 0x2\n", "");
        expect_like("events --json=short --details --no-desc cs", 0,
                    "\"recordable\":true,\"attr\":{\"type\":1,\"config\":3}}", "");
        expect_like("events --details mem:0x1000/8:w", 0, "type 5, config 0, bp_type 0x2, bp_addr 0x1000, bp_len 0x8\n", "");
        expect_like("events --details metric", 1, "", "metric: perf's metrics are formulas");
        expect_like("events uprobe:", 1, "", "uprobe:PATH:SYMBOL");
        expect_like("events --json=short probe", 0, "{\"name\":\"uprobe:PATH:SYMBOL[+OFFSET][%return]\",\"type\":\"Probe\","
                                                    "\"group\":\"probe\"", NULL);
        expect("events no-such-thing", 1, "", NULL);
        expect_like("events no-such-thing", 1, "", "no-such-thing: ");
        expect("events 'no-such*'", 1, "", "no-such*: No event matches\n");
        expect("events --json=short 'no-such*'", 1, "[]\n", "no-such*: No event matches\n");
        expect_like("events cpu-cloc cpu-cl sw no-such", 1, "cpu-clock", "no-such: ");
        all = perfctl("events cpu-cloc cpu-cl sw");
        ck_assert_ptr_null(strstr(strstr(all.out, "cpu-clock") + 1, "cpu-clock")); /* once */
        expect_like("events duration_time", 1, "", "duration_time: duration_time can be counted");
        expect_like("-H box events", 1, "", "works on this machine only");
}
END_TEST

START_TEST(test_events_filtered) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        if (refuse_call(SYS_perf_event_open, EPERM) < 0)
                return;
        expect_like("events sw probe", 0, " listed, 0 can be recorded", "No event can be recorded here: No permission to open the "
                    "cpu-clock event: a seccomp filter");
        expect_like("events --json=short uprobe", 0, "\"recordable\":false,\"reason\":\"no permission\"", "a seccomp filter");
        expect_like("events cpu-clock", 1, "", "cpu-clock: No permission to open the cpu-clock event: a seccomp filter");
        expect("--quiet events sw", 0, NULL, "");
}
END_TEST

START_TEST(test_log) {
        _cleanup_(fixture_done) Fixture f = {};
        _cleanup_free_ char *path = NULL;

        init(&f);
        scratch_write_text(f.dir, "bin/journalctl", "#!/bin/sh\necho \"$@\"\n");
        ck_assert_int_gt(asprintf(&path, "%s/bin/journalctl", f.dir), 0);
        ck_assert_int_eq(chmod(path, 0755), 0);
        *strrchr(path, '/') = '\0';
        (void) setenv("PATH", path, 1);
        expect("log cpu", 0, "PERF_SESSION=cpu\n", "");
        expect("log cpu -f -n 3 -e --no-pager -q", 0,
               "PERF_SESSION=cpu --follow --pager-end --lines=3 --no-pager --quiet\n", "");
        expect("log -M box", 0, "--machine=box --unit=perf-recorderd.service\n", "");
}
END_TEST

/* As for other programs whose reader goes: no message, and the status of SIGPIPE, which the parent may ignore. */
START_TEST(test_reader_that_goes) {
        static const char *const words[] = {
                "cat cpu", "--help", "verify cpu", "report -i " PR_TEST_GOLDEN "/perf-6.1-groups.data",
                "script -i " PR_TEST_GOLDEN "/perf-6.1-groups.data",
        };
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        ck_assert_int_eq(chdir(f.dir), 0);
        (void) setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the viewer's sandbox refuses what the leak checker needs */
        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_free_ char *line = NULL;

                ck_assert_int_gt(asprintf(&line, "rm -f fifo; mkfifo fifo; true <fifo & exec 3>fifo; wait; trap '' PIPE\n"
                                          "%s %s >&3 3>&- 2>errors; test $? = 141 && ! grep -iE 'pipe|output' errors", PERFCTL, words[i]), 0);
                ck_assert_msg(system(line) == 0, "%s", words[i]);
        }
}
END_TEST

/* Options of memory events are read before it matters which of them this CPU has. */
START_TEST(test_memory_events) {
        _cleanup_(fixture_done) Fixture f = {};

        init(&f);
        expect("c2c record -u -e stores -- -a", 1, "",
               "There is no event 'stores' of memory accesses; it is one of ldlat-loads, ldlat-stores, mem-ldst, or list\n");
        expect("c2c record -l", 1, "", "--ldlat: not a number of cycles: ''\n");
        expect("mem record --ldlat=few", 1, "", "--ldlat: not a number of cycles: 'few'\n");
        expect_like("c2c record -k -e list", 0, "mem-ldst     : ", "");
        expect("c2c show", 1, "", "There is no 'c2c show'; see 'perfctl c2c --help'\n");
}
END_TEST

CHECK_MAIN("perfctl-files", test_reader_that_goes, test_cat, test_verify, test_verify_with_drop_ins, test_verify_names, test_verify_all_errors, test_verify_control_characters, test_verify_try, test_verify_try_descriptors,
           test_status_without_daemon, test_edit_template, test_edit_drop_in, test_edit_full,
           test_edit_bad, test_import, test_import_replaces_a_packaged_session,
           test_import_default, test_memory_events, test_record, test_events, test_events_filtered, test_log);
