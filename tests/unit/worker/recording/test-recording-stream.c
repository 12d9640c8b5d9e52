/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The destination of the program's output, and its size. */

#include "run-worker.h"

static void assert_said(const char *text) {
        _cleanup_free_ char *said = output();

        ck_assert_msg(strstr(said, text), "\"%s\" is not in: %s", text, said);
}

/* The command's own output must not be in the stream. */
START_TEST(test_stream) {
        start("-o - -e cpu-clock -F 10000 sh -c 'echo from the command; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >stream");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_gt(count_samples("stream"), 0);
        assert_said("from the command");
        assert_said("MB - (");
        ck_assert_int_lt(access("perf.data", F_OK), 0);
}
END_TEST

START_TEST(test_pipe_without_a_name) {
        start_into("", "-z -e cpu-clock -F 10000 sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' | cat >stream");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_gt(count_samples("stream"), 0);
        ck_assert_int_lt(access("perf.data", F_OK), 0);
}
END_TEST

/* All events are opened, and nothing is written or run. Other CPUs have a ring of 16 pages for the side band. */
START_TEST(test_try) {
        start_into("", "--try -e cpu-clock -m 32 -C 0 >facts");
        ck_assert_int_eq(end(), 0);
        ck_assert_int_eq(system("n=$(getconf _NPROCESSORS_ONLN); grep -qx RINGS=$n facts && "
                                "grep -qx RING_BYTES=$((65536 * (n + 1))) facts"), 0);
        start("--try -e cpu-clock touch was-run");
        ck_assert_int_eq(end(), 0);
        ck_assert_int_lt(access("was-run", F_OK), 0);
        start("--try -e cpu-clock /no/such/program");
        ck_assert_int_ne(end(), 0);
        assert_said("The program '/no/such/program' can't be run: No such file");
        ck_assert_int_lt(access("perf.data", F_OK), 0);
}
END_TEST

START_TEST(test_reader_goes) {
        start_into("", "-o - -e cpu-clock sleep 1000 | true");
        ck_assert_int_eq(end(), 0);
        assert_said("[ perf record: the reader of - has gone, stopping session ]"); /* at its beginning, or later */
}
END_TEST

/* A service's files have their symbols beside them, unless these are disabled. */
START_TEST(test_symbols) {
        start("-e cpu-clock:u -F 10000 sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_gt(count_samples("perf.data"), 0);
        ck_assert_int_eq(access("symbols", F_OK), 0);
        ck_assert_int_eq(system("find symbols -name '*libc.so*' | grep -q ."), 0);
        start("--no-symbols -o other -e cpu-clock:u -F 10000 sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_gt(count_samples("other"), 0);
        ck_assert_int_lt(access("symbols.other", F_OK), 0);
}
END_TEST

START_TEST(test_compressed) {
        start("-z -e cpu-clock -F 10000 sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'");
        ck_assert_int_eq(end(), 0);
        ck_assert_uint_gt(count_samples("perf.data"), 0);
        assert_said(", compressed (original ");
}
END_TEST

START_TEST(test_size_limit) {
        start("-e cpu-clock -F 10000 -a -m 1 --max-size 100K");
        ck_assert_int_eq(end(), 0);
        assert_said("[ perf record: perf size limit reached (");
        ck_assert_uint_gt(count_samples("perf.data"), 0);
}
END_TEST

/* The samples stay in the open file, which has no name until the directory can be created again. */
START_TEST(test_vanished_directory) {
        ck_assert_int_eq(mkdir("out", 0755), 0);
        start("-e cpu-clock -F 1000 -a --switch-output=signal -o out/perf.data");
        await("READY=1");
        ck_assert_int_eq(system("until rm -rf out 2>/dev/null; do :; done"), 0); /* NOLINT(cert-env33-c) */
        ck_assert_int_eq(symlink(".", "out"), 0);
        say("snapshot a\n");
        await("X_PERF_DUMP_ERROR=2 the directory of the dumps is gone\n");
        ck_assert_int_eq(unlink("out"), 0);
        say("snapshot b\n");
        await("X_PERF_DUMP_IDS=b\n");
        ck_assert_int_eq(system("ls out/perf.data.2*"), 0); /* NOLINT(cert-env33-c) */
        stop();
}
END_TEST

START_TEST(test_switch_by_event) {
        start("-e cpu-clock -F 10 -a --switch-output-event cpu-clock/period=300000000/");
        await("READY=1");
        await("X_PERF_OUTPUT=/");
        await("X_PERF_OUTPUT=/");
        stop();
}
END_TEST

START_TEST(test_refused) {
        start_into("", "-o - -e cpu-clock --switch-output true | cat >stream; exit $?");
        ck_assert_int_eq(end(), 0);
        assert_said("--switch-output needs files to switch between");
        start("-o no/such/directory/file -e cpu-clock true");
        ck_assert_int_ne(end(), 0);
        assert_said("failed to open no/such/directory/file : No such file or directory");
        start("--dry-run -e cpu-clock -z true");
        ck_assert_int_eq(end(), 0);
        ck_assert_int_lt(access("perf.data", F_OK), 0);
}
END_TEST

RECORDER_MAIN("recording-stream", test_stream, test_pipe_without_a_name, test_try, test_reader_goes, test_compressed, test_symbols, test_size_limit,
              test_vanished_directory, test_switch_by_event, test_refused);
