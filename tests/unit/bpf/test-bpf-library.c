/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bpf-library.h"

#include "check-main.h"

START_TEST(test_missing) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        BpfLibrary l = {};

        ck_assert_int_eq(bpf_library_load(&l, "libno-such-library.so.1", NULL, &d), -EOPNOTSUPP);
        ck_assert_ptr_nonnull(strstr(d.sentence, "libno-such-library.so.1, which is not installed"));
        ck_assert_ptr_null(l.library);
        bpf_library_unload(&l);
}
END_TEST

START_TEST(test_other_library) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        BpfLibrary l = {};

        ck_assert_int_eq(bpf_library_load(&l, "libc.so.6", NULL, &d), -EOPNOTSUPP);
        ck_assert_str_eq(d.sentence, "libc.so.6 is not the libbpf that is needed (version 1)");
        ck_assert_ptr_null(l.library);
}
END_TEST

START_TEST(test_warning) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        BpfLibrary l = {};

        if (bpf_library_load(&l, NULL, NULL, &d) < 0) {
                (void) fprintf(stderr, "left out: %s\n", d.sentence);
                return;
        }
        ck_assert_ptr_null(l.object_open("/no/such/file.o", NULL));
        ck_assert_ptr_nonnull(strstr(bpf_library_take_warning(), "/no/such/file.o"));
        ck_assert_str_eq(bpf_library_take_warning(), "");
        bpf_library_unload(&l);
        ck_assert_ptr_null(l.library);
}
END_TEST

CHECK_MAIN("bpf-library", test_missing, test_other_library, test_warning);
