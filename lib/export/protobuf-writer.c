/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A field begins with its number and its type; a message in another one is bytes behind their number. */

#include "protobuf-writer.h"

enum { VARINT = 0, LENGTH = 2 };

void protobuf_put_varint(TextBuffer *b, uint64_t number) {
        for (; number >= 0x80; number >>= 7)
                text_buffer_putc(b, (char) (number | 0x80));
        text_buffer_putc(b, (char) number);
}

void protobuf_put_number(TextBuffer *b, unsigned field, uint64_t number) {
        if (number == 0)
                return;
        protobuf_put_varint(b, field << 3 | VARINT);
        protobuf_put_varint(b, number);
}

void protobuf_put_bytes(TextBuffer *b, unsigned field, const void *data, size_t size) {
        protobuf_put_varint(b, field << 3 | LENGTH);
        protobuf_put_varint(b, size);
        text_buffer_put(b, data, size);
}

void protobuf_put_message(TextBuffer *b, unsigned field, TextBuffer *message) {
        if (message->error < 0 && b->error == 0)
                b->error = message->error;
        protobuf_put_bytes(b, field, message->data ?: "", message->n);
        message->n = 0;
}
