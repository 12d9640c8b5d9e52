/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf.data.YYYYMMDDhhmmssuu. Two files of one hundredth of a second would have one name: perf replaces the older one,
 * here the newer one takes the next name that is free. */

#include "output-name.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include "symbols-directory.h"

#define USEC_PER_HUNDREDTH 10000
#define TRIES_MAX 10000u

char *output_timestamp(const struct timeval *t, char ret[static OUTPUT_TIMESTAMP_SIZE]) {
        struct tm tm;
        size_t n;

        localtime_r(&t->tv_sec, &tm);
        n = strftime(ret, OUTPUT_TIMESTAMP_SIZE, "%Y%m%d%H%M%S", &tm);
        (void) snprintf(ret + n, OUTPUT_TIMESTAMP_SIZE - n, "%02u", (unsigned) t->tv_usec / USEC_PER_HUNDREDTH % 100);
        return ret;
}

static struct timeval next_hundredth(struct timeval t) {
        t.tv_usec += USEC_PER_HUNDREDTH;
        if (t.tv_usec >= 1000000) {
                t.tv_usec -= 1000000;
                t.tv_sec++;
        }
        return t;
}

int output_name_new(int dir_fd, const char *base, struct timeval t, char **ret) {
        for (unsigned i = 0; i < TRIES_MAX; i++, t = next_hundredth(t)) {
                _cleanup_free_ char *name = NULL;
                char timestamp[OUTPUT_TIMESTAMP_SIZE];
                struct stat st;

                if (asprintf(&name, "%s.%s", base, output_timestamp(&t, timestamp)) < 0)
                        return -ENOMEM;
                if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) >= 0)
                        continue;
                if (errno != ENOENT)
                        return -errno;
                *ret = steal_ptr(name);
                return 0;
        }
        return -EEXIST;
}

int kept_files_add(KeptFiles *f, int dir_fd, const char *name) {
        int r;

        if (f->max == 0)
                return 0;
        r = strv_extend(&f->names, name);
        if (r < 0)
                return r;
        while (strv_length(f->names) > f->max) {
                size_t n = strv_length(f->names);

                if (unlinkat(dir_fd, f->names[0], 0) < 0 && errno != ENOENT)
                        r = -errno;
                (void) symbols_directory_remove(dir_fd, f->names[0]);
                free(f->names[0]);
                memmove(f->names, f->names + 1, n * sizeof(char *));
        }
        return r;
}

void kept_files_done(KeptFiles *f) {
        f->names = strv_free(f->names);
}
