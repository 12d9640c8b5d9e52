/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json-writer.h"
#include "report-entries.h"

typedef struct ReportColumns ReportColumns;
typedef struct ReportFieldType ReportFieldType;

/* A column of an entry. */
typedef struct ReportCell {
        const Report *report;
        const ReportColumns *columns; /* NULL while entries are grouped */
        const ReportFieldType *type;
        size_t trace; /* of a field of a tracepoint: its number among TraceColumns */
        const ReportEntry *entry;
} ReportCell;

typedef ReportValue ReportCellValue(const ReportCell *cell);
typedef const char *ReportCellText(const ReportCell *cell); /* NULL: not known */
typedef void ReportCellWords(TextBuffer *out, uint64_t number);
typedef void ReportCellPut(const ReportCell *cell, size_t width, TextBuffer *out); /* names are cut to the width */
typedef size_t ReportCellWidth(const ReportCell *cell);
typedef int ReportCellOrder(const ReportCell *a, const ReportCell *b); /* negative: a comes first; positive: b does */
typedef void ReportCellWrite(const ReportCell *cell, JsonWriter *w);

typedef enum ReportFieldFlag {
        FIELD_NUMBER = 1 << 0,      /* of a key: its value is a number, in JSON too, unless its first part is not 0 */
        FIELD_SUM = 1 << 1,         /* the number is that of all samples: times their count */
        FIELD_SIGNED = 1 << 2,      /* the number has 32 bits and a sign */
        FIELD_DESCENDING = 1 << 3,  /* the greatest value comes first */
        FIELD_RIGHT = 1 << 4,       /* stands at the right of its column */
        FIELD_UNPADDED = 1 << 5,    /* as the last column it is not padded */
        FIELD_LEVEL = 1 << 6,       /* begins with the level of code, FIELD_LEVEL_WIDTH characters, which JSON has not */
        FIELD_LAST_CUT = 1 << 7,    /* gives way last where a terminal is narrow */
        FIELD_OF_PLACE = 1 << 8,    /* is the code's, so that callers have other values */
        FIELD_OF_MEMORY = 1 << 9,   /* not of branches */
        FIELD_OF_BRANCH = 1 << 10,  /* only of branches */
        FIELD_NEEDS_CHAINS = 1 << 11,
        FIELD_NEEDS_LINES = 1 << 12,
        FIELD_NEEDS_MAP_SIZES = 1 << 13,
        FIELD_NEEDS_TRACE_TEXT = 1 << 14,
} ReportFieldFlag;

#define FIELD_LEVEL_WIDTH 4u /* "[k] " */
#define FIELD_ADDRESS_WIDTH 16u /* digits of an address, and the least width of the column of binaries if there is one */
#define FIELD_UNNAMED_WIDTH (FIELD_ADDRESS_WIDTH + 2 + FIELD_LEVEL_WIDTH)

/* A row of the table in report-fields.c: what is known of a column. Without functions a value is the member; a text is as wide as
 * its bytes and in their order; another key is as wide as least, in the order of its values, and put as its number in decimal. */
struct ReportFieldType {
        const char *word;       /* of --sort, --fields and JSON */
        unsigned char shortest; /* so many letters of it are enough, in any case; 0: the word must be whole */
        const char *title;
        const char *json;       /* its name in JSON, which is taken for the word, too; NULL: it is the word */
        const char *unknown;    /* stands where text returns NULL, or for the number 0; JSON leaves both out */
        unsigned char least, least_ns; /* characters, besides the title; the other ones are with --ns */
        unsigned char room;     /* characters besides the name */
        size_t total;           /* of shares: what they are parts of, in ReportMember */
        size_t member;          /* a number's in ReportWeight; a key's in SampleFacets if it has facets, or in ReportEntry */
        size_t size;            /* of a key's member; 0: it has none */
        uint64_t bits;          /* of a facet, that count; 0: all */
        unsigned facets;        /* SampleFacet, SampleDimensions: what must be counted */
        unsigned dimensions;
        unsigned flags;         /* ReportFieldFlag */
        uint64_t keys;          /* REPORT_KEY() that entries are grouped by; 0: they are by the value */
        ReportCellValue *value;
        ReportCellText *text;
        ReportCellWords *words;
        ReportCellPut *put;
        ReportCellWidth *width;
        ReportCellOrder *order;
        ReportCellWrite *write;
};

/* Returns the number of a column of numbers, of an event. */
uint64_t report_cell_weight(const ReportCell *cell, size_t member);

/* Returns the value of a key that is no text, and the number that it is. */
ReportValue report_cell_value(const ReportCell *cell);
uint64_t report_cell_number(const ReportCell *cell);

/* Returns the text of a key that has one, or what stands for it. */
const char *report_cell_text(const ReportCell *cell);

/* Puts a key that is no text. */
void report_cell_put(const ReportCell *cell, size_t width, TextBuffer *out);

/* Returns how wide a key's column must be for its entry. */
size_t report_cell_width(const ReportCell *cell);

int report_cell_order(const ReportCell *a, const ReportCell *b);

/* Puts a text that is cut, without a part of a character. */
void report_put_cut(TextBuffer *out, const char *text, size_t width);

/* Puts a name behind the level of its code, or an address if the name is NULL. The other one returns how wide that is with so many
 * more characters. */
void report_put_named(TextBuffer *out, char level, const char *name, uint64_t address, size_t width);
size_t report_named_width(const char *name, size_t room);

/* Returns a number of 64 bits, where a record has it. */
static inline uint64_t report_number_at(const void *record, size_t offset) {
        uint64_t number;

        memcpy(&number, (const char *) record + offset, sizeof(number));
        return number;
}

/* Numbers are ordered from the least to the greatest. */
static inline int report_numbers_order(uint64_t a, uint64_t b) {
        return a < b ? -1 : a > b;
}

static inline int report_symbols_order(const NamedSymbol *a, const NamedSymbol *b) {
        return report_numbers_order(a->start, b->start) ?: report_numbers_order(a->end, b->end);
}
