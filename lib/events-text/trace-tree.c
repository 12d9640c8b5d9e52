/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Expressions are evaluated with the fields of one record. */

#include "trace-tree.h"

/* As in libtraceevent, no number has a sign, and a shift is by the low six bits, as on x86. */
static uint64_t eval_binary(const TraceNode *n, uint64_t a, uint64_t b) {
        switch (n->operator[0] << 8 | n->operator[1]) {
        case '|' << 8 | '|':
                return a || b;
        case '&' << 8 | '&':
                return a && b;
        case '=' << 8 | '=':
                return a == b;
        case '!' << 8 | '=':
                return a != b;
        case '<' << 8 | '<':
                return a << (b & 63);
        case '>' << 8 | '>':
                return a >> (b & 63);
        case '<' << 8 | '=':
                return a <= b;
        case '>' << 8 | '=':
                return a >= b;
        case '|' << 8:
                return a | b;
        case '^' << 8:
                return a ^ b;
        case '&' << 8:
                return a & b;
        case '<' << 8:
                return a < b;
        case '>' << 8:
                return a > b;
        case '+' << 8:
                return a + b;
        case '-' << 8:
                return a - b;
        default:
                return a * b;
        }
}

uint64_t trace_tree_eval(const TraceFormat *f, uint16_t node, const uint8_t *raw) {
        const TraceNode *n = f->nodes + node;
        uint64_t field = 0;

        switch (n->kind) {
        case TRACE_NODE_NUMBER:
                return n->value;
        case TRACE_NODE_FIELD:
                memcpy(&field, raw + n->offset, n->size); /* the machine is little endian, or the sizes are words */
                return field;
        case TRACE_NODE_MASK:
                return trace_tree_eval(f, n->left, raw) & n->value;
        case TRACE_NODE_NOT:
                return !trace_tree_eval(f, n->left, raw);
        case TRACE_NODE_INVERT:
                return ~trace_tree_eval(f, n->left, raw);
        case TRACE_NODE_CONDITION:
                return trace_tree_eval(f, trace_tree_eval(f, n->left, raw) ? n->right : n->third, raw);
        default:
                return eval_binary(n, trace_tree_eval(f, n->left, raw), trace_tree_eval(f, n->right, raw));
        }
}

bool trace_tree_is_constant(const TraceFormat *f, uint16_t node) {
        const TraceNode *n = f->nodes + node;

        switch (n->kind) {
        case TRACE_NODE_NUMBER:
                return true;
        case TRACE_NODE_MASK:
        case TRACE_NODE_NOT:
        case TRACE_NODE_INVERT:
                return trace_tree_is_constant(f, n->left);
        case TRACE_NODE_BINARY:
                return trace_tree_is_constant(f, n->left) && trace_tree_is_constant(f, n->right);
        default:
                return false;
        }
}

bool trace_tree_is_number(const TraceFormat *f, uint16_t node) {
        const TraceNode *n = f->nodes + node;

        switch (n->kind) {
        case TRACE_NODE_NUMBER:
        case TRACE_NODE_FIELD:
                return true;
        case TRACE_NODE_MASK:
        case TRACE_NODE_NOT:
        case TRACE_NODE_INVERT:
                return trace_tree_is_number(f, n->left);
        case TRACE_NODE_BINARY:
                return trace_tree_is_number(f, n->left) && trace_tree_is_number(f, n->right);
        case TRACE_NODE_CONDITION:
                return trace_tree_is_number(f, n->left) && trace_tree_is_number(f, n->right) && trace_tree_is_number(f, n->third);
        default:
                return false;
        }
}

bool trace_tree_is_text(const TraceFormat *f, uint16_t node) {
        const TraceNode *n = f->nodes + node;

        if (n->kind == TRACE_NODE_CONDITION)
                return trace_tree_is_text(f, n->right) && trace_tree_is_text(f, n->third);
        return n->kind == TRACE_NODE_TEXT || n->kind == TRACE_NODE_CHARS || n->kind == TRACE_NODE_STRING ||
               n->kind == TRACE_NODE_FLAGS || n->kind == TRACE_NODE_SYMBOL;
}
