/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sizes in bytes, to the base 1024, as systemd reads and shows memory. Fractions are taken ("1.5G"), sums are not. */

#include "parse-size.h"

#include <inttypes.h>

static const char size_units[] = "BKMGTPE"; /* each 1024 times the previous one */

int parse_size(const char *s, uint64_t *ret) {
        uint64_t whole = 0, fraction = 0, scale = 1, size;
        const char *unit;
        unsigned shift = 0;
        bool any = false;

        if (streq(s, "infinity")) {
                *ret = UINT64_MAX;
                return 0;
        }

        for (; *s >= '0' && *s <= '9'; s++, any = true)
                if (__builtin_mul_overflow(whole, UINT64_C(10), &whole) ||
                    __builtin_add_overflow(whole, (uint64_t) (*s - '0'), &whole))
                        return -ERANGE;
        if (any && *s == '.')
                for (s++; *s >= '0' && *s <= '9'; s++)
                        if (scale < UINT64_C(1000000000)) {
                                fraction = fraction * 10 + (uint64_t) (*s - '0');
                                scale *= 10;
                        }
        if (!any)
                return -EINVAL;

        s += strspn(s, " \t");
        if (*s != '\0') {
                unit = strchr(size_units, *s);
                if (!unit || s[1] != '\0')
                        return -EINVAL;
                shift = 10 * (unsigned) (unit - size_units);
        }

        if (__builtin_mul_overflow(whole, UINT64_C(1) << shift, &size) ||
            __builtin_add_overflow(size, (uint64_t) (((unsigned __int128) fraction << shift) / scale), &size) ||
            size == UINT64_MAX)
                return -ERANGE;

        *ret = size;
        return 0;
}

char *format_size(char *buf, size_t size, uint64_t bytes) {
        unsigned i = 0;

        while (i + 2 < sizeof(size_units) && bytes >> (10 * (i + 1)) > 0)
                i++;

        uint64_t whole = bytes >> (10 * i);
        uint64_t rest = bytes - (whole << (10 * i));
        unsigned tenth = (unsigned) ((unsigned __int128) rest * 10 >> (10 * i));

        if (bytes == UINT64_MAX)
                (void) snprintf(buf, size, "infinity");
        else if (i > 0 && tenth > 0)
                (void) snprintf(buf, size, "%" PRIu64 ".%u%c", whole, tenth, size_units[i]);
        else
                (void) snprintf(buf, size, "%" PRIu64 "%c", whole, size_units[i]);
        return buf;
}
