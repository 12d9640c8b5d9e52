/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

#define KERNEL                                               \
        "0 kernel ffff0000 9000 [kernel.kallsyms]_text\n"    \
        "0 kernel ffffa000 1000 [a]\n"                       \
        "0 ksymbol ffffb000 bpf_prog_1\n"                    \
        "0 bpf 9\n"                                          \
        "0 poke ffff0010 cc\n"                               \
        "0 cgroup 12 /a.slice\n"

START_TEST(the_last_word_counts) {
        sideband_test_assert_base(KERNEL, KERNEL);
        sideband_test_assert_base(KERNEL KERNEL, KERNEL);
        sideband_test_assert_base(KERNEL "10 poke ffff0010 90\n11 ksymbol ffffb000 bpf_prog_2\n",
                    "0 kernel ffff0000 9000 [kernel.kallsyms]_text\n0 kernel ffffa000 1000 [a]\n"
                    "0 ksymbol ffffb000 bpf_prog_2\n0 bpf 9\n0 poke ffff0010 90\n0 cgroup 12 /a.slice\n");
}
END_TEST

START_TEST(what_is_taken_back_goes) {
        static const char left[] = "0 kernel ffff0000 9000 [kernel.kallsyms]_text\n0 kernel ffffa000 1000 [a]\n"
                                   "0 poke ffff0010 cc\n0 cgroup 12 /a.slice\n";

        sideband_test_assert_base(KERNEL "10 unksymbol ffffb000 bpf_prog_1\n11 unbpf 9\n12 unksymbol ffffc000 never\n", left);
        sideband_test_assert_base(KERNEL "0 unksymbol ffffb000 bpf_prog_1\n0 unbpf 9\n", left);
}
END_TEST

/* A module's range within the kernel's does not split that, since perf reads it so. */
START_TEST(mappings_of_the_kernel_are_not_cut) {
        sideband_test_assert_base("0 kernel ffff0000 90000 [kernel.kallsyms]_text\n0 kernel ffff8000 1000 [a]\n",
                    "0 kernel ffff0000 90000 [kernel.kallsyms]_text\n0 kernel ffff8000 1000 [a]\n");
}
END_TEST

/* Samples in memory may be of the group that had the path before. */
START_TEST(an_id_is_one_control_group) {
        sideband_test_assert_base("0 cgroup 12 /a.slice\n0 cgroup 13 /b.slice\n10 cgroup 14 /a.slice\n11 cgroup 13 /b.slice\n",
                                  "0 cgroup 12 /a.slice\n0 cgroup 13 /b.slice\n0 cgroup 14 /a.slice\n");
}
END_TEST

/* The log has them until no record is older, independent of processes. */
START_TEST(the_log_keeps_both) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("10 ksymbol ffffb000 one\n20 unksymbol ffffb000 one\n");

        ck_assert_ok(sideband_table_keep_only(t, NULL, 0));
        ck_assert_ok(sideband_table_forget_before(t, 20));
        sideband_test_assert(t, (uint32_t[]) { 1 }, 1, "0 ksymbol ffffb000 one\n20 unksymbol ffffb000 one\n");
}
END_TEST

/* Feeds the names of so many groups, with numbers from 100 on, as the kernel reports them. */
static void flood(SidebandTable *t, const char *slice, unsigned n) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        for (unsigned i = 0; i < n; i++) {
                const RecordTrailer trailer = { .sample_type = SIDEBAND_TEST_TYPE, .time = 10 + i, .id = 40 + i % 2, .cpu = i % 2 };
                char path[256];

                (void) snprintf(path, sizeof(path), "%s/%0150u", slice, i);
                record_buffer_reset(&b);
                ck_assert_ok(record_put_cgroup(&b, 100 + i, path, &trailer));
                ck_assert_ok(sideband_table_feed(t, (const void *) b.data, b.size));
                if (i % 100 == 99)
                        ck_assert_ok(sideband_table_round(t, true));
        }
}

START_TEST(names_have_a_limit) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        size_t memory = 0;

        for (unsigned i = 0; i < 200000; i++) {
                const RecordTrailer trailer = { .sample_type = SIDEBAND_TEST_TYPE };
                char path[64];

                (void) snprintf(path, sizeof(path), "/system.slice/container-%08x.scope", i);
                record_buffer_reset(&b);
                ck_assert_ok(record_put_cgroup(&b, i, path, &trailer));
                ck_assert_ok(sideband_table_feed(t, (const void *) b.data, b.size));
                if (i == 100000)
                        memory = sideband_table_memory(t);
        }
        ck_assert_uint_le(sideband_table_memory(t), memory * 3 / 2);
        ck_assert_uint_lt(sideband_table_memory(t), 16 << 20);
        record_buffer_reset(&b);
        ck_assert_ok(sideband_table_put(t, NULL, &b));
        ck_assert_uint_gt(b.size, 32768 * 32);
}
END_TEST

/* An ordinary user makes and removes control groups below his own: those of others keep their names. */
START_TEST(a_flood_drops_only_its_own) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("0 cgroup 1 /\n0 cgroup 2 /system.slice/honest.service\n"
                                                                           "0 cgroup 3 /user.slice/user-7.slice/honest.scope\n");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        flood(t, "/user.slice/user-8.slice/user@8.service", 50000);
        ck_assert_ok(sideband_table_put(t, NULL, &b));
        text = sideband_test_describe(&b, SIDEBAND_TEST_TYPE);
        ck_assert_ptr_nonnull(strstr(text, " cgroup 1 /\n"));
        ck_assert_ptr_nonnull(strstr(text, " cgroup 2 /system.slice/honest.service\n"));
        ck_assert_ptr_nonnull(strstr(text, " cgroup 3 /user.slice/user-7.slice/honest.scope\n"));
        ck_assert_ptr_nonnull(strstr(text, " cgroup 50099 "));
        ck_assert_uint_gt(sideband_table_n_dropped_cgroups(t), 0);
        ck_assert_uint_eq(sideband_table_nameless(t, (uint64_t[]) { 2, 100, 50099 }, 3), 1);
}
END_TEST

/* A dump has only the names that its samples need, however many there are, and "/", whose number tells a container's names. */
START_TEST(a_dump_names_the_groups_of_its_samples) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("0 cgroup 5 /\n0 cgroup 2 /system.slice/honest.service\n");
        const SidebandSamples samples = { .cgroups = (uint64_t[]) { 2, 7, 101 }, .n_cgroups = 3 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *text = NULL;

        flood(t, "/user.slice/user-8.slice", 1000);
        ck_assert_ok(sideband_table_put(t, &samples, &b));
        ck_assert_uint_lt(b.size, 512);
        text = sideband_test_describe(&b, SIDEBAND_TEST_TYPE);
        ck_assert_ptr_nonnull(startswith(text, "0 cgroup 5 /\n0 cgroup 2 /system.slice/honest.service\n0 cgroup 101 /user.slice/user-8.slice/"));
}
END_TEST

static bool exists(void *userdata, uint64_t id, const char *path) {
        ck_assert_str_eq(path, id < 10 ? "/kept" : "/removed");
        return id < 10;
}

/* A group that is removed goes when no sample that is read after that names it. */
START_TEST(removed_groups_go_with_their_samples) {
        static const char all[] = "0 cgroup 1 /kept\n0 cgroup 11 /removed\n0 cgroup 12 /removed\n";
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(all);
        const uint64_t sampled[] = { 12 };

        sideband_table_keep_cgroups(t, sampled, 1, exists, NULL);
        SIDEBAND_TEST_ASSERT(t, all);
        sideband_table_keep_cgroups(t, sampled, 1, exists, NULL);
        SIDEBAND_TEST_ASSERT(t, "0 cgroup 1 /kept\n0 cgroup 12 /removed\n");
        sideband_table_keep_cgroups(t, NULL, 0, exists, NULL);
        sideband_table_keep_cgroups(t, NULL, 0, exists, NULL);
        SIDEBAND_TEST_ASSERT(t, "0 cgroup 1 /kept\n");
        ck_assert_uint_eq(sideband_table_n_dropped_cgroups(t), 0);
}
END_TEST

/* Some kernels leave garbage behind the trailer: the table has such a record with its right size. */
START_TEST(an_overlong_record_is_cut) {
        const RecordTrailer trailer = { .sample_type = SIDEBAND_TEST_TYPE, .pid = 1, .tid = 2, .time = 3, .id = 4, .cpu = 5 };
        _cleanup_(record_buffer_done) RecordBuffer b = {}, out = {};
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new("");
        const struct perf_event_header *record;
        struct perf_event_header header;
        uint64_t words[64];
        size_t cursor = 0;

        ck_assert_ok(record_put_ksymbol(&b, 0x1000, 64, PERF_RECORD_KSYMBOL_TYPE_BPF, 0, "bpf_prog", &trailer));
        memset(words, 0xee, sizeof(words));
        memcpy(words, b.data, b.size);
        memcpy(&header, words, sizeof(header));
        header.size += 32;
        memcpy(words, &header, sizeof(header));
        ck_assert_ok(sideband_table_feed(t, (const void *) words, sizeof(words)));
        ck_assert_ok(sideband_table_put(t, NULL, &out));
        ck_assert_int_eq(record_next(out.data, out.size, &cursor, &record), 1);
        ck_assert_uint_eq(record->size, b.size);
        ck_assert_int_eq(memcmp(record, b.data, b.size), 0);
}
END_TEST

TEST_RUN("sideband-kernel", the_last_word_counts, what_is_taken_back_goes, mappings_of_the_kernel_are_not_cut,
         an_id_is_one_control_group, the_log_keeps_both, names_have_a_limit, a_flood_drops_only_its_own,
         a_dump_names_the_groups_of_its_samples, removed_groups_go_with_their_samples, an_overlong_record_is_cut);
