/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Puts the text as a file of gzip (RFC 1952) into out. Errors are that buffer's. */
void gzip_text(const TextBuffer *text, TextBuffer *out);
