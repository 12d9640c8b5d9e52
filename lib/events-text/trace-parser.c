/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The format is C: a string of printf(3), and expressions. */

#include "trace-parser.h"

#include <ctype.h>

#include "array.h"

#define DEPTH_MAX 64u

typedef struct TraceParser {
        TraceFormat *format;
        char *p;
        unsigned depth;
        bool bad;
} TraceParser;

static void skip_blanks(TraceParser *t) {
        while (*t->p == ' ' || *t->p == '\t' || *t->p == '\n')
                t->p++;
}

static bool parser_take(TraceParser *t, const char *token) {
        skip_blanks(t);
        if (strncmp(t->p, token, strlen(token)) != 0)
                return false;
        t->p += strlen(token);
        return true;
}

static void expect(TraceParser *t, const char *token) {
        t->bad = !parser_take(t, token) || t->bad;
}

static uint16_t parser_add_node(TraceParser *t, const TraceNode *n) {
        if (t->format->n_nodes >= TRACE_NODES_MAX)
                t->bad = true;
        if (t->bad)
                return 0;
        t->format->nodes[t->format->n_nodes] = *n;
        return (uint16_t) t->format->n_nodes++;
}

static size_t word_size(const char *p) {
        size_t n = 0;

        while (isalnum((unsigned char) p[n]) || p[n] == '_')
                n++;
        return n;
}

static bool parser_take_word(TraceParser *t, const char **ret, size_t *ret_size) {
        skip_blanks(t);
        *ret = t->p;
        *ret_size = word_size(t->p);
        t->p += *ret_size;
        return *ret_size > 0;
}

/* Takes a literal; escapes are replaced where they are. Adjacent ones are one in C, and not supported. */
static bool take_literal(TraceParser *t, const char **ret, size_t *ret_size) {
        char *to;

        if (!parser_take(t, "\""))
                return false;
        *ret = to = t->p;
        while (*t->p && *t->p != '"') {
                if (*t->p == '\\') {
                        t->p++;
                        if (!strchr("nt\"\\", *t->p) || !*t->p)
                                return false;
                        *to++ = *t->p == 'n' ? '\n' : *t->p == 't' ? '\t' : *t->p;
                        t->p++;
                } else
                        *to++ = *t->p++;
        }
        *ret_size = (size_t) (to - *ret);
        if (*t->p != '"')
                return false;
        t->p++;
        skip_blanks(t);
        return *t->p != '"';
}

static const TraceField *parser_find_field(const TraceParser *t, const char *name, size_t size) {
        for (size_t i = 0; i < t->format->n_fields; i++)
                if (t->format->fields[i].name_size == size && memcmp(t->format->fields[i].name, name, size) == 0)
                        return t->format->fields + i;
        return NULL;
}

static uint16_t parse_condition(TraceParser *t);

static bool is_number_size(unsigned size) {
        return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint16_t parse_field(TraceParser *t) {
        const TraceField *field;
        const char *name;
        size_t size;
        TraceNode n = { .kind = TRACE_NODE_FIELD };

        field = parser_take_word(t, &name, &size) ? parser_find_field(t, name, size) : NULL;
        if (!field || field->dynamic) {
                t->bad = true;
                return 0;
        }
        n.offset = field->offset;
        n.size = field->size;
        if (field->array && parser_take(t, "[")) {
                unsigned long i = strtoul(t->p, &t->p, 0);

                expect(t, "]");
                if (field->element == 0 || i >= field->size / field->element)
                        t->bad = true;
                n.offset += (unsigned) i * field->element;
                n.size = field->element;
        } else if (field->array) {
                n.kind = TRACE_NODE_CHARS;
                t->bad = t->bad || !field->text;
        }
        t->bad = t->bad || (n.kind == TRACE_NODE_FIELD && !is_number_size(n.size));
        return parser_add_node(t, &n);
}

/* Returns the mask of a type; 0: it is not known. */
static uint64_t mask_of(const char *type, size_t size) {
        static const struct {
                const char *name;
                uint64_t mask;
        } types[] = {
                { "unsigned long long", UINT64_MAX }, { "unsigned long", UINT64_MAX }, { "long long", UINT64_MAX },
                { "long", UINT64_MAX }, { "u64", UINT64_MAX }, { "s64", UINT64_MAX }, { "__u64", UINT64_MAX },
                { "unsigned int", UINT32_MAX }, { "unsigned", UINT32_MAX }, { "int", UINT32_MAX },
                { "u32", UINT32_MAX }, { "s32", UINT32_MAX }, { "__u32", UINT32_MAX },
        };

        for (size_t i = 0; i < ELEMENTSOF(types); i++)
                if (strlen(types[i].name) == size && memcmp(types[i].name, type, size) == 0)
                        return types[i].mask;
        return 0;
}

static uint16_t parse_unary(TraceParser *t);

static uint16_t parse_parenthesis(TraceParser *t) {
        size_t n = strcspn(t->p, ")(");
        uint64_t mask;
        uint16_t inner;

        while (n > 0 && *t->p == ' ') {
                t->p++;
                n--;
        }
        mask = t->p[n] == ')' ? mask_of(t->p, n) : 0;
        if (mask > 0) {
                t->p += n + 1;
                t->depth++;
                inner = parse_unary(t);
                t->depth--;
                if (mask == UINT64_MAX)
                        return inner;
                return parser_add_node(t, &(TraceNode) { .kind = TRACE_NODE_MASK, .left = inner, .value = mask });
        }
        inner = parse_condition(t);
        expect(t, ")");
        return inner;
}

/* Takes ", { VALUE, "TEXT" }…)". */
static uint16_t parse_entries(TraceParser *t) {
        uint16_t first = TRACE_NONE, last = TRACE_NONE;

        while (!t->bad && parser_take(t, ",")) {
                TraceNode n = { .kind = TRACE_NODE_ENTRY, .right = TRACE_NONE };
                uint16_t value, added;

                expect(t, "{");
                value = parse_condition(t);
                expect(t, ",");
                t->bad = t->bad || !take_literal(t, &n.text, &n.text_size) || !trace_tree_is_constant(t->format, value);
                expect(t, "}");
                if (t->bad)
                        break;
                n.value = trace_tree_eval(t->format, value, NULL);
                added = parser_add_node(t, &n);
                if (last == TRACE_NONE)
                        first = added;
                else
                        t->format->nodes[last].right = added;
                last = added;
        }
        expect(t, ")");
        return first;
}

static uint16_t parse_call(TraceParser *t, const char *name, size_t size) {
        TraceNode n = {};

        expect(t, "(");
        if (size == strlen("__get_str") && memcmp(name, "__get_str", size) == 0) {
                const TraceField *field;
                const char *word;

                field = parser_take_word(t, &word, &size) ? parser_find_field(t, word, size) : NULL;
                expect(t, ")");
                if (!field || !field->dynamic || field->size != sizeof(uint32_t))
                        t->bad = true;
                return t->bad ? 0 : parser_add_node(t, &(TraceNode) { .kind = TRACE_NODE_STRING, .offset = field->offset });
        }
        if (size == strlen("__print_flags") && memcmp(name, "__print_flags", size) == 0)
                n.kind = TRACE_NODE_FLAGS;
        else if (size == strlen("__print_symbolic") && memcmp(name, "__print_symbolic", size) == 0)
                n.kind = TRACE_NODE_SYMBOL;
        else
                t->bad = true;
        n.left = parse_condition(t);
        if (n.kind == TRACE_NODE_FLAGS) {
                expect(t, ",");
                t->bad = !take_literal(t, &n.text, &n.text_size) || t->bad;
        }
        n.right = parse_entries(t);
        return parser_add_node(t, &n);
}

static uint16_t parser_parse_number(TraceParser *t) {
        TraceNode n = { .kind = TRACE_NODE_NUMBER, .value = strtoull(t->p, &t->p, 0) };

        while (*t->p && strchr("uUlL", *t->p))
                t->p++;
        return parser_add_node(t, &n);
}

static uint16_t parse_primary(TraceParser *t) {
        const char *word;
        size_t size;
        TraceNode n = { .kind = TRACE_NODE_TEXT };

        skip_blanks(t);
        if (isdigit((unsigned char) *t->p))
                return parser_parse_number(t);
        if (*t->p == '"') {
                t->bad = !take_literal(t, &n.text, &n.text_size) || t->bad;
                return parser_add_node(t, &n);
        }
        if (parser_take(t, "("))
                return parse_parenthesis(t);
        if (parser_take(t, "REC->"))
                return parse_field(t);
        if (parser_take_word(t, &word, &size))
                return parse_call(t, word, size);
        t->bad = true;
        return 0;
}

static uint16_t parse_unary(TraceParser *t) {
        TraceNode n = {};

        skip_blanks(t);
        if (t->bad || t->depth > DEPTH_MAX || *t->p == '-') {
                t->bad = true;
                return 0;
        }
        if (*t->p == '~' || (*t->p == '!' && t->p[1] != '=')) {
                n.kind = *t->p++ == '~' ? TRACE_NODE_INVERT : TRACE_NODE_NOT;
                t->depth++;
                n.left = parse_unary(t);
                t->depth--;
                return parser_add_node(t, &n);
        }
        return parse_primary(t);
}

/* Finds the operator there; of those that begin alike, the longer one comes first. */
static unsigned find_operator(TraceParser *t, char ret[static 2]) {
        static const struct {
                const char *text;
                unsigned level;
        } operators[] = {
                { "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 }, { "<=", 7 }, { ">=", 7 },
                { "|", 3 }, { "^", 4 }, { "&", 5 }, { "<", 7 }, { ">", 7 }, { "+", 9 }, { "-", 9 }, { "*", 10 },
        };

        skip_blanks(t);
        for (size_t i = 0; i < ELEMENTSOF(operators); i++)
                if (strncmp(t->p, operators[i].text, strlen(operators[i].text)) == 0) {
                        ret[0] = operators[i].text[0];
                        ret[1] = operators[i].text[1];
                        return operators[i].level;
                }
        return 0;
}

static uint16_t parse_binary(TraceParser *t, unsigned least) {
        uint16_t left;
        char operator[2];
        unsigned level;

        if (++t->depth > DEPTH_MAX)
                t->bad = true;
        left = parse_unary(t);
        while (!t->bad && (level = find_operator(t, operator)) >= least && level > 0) {
                TraceNode n = { .kind = TRACE_NODE_BINARY, .operator = { operator[0], operator[1] }, .left = left };

                t->p += operator[1] ? 2 : 1;
                n.right = parse_binary(t, level + 1);
                left = parser_add_node(t, &n);
        }
        t->depth--;
        return left;
}

static uint16_t parse_condition(TraceParser *t) {
        TraceNode n = { .kind = TRACE_NODE_CONDITION };

        if (++t->depth > DEPTH_MAX)
                t->bad = true;
        n.left = parse_binary(t, 1);
        if (!t->bad && parser_take(t, "?")) {
                n.right = parse_condition(t);
                expect(t, ":");
                n.third = parse_condition(t);
                n.left = parser_add_node(t, &n);
        }
        t->depth--;
        return n.left;
}

/* A line "field:TYPE NAME[LENGTH]; offset:N; size:N; signed:N;". */
static bool parse_field_line(TraceParser *t, const char *line, const char *end) {
        const char *stop = memchr(line, ';', (size_t) (end - line)), *name, *bracket;
        TraceField *field = t->format->fields + t->format->n_fields;
        unsigned is_signed;

        if (!stop || t->format->n_fields >= TRACE_FIELDS_MAX ||
            sscanf(stop, "; offset:%u; size:%u; signed:%u", &field->offset, &field->size, &is_signed) < 2)
                return false;
        bracket = memchr(line, '[', (size_t) (stop - line));
        field->dynamic = startswith(line, "__data_loc") || startswith(line, "__rel_loc");
        field->array = bracket && !field->dynamic;
        field->text = startswith(line, "char ") || startswith(line, "const char ");
        name = stop;
        if (bracket && stop[-1] == ']')
                name = field->dynamic ? stop : bracket;
        field->name_size = 0;
        while (name > line && (isalnum((unsigned char) name[-1]) || name[-1] == '_')) {
                name--;
                field->name_size++;
        }
        field->name = name;
        if (field->array) {
                unsigned long n = strtoul(bracket + 1, NULL, 10);

                field->element = n > 0 && field->size % n == 0 ? (unsigned) (field->size / n) : 0;
        }
        if (field->offset > TRACE_TEXT_MAX || field->size > TRACE_TEXT_MAX || startswith(line, "__rel_loc"))
                return false;
        t->format->n_fields++;
        return true;
}

static bool parse_fields(TraceParser *t, const char *end) {
        for (const char *line = t->format->text; line < end;) {
                const char *stop = memchr(line, '\n', (size_t) (end - line));

                stop = stop ?: end;
                if (startswith(line, "\tfield:") && !parse_field_line(t, line + strlen("\tfield:"), stop))
                        return false;
                line = stop + 1;
        }
        return true;
}

/* Takes a conversion behind its %. A width of three digits has snprintf(3) make much of nothing: the library may do so, which has
 * limits of time and memory. */
static bool parse_conversion(const char **p, const char *end, TracePiece *piece) {
        const char *begin = *p;
        size_t n = strspn(begin, "-0#123456789."), l = 0;

        if (begin + n >= end || n > 8 || ANY_OF(n, i, strspn(begin + i, "0123456789") > 2))
                return false;
        piece->bytes = 4;
        while (begin[n + l] == 'l' && l < 2)
                l++;
        if (l > 0)
                piece->bytes = 8;
        piece->conversion = begin[n + l];
        if (begin + n + l >= end || !strchr("duxXsc", piece->conversion) || (piece->conversion == 's' && l > 0))
                return false;
        if (n > 0)
                (void) snprintf(piece->spec, sizeof(piece->spec), "%%%.*s%s%c", (int) n, begin,
                                strchr("sc", piece->conversion) ? "" : "ll", piece->conversion);
        *p = begin + n + l + 1;
        return true;
}

static bool parse_pieces(TraceParser *t, const char *text, size_t size) {
        const char *end = text + size, *p = text;

        while (t->format->n_pieces < TRACE_PIECES_MAX) {
                TracePiece *piece = t->format->pieces + t->format->n_pieces++;
                const char *percent = memchr(p, '%', (size_t) (end - p));

                *piece = (TracePiece) { .text = p, .text_size = (size_t) ((percent ?: end) - p) };
                if (!percent)
                        return true;
                p = percent + 1;
                if (!parse_conversion(&p, end, piece))
                        return false;
        }
        return false;
}

/* Texts where numbers are wanted, and the other way round, are not supported. */
static bool are_kinds_right(const TraceParser *t) {
        for (size_t i = 0; i < t->format->n_nodes; i++) {
                const TraceNode *n = t->format->nodes + i;
                bool asks = n->kind == TRACE_NODE_FLAGS || n->kind == TRACE_NODE_SYMBOL || n->kind == TRACE_NODE_CONDITION;

                if (asks && !trace_tree_is_number(t->format, n->left))
                        return false;
                if (n->kind == TRACE_NODE_BINARY && !trace_tree_is_number(t->format, (uint16_t) i))
                        return false;
        }
        for (size_t i = 0; i < t->format->n_pieces; i++) {
                const TracePiece *p = t->format->pieces + i;

                if (p->conversion == 's' && !trace_tree_is_text(t->format, p->node))
                        return false;
                if (p->conversion && p->conversion != 's' && !trace_tree_is_number(t->format, p->node))
                        return false;
        }
        return true;
}

static bool parse_print(TraceParser *t) {
        const char *text;
        size_t size;

        if (!take_literal(t, &text, &size) || !parse_pieces(t, text, size))
                return false;
        for (size_t i = 0; i < t->format->n_pieces && t->format->pieces[i].conversion; i++) {
                expect(t, ",");
                t->format->pieces[i].node = parse_condition(t);
                if (t->bad)
                        return false;
        }
        skip_blanks(t);
        return !t->bad && !*t->p && are_kinds_right(t);
}

bool trace_parser_run(TraceFormat *f) {
        static const char print[] = "print fmt:";
        char *begin = strstr(f->text, print);
        TraceParser t = { .format = f, .p = begin ? begin + strlen(print) : NULL };

        return begin && parse_fields(&t, begin) && parse_print(&t);
}
