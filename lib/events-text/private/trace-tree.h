/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "trace-format.h"

/* A format is parsed to literal parts, conversions, and for each of these an expression of the record's fields, a tree. Values are
 * 64 bits without a sign, as those of libtraceevent are: a field is extended with zeros, and the conversion says what it is. */

#define TRACE_FIELDS_MAX 128u
#define TRACE_NODES_MAX  2048u
#define TRACE_PIECES_MAX 64u
#define TRACE_TEXT_MAX   ((size_t) 1 << 16)
#define TRACE_NONE       UINT16_MAX

typedef struct TraceField {
        const char *name; /* in the text */
        size_t name_size;
        unsigned offset, size, element; /* element: the size of one, of an array */
        bool array, text, dynamic;
} TraceField;

typedef enum TraceNodeKind {
        TRACE_NODE_NUMBER,
        TRACE_NODE_TEXT,      /* a literal */
        TRACE_NODE_FIELD,     /* a number */
        TRACE_NODE_CHARS,     /* a field that is an array of characters */
        TRACE_NODE_STRING,    /* __get_str() */
        TRACE_NODE_MASK,      /* a cast: left & value */
        TRACE_NODE_NOT,
        TRACE_NODE_INVERT,
        TRACE_NODE_BINARY,
        TRACE_NODE_CONDITION, /* left ? right : third */
        TRACE_NODE_FLAGS,     /* __print_flags(left, text, entries from right on) */
        TRACE_NODE_SYMBOL,    /* __print_symbolic(left, entries from right on) */
        TRACE_NODE_ENTRY,     /* { value, text }; right: the next one */
} TraceNodeKind;

typedef struct TraceNode {
        uint8_t kind;
        char operator[2];
        uint16_t left, right, third;
        uint64_t value;
        unsigned offset, size;
        const char *text;
        size_t text_size;
} TraceNode;

/* A literal part, and the conversion behind it. */
typedef struct TracePiece {
        const char *text;
        size_t text_size;
        char spec[24];   /* for snprintf(); empty: without width and flags */
        char conversion; /* 0: the end */
        unsigned bytes;  /* of the number */
        uint16_t node;
} TracePiece;

struct TraceFormat {
        char *text;      /* of the format, with escapes replaced; all else points into it */
        TraceField fields[TRACE_FIELDS_MAX];
        size_t n_fields;
        TraceNode nodes[TRACE_NODES_MAX];
        size_t n_nodes;
        TracePiece pieces[TRACE_PIECES_MAX];
        size_t n_pieces;
};

/* Numbers only; raw: NULL for a constant. */
uint64_t trace_tree_eval(const TraceFormat *f, uint16_t node, const uint8_t *raw);

bool trace_tree_is_constant(const TraceFormat *f, uint16_t node);
bool trace_tree_is_number(const TraceFormat *f, uint16_t node);
bool trace_tree_is_text(const TraceFormat *f, uint16_t node);
