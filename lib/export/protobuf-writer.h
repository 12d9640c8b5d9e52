/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Puts fields of a message in the encoding of protocol buffers (protobuf.dev, "Encoding"). */

void protobuf_put_varint(TextBuffer *b, uint64_t number);
void protobuf_put_number(TextBuffer *b, unsigned field, uint64_t number); /* 0, the default, is left out */
void protobuf_put_bytes(TextBuffer *b, unsigned field, const void *data, size_t size);
/* Puts a message that was put together elsewhere, and empties that. */
void protobuf_put_message(TextBuffer *b, unsigned field, TextBuffer *message);
