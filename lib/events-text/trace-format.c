/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A format is parsed once, and printed for each sample. */

#include "trace-format.h"

#include "trace-cursor.h"
#include "trace-parser.h"

TraceFormat *trace_format_free(TraceFormat *f) {
        if (f)
                free(f->text);
        free(f);
        return NULL;
}

const char *trace_format_find(const void *data, size_t size, uint64_t event, size_t *ret_size) {
        TraceCursor c = { .p = data, .left = size };
        char wanted[40];
        uint64_t n, n_systems;

        (void) snprintf(wanted, sizeof(wanted), "\nID: %llu\n", (unsigned long long) event);
        if (!trace_cursor_take(&c, 10) || !trace_cursor_name(&c) || !trace_cursor_take(&c, 6))
                return NULL;
        for (size_t i = 0; i < 2; i++)
                if (!trace_cursor_name(&c) || !trace_cursor_text(&c, sizeof(uint64_t), ret_size))
                        return NULL;
        if (!trace_cursor_number(&c, sizeof(uint32_t), &n))
                return NULL;
        while (n-- > 0)
                if (!trace_cursor_text(&c, sizeof(uint64_t), ret_size))
                        return NULL;
        if (!trace_cursor_number(&c, sizeof(uint32_t), &n_systems))
                return NULL;
        while (n_systems-- > 0) {
                if (!trace_cursor_name(&c) || !trace_cursor_number(&c, sizeof(uint32_t), &n))
                        return NULL;
                while (n-- > 0) {
                        const char *text = trace_cursor_text(&c, sizeof(uint64_t), ret_size);

                        if (!text)
                                return NULL;
                        if (memmem(text, MIN_OF(*ret_size, (size_t) 256), wanted, strlen(wanted)))
                                return text;
                }
        }
        return NULL;
}

int trace_format_new(const void *data, size_t size, uint64_t event, TraceFormat **ret) {
        _cleanup_(trace_format_freep) TraceFormat *f = NULL;
        const char *text = trace_format_find(data, size, event, &size);

        if (!text)
                return -ENOENT;
        if (size > TRACE_TEXT_MAX)
                return -EOPNOTSUPP;
        f = calloc(1, sizeof(*f));
        if (!f)
                return -ENOMEM;
        f->text = strndup(text, size);
        if (!f->text)
                return -ENOMEM;
        if (!trace_parser_run(f))
                return -EOPNOTSUPP;
        *ret = steal_ptr(f);
        return 0;
}

static void format_put_string(TextBuffer *out, const TracePiece *piece, const char *text, size_t size) {
        char copy[512], made[600];
        int n;

        size = strnlen(text, size);
        if (!*piece->spec) {
                text_buffer_put(out, text, size);
                return;
        }
        (void) snprintf(copy, sizeof(copy), "%.*s", (int) MIN_OF(size, sizeof(copy) - 1), text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        n = snprintf(made, sizeof(made), piece->spec, copy); /* of flags, a width and "s" */
#pragma GCC diagnostic pop
        if (n > 0)
                text_buffer_put(out, made, MIN_OF((size_t) n, sizeof(made) - 1));
}

static void format_put_flags(const TraceFormat *f, TextBuffer *out, const TracePiece *piece, const TraceNode *n, uint64_t value) {
        bool any = false;

        for (uint16_t i = n->right; i != TRACE_NONE; i = f->nodes[i].right) {
                const TraceNode *entry = f->nodes + i;

                if ((int64_t) entry->value <= 0 || (value & entry->value) != entry->value)
                        continue;
                if (any)
                        text_buffer_put(out, n->text, n->text_size);
                format_put_string(out, piece, entry->text, entry->text_size);
                any = true;
                value &= ~entry->value;
        }
        if (value == 0)
                return;
        if (any)
                text_buffer_put(out, n->text, n->text_size);
        text_buffer_put(out, "0x", 2);
        text_buffer_hex(out, value, 0);
}

static void format_put_symbol(const TraceFormat *f, TextBuffer *out, const TracePiece *piece, const TraceNode *n, uint64_t value) {
        for (uint16_t i = n->right; i != TRACE_NONE; i = f->nodes[i].right)
                if (f->nodes[i].value == value) {
                        format_put_string(out, piece, f->nodes[i].text, f->nodes[i].text_size);
                        return;
                }
        text_buffer_put(out, "0x", 2);
        text_buffer_hex(out, value, 0);
}

static bool format_put_text(const TraceFormat *f, TextBuffer *out, const TracePiece *piece, uint16_t node, const uint8_t *raw,
                            size_t size) {
        const TraceNode *n = f->nodes + node;
        uint32_t place;

        switch (n->kind) {
        case TRACE_NODE_CONDITION:
                return format_put_text(f, out, piece, trace_tree_eval(f, n->left, raw) ? n->right : n->third, raw, size);
        case TRACE_NODE_FLAGS:
                format_put_flags(f, out, piece, n, trace_tree_eval(f, n->left, raw));
                return true;
        case TRACE_NODE_SYMBOL:
                format_put_symbol(f, out, piece, n, trace_tree_eval(f, n->left, raw));
                return true;
        case TRACE_NODE_CHARS:
                format_put_string(out, piece, (const char *) raw + n->offset, n->size);
                return true;
        case TRACE_NODE_STRING:
                memcpy(&place, raw + n->offset, sizeof(place));
                if ((place & 0xffff) + (place >> 16) > size)
                        return false;
                format_put_string(out, piece, (const char *) raw + (place & 0xffff), place >> 16);
                return true;
        default:
                format_put_string(out, piece, n->text, n->text_size);
                return true;
        }
}

static void format_put_number(TextBuffer *out, const TracePiece *piece, uint64_t value) {
        char made[64]; /* by a format of flags, a width and "llx" or the like */
        int n;

        if (piece->bytes == 4)
                value = piece->conversion == 'd' ? (uint64_t) (int64_t) (int32_t) value : (uint32_t) value;
        if (piece->conversion == 'c') {
                text_buffer_putc(out, (char) value);
        } else if (*piece->spec) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                n = snprintf(made, sizeof(made), piece->spec, (unsigned long long) value);
#pragma GCC diagnostic pop
                if (n > 0)
                        text_buffer_put(out, made, MIN_OF((size_t) n, sizeof(made) - 1));
        } else if (piece->conversion == 'd' && (int64_t) value < 0) {
                text_buffer_putc(out, '-');
                text_buffer_decimal(out, -value, 0);
        } else if (piece->conversion == 'x')
                text_buffer_hex(out, value, 0);
        else if (piece->conversion == 'X')
                text_buffer_format(out, "%llX", (unsigned long long) value);
        else
                text_buffer_decimal(out, value, 0);
}

/* Fields that the print does not use may lie behind the data. */
static bool is_long_enough(const TraceFormat *f, size_t size) {
        return !ANY_OF(f->n_nodes, i, (f->nodes[i].kind == TRACE_NODE_FIELD || f->nodes[i].kind == TRACE_NODE_CHARS) &&
                                      f->nodes[i].offset + f->nodes[i].size > size) &&
               !ANY_OF(f->n_nodes, i, f->nodes[i].kind == TRACE_NODE_STRING && f->nodes[i].offset + sizeof(uint32_t) > size);
}

bool trace_format_print(const TraceFormat *f, const void *raw, size_t size, TextBuffer *out) {
        size_t before = out->n;

        if (!is_long_enough(f, size))
                return false;
        for (size_t i = 0; i < f->n_pieces; i++) {
                const TracePiece *piece = f->pieces + i;

                text_buffer_put(out, piece->text, piece->text_size);
                if (piece->conversion == 's') {
                        if (!format_put_text(f, out, piece, piece->node, raw, size)) {
                                out->n = before;
                                return false;
                        }
                } else if (piece->conversion)
                        format_put_number(out, piece, trace_tree_eval(f, piece->node, raw));
        }
        return true;
}
