/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* A report's entries: the samples of one event, or of several ones that are shown side by side, grouped by some keys. */
typedef enum ReportKey {
        REPORT_COMM,
        REPORT_PID, /* the thread, as perf's key "pid" is */
        REPORT_DSO,
        REPORT_SYMBOL,
        REPORT_CPU,
        REPORT_TIME, /* slices of it */
        REPORT_CGROUP,
        REPORT_UNIT,
        REPORT_CONTAINER,
        REPORT_HOST,
        REPORT_PARALLELISM, /* threads that ran at that time */
        REPORT_SOURCE_LINE,
        REPORT_SOURCE_FILE,
        REPORT_TRACE,  /* the fields of a tracepoint as text */
        REPORT_PARENT, /* a function of the call chain that matches a pattern */
        _REPORT_KEY_MAX,
        _REPORT_KEY_INVALID = -EINVAL,
} ReportKey;

_Static_assert(_REPORT_KEY_MAX <= 64, "a key is a bit");

#define REPORT_KEY(key) (UINT64_C(1) << (key))

/* Keys that are the same for a whole row of the table; 0 if it is not grouped by them. No byte is padding. */
typedef struct ReportRowKeys {
        uint32_t name;   /* of the thread */
        uint32_t tid;
        uint32_t cpu;
        uint32_t cgroup; /* see cgroup-names.h */
        uint32_t unit, container; /* texts of CgroupNames */
        uint32_t host;   /* see sample_table_host() */
        uint32_t label;  /* see sample_table_label() */
        uint32_t values; /* a number for all values of ReportPlan.row_values; 0: none */
        uint32_t parent; /* a symbol of PlaceNames; 0: none */
        uint32_t parallelism, zero;
        uint64_t time;   /* where its slice begins, in nanoseconds */
} ReportRowKeys;

typedef struct ReportWeight {
        uint64_t period, count;                   /* samples that hit it */
        uint64_t children_period, children_count; /* samples that hit it or what it called */
        uint64_t kernel_period, user_period;      /* of the samples that hit it, those in the kernel and in user space */
        uint64_t latency;                         /* of the samples that hit it, see SampleRow */
} ReportWeight;

/* With several events, its own numbers are those of the first one. */
typedef struct ReportEntry {
        ReportRowKeys row;
        uint64_t row_hash; /* of row */
        /* the other keys; 0 if it is not grouped by them */
        uint32_t dso;    /* the short name of the binary, of PlaceNames; also without that key, if ip is shown */
        uint32_t symbol; /* of PlaceNames; 0: ip is shown */
        uint32_t line, file; /* of the source, texts of PlaceNames; 0: not known */
        uint64_t ip;
        uint32_t values; /* likewise a number, of those of ReportPlan.place_values */

        bool mapped;     /* there is a binary, of the first sample */
        bool named;      /* likewise its place has a symbol */
        char level;      /* see code-places.h */
        uint32_t thread; /* of the first sample */
        uint32_t facets; /* likewise, see sample_table_facets() */
        uint32_t place;  /* of the first sample, or in its call chain */
        ReportWeight weight;
        size_t depth;    /* of the deepest call chain, from here on */
        size_t n_chains; /* call chains that it is in */
} ReportEntry;

typedef struct Report Report;

/* Entries are one if their values are equal. */
typedef struct ReportValue {
        uint64_t first, second;
} ReportValue;

/* Returns the value of a caller's key, of an entry of which only facets and place are set. */
typedef ReportValue (*ReportValueOf)(const Report *report, unsigned key, const ReportEntry *e);

typedef struct ReportPlan {
        uint64_t keys; /* REPORT_KEY() of each */
        uint64_t row_values, place_values; /* bits of keys of the caller: of the row, of a place in its call chain */
        ReportValueOf value; /* of these keys */
        uint32_t event;     /* the first one */
        uint32_t n_members; /* of events, from that one on; 0: one */
        const uint32_t *rows; /* of the events, in the order of sample_table_order(); must outlive the report */
        size_t n_rows;
        bool children; /* callers have entries, too */
        bool caller;   /* call chains begin at the outermost caller */
        bool from_entry; /* these begin at the entry; perf has those of what it hit begin at the outermost caller nevertheless */
        bool chains;   /* call chains are shown */
        size_t max_stack; /* addresses of a call chain that count */
        char *const *dsos;       /* only samples that hit these binaries (short names or paths); NULL: all */
        char *const *symbols;    /* only those that hit these functions */
        const char *symbol_part; /* only entries whose function has this in its name */
        const uint32_t *parents; /* see report-parents.h; must outlive the report */
        bool with_parent;        /* only entries that have one */
        bool unnamed_as_one;     /* code without a symbol is one entry for each binary, and not one for each address */
        bool resolved;           /* only samples that hit a function with a name */
        const int *parallelisms; /* only samples while so many threads ran */
        size_t n_parallelisms;   /* 0: all */
} ReportPlan;

/* The entry of a caller. */
typedef struct ReportCaller {
        uint64_t row_hash; /* of the entry */
        uint32_t place;
        uint32_t entry;    /* its number + 1; 0: none */
        char level;        /* of the place; 0: it is not mapped */
} ReportCaller;

struct Report {
        ReportPlan plan;
        const SampleTable *table;
        const CodePlaces *places;
        const PlaceNames *names;
        ReportEntry *entries;
        size_t n, allocated;
        ReportWeight *others; /* for each entry: of each event behind the first one */
        size_t n_others, others_allocated; /* n_others: for each entry */
        bool complete;     /* all entries exist; see report_collect_chains() */
        size_t n_counted;  /* rows of the plan */
        uint64_t samples;  /* in all of its rows */
        HashIndex index;   /* of number + 1 */
        BytePool values;   /* those of an entry are one block */
        ReportCaller *callers; /* found last */
        size_t *stamps;    /* for each entry: the row that counted for it last, + 1 */
        size_t stamps_allocated;
};

/* Begins a report without entries, and counts the next n rows of its plan: 1 if there are more, 0. All arguments of the first one
 * must outlive it; it is initialised, and done after a failure too. 0, -ENOMEM. */
int report_begin(Report *report, SampleTable *table, const PlaceNames *names, const ReportPlan *plan);
int report_count(Report *report, size_t n);

/* Does both, for all rows. */
int report_init(Report *report, SampleTable *table, const PlaceNames *names, const ReportPlan *plan);
void report_done(Report *report);

/* Returns what an entry has of one of the events; 0: the first one. */
static inline const ReportWeight *report_entry_weight(const Report *report, const ReportEntry *e, size_t member) {
        return member > 0 ? report->others + (size_t) (e - report->entries) * report->n_others + member - 1 : &e->weight;
}

/* Returns what the plan leaves out of an event, by resolved. */
ReportWeight report_unresolved(const Report *report, size_t member);

/* Returns whether the plan wants an entry shown. */
bool report_entry_is_wanted(const Report *report, const ReportEntry *e);

/* One call chain of an entry: the places at chain[0], chain[step], … (n of them) with their weight. */
typedef struct ReportChain {
        const uint32_t *places;
        int step; /* 1, or -1 */
        size_t n;
        uint64_t period, count;
} ReportChain;

/* Collects the call chains of the entries for which wanted has true. *ret_chains has those of entry i from
 * (*ret_first)[i] up to (*ret_first)[i + 1]; both are new arrays. 0, -ENOMEM; -ENOTRECOVERABLE: the call chains are no longer those
 * that the report counted. */
int report_collect_chains(Report *report, const bool *wanted, ReportChain **ret_chains, size_t **ret_first);

/* The same in steps: chains of entry i are from chains[first[i]] up to chains[next[i]], all of them once the rows are through.
 * wanted must outlive it. report_collect_rows() takes the next n rows, and returns 1 if there are more; 0. Done after a failure
 * too. */
typedef struct ReportCollection {
        Report *report;
        const bool *wanted;
        ReportChain *chains;
        size_t *first, *next;
        bool *places;  /* only rows with these count; NULL: all */
        size_t n_rows; /* taken */
} ReportCollection;

int report_collect_begin(ReportCollection *c, Report *report, const bool *wanted);
int report_collect_rows(ReportCollection *c, size_t n);
void report_collection_done(ReportCollection *c);
