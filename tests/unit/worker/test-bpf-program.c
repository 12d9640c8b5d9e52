/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The machine's own BPF programs, as far as we may see them: a made-up kernel would only repeat the code. */

#include "bpf-program.h"
#include "check-main.h"

static int check(void *userdata, const BpfFunction *f) {
        unsigned *n = userdata;

        ck_assert_uint_ne(f->address, 0);
        ck_assert_uint_gt(f->length, 0);
        ck_assert_ptr_nonnull(startswith(f->name, "bpf_prog_"));
        ck_assert_uint_eq(strspn(f->name + strlen("bpf_prog_"), "0123456789abcdef"), 16);
        (*n)++;
        return 0;
}

static int refuse(void *userdata, const BpfFunction *f) {
        return -EPROTO;
}

START_TEST(test_each) {
        unsigned n = 0;
        int r = bpf_program_each(check, &n);

        ck_assert(r == 0 || r == -EPERM || r == -ENOSYS || r == -EINVAL);
        if (r == 0 && n > 0)
                ck_assert_int_eq(bpf_program_each(refuse, NULL), -EPROTO);
}
END_TEST

CHECK_MAIN("bpf-program", test_each);
