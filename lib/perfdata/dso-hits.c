/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which binaries have samples. Records are fed in file order, which is the time's order only roughly: a sample whose map
 * is not known yet waits, among at most MISSES_MAX, for the ends of two rounds. A map that another process's stale copy
 * still holds only costs a build id too many, so exec does not clear maps, and unmapping is not followed.
 *
 * It does not parse what it does not need, and does not allocate per sample. */

#include "dso-table.h"
#include "event-index.h"
#include "process-table.h"
#include "record.h"
#include "sample.h"

#define MISSES_MAX 4096u
#define SCAN_BUFFER_SIZE (256u * 1024u) /* above the longest record */
#define KERNEL_PID UINT32_MAX           /* the pid in maps of the kernel and of modules */

typedef struct Miss {
        uint64_t address, round;
        uint32_t pid;
} Miss;

struct DsoHits {
        EventIndex *index;
        DsoTable dsos;
        ProcessTable processes;
        uint32_t *order; /* the binaries that were hit, in order of first hit */
        DsoHit *hits;    /* the same as copies, made when asked for; their paths are the table's */
        size_t n_hits, hits_allocated;
        Miss *misses;
        size_t n_misses;
        uint64_t samples, first_time, last_time;
        bool have_times;
        bool all;
};

int dso_hits_new(const PerfDataEvent *events, size_t n_events, DsoHits **ret) {
        _cleanup_dso_hits_free_ DsoHits *h = calloc(1, sizeof(*h));
        int r;

        if (!h)
                return -ENOMEM;
        h->misses = calloc(MISSES_MAX, sizeof(*h->misses));
        if (!h->misses)
                return -ENOMEM;
        r = event_index_new(events, n_events, &h->index);
        if (r < 0)
                return r;
        *ret = steal_ptr(h);
        return 0;
}

DsoHits *dso_hits_free(DsoHits *h) {
        if (!h)
                return NULL;
        event_index_free(h->index);
        dso_table_done(&h->dsos);
        process_table_done(&h->processes);
        free(h->order);
        free(h->hits);
        free(h->misses);
        free(h);
        return NULL;
}

void dso_hits_set_all(DsoHits *h, bool all) {
        h->all = all;
}

static int mark(DsoHits *h, uint32_t dso) {
        if (dso == DSO_NONE || h->dsos.hit[dso])
                return 0;
        if (h->n_hits >= h->hits_allocated) {
                size_t allocated = h->hits_allocated > 0 ? h->hits_allocated * 2 : 64;
                uint32_t *order = reallocarray(h->order, allocated, sizeof(*order));

                if (!order)
                        return -ENOMEM;
                h->order = order;
                h->hits_allocated = allocated;
        }
        h->order[h->n_hits++] = dso;
        h->dsos.hit[dso] = true;
        return 0;
}

/* Memory that is not a file's has no build id, whatever the kernel calls it. */
static bool has_file(const char *path) {
        static const char *const without[] = { "//", "/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "/[" };

        for (size_t i = 0; i < ELEMENTSOF(without); i++)
                if (startswith(path, without[i]))
                        return false;
        return path[0] == '/' || streq(path, "[vdso]");
}

/* perf names the kernel's map "[kernel.kallsyms]_text" after its reference symbol; modules are "[name]" or a path. */
static int intern_kernel(DsoHits *h, const char *path, uint32_t *ret) {
        DsoHit d = { .cpumode = PERF_RECORD_MISC_KERNEL, .pid = KERNEL_PID, .path = path };

        if (startswith(path, "[kernel.kallsyms]"))
                d.path = "[kernel.kallsyms]";
        return dso_table_intern(&h->dsos, &d, ret);
}

/* The parts of MMAP and MMAP2. */
typedef struct MapRecord {
        uint32_t pid;
        uint64_t start, length;
        const char *path;
        DsoHit dso;
} MapRecord;

static uint32_t u32_at(const struct perf_event_header *record, size_t offset) {
        uint32_t v;

        memcpy(&v, (const uint8_t *) record + offset, sizeof(v));
        return v;
}

static uint64_t u64_at(const struct perf_event_header *record, size_t offset) {
        uint64_t v;

        memcpy(&v, (const uint8_t *) record + offset, sizeof(v));
        return v;
}

#define MMAP_PATH_OFFSET 40u
#define MMAP2_PATH_OFFSET 72u

static void parse_mmap2_identity(const struct perf_event_header *record, DsoHit *d) {
        if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
                d->major = u32_at(record, 40);
                d->minor = u32_at(record, 44);
                d->inode = u64_at(record, 48);
                return;
        }
        d->id.size = MIN_OF(*((const uint8_t *) record + 40), (uint8_t) PERF_BUILD_ID_SIZE);
        memcpy(d->id.bytes, (const uint8_t *) record + 44, d->id.size);
}

static bool parse_map(const struct perf_event_header *record, MapRecord *m) {
        size_t path_offset = record->type == PERF_RECORD_MMAP2 ? MMAP2_PATH_OFFSET : MMAP_PATH_OFFSET;

        if (record->size <= path_offset)
                return false;
        m->pid = u32_at(record, 8);
        m->start = u64_at(record, 16);
        m->length = u64_at(record, 24);
        m->path = record_string(record, path_offset);
        m->dso = (DsoHit) { .path = m->path, .cpumode = PERF_RECORD_MISC_USER, .pid = m->pid };
        if (record->type == PERF_RECORD_MMAP2)
                parse_mmap2_identity(record, &m->dso);
        return m->path && m->length > 0 && m->start + m->length > m->start;
}

static int feed_map(DsoHits *h, const struct perf_event_header *record) {
        uint16_t cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
        bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;
        uint32_t dso = DSO_NONE;
        Process *p;
        MapRecord m;
        int r = 0;

        if (record->misc & PERF_RECORD_MISC_MMAP_DATA || (!kernel && cpumode != PERF_RECORD_MISC_USER) || !parse_map(record, &m))
                return 0;
        if (kernel)
                r = intern_kernel(h, m.path, &dso);
        else if (has_file(m.path))
                r = dso_table_intern(&h->dsos, &m.dso, &dso);
        if (r < 0)
                return r == -ENOSPC ? 0 : r;
        if (h->all || streq(m.path, "[vdso]")) /* there is no file to look at later; perf puts it always */
                r = mark(h, dso);
        if (r < 0)
                return r;
        r = process_table_get(&h->processes, kernel ? KERNEL_PID : m.pid, &p);
        if (r >= 0)
                r = map_list_insert(&p->maps, m.start, m.start + m.length, dso);
        return r == -ENOSPC ? 0 : r;
}

/* A new thread shares its process's maps. perf marks the forks that it synthesizes as FORK_EXEC, because the maps follow
 * one by one. */
static int feed_fork(DsoHits *h, const struct perf_event_header *record) {
        Process *parent, *child;
        uint32_t pid, ppid;
        int r;

        if (record->size < 24)
                return 0;
        pid = u32_at(record, 8);
        ppid = u32_at(record, 12);
        parent = process_table_find(&h->processes, ppid);
        if (pid == ppid || !parent || parent->maps.n == 0 || record->misc & PERF_RECORD_MISC_FORK_EXEC)
                return 0;
        r = process_table_get(&h->processes, pid, &child);
        if (r == 0) {
                h->processes.n_exited -= child->exited;
                child->exited = false;
                r = map_list_copy(&child->maps, &parent->maps);
        }
        return r == -ENOSPC ? 0 : r;
}

static void feed_exit(DsoHits *h, const struct perf_event_header *record) {
        if (record->size >= 24 && u32_at(record, 8) == u32_at(record, 16))
                process_table_exit(&h->processes, u32_at(record, 8));
}

static int look_up(DsoHits *h, uint32_t pid, uint64_t address, bool *ret_found) {
        const Process *p = process_table_find(&h->processes, pid);
        const Map *m = p ? map_list_find(&p->maps, address) : NULL;

        *ret_found = m;
        return m ? mark(h, m->object) : 0;
}

static int hit(DsoHits *h, uint32_t pid, uint64_t address) {
        bool found;
        int r = look_up(h, pid, address, &found);

        if (r == 0 && !found && pid != KERNEL_PID && h->n_misses < MISSES_MAX)
                h->misses[h->n_misses++] = (Miss) { .address = address, .pid = pid, .round = h->processes.round };
        return r;
}

/* Looks once more for what was missed; what was missed before this round is given up, unless "keep". */
static int retry_misses(DsoHits *h, bool keep) {
        size_t n = 0;

        for (size_t i = 0; i < h->n_misses; i++) {
                Miss miss = h->misses[i];
                bool found;
                int r = look_up(h, miss.pid, miss.address, &found);

                if (r < 0)
                        return r;
                if (!found && (keep || miss.round == h->processes.round))
                        h->misses[n++] = miss;
        }
        h->n_misses = n;
        return 0;
}

/* A chain has markers where it passes from the kernel to the process. */
static int hit_callchain(DsoHits *h, const PerfSample *s) {
        uint32_t pid = s->pid;

        for (size_t i = 0; i < s->n_callchain; i++) {
                uint64_t address = s->callchain[i];
                bool found;
                int r;

                if (address >= PERF_CONTEXT_MAX) {
                        if (address == PERF_CONTEXT_GUEST)
                                break;
                        pid = address == PERF_CONTEXT_KERNEL || address == PERF_CONTEXT_HV ? KERNEL_PID : s->pid;
                        continue;
                }
                r = look_up(h, pid, address, &found);
                if (r < 0)
                        return r;
        }
        return 0;
}

static void note_time(DsoHits *h, uint64_t time) {
        if (!h->have_times || time < h->first_time)
                h->first_time = time;
        if (!h->have_times || time > h->last_time)
                h->last_time = time;
        h->have_times = true;
}

static int feed_sample(DsoHits *h, const struct perf_event_header *record) {
        const PerfDataEvent *e = event_index_find(h->index, record);
        uint16_t cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
        PerfSample s;
        int r = 0;

        h->samples++;
        if (!e || sample_parse(&e->attr, record, &s) < 0)
                return 0;
        if (s.sample_type & PERF_SAMPLE_TIME)
                note_time(h, s.time);
        if (!(s.sample_type & PERF_SAMPLE_TID))
                return 0;
        if (s.sample_type & PERF_SAMPLE_IP && cpumode == PERF_RECORD_MISC_KERNEL)
                r = hit(h, KERNEL_PID, s.ip);
        else if (s.sample_type & PERF_SAMPLE_IP && cpumode == PERF_RECORD_MISC_USER)
                r = hit(h, s.pid, s.ip);
        return r < 0 ? r : hit_callchain(h, &s);
}

static int feed_round(DsoHits *h) {
        int r = retry_misses(h, false);

        process_table_finish_round(&h->processes);
        return r;
}

int dso_hits_feed(DsoHits *h, const struct perf_event_header *record, size_t size) {
        if (size < sizeof(*record) || record->size > size || record->size < sizeof(*record))
                return 0;
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return feed_sample(h, record);
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return feed_map(h, record);
        case PERF_RECORD_FORK:
                return feed_fork(h, record);
        case PERF_RECORD_EXIT:
                feed_exit(h, record);
                return 0;
        case PERF_RECORD_FINISHED_ROUND:
                return feed_round(h);
        default:
                return 0;
        }
}

/* Feeds the whole records of a block; *ret_used is where the last one ends. */
static int feed_block(DsoHits *h, const uint8_t *data, size_t size, size_t *ret_used) {
        const struct perf_event_header *record;
        size_t cursor = 0, used = 0;
        int r;

        while (record_next(data, size, &cursor, &record) == 1) {
                r = dso_hits_feed(h, record, record->size);
                if (r < 0)
                        return r;
                used = cursor;
        }
        *ret_used = used;
        return 0;
}

static ssize_t read_block(int fd, void *buffer, size_t size, uint64_t offset) {
        ssize_t n;

        do
                n = pread(fd, buffer, size, (off_t) offset);
        while (n < 0 && errno == EINTR);
        return n < 0 ? -errno : n;
}

/* By reads rather than by a map: no signal when the file is cut, and memory does not grow with the file. */
int dso_hits_scan(DsoHits *h, int fd, uint64_t offset, uint64_t size) {
        _cleanup_free_ uint8_t *buffer = malloc(SCAN_BUFFER_SIZE);

        if (!buffer)
                return -ENOMEM;
        while (size > 0) {
                ssize_t n = read_block(fd, buffer, MIN_OF(size, (uint64_t) SCAN_BUFFER_SIZE), offset);
                size_t used;
                int r;

                if (n < 0)
                        return (int) n;
                r = feed_block(h, buffer, (size_t) n, &used);
                if (r < 0)
                        return r;
                if (used == 0)
                        return -EBADMSG;
                offset += used;
                size -= used;
        }
        return 0;
}

int dso_hits_get(DsoHits *h, const DsoHit **ret, size_t *ret_n) {
        DsoHit *hits;
        int r;

        r = retry_misses(h, true);
        if (r < 0)
                return r;
        hits = reallocarray(h->hits, h->n_hits + 1, sizeof(*hits));
        if (!hits)
                return -ENOMEM;
        h->hits = hits;
        for (size_t i = 0; i < h->n_hits; i++)
                hits[i] = h->dsos.dsos[h->order[i]];
        *ret = hits;
        *ret_n = h->n_hits;
        return 0;
}

uint64_t dso_hits_samples(const DsoHits *h) {
        return h->samples;
}

bool dso_hits_times(const DsoHits *h, uint64_t *ret_first, uint64_t *ret_last) {
        if (!h->have_times)
                return false;
        *ret_first = h->first_time;
        *ret_last = h->last_time;
        return true;
}
