/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Small reads of /proc and /sys below a root, with one open, one read and one close: hundreds of recorders may do this
 * at the same time, when they are all stopped. */

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>

#include "machine-part.h"
#include "parse-number.h"

static int read_path(const char *path, char *buf, size_t size) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        ssize_t n;

        if (fd < 0)
                return -errno;
        n = read(fd, buf, size - 1);
        if (n < 0)
                return -errno;
        buf[n] = '\0';
        if (n > 0 && buf[n - 1] == '\n')
                buf[n - 1] = '\0';
        return 0;
}

static _printf_(3, 0) int format_path(const char *root, char path[static PATH_MAX], const char *format, va_list ap) {
        int n = snprintf(path, PATH_MAX, "%s", root), m;

        if (n < 0 || n >= PATH_MAX)
                return -ENAMETOOLONG;
        m = vsnprintf(path + n, PATH_MAX - (size_t) n, format, ap);
        return m < 0 || m >= PATH_MAX - n ? -ENAMETOOLONG : 0;
}

int machine_read(const char *root, char *buf, size_t size, const char *format, ...) {
        char path[PATH_MAX];
        va_list ap;
        int r;

        va_start(ap, format);
        r = format_path(root, path, format, ap);
        va_end(ap);
        return r < 0 ? r : read_path(path, buf, size);
}

int machine_read_number(const char *root, uint64_t *ret, const char *format, ...) {
        char path[PATH_MAX], buf[64];
        va_list ap;
        int r;

        va_start(ap, format);
        r = format_path(root, path, format, ap);
        va_end(ap);
        if (r == 0)
                r = read_path(path, buf, sizeof(buf));
        return r < 0 ? r : parse_uint64(buf, ret);
}

int machine_mark_cpus(const char *list, bool *cpus, size_t n) {
        _cleanup_free_ int *numbers = NULL;
        size_t n_numbers;
        int r = parse_cpu_list(list, &numbers, &n_numbers);

        if (r < 0)
                return r;
        for (size_t i = 0; i < n_numbers; i++)
                if ((size_t) numbers[i] < n)
                        cpus[numbers[i]] = true;
        return 0;
}

int machine_count_cpus(const char *root, size_t *ret) {
        _cleanup_free_ int *cpus = NULL;
        char list[MACHINE_LIST_SIZE];
        size_t n = 0;
        int r = machine_read(root, list, sizeof(list), "/sys/devices/system/cpu/present");

        if (r == 0)
                r = parse_cpu_list(list, &cpus, &n);
        if (r < 0)
                return r;
        if (n == 0)
                return -EINVAL;
        *ret = (size_t) cpus[n - 1] + 1;
        return 0;
}
