/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line is known by where it is, and not by its address alone: threads of several processes share a file at other addresses, and
 * equal addresses of their own memory are not the same. Most lines of a program are accessed by one thread, and are in few samples:
 * so sums are made of cells when they are asked for. */

#include "access-table.h"

#include "array.h"
#include "sample-facets.h"
#include "saturate.h"

#define FACETS (FACET_WEIGHT | FACET_SOURCE | FACET_DATA | FACET_PHYSICAL)

void access_table_done(AccessTable *t) {
        memory_nodes_done(&t->machine);
        free(t->lines);
        free(t->points);
        free(t->cells);
        hash_index_done(&t->by_line);
        hash_index_done(&t->by_point);
        hash_index_done(&t->by_cell);
        byte_pool_done(&t->paths);
        *t = (AccessTable) {};
}

int access_table_begin_recording(AccessTable *t, const PerfDataReader *reader) {
        int r = memory_nodes_read(&t->machine, reader);

        for (size_t i = 0; r >= 0 && i < t->machine.n_cpus; i++)
                if (t->machine.node_of[i] != MEMORY_NODE_UNKNOWN)
                        t->n_nodes = MAX_OF(t->n_nodes, t->machine.node_of[i] + 1);
        return r;
}

static uint64_t line_hash_of(const void *owner, uintptr_t entry) {
        return hash_bytes(0, &((const AccessTable *) owner)->lines[entry - 1].is, sizeof(AccessLineKey));
}

/* Finds or adds a line. *ret is ACCESS_NONE if there are too many. */
static int access_find_line(AccessTable *t, const AccessLine *line, uint32_t *ret) {
        uint64_t hash = hash_bytes(0, &line->is, sizeof(line->is));
        uintptr_t found = HASH_INDEX_FIND(&t->by_line, hash, entry,
                                          memcmp(&t->lines[entry - 1].is, &line->is, sizeof(line->is)) == 0);
        int r;

        *ret = found > 0 ? (uint32_t) found - 1 : ACCESS_NONE;
        if (found > 0 || t->n_lines >= ACCESS_ENTRIES_MAX)
                return 0;
        if (ARRAY_RESERVE(t->lines, t->lines_allocated, t->n_lines + 1) < 0)
                return -ENOMEM;
        t->lines[t->n_lines] = *line;
        r = hash_index_add(&t->by_line, hash, t->n_lines + 1, line_hash_of, t);
        if (r >= 0)
                *ret = (uint32_t) t->n_lines++;
        return r;
}

static uint64_t point_hash_of(const void *owner, uintptr_t entry) {
        return hash_bytes(0, &((const AccessTable *) owner)->points[entry - 1].is, sizeof(AccessPointKey));
}

static int access_find_point(AccessTable *t, const AccessPoint *point, uint32_t *ret) {
        uint64_t hash = hash_bytes(0, &point->is, sizeof(point->is));
        uintptr_t found = HASH_INDEX_FIND(&t->by_point, hash, entry,
                                          memcmp(&t->points[entry - 1].is, &point->is, sizeof(point->is)) == 0);
        int r;

        *ret = found > 0 ? (uint32_t) found - 1 : ACCESS_NONE;
        if (found > 0 || t->n_points >= ACCESS_ENTRIES_MAX)
                return 0;
        if (ARRAY_RESERVE(t->points, t->points_allocated, t->n_points + 1) < 0)
                return -ENOMEM;
        t->points[t->n_points] = *point;
        r = hash_index_add(&t->by_point, hash, t->n_points + 1, point_hash_of, t);
        if (r >= 0)
                *ret = (uint32_t) t->n_points++;
        return r;
}

static uint64_t cell_hash_of(const void *owner, uintptr_t entry) {
        return hash_bytes(0, &((const AccessTable *) owner)->cells[entry - 1].is, sizeof(AccessCellKey));
}

static int access_find_cell(AccessTable *t, const AccessCell *cell, uint32_t *ret) {
        uint64_t hash = hash_bytes(0, &cell->is, sizeof(cell->is));
        uintptr_t found = HASH_INDEX_FIND(&t->by_cell, hash, entry,
                                          memcmp(&t->cells[entry - 1].is, &cell->is, sizeof(cell->is)) == 0);
        int r;

        *ret = found > 0 ? (uint32_t) found - 1 : ACCESS_NONE;
        if (found > 0 || t->n_cells >= ACCESS_ENTRIES_MAX)
                return 0;
        if (ARRAY_RESERVE(t->cells, t->cells_allocated, t->n_cells + 1) < 0)
                return -ENOMEM;
        t->cells[t->n_cells] = *cell;
        r = hash_index_add(&t->by_cell, hash, t->n_cells + 1, cell_hash_of, t);
        if (r >= 0)
                *ret = (uint32_t) t->n_cells++;
        return r;
}

/* Finds where the data is. As in perf, memory of no file is the process's, and unmapped addresses are equal in all processes. */
static AccessLine access_locate(const AccessTable *t, const Moment *m, const CodePlaces *places, uint64_t address) {
        const Map *map = process_view_find_map(places->view, m->sample->pid, moment_mode(m), address);
        const DsoHit *dso = map ? places->dsos->dsos + map->object : NULL;
        AccessLine line = { .is = { .cpumode = moment_mode(m), .mapped = map != NULL, .address = address } };

        if (map)
                line.is.address = address - map->start + map->page_offset;
        if (dso && dso->inode > 0) {
                line.is.device[0] = dso->major;
                line.is.device[1] = dso->minor;
                line.is.inode = dso->inode;
                line.is.generation = dso->generation;
        } else if (dso && line.is.cpumode != PERF_RECORD_MISC_KERNEL)
                line.is.pid = m->sample->pid;
        line.first = address / t->plan.line_bytes * t->plan.line_bytes;
        line.is.address = line.is.address / t->plan.line_bytes * t->plan.line_bytes;
        return line;
}

/* Notes the physical address of an access; 0: it is not known. */
static void access_note_physical(const AccessTable *t, uint64_t physical, uint64_t *nodes, uint64_t *last, uint64_t *n) {
        uint32_t node = physical > 0 ? memory_nodes_of_address(&t->machine, physical) : MEMORY_NODE_UNKNOWN;

        if (node < MEMORY_NODES_MAX)
                *nodes |= UINT64_C(1) << node;
        if (physical == 0 || (*last == physical && *n > 0))
                return;
        *last = physical;
        ++*n;
}

/* Finds or adds the point of an access. *ret is ACCESS_NONE if there are too many lines or points. */
static int access_find_place(AccessTable *t, const Moment *m, const CodePlaces *places, AccessPoint *point, const AccessLine *line,
                             uint32_t *ret) {
        const AccessPlan *plan = &t->plan;
        uint32_t dso = places->places[point->place].dso;
        const char *path = dso != DSO_NONE && (plan->by_code || plan->by_dso) ? places->dsos->dsos[dso].path : NULL;
        int r = access_find_line(t, line, &point->is.line);

        *ret = ACCESS_NONE;
        if (r >= 0 && path)
                r = byte_pool_intern(&t->paths, path, strlen(path) + 1, &point->is.path);
        if (r < 0 || point->is.line == ACCESS_NONE)
                return r;
        point->is.pid = plan->by_pid ? m->sample->pid : 0;
        point->is.tid = plan->by_tid ? m->sample->tid : 0;
        point->is.ip = plan->by_code ? m->sample->ip : 0;
        return access_find_point(t, point, ret);
}

/* Counts an access where it belongs. 1; 0: there is no room for it. */
static int access_count(AccessTable *t, const Moment *m, CodePlaces *places, uint32_t place, const AccessLine *line,
                        const SampleFacets *f, uint32_t facts) {
        AccessPoint point = { .is.offset = (uint32_t) (f->data % t->plan.line_bytes), .place = place }, *known;
        AccessCell cell = { .is = { .cpu = UINT32_MAX, .facts = facts } };
        uint32_t number;
        int r = access_find_place(t, m, places, &point, line, &cell.is.point);

        if (r < 0 || cell.is.point == ACCESS_NONE)
                return r;
        if (m->sample->sample_type & PERF_SAMPLE_CPU)
                cell.is.cpu = m->sample->cpu;
        cell.is.node = memory_nodes_of_cpu(&t->machine, cell.is.cpu);
        r = access_find_cell(t, &cell, &number);
        if (r < 0 || number == ACCESS_NONE)
                return r;
        t->cells[number].n++;
        t->cells[number].weight = saturate_sum(t->cells[number].weight, f->weight);
        known = t->points + cell.is.point;
        known->name = m->name;
        access_note_physical(t, f->physical, &known->nodes, &known->physical, &known->n_physical);
        access_note_physical(t, f->physical, &t->lines[known->is.line].nodes, &t->lines[known->is.line].physical,
                             &t->lines[known->is.line].n_physical);
        return 1;
}

int access_table_take(AccessTable *t, const Moment *m, CodePlaces *places, uint32_t place) {
        SampleFacets f = {};
        AccessLine line;
        uint32_t facts;
        int r;

        if (!(m->sample->sample_type & PERF_SAMPLE_DATA_SRC))
                return 0;
        sample_facets_take(&f, FACETS, m);
        line = access_locate(t, m, places, f.data);
        facts = access_facts(f.source, f.data != 0, line.is.mapped && places->places[place].dso != DSO_NONE);
        access_counts_add(&t->total, facts, 1);
        t->has_weights = t->has_weights || m->sample->sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
        t->has_cpus = t->has_cpus || m->sample->sample_type & PERF_SAMPLE_CPU;
        r = access_count(t, m, places, place, &line, &f, facts);
        if (r == 0)
                t->omitted++;
        return MIN_OF(r, 0);
}

static int compare_cells(const void *a, const void *b, void *table) {
        const AccessCell *x = a, *y = b;
        const AccessTable *t = table;
        uint32_t line = t->points[x->is.point].is.line, other = t->points[y->is.point].is.line;

        if (line != other)
                return line < other ? -1 : 1;
        if (x->is.point != y->is.point)
                return x->is.point < y->is.point ? -1 : 1;
        return x->is.cpu < y->is.cpu ? -1 : x->is.cpu > y->is.cpu;
}

void access_table_finish(AccessTable *t) {
        hash_index_done(&t->by_cell); /* numbers change */
        if (t->n_cells > 1)
                qsort_r(t->cells, t->n_cells, sizeof(*t->cells), compare_cells, t);
        for (size_t i = 0; i < t->n_cells;) {
                AccessLine *line = t->lines + t->points[t->cells[i].is.point].is.line;
                AccessCounts counts;

                line->begin = i;
                while (i < t->n_cells && t->lines + t->points[t->cells[i].is.point].is.line == line)
                        i++;
                line->end = i;
                counts = access_table_line(t, line);
                line->key = access_counts_sum(&counts, t->plan.key);
                line->shared = access_counts_sum(&counts, ACCESSES_HITM | ACCESSES_PEER) > 0;
                t->n_shared += line->shared;
                if (line->shared)
                        access_counts_merge(&t->shared, &counts);
        }
}

AccessCounts access_table_line(const AccessTable *t, const AccessLine *line) {
        AccessCounts counts = {};

        for (size_t i = line->begin; i < line->end; i++)
                access_counts_add(&counts, t->cells[i].is.facts, t->cells[i].n);
        return counts;
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int compare_lines(const void *a, const void *b, void *table) {
        const AccessTable *t = table;
        const AccessLine *x = t->lines + *(const uint32_t *) a, *y = t->lines + *(const uint32_t *) b;

        COMPARE(y->key, x->key);
        COMPARE(x->is.cpumode, y->is.cpumode);
        COMPARE(y->is.mapped, x->is.mapped);
        COMPARE(x->is.device[0], y->is.device[0]);
        COMPARE(x->is.device[1], y->is.device[1]);
        COMPARE(x->is.inode, y->is.inode);
        COMPARE(x->is.generation, y->is.generation);
        COMPARE(x->is.pid, y->is.pid);
        COMPARE(x->is.address, y->is.address);
        return 0;
}

uint32_t *access_table_order(const AccessTable *t) {
        uint32_t *order = calloc(t->n_lines + 1, sizeof(*order));

        if (!order)
                return NULL;
        for (uint32_t i = 0; i < t->n_lines; i++)
                order[i] = i;
        qsort_r(order, t->n_lines, sizeof(*order), compare_lines, (void *) t);
        return order;
}
