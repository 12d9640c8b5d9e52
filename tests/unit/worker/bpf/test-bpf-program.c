/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The machine's own BPF programs and one of ours, as far as we may read and load them: a made-up kernel would only
 * repeat the code. */

#include "check-main.h"
#include "loaded-program.h"

static void check_function(const BpfFunction *f) {
        ck_assert_uint_ne(f->address, 0);
        ck_assert_uint_gt(f->length, 0);
        ck_assert_ptr_nonnull(startswith(f->name, "bpf_prog_"));
        ck_assert_uint_eq(strspn(f->name + strlen("bpf_prog_"), "0123456789abcdef"), 16);
}

START_TEST(test_all) {
        uint32_t id = 0;
        int r;

        while ((r = bpf_program_next(&id)) >= 0) {
                _cleanup_(bpf_program_done) BpfProgram p = {};

                r = bpf_program_read(id, &p);
                if (r == -ENOENT || r == -ENODATA)
                        continue;
                ck_assert_int_eq(r, 0);
                ck_assert_uint_eq(p.info.id, id);
                for (uint32_t i = 0; i < bpf_program_functions(&p); i++) {
                        BpfFunction f;

                        bpf_program_function(&p, i, NULL, &f);
                        check_function(&f);
                }
        }
        ck_assert(r == -ENOENT || r == -EPERM || r == -ENOSYS || r == -EINVAL);
}
END_TEST

START_TEST(test_one) {
        _cleanup_(bpf_program_done) BpfProgram p = {};
        _cleanup_close_ int fd = -EBADF;
        uint32_t id = 0, sizes[2];
        BpfFunction f;

        fd = load_program(&id);
        if (fd < 0)
                return;
        ck_assert_int_eq(bpf_program_read(id, &p), 0);
        memcpy(sizes, p.block, sizeof(sizes));
        ck_assert_uint_eq(sizes[0], 232);
        ck_assert_uint_eq(p.size, 16 + sizes[0] + sizes[1]);
        ck_assert_uint_eq(p.info.jited_prog_insns, 0); /* offsets */
        ck_assert_uint_eq(p.info.jited_ksyms, PERF_ALIGN_UP(p.info.jited_prog_len, 8u));
        ck_assert(!bpf_program_has_types(&p));
        if (bpf_program_functions(&p) == 0) /* no compiler */
                return;
        ck_assert_uint_eq(bpf_program_functions(&p), 1);
        bpf_program_function(&p, 0, NULL, &f);
        check_function(&f);
        ck_assert_str_eq(f.name + strlen("bpf_prog_") + 16, "_smallest");
}
END_TEST

START_TEST(test_gone) {
        BpfProgram p;
        uint32_t id = 0;
        int fd = load_program(&id);

        if (fd < 0)
                return;
        ck_assert_int_eq(bpf_program_read(INT32_MAX, &p), -ENOENT);
        safe_close(fd);
}
END_TEST

CHECK_MAIN("bpf-program", test_all, test_one, test_gone);
