/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"

/* Copies the vdso that the kernel mapped into this process into a file without a name, so that it is read like any other
 * binary. wanted: its build id; NULL: any. A descriptor; -ENOENT: there is no vdso; -ESTALE: it has another build id, as after
 * another kernel was booted; -ENOMEM and errors of memfd_create(2). */
int vdso_image_open(const BuildId *wanted);
