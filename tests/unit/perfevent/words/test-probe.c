/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Places of probes: their values for the kernel, and places that would break the probed program. */

#include "check-main.h"
#include "elf-symbol.h"
#include "probe.h"

static void assert_place(ProbePlace p, const char *text, uint64_t config2) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *got = NULL;
        uint64_t number;

        ck_assert_msg(probe_resolve(&p, TEST_DATA "/kallsyms", &got, &number, &d) == 0, "%s", d.sentence);
        ck_assert_pstr_eq(got, text);
        ck_assert_uint_eq(number, config2);
}

static void assert_refused(ProbePlace p, const char *kallsyms, int error, const char *says) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *got = NULL;
        uint64_t number;

        ck_assert_int_eq(probe_resolve(&p, kallsyms, &got, &number, &d), error);
        ck_assert_msg(strstr(d.sentence, says), "%s", d.sentence);
        ck_assert_ptr_null(got);
}

static ElfFunction find(const char *name) {
        _cleanup_(elf_file_freep) ElfFile *f = NULL;
        ElfFunction function = {};

        ck_assert_int_eq(elf_file_open(PROBED, &f, NULL), 0);
        ck_assert_int_eq(elf_file_find_function(f, name, &function, NULL), 0);
        return function;
}

static char path[] = PROBED, symbol[] = "probed";

START_TEST(test_user) {
        uint64_t at = find(symbol).offset;

        assert_place((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = symbol }, path, at);
        assert_place((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = symbol, .is_return = true }, path, at);
        assert_place((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = symbol, .offset = 1 }, path, at + 1);
        assert_place((ProbePlace){ .kind = PROBE_USER, .path = path, .offset = at + 1 }, path, at + 1);
        assert_place((ProbePlace){ .kind = PROBE_USER, .path = path, .offset = at, .is_return = true }, path, at);
}
END_TEST

START_TEST(test_relative_path) {
        _cleanup_free_ char *directory = strndup(path, (size_t) (strrchr(path, '/') - path));

        ck_assert_int_eq(chdir(directory), 0);
        assert_place((ProbePlace){ .kind = PROBE_USER, .path = strrchr(path, '/') + 1, .symbol = symbol }, path, find(symbol).offset);
}
END_TEST

START_TEST(test_user_refused) {
        ElfFunction f = find(symbol);

        assert_refused((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = symbol, .offset = f.size }, NULL, -EINVAL, "behind its end");
        assert_refused((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = symbol, .offset = 1, .is_return = true }, NULL, -EINVAL,
                       "without +0x1");
        assert_refused((ProbePlace){ .kind = PROBE_USER, .path = path, .offset = f.offset + 1, .is_return = true }, NULL, -EINVAL,
                       "is within probed");
        assert_refused((ProbePlace){ .kind = PROBE_USER, .path = path, .offset = 1 }, NULL, -EINVAL, "no code at the offset 0x1");
        assert_refused((ProbePlace){ .kind = PROBE_USER, .path = path, .symbol = (char[]){ "nothing" } }, NULL, -ENOENT, "nothing");
}
END_TEST

START_TEST(test_kernel) {
        char read[] = "vfs_read", hook[] = "nf_hook_entry";

        assert_place((ProbePlace){ .kind = PROBE_KERNEL, .symbol = read }, "vfs_read", 0);
        assert_place((ProbePlace){ .kind = PROBE_KERNEL, .symbol = read, .offset = 4 }, "vfs_read", 4);
        assert_place((ProbePlace){ .kind = PROBE_KERNEL, .symbol = hook, .is_return = true }, "nf_hook_entry", 0);
        assert_place((ProbePlace){ .kind = PROBE_KERNEL, .offset = 0xffffffff81000040 }, NULL, 0xffffffff81000040);
}
END_TEST

START_TEST(test_kernel_refused) {
        const char *open = TEST_DATA "/kallsyms", *hidden = TEST_DATA "/kallsyms-hidden";
        char read[] = "vfs_reed", twice[] = "twice", data[] = "jiffies", known[] = "vfs_read";

        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = read }, open, -ENOENT, "like it are vfs_read, vfs_readv");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = twice }, open, -ENOTUNIQ, "at 0xffffffff810000c0, 0xffffffff81000100:");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = twice }, hidden, -ENOTUNIQ, "kptr_restrict");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = data }, open, -EOPNOTSUPP, "not a function");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = known }, "/dev/null", -ENOENT, "shows no symbols");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = known }, "/nowhere", -ENOENT, "/nowhere");
        assert_refused((ProbePlace){ .kind = PROBE_KERNEL, .symbol = known, .offset = 1, .is_return = true }, open, -EINVAL, "without");
}
END_TEST

START_TEST(test_diagnose) {
        static const struct {
                ProbeKind kind;
                int error;
                const char *says;
        } table[] = {
                { PROBE_USER, -EACCES, "root with CAP_SYS_ADMIN" }, { PROBE_KERNEL, -EPERM, "CAP_PERFMON" },
                { PROBE_USER, -ENOENT, "no file /x" },      { PROBE_USER, -524, "no instruction that it can probe at 0x10 of /x" },
                { PROBE_KERNEL, -EILSEQ, "instruction" },   { PROBE_KERNEL, -EINVAL, "blacklist" },
                { PROBE_KERNEL, -EADDRNOTAVAIL, "address" }, { PROBE_USER, -ENOSYS, NULL },
                { PROBE_USER, -EOPNOTSUPP, "no branch stacks" },
        };
        char text[] = "/x", name[] = "event";

        for (size_t i = 0; i < ELEMENTSOF(table); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                struct perf_event_attr attr = { .sample_type = table[i].error == -EOPNOTSUPP ? PERF_SAMPLE_BRANCH_STACK : 0 };
                EventSpec s = { .name = name, .probe_kind = table[i].kind, .probe_text = text, .attr = { .config2 = 0x10 } };

                ck_assert_int_eq(probe_diagnose_open(&d, table[i].error, &s, &attr), table[i].says ? table[i].error : 0);
                ck_assert_msg(table[i].says ? strstr(d.sentence, table[i].says) != NULL : !d.sentence, "%s", d.sentence);
        }
}
END_TEST

CHECK_MAIN("probe", test_user, test_relative_path, test_user_refused, test_kernel, test_kernel_refused, test_diagnose);
