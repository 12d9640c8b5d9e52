/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "scratch.h"
#include "session-blame.h"

#define USAGE(row) "\n Usage: w [<options>] [<command>]\n    or: w [<options>] -- <command> [<options>]\n\n    " row "\n"

/* Checks the place of a recorder's error, as "LINE: KEY". */
static void assert_place(const char *file, const char *complaint, const char *expected) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *path = path_join(dir, "x.session"), *place = NULL;

        scratch_write_text(dir, "x.session", file);
        ck_assert_int_eq(session_file_verify(NULL, path, &f), 0);
        ck_assert_ptr_nonnull(f->settings);
        session_blame(f, complaint, &d);
        ck_assert_str_eq(d.file, path);
        ck_assert_int_gt(asprintf(&place, "%u: %s", d.line, d.key ?: ""), 0);
        ck_assert_str_eq(place, expected);
}

#define EVENTS "[Record]\nEvent=cpu-clock\nEvent=sched:sched_swich\nEvent=sched:sched_swich_on\n"

START_TEST(test_events) {
        assert_place(EVENTS, "event syntax error: 'sched:sched_swich'\n   \\___ There is none" USAGE("-e, --event <event>   what"),
                     "3: Event");
        assert_place(EVENTS, "The sched:sched_swich_on event is not supported", "4: Event");
        assert_place(EVENTS, "No permission to open any of them", "1: ");
        assert_place(EVENTS "[Trigger]\nEvent=faults\n", "x 'faults'" USAGE("  --trigger-event <event>"), "6: Event");
}
END_TEST

START_TEST(test_options) {
        assert_place("[Record]\nCPU=0\nBufferSize=1G\n", "0 and 2 rings are too much: take smaller ones (-m)", "3: BufferSize");
        assert_place("[Record]\nMode=overwrite\nUserID=nobody\n", " Error: no such user" USAGE("-u, --uid <user>    record"),
                     "3: UserID");
        assert_place("[Record]\nCPU=0,4095\n", "CPU 4095 is not online: take one of the list (-C)", "2: CPU");
        assert_place("[Record]\nEvent=cpu-clock\nCPU=0,7\n", "CPU 7 does not exist or is not online", "3: CPU");
        assert_place("[Record]\nEvent=cpu-clock\nFilter=pid == 1\n",
                     " Error: not a tracepoint" USAGE("  --filter <filter>  of the -e before it"), "3: Filter");
        assert_place("[Record]\nPID=4194303\n", "there is no process 4194303", "2: PID");
        assert_place("[Record]\nCommand=/no/such/program --of mine\n", "Failed to start '/no/such/program'", "2: Command");
}
END_TEST

START_TEST(test_run) {
        assert_place("[Session]\nRun=--no-such\n", " Error: unknown option `no-such'" USAGE("-e, --event <event>"), "2: Run");
}
END_TEST

CHECK_MAIN("session-blame", test_events, test_options, test_run);
