/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The facts of a dump as extended attributes, so that who keeps dumps needs no index of them. They are put before the file
 * has its name and is synced, so they are there when it is. */

#include "dump-xattrs.h"

#include <inttypes.h>
#include <perf-recorder/dump-facts.h>
#include <sys/xattr.h>
#include "fd-file.h"
#include "utf8.h"

static void put(int fd, const char *name, const char *value, size_t max) {
        (void) fsetxattr(fd, name, value, MIN_OF(strlen(value), max), 0);
}

static void put_number(int fd, const char *name, uint64_t v) {
        char text[32];

        (void) snprintf(text, sizeof(text), "%" PRIu64, v);
        put(fd, name, text, sizeof(text));
}

/* As sd_id128_get_boot(3): the kernel's, without its dashes. */
static void put_boot(int fd) {
        _cleanup_free_ char *text = NULL;
        char *to;

        if (read_file("/proc/sys/kernel/random/boot_id", 64, &text, NULL) < 0)
                return;
        to = text;
        for (const char *p = text; *p && *p != '\n'; p++)
                if (*p != '-')
                        *to++ = *p;
        *to = '\0';
        put(fd, PR_DUMP_XATTR_BOOT, text, 32);
}

void dump_xattrs_put(int fd, const char *session, const DumpOrder *order, const DumpResult *result) {
        if (session)
                put(fd, PR_DUMP_XATTR_SESSION, session, SIZE_MAX);
        put(fd, PR_DUMP_XATTR_TRIGGER, order->trigger, SIZE_MAX);
        put(fd, PR_DUMP_XATTR_DETAIL, order->detail, (size_t) utf8_prefix(order->detail, PR_DUMP_DETAIL_MAX));
        if (order->incident && *order->incident)
                put(fd, PR_DUMP_XATTR_INCIDENT, order->incident, SIZE_MAX);
        put_number(fd, PR_DUMP_XATTR_TIMESTAMP, order->timestamp);
        put_number(fd, PR_DUMP_XATTR_TRIGGERS, order->n_triggers);
        put_number(fd, PR_DUMP_XATTR_SAMPLES, result->samples);
        put_number(fd, PR_DUMP_XATTR_LOST, result->lost);
        put_number(fd, PR_DUMP_XATTR_THROTTLED, result->throttled);
        put_number(fd, PR_DUMP_XATTR_FIRST, result->first);
        put_number(fd, PR_DUMP_XATTR_LAST, result->last);
        put_boot(fd);
}
