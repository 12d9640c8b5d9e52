/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Ids of 128 bits, as text. */

#include "id128.h"

#include "fd-file.h"

int id128_read(const char *path, char **ret) {
        _cleanup_free_ char *text = NULL;
        size_t n = 0;
        int r = read_file(path, 64, &text, NULL);

        if (r < 0)
                return r;
        for (const char *p = text; *p && *p != '\n'; p++)
                if (strchr("0123456789abcdef", *p))
                        text[n++] = *p;
                else if (*p != '-')
                        return -EINVAL;
        if (n != ID128_SIZE)
                return -EINVAL;
        text[n] = '\0';
        *ret = steal_ptr(text);
        return 0;
}
