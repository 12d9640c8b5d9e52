/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sideband-test.h"

#include <inttypes.h>
#include "map-record.h"
#include "record-layout.h"
#include "sample.h"
#include "sideband-parts.h"

typedef struct Words {
        char *words[8];
        size_t n;
} Words;

static uint64_t decimal(const Words *w, size_t i) {
        ck_assert_uint_lt(i, w->n);
        return strtoull(w->words[i], NULL, 10);
}

static uint64_t hexadecimal(const Words *w, size_t i) {
        ck_assert_uint_lt(i, w->n);
        return strtoull(w->words[i], NULL, 16);
}

static bool last_is(const Words *w, const char *word) {
        return streq(w->words[w->n - 1], word);
}

static void put_map(RecordBuffer *b, const Words *w, const RecordTrailer *trailer) {
        const RecordMap m = {
                .pid = (uint32_t) decimal(w, 2), .tid = (uint32_t) decimal(w, 2),
                .start = hexadecimal(w, 3), .length = hexadecimal(w, 4), .page_offset = hexadecimal(w, 5),
                .major = 8, .minor = 1, .inode = 77, .protection = 5, .flags = 2,
                .misc = PERF_RECORD_MISC_USER, .path = w->words[6],
        };

        ck_assert_ok(record_put_mmap2(b, &m, trailer));
}

static void put_kernel(RecordBuffer *b, const Words *w, const RecordTrailer *trailer) {
        const RecordMap m = {
                .pid = MAP_RECORD_KERNEL_PID, .start = hexadecimal(w, 2), .length = hexadecimal(w, 3),
                .misc = PERF_RECORD_MISC_KERNEL, .path = w->words[4],
        };

        ck_assert_ok(record_put_mmap(b, &m, trailer));
}

static void put_namespaces(RecordBuffer *b, const Words *w, const RecordTrailer *trailer) {
        struct perf_ns_link_info links[7] = { { .dev = 4, .ino = decimal(w, 4) } };

        ck_assert_ok(record_put_namespaces(b, (uint32_t) decimal(w, 2), (uint32_t) decimal(w, 3), links, 7, trailer));
}

static void put_bpf(RecordBuffer *b, const Words *w, bool load, const RecordTrailer *trailer) {
        size_t start = b->size;
        uint16_t type = PERF_BPF_EVENT_PROG_UNLOAD;

        ck_assert_ok(record_put_bpf_program(b, (uint32_t) decimal(w, 2), (const uint8_t *) "01234567", trailer));
        if (!load)
                memcpy(b->data + start + 8, &type, sizeof(type));
}

/* Builds a record that only this test needs: address, lengths, old and new bytes. */
static void put_poke(RecordBuffer *b, const Words *w, const RecordTrailer *trailer) {
        const struct {
                struct perf_event_header header;
                uint64_t address;
                uint16_t old_length, new_length;
                uint8_t bytes[4];
                uint64_t trailer[5];
        } poke = {
                .header = { .type = PERF_RECORD_TEXT_POKE, .misc = PERF_RECORD_MISC_KERNEL,
                            .size = (uint16_t) (24 + record_trailer_size(trailer->sample_type)) },
                .address = hexadecimal(w, 2),
                .old_length = 1, .new_length = 1, .bytes = { 0x90, (uint8_t) hexadecimal(w, 3) },
                .trailer = { 0, trailer->time, trailer->cpu, trailer->id },
        };

        byte_buffer_put(b, &poke, poke.header.size);
}

static void put_fork(RecordBuffer *b, const Words *w, bool thread, const RecordTrailer *trailer) {
        uint32_t pid = (uint32_t) decimal(w, 2), other = (uint32_t) decimal(w, 3);
        uint16_t misc = trailer->time == 0 || last_is(w, "alone") ? PERF_RECORD_MISC_FORK_EXEC : 0;

        if (last_is(w, "inherits"))
                misc = 0;
        if (thread)
                ck_assert_ok(record_put_fork(b, pid, pid, other, pid, trailer->time, misc, trailer));
        else
                ck_assert_ok(record_put_fork(b, pid, other, pid, other, trailer->time, misc, trailer));
}

static void put_words(RecordBuffer *b, const Words *w, const RecordTrailer *trailer) {
        const char *verb = w->words[1];

        if (streq(verb, "fork") || streq(verb, "thread"))
                put_fork(b, w, streq(verb, "thread"), trailer);
        else if (streq(verb, "exit"))
                ck_assert_ok(record_put_exit(b, (uint32_t) decimal(w, 2), 1, (uint32_t) decimal(w, 3), 1, trailer->time, trailer));
        else if (streq(verb, "comm"))
                ck_assert_ok(record_put_comm(b, (uint32_t) decimal(w, 2), (uint32_t) decimal(w, 3), w->words[4],
                                             last_is(w, "exec") ? PERF_RECORD_MISC_COMM_EXEC : 0, trailer));
        else if (streq(verb, "ns"))
                put_namespaces(b, w, trailer);
        else if (streq(verb, "map"))
                put_map(b, w, trailer);
        else if (streq(verb, "kernel"))
                put_kernel(b, w, trailer);
        else if (streq(verb, "ksymbol") || streq(verb, "unksymbol"))
                ck_assert_ok(record_put_ksymbol(b, hexadecimal(w, 2), 64, PERF_RECORD_KSYMBOL_TYPE_BPF,
                                                verb[0] == 'u' ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0, w->words[3], trailer));
        else if (streq(verb, "bpf") || streq(verb, "unbpf"))
                put_bpf(b, w, verb[0] == 'b', trailer);
        else if (streq(verb, "cgroup"))
                ck_assert_ok(record_put_cgroup(b, decimal(w, 2), w->words[3], trailer));
        else if (streq(verb, "poke"))
                put_poke(b, w, trailer);
        else
                ck_abort_msg("\"%s\" is no verb", verb);
}

void sideband_test_build(RecordBuffer *b, uint64_t sample_type, const char *text) {
        _cleanup_free_ char *copy = strdup(text);

        ck_assert_ptr_nonnull(copy);
        for (char *rest = copy, *line; (line = strsep(&rest, "\n"));) {
                RecordTrailer trailer = { .sample_type = sample_type };
                Words w = {};

                for (char *word; (word = strsep(&line, " "));)
                        if (*word && w.n < ELEMENTSOF(w.words))
                                w.words[w.n++] = word;
                if (w.n == 0)
                        continue;
                ck_assert_uint_ge(w.n, 3);
                trailer.time = decimal(&w, 0);
                if (trailer.time > 0) {
                        trailer.id = 40 + trailer.time % 2;
                        trailer.cpu = (uint32_t) trailer.time % 2;
                }
                put_words(b, &w, &trailer);
        }
        ck_assert_int_eq(b->error, 0);
}

static void describe_map(FILE *f, const PerfRecordMmap *m) {
        const PerfRecordMmap2 *mmap2 = (const void *) m;
        const char *path = m->header.type == PERF_RECORD_MMAP ? m->path : mmap2->path;

        if ((m->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
                (void) fprintf(f, "kernel %" PRIx64 " %" PRIx64 " %s", m->start, m->length, path);
        else
                (void) fprintf(f, "map %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %s", m->pid, m->start, m->length, m->page_offset, path);
}

static void describe_fork(FILE *f, const PerfRecordTask *t, uint64_t time) {
        bool alone = t->header.misc & PERF_RECORD_MISC_FORK_EXEC;

        ck_assert_uint_eq(t->time, time);
        if (t->pid == t->tid)
                (void) fprintf(f, "fork %u %u%s", t->pid, t->ppid, alone && time > 0 ? " alone" : "");
        else
                (void) fprintf(f, "thread %u %u", t->pid, t->tid);
}

static void describe(FILE *f, const struct perf_event_header *h, uint64_t time) {
        const PerfRecordNamespaces *namespaces = (const void *) h;
        const PerfRecordKsymbol *symbol = (const void *) h;
        const PerfRecordBpfEvent *program = (const void *) h;
        const PerfRecordCgroup *cgroup = (const void *) h;
        const PerfRecordTextPoke *poke = (const void *) h;
        const PerfRecordTask *task = (const void *) h;
        const PerfRecordComm *comm = (const void *) h;

        switch (h->type) {
        case PERF_RECORD_FORK:
                describe_fork(f, task, time);
                break;
        case PERF_RECORD_EXIT:
                (void) fprintf(f, "exit %u %u", task->pid, task->tid);
                break;
        case PERF_RECORD_COMM:
                (void) fprintf(f, "comm %u %u %s%s", comm->pid, comm->tid, comm->name, h->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "");
                break;
        case PERF_RECORD_NAMESPACES:
                (void) fprintf(f, "ns %u %u %" PRIu64, namespaces->pid, namespaces->tid, (uint64_t) namespaces->links[0].ino);
                break;
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                describe_map(f, (const void *) h);
                break;
        case PERF_RECORD_KSYMBOL:
                (void) fprintf(f, "%sksymbol %" PRIx64 " %s", symbol->flags ? "un" : "", symbol->address, symbol->name);
                break;
        case PERF_RECORD_BPF_EVENT:
                (void) fprintf(f, "%sbpf %u", program->type == PERF_BPF_EVENT_PROG_LOAD ? "" : "un", program->id);
                break;
        case PERF_RECORD_CGROUP:
                (void) fprintf(f, "cgroup %" PRIu64 " %s", cgroup->id, cgroup->path);
                break;
        case PERF_RECORD_TEXT_POKE:
                (void) fprintf(f, "poke %" PRIx64 " %x", poke->address, poke->bytes[1]);
                break;
        default:
                (void) fprintf(f, "type %u", h->type);
        }
}

char *sideband_test_describe(const RecordBuffer *b, uint64_t sample_type) {
        const struct perf_event_attr attr = { .sample_type = sample_type, .sample_id_all = true };
        const struct perf_event_header *h;
        char *text = NULL;
        size_t cursor = 0, size;
        FILE *f = open_memstream(&text, &size);
        int r;

        ck_assert_ptr_nonnull(f);
        while ((r = record_next(b->data, b->size, &cursor, &h)) == 1) {
                PerfSample s = {};

                if (sample_type != 0)
                        ck_assert_ok(sample_parse_trailer(&attr, h, &s));
                if (sample_type & PERF_SAMPLE_IDENTIFIER)
                        ck_assert_uint_eq(s.id, s.time > 0 ? 40 + s.time % 2 : 0);
                if (sample_type & PERF_SAMPLE_CPU)
                        ck_assert_uint_eq(s.cpu, s.time % 2);
                (void) fprintf(f, "%" PRIu64 " ", s.time);
                describe(f, h, s.time);
                (void) fputc('\n', f);
        }
        ck_assert_int_eq(r, 0);
        ck_assert_int_eq(fclose(f), 0);
        return text;
}

void sideband_test_feed(SidebandTable *t, const char *text) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct iovec segment;

        sideband_test_build(&b, SIDEBAND_TEST_TYPE, text);
        segment = record_buffer_iovec(&b);
        ck_assert_ok(sideband_table_feed_segments(t, &segment, 1));
}

SidebandTable *sideband_test_new(const char *text) {
        SidebandTable *t;

        ck_assert_ok(sideband_table_new(SIDEBAND_TEST_TYPE, &t));
        t->exit_time = 0;
        sideband_test_feed(t, text);
        ck_assert_ok(sideband_table_round(t, true));
        return t;
}

size_t sideband_test_n_live(const SidebandTable *t) {
        return t->n_processes - t->n_ended;
}

size_t sideband_test_n_ended(const SidebandTable *t) {
        return t->n_ended;
}

void sideband_test_assert(SidebandTable *t, const uint32_t *pids, size_t n, const char *text) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *found = NULL;

        ck_assert_ok(sideband_table_put(t, &(SidebandSamples) { .pids = pids, .n_pids = n }, &b));
        found = sideband_test_describe(&b, SIDEBAND_TEST_TYPE);
        ck_assert_str_eq(found, text);
}

void sideband_test_assert_base(const char *records, const char *base) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(records);

        ck_assert_ok(sideband_table_forget_before(t, UINT64_MAX));
        SIDEBAND_TEST_ASSERT(t, base);
}
