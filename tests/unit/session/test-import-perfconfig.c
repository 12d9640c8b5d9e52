/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Session files from perf daemon's sections: they give the recorder the words that perf daemon would use. */

#include "check-main.h"
#include "import-perfconfig.h"
#include "load.h"
#include "run-line.h"
#include "scratch.h"

static void import(const char *text, PerfconfigImport *ret) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_msg(perfconfig_import(text, strlen(text), "/etc/perfconfig", ret, &d) == 0, "%s", d.sentence);
}

/* Returns the words that the imported session's file gives the recorder. */
static char **words_of(const ImportedSession *imported) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_free_ char *path = path_join(dir, "x.session");
        char **words = NULL;

        scratch_write_text(dir, "x.session", imported->text);
        ck_assert_int_eq(session_file_verify(NULL, path, &f), 0);
        ck_assert_msg(f->settings != NULL, "%s", f->error.sentence);
        ck_assert_ptr_null(f->warnings);
        ck_assert_int_eq(run_line_from_settings(f->settings, NULL, &words, NULL), 0);
        return words;
}

START_TEST(test_example_of_perf_daemon) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};

        import("[daemon]\nbase=/opt/perfdata\n\n"
               "[session-cycles]\nrun = -m 10M -e cycles --overwrite --switch-output -a\n\n"
               "[session-sched]\nrun = -m 20M -e sched:* --overwrite --switch-output -a\n", &i);
        ck_assert_str_eq(i.base, "/opt/perfdata");
        ck_assert_str_eq(i.daemon_text, "[Recorder]\nBaseDirectory=/opt/perfdata\n");
        ck_assert_uint_eq(i.n_sessions, 2);
        ck_assert_str_eq(i.sessions[0].name, "cycles");
        ck_assert_str_eq(i.sessions[0].text, "# Imported from /etc/perfconfig\n[Session]\nDescription=Session cycles of perf daemon\n"
                                             "Run=-m 10M -e cycles --overwrite --switch-output -a\n");
        ck_assert_str_eq(i.sessions[1].name, "sched");
        ck_assert_str_eq(i.sessions[1].run, "-m 20M -e sched:* --overwrite --switch-output -a");
        ck_assert_ptr_nonnull(strstr(i.sessions[1].text, "\nRun=-m 20M -e sched:* --overwrite --switch-output -a\n"));
        ck_assert_ptr_null(i.warnings);
}
END_TEST

START_TEST(test_words_stay_the_same) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};
        static const char *const expected[] = { "-e", "a\\b", "'c", "d'", "100%", "%i", "\"x", NULL };
        _cleanup_strv_free_ char **words = NULL;

        import("[session-x]\nrun = -e a\\\\b 'c d' 100% %i\\n\\\"x\n", &i);
        ck_assert_uint_eq(i.n_sessions, 1);
        words = words_of(i.sessions);
        ck_assert_uint_eq(strv_length(words), ELEMENTSOF(expected) - 1);
        for (size_t k = 0; expected[k]; k++)
                ck_assert_str_eq(words[k], expected[k]);
}
END_TEST

START_TEST(test_trailing_backslash) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};
        _cleanup_strv_free_ char **words = NULL;

        import("[session-x]\nrun = a\\\\", &i);
        words = words_of(i.sessions);
        ck_assert_uint_eq(strv_length(words), 1);
        ck_assert_str_eq(words[0], "a\\");
}
END_TEST

START_TEST(test_last_run_counts) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};

        import("[session-X]\nrun = -a\n[session-y]\nrun = -b\n[session-x]\nrun = -c\n[report]\nsort = x\n", &i);
        ck_assert_uint_eq(i.n_sessions, 2);
        ck_assert_str_eq(i.sessions[0].name, "x");
        ck_assert_str_eq(i.sessions[0].run, "-c");
        ck_assert_ptr_null(i.base);
        ck_assert_ptr_null(i.daemon_text);
}
END_TEST

START_TEST(test_warnings) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};
        _cleanup_free_ char *warnings = NULL;

        import("[daemon]\nbase = relative\nnope = 1\n[session-a]\nrun\n[session-b]\nrun = x\\by\n[session-.c]\nrun = -a\n"
               "[session-d]\nrun = -a\nruns = 1\n", &i);
        ck_assert_uint_eq(i.n_sessions, 1);
        ck_assert_str_eq(i.sessions[0].name, "d");
        warnings = strv_join(i.warnings, "\n");
        ck_assert_str_eq(warnings,
                         "/etc/perfconfig:2: base: not the absolute path of a directory, ignored\n"
                         "/etc/perfconfig:3: nope: unknown key of the daemon, ignored\n"
                         "/etc/perfconfig:5: run: has no value, ignored\n"
                         "/etc/perfconfig:8: a section whose name makes no session name, ignored\n"
                         "/etc/perfconfig:12: runs: unknown key of a session, ignored\n"
                         "/etc/perfconfig: a: has no run=, ignored\n"
                         "/etc/perfconfig: b: run= holds a control character, ignored");
}
END_TEST

START_TEST(test_error) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *message = NULL;
        PerfconfigImport i = {};
        static const char text[] = "[session-a]\nrun = \"x\n";

        ck_assert_int_eq(perfconfig_import(text, sizeof(text) - 1, "/etc/perfconfig", &i, &d), -EINVAL);
        message = diagnosis_format(&d);
        ck_assert_str_eq(message, "/etc/perfconfig:2: a quote without its end");
        ck_assert_ptr_null(i.sessions);
}
END_TEST

START_TEST(test_limit) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;
        PerfconfigImport i = {};
        size_t size;
        FILE *f = open_memstream(&text, &size);

        for (unsigned k = 0; k <= PERFCONFIG_SESSIONS_MAX; k++)
                fprintf(f, "[session-%u]\nrun = -a\n", k);
        fclose(f);
        ck_assert_int_eq(perfconfig_import(text, size, NULL, &i, &d), -E2BIG);
        ck_assert_str_eq(d.sentence, "more than 1024 sessions");
}
END_TEST

CHECK_MAIN("import-perfconfig", test_example_of_perf_daemon, test_words_stay_the_same, test_trailing_backslash,
           test_last_run_counts, test_warnings, test_error, test_limit);
