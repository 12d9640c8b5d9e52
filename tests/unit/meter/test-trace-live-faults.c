/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Faults of this process, whose maps are read, and of a made-up one, whose maps are in records. */

#include <sys/mman.h>

#include "check-main.h"
#include "format-text.h"
#include "record.h"
#include "trace-live-faults.h"

#define PID 4194305u /* more than there can be */

static int touched;

/* The symbol is known by its address. */
static __attribute__((noinline)) int fault_here(void) {
        return touched++;
}

static void expect(TraceLiveFaults *f, uint32_t pid, uint64_t ip, uint16_t misc, uint64_t address, const char *expected) {
        const PerfSample s = { .pid = pid, .tid = pid, .ip = ip, .address = address };
        _cleanup_free_ char *text = NULL;
        CallFault fault;

        ck_assert_int_eq(trace_live_faults_name(f, &s, misc, true, &fault), 0);
        ck_assert(fault.major);
        text = format_text("[%s] => %s (%c%c)", fault.code, fault.memory, fault.map, fault.level);
        ck_assert_str_eq(text, expected);
}

static void take_map(TraceLiveFaults *f, uint64_t start, uint64_t length, uint64_t offset, uint32_t protection, uint16_t misc,
                     const char *path) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const RecordMap map = { .pid = PID, .tid = PID, .start = start, .length = length, .page_offset = offset, .major = 8, .inode = 5,
                                .protection = protection, .misc = misc, .path = path };

        ck_assert_int_eq(record_put_mmap2(&b, &map, NULL), 0);
        ck_assert_int_eq(trace_live_faults_take(f, (const void *) b.data), 0);
}

START_TEST(test_here) {
        _cleanup_(trace_live_faults_freep) TraceLiveFaults *f = NULL;
        const PerfSample s = { .pid = (uint32_t) getpid(), .tid = (uint32_t) getpid(), .ip = (uint64_t) (uintptr_t) fault_here + 1,
                               .address = (uint64_t) (uintptr_t) &touched };
        CallFault fault;

        ck_assert_int_eq(fault_here(), 0);
        ck_assert_int_eq(trace_live_faults_new(&f), 0);
        ck_assert_int_eq(trace_live_faults_name(f, &s, PERF_RECORD_MISC_USER, false, &fault), 0);
        ck_assert(!fault.major && fault.map == 'd' && fault.level == '.');
        ck_assert_str_eq(fault.code, "fault_here+0x1");
        ck_assert_msg(strstr(fault.memory, "/test-meter-trace-live-faults@0x") || strstr(fault.memory, "//anon@0x"), "%s", fault.memory);
}
END_TEST

START_TEST(test_records) {
        _cleanup_(trace_live_faults_freep) TraceLiveFaults *f = NULL;

        ck_assert_int_eq(trace_live_faults_new(&f), 0);
        expect(f, PID, 0x400010, PERF_RECORD_MISC_USER, 0x7000, "[0x400010] => 0x7000 (?.)");
        take_map(f, 0x400000, 0x1000, 0x2000, PROT_READ | PROT_EXEC, PERF_RECORD_MISC_USER, "/no/such\033program");
        take_map(f, 0x500000, 0x1000, 0, PROT_READ | PROT_WRITE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, "/no/data");
        expect(f, PID, 0x400010, PERF_RECORD_MISC_USER, 0x500020, "[/no/such?program@0x2010] => /no/data@0x20 (d.)");
        expect(f, PID, 0x600000, PERF_RECORD_MISC_USER, UINT64_MAX - 4095, "[0x600000] => 0xfffffffffffff000 (?k)");
}
END_TEST

CHECK_MAIN("trace-live-faults", test_here, test_records);
