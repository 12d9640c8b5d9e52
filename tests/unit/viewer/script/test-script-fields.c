/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "script-fields.h"

static PerfDataEvent event(uint32_t type, uint64_t config, uint64_t sample_type) {
        return (PerfDataEvent) {
                .attr = { .type = type, .config = config, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | sample_type },
                .name = "event",
        };
}

static uint64_t of(const ScriptFields *f, const PerfDataEvent *e) {
        return script_fields_of(f, &e->attr);
}

START_TEST(defaults) {
        PerfDataEvent events[] = {
                event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 0),
                event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PERF_SAMPLE_TIME),
                event(PERF_TYPE_TRACEPOINT, 5, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU),
        };
        ScriptFields f;

        script_fields_init(&f);
        ck_assert_int_eq(script_fields_check(&f, events, 3, true), 0);
        ck_assert(of(&f, events + 1) & SCRIPT_FIELD(TIME) && of(&f, events + 1) & SCRIPT_FIELD(SYMOFF));
        ck_assert(!(of(&f, events + 1) & SCRIPT_FIELD(CPU))); /* its samples have none */
        ck_assert(of(&f, events + 2) & SCRIPT_FIELD(CPU) && of(&f, events + 2) & SCRIPT_FIELD(TRACE));
        ck_assert(!(of(&f, events + 2) & SCRIPT_FIELD(IP)));
        events[2].attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
        ck_assert_int_eq(script_fields_check(&f, events, 3, true), 0);
        ck_assert(of(&f, events + 2) & SCRIPT_FIELD(IP));
}
END_TEST

START_TEST(chosen) {
        const PerfDataEvent software = event(PERF_TYPE_SOFTWARE, 0, 0), trace = event(PERF_TYPE_TRACEPOINT, 0, 0);
        ScriptFields f;

        script_fields_init(&f);
        ck_assert_int_eq(script_fields_parse(&f, "comm,bpf-output,trace"), 0);
        ck_assert_uint_eq(of(&f, &software), SCRIPT_FIELD(COMM) | SCRIPT_FIELD(BPF_OUTPUT));
        ck_assert_uint_eq(of(&f, &trace), SCRIPT_FIELD(COMM) | SCRIPT_FIELD(BPF_OUTPUT) | SCRIPT_FIELD(TRACE));
        ck_assert_int_eq(script_fields_parse(&f, "sw:+pid,-comm"), 0);
        ck_assert_uint_eq(of(&f, &software), SCRIPT_FIELD(PID) | SCRIPT_FIELD(BPF_OUTPUT));
        ck_assert_int_eq(script_fields_parse(&f, "trace:"), 0);
        ck_assert_uint_eq(of(&f, &trace), 0);
}
END_TEST

START_TEST(refused) {
        static const char *const bad[] = { "", "nonsense", "comm,+pid", "+comm,pid", "nothing:comm", "sw:trace" };
        const PerfDataEvent software = event(PERF_TYPE_SOFTWARE, 0, 0);
        ScriptFields f;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                script_fields_init(&f);
                ck_assert_int_eq(script_fields_parse(&f, bad[i]), -EINVAL);
        }
        script_fields_init(&f);
        ck_assert_int_eq(script_fields_parse(&f, "comm,time"), 0);
        ck_assert_int_eq(script_fields_check(&f, &software, 1, true), -EINVAL);
        script_fields_init(&f);
        ck_assert_int_eq(script_fields_parse(&f, "ip,symoff"), 0);
        ck_assert_int_eq(script_fields_check(&f, &software, 1, true), -EINVAL);
}
END_TEST

TEST_RUN("script-fields", defaults, chosen, refused);
