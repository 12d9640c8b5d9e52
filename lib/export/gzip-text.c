/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* zlib does it; the header says no time, so that equal texts give equal files. */

#include "gzip-text.h"

#include <zlib.h>

#define WINDOW_BITS 15
#define GZIP_HEADER 16 /* added to them: deflateInit2() in zlib.h */
#define MEMORY_LEVEL 8 /* zlib's default */
#define PIECE       ((size_t) 64 << 10)

void gzip_text(const TextBuffer *text, TextBuffer *out) {
        z_stream z = { .next_in = (Bytef *) text->data };
        size_t left = text->n;
        int r = Z_OK;

        if (text->error == 0)
                r = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + GZIP_HEADER, MEMORY_LEVEL,
                                 Z_DEFAULT_STRATEGY);
        if (text->error < 0 || r != Z_OK) {
                out->error = text->error < 0 ? text->error : -ENOMEM;
                return;
        }
        while (r == Z_OK) {
                uInt input = (uInt) MIN_OF(left, PIECE);
                char *room = text_buffer_room(out, PIECE);

                if (!room)
                        break;
                z.avail_in = input;
                z.next_out = (Bytef *) room;
                z.avail_out = PIECE;
                r = deflate(&z, left > input ? Z_NO_FLUSH : Z_FINISH);
                left -= input - z.avail_in;
                out->n += PIECE - z.avail_out;
        }
        (void) deflateEnd(&z);
}
