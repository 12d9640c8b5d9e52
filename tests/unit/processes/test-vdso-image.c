/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-build-id.h"
#include "perfdata-test.h"
#include "vdso-image.h"

START_TEST(any) {
        _cleanup_close_ int fd = vdso_image_open(NULL), again = -EBADF;
        BuildId id;

        if (fd == -ENOENT)
                return; /* the kernel maps none into this process */
        ck_assert_ok(fd);
        ck_assert_ok(build_id_of_fd(fd, &id));
        again = vdso_image_open(&id);
        ck_assert_ok(again);
}
END_TEST

START_TEST(of_another_kernel) {
        _cleanup_close_ int fd = vdso_image_open(NULL);
        BuildId id = { .bytes = { 5 }, .size = 20 };

        if (fd < 0)
                return;
        ck_assert_int_eq(vdso_image_open(&id), -ESTALE);
        ck_assert_int_eq(vdso_image_open(&(BuildId) {}), -ESTALE);
}
END_TEST

TEST_RUN("vdso-image", any, of_another_kernel);
