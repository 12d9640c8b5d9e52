/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From addresses to places. Names of binaries are perf's: memory of no file, which has code that the process generated,
 * is the file /tmp/perf-PID.map, and a program of BPF is a binary of its own. As in perf, exec leaves the maps, until others
 * are put over them: samples in execve(2) itself have call chains that begin in the old program. Generated code of which the
 * process keeps a jitdump has its places in that file, at the time of the sample.
 *
 * A program that is executed, and a process that gets the number of one that has ended, has generated code of its own: the
 * binary of each has the number of the life as its generation.
 *
 * Invariant: place 0 is the unmapped address 0. */

#include "code-places.h"

#include <time.h>

#include "array.h"
#include "jit-dump.h"
#include "map-record.h"
#include "process-rules.h"
#include "symbols.h"

#define KERNEL_START_MAX ((uint64_t) 64 << 20) /* bytes behind the kernel's text in which the code of its start lies */

int code_places_init(CodePlaces *p) {
        uint32_t first;
        int r = symbol_table_new(&p->programs);

        return r < 0 ? r : code_places_find(p, 0, PERF_RECORD_MISC_USER, 0, &first);
}

void code_places_done(CodePlaces *p) {
        free(p->places);
        free(p->map_sizes);
        hash_index_done(&p->index);
        dso_table_done(&p->dsos);
        process_table_done(&p->processes);
        symbol_table_free(p->programs);
        jit_processes_done(&p->jit);
        for (size_t i = 0; i < p->n_earlier; i++) {
                symbol_table_free(p->earlier[i].programs);
                recorded_kernel_done(&p->earlier[i].kernel);
        }
        recorded_kernel_done(&p->kernel);
        free(p->earlier);
        *p = (CodePlaces) {};
}

void code_places_begin(CodePlaces *p, bool build_ids) {
        process_table_done(&p->processes);
        p->processes = (ProcessTable) {};
        jit_processes_begin(&p->jit);
        p->build_ids = build_ids;
        p->kernel_changed = true;
}

void code_places_set_files(CodePlaces *p, const char *directory, const char *root) {
        p->jit.directory = directory;
        p->jit.root = root;
}

static bool is_monotonic(const struct perf_event_attr *attr) {
        return attr->use_clockid && attr->clockid == CLOCK_MONOTONIC && attr->sample_type & PERF_SAMPLE_TIME;
}

void code_places_set_clock(CodePlaces *p, const PerfDataEvent *events, size_t n) {
        p->jit.timed = n > 0 && !ANY_OF(n, i, !is_monotonic(&events[i].attr));
}

int code_places_next_recording(CodePlaces *p) {
        SymbolTable *programs;
        int r;

        if (ARRAY_RESERVE_NEXT(p->earlier, p->n_earlier) < 0)
                return -ENOMEM;
        r = symbol_table_new(&programs);
        if (r < 0)
                return r;
        p->earlier[p->n_earlier++] = (CodeOrigin) { .end_dso = p->dsos.n, .programs = p->programs, .kernel = p->kernel };
        p->programs = programs;
        p->kernel = (RecordedKernel) {};
        dso_table_forget(&p->dsos);
        return 0;
}

size_t code_places_recording_of(const CodePlaces *p, uint32_t dso) {
        size_t n = 0;

        while (n < p->n_earlier && dso >= p->earlier[n].end_dso)
                n++;
        return n;
}

/* Maps have the number of their binary as object; the page offset says what is at their start. */
static int add_map(CodePlaces *p, const DsoHit *dso, uint64_t start, uint64_t length, uint64_t page_offset) {
        Map map = { .start = start, .end = start + length, .page_offset = page_offset };
        Process *process;
        int r = dso_table_intern(&p->dsos, dso, &map.object);

        if (r >= 0)
                r = process_table_get(&p->processes, dso->pid, &process);
        if (r >= 0)
                r = map_list_put(&process->maps, &map);
        if (r >= 0) {
                process->name = ++p->generation;
                p->kernel_changed = p->kernel_changed || dso->pid == MAP_RECORD_KERNEL_PID;
                r = process_table_note_maps(&p->processes, 1);
        }
        return r == -ENOMEM ? r : 0;
}

/* The names that perf takes for memory without a file that may have generated code. */
static bool is_generated(const char *path) {
        return startswith(path, "//anon") || startswith(path, "/dev/zero") || startswith(path, "/anon_hugepage");
}

static int set_generated(CodePlaces *p, MapRecord *m, char *path, size_t size) {
        Process *process;
        int r = process_table_get(&p->processes, m->pid, &process);

        (void) snprintf(path, size, "/tmp/perf-%u.map", m->pid);
        m->dso = (DsoHit) { .path = path, .cpumode = PERF_RECORD_MISC_USER, .pid = m->pid };
        if (r >= 0)
                m->dso.generation = 1 + (uint64_t) process->life;
        m->page_offset = m->start; /* its symbols have the processor's addresses */
        return r == -ENOMEM ? r : 0;
}

/* A jitdump is mapped to show which file it is. */
static int note_jit_dump(CodePlaces *p, const DsoHit *dso) {
        uint32_t number;
        int r = dso_table_intern(&p->dsos, dso, &number);

        return r < 0 ? (r == -ENOMEM ? r : 0) : jit_processes_note(&p->jit, dso->pid, number);
}

static int note_kernel(CodePlaces *p, const MapRecord *m) {
        uint32_t number;
        int r = dso_table_intern(&p->dsos, &m->dso, &number);

        return r < 0 ? (r == -ENOMEM ? r : 0) : recorded_kernel_take(&p->kernel, m, p->dsos.dsos[number].path);
}

static int take_map(CodePlaces *p, const struct perf_event_header *record) {
        char generated[32];
        bool data = p->with_data && record->misc & PERF_RECORD_MISC_MMAP_DATA;
        MapRecord m;
        int r = 0;

        if (data ? !map_record_parse_data(record, p->build_ids, &m) : !map_record_parse(record, p->build_ids, &m))
                return 0;
        if (data) /* of no file, it has the processor's addresses */
                return add_map(p, &m.dso, m.start, m.length, m.kernel || !m.has_file ? m.start : m.page_offset);
        if (!m.kernel && is_generated(m.dso.path))
                r = set_generated(p, &m, generated, sizeof(generated));
        else if (!m.kernel && jit_dump_is_path(m.dso.path))
                r = note_jit_dump(p, &m.dso);
        else if (m.kernel)
                r = note_kernel(p, &m);
        return r < 0 ? r : add_map(p, &m.dso, m.start, m.length, m.kernel ? m.start : m.page_offset);
}

static int take_kernel_symbol(CodePlaces *p, const struct perf_event_header *record) {
        const PerfRecordKsymbol *k = (const void *) record;
        const DsoHit dso = { .path = k->name, .cpumode = PERF_RECORD_MISC_KERNEL, .pid = MAP_RECORD_KERNEL_PID };
        int r = 0;

        if (!*k->name || k->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || k->length == 0 || k->address > UINT64_MAX - k->length)
                return 0;
        if (!p->programs_known)
                r = symbol_table_put(p->programs, k->address, k->length, SYMBOL_RANK_GLOBAL, k->name, strlen(k->name));
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return add_map(p, &dso, k->address, k->length, k->address);
}

/* The first FORK of a process may follow maps of its own. */
static void begin_life(CodePlaces *p, const struct perf_event_header *record) {
        uint32_t pid = record->type == PERF_RECORD_COMM ? ((const PerfRecordComm *) record)->pid :
                       ((const PerfRecordTask *) record)->pid;
        Process *process = process_table_find(&p->processes, pid);

        if (process && (record->type == PERF_RECORD_COMM || process->begun))
                process->life++;
}

static int take_fork(CodePlaces *p, const struct perf_event_header *record) {
        const PerfRecordTask *task = (const void *) record;
        int r;

        if (fork_is_of_process(task))
                begin_life(p, record);
        r = process_table_fork(&p->processes, task);
        if (r > 0)
                process_table_find(&p->processes, task->pid)->name =
                        r == 1 ? process_table_find(&p->processes, task->ppid)->name : ++p->generation;
        if (r != -ENOMEM && fork_is_of_process(task))
                r = jit_processes_fork(&p->jit, task->pid, task->ppid);
        return r == -ENOMEM ? r : 0;
}

int code_places_take(CodePlaces *p, const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return take_map(p, record);
        case PERF_RECORD_KSYMBOL:
                return take_kernel_symbol(p, record);
        case PERF_RECORD_FORK:
                return take_fork(p, record);
        case PERF_RECORD_COMM:
                if (record_is_exec(record)) {
                        begin_life(p, record);
                        process_table_exec(&p->processes, ((const PerfRecordComm *) record)->pid);
                        jit_processes_exec(&p->jit, ((const PerfRecordComm *) record)->pid);
                }
                return 0;
        default:
                return 0;
        }
}

uint32_t code_places_generation(CodePlaces *p, uint32_t pid) {
        const Process *process = process_table_find(&p->processes, pid);
        const JitSample sample = { .dsos = p->dsos.dsos, .pid = pid, .time = p->time };

        if (!process || p->jit.n == 0)
                return process ? process->name : 0;
        return jit_processes_generation(&p->jit, &sample, process->name, &p->generation);
}

static uint64_t place_hash(const CodePlace *place) {
        return HASH_INDEX_HALF(hash_mix(hash_mix(place->dso, place->ip), place->address ^ (uint64_t) place->level << 56 ^
                                        (uint64_t) place->caller << 48));
}

static uint64_t place_hash_of(const void *owner, uintptr_t entry) {
        const CodePlaces *p = owner;

        return HASH_INDEX_HAS_HASH ? HASH_INDEX_HALF(entry) : place_hash(p->places + hash_index_number(entry) - 1);
}

static bool place_equal(const CodePlace *a, const CodePlace *b) {
        return a->ip == b->ip && a->address == b->address && a->dso == b->dso && a->level == b->level && a->caller == b->caller;
}

static int place_intern(CodePlaces *p, const CodePlace *place, uint32_t *ret) {
        uint64_t hash = place_hash(place);
        uintptr_t found = HASH_INDEX_FIND(&p->index, hash, entry,
                                          hash_index_may_be(entry, hash) &&
                                                  place_equal(p->places + hash_index_number(entry) - 1, place));
        int r;

        if (found > 0 || p->n >= CODE_PLACES_MAX) {
                *ret = found > 0 ? hash_index_number(found) - 1 : 0;
                return 0;
        }
        if (ARRAY_RESERVE(p->places, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        p->places[p->n] = *place;
        r = hash_index_add(&p->index, hash, hash_index_entry(hash, (uint32_t) p->n + 1), place_hash_of, p);
        if (r >= 0)
                *ret = (uint32_t) p->n++;
        return r;
}

static char level_of(uint16_t cpumode) {
        switch (cpumode) {
        case PERF_RECORD_MISC_KERNEL:
                return 'k';
        case PERF_RECORD_MISC_HYPERVISOR:
                return 'H';
        case PERF_RECORD_MISC_GUEST_KERNEL:
                return 'g';
        case PERF_RECORD_MISC_GUEST_USER:
                return 'u';
        default:
                return '.';
        }
}

/* The kernel's map ends where its text does. The code with which it starts lies behind its data: all idle tasks have that as
 * callers. */
static const Map *find_kernel_map(const CodePlaces *p, const MapList *maps, uint64_t ip) {
        const Map *found = map_list_find(maps, ip), *before = found ? NULL : map_list_before(maps, ip);

        if (before && ip - before->end < KERNEL_START_MAX && streq(p->dsos.dsos[before->object].path, "[kernel.kallsyms]"))
                return before;
        return found;
}

/* A guest's maps are not recorded. */
static const Map *find_map(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip) {
        const Process *process;

        if (cpumode != PERF_RECORD_MISC_KERNEL && cpumode != PERF_RECORD_MISC_USER)
                return NULL;
        process = process_table_find(&p->processes, cpumode == PERF_RECORD_MISC_KERNEL ? MAP_RECORD_KERNEL_PID : pid);
        if (!process)
                return NULL;
        return cpumode == PERF_RECORD_MISC_KERNEL ? find_kernel_map(p, &process->maps, ip) : map_list_find(&process->maps, ip);
}

/* Returns whether the address is in memory of no file, or of one in memory. */
static bool may_be_generated(const CodePlaces *p, const Map *map) {
        const char *path = map && map->object < p->dsos.n ? p->dsos.dsos[map->object].path : NULL;

        return !path || symbols_is_perf_map(path) || !map_record_has_file(path) || map_record_is_memfd(path);
}

static int find_generated(CodePlaces *p, uint32_t pid, const Map *map, CodePlace *place) {
        const JitSample sample = { .dsos = p->dsos.dsos, .pid = pid, .time = p->time };
        int r;

        if (p->jit.n == 0 || !may_be_generated(p, map))
                return 0;
        r = jit_processes_find(&p->jit, &sample, place->ip - place->caller, &place->dso, &place->address);
        if (r > 0)
                place->address += place->caller;
        return r;
}

/* The sizes are not known of places that were found before they were wanted. */
static int set_map_size(CodePlaces *p, uint32_t place, const Map *map) {
        size_t n = p->n_map_sizes;

        if (place < n)
                return 0;
        if (ARRAY_RESERVE(p->map_sizes, p->map_sizes_allocated, place + 1u) < 0)
                return -ENOMEM;
        for (; n < place; n++)
                p->map_sizes[n] = 0;
        p->map_sizes[n] = map ? map->end - map->start : 0;
        p->n_map_sizes = n + 1;
        return 0;
}

/* Finds the map of an address; a mode that is any becomes the one of the map. */
static const Map *find_map_of_mode(CodePlaces *p, uint32_t pid, uint16_t *cpumode, uint64_t ip) {
        static const uint16_t modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL };
        const Map *map = NULL;

        if (*cpumode != CODE_PLACES_ANY_MODE)
                return find_map(p, pid, *cpumode, ip);
        for (size_t i = 0; !map && i < ELEMENTSOF(modes); i++) {
                *cpumode = modes[i];
                map = find_map(p, pid, *cpumode, ip);
        }
        if (!map)
                *cpumode = PERF_RECORD_MISC_HYPERVISOR;
        return map;
}

static int find_place(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, bool caller, uint32_t *ret) {
        const Map *map = find_map_of_mode(p, pid, &cpumode, ip - (caller && ip > 0));
        CodePlace place = { .ip = ip, .address = ip, .dso = DSO_NONE, .level = level_of(cpumode), .caller = caller && ip > 0 };
        int r;

        if (map) {
                place.dso = map->object;
                place.address = ip - map->start + map->page_offset;
        }
        r = cpumode == PERF_RECORD_MISC_USER ? find_generated(p, pid, map, &place) : 0;
        if (r < 0)
                return r;
        place.caller = place.caller && place.dso != DSO_NONE;
        if (p->by_file && place.level == '.' && place.dso != DSO_NONE)
                place.ip = place.address;
        else if (p->by_file && place.level == '.' && caller)
                place = (CodePlace) { .ip = CODE_PLACE_NOWHERE, .dso = DSO_NONE, .level = place.level };
        r = place_intern(p, &place, ret);
        return r >= 0 && p->with_map_sizes ? set_map_size(p, *ret, map) : r;
}

int code_places_find(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return find_place(p, pid, cpumode, ip, false, ret);
}

int code_places_find_caller(CodePlaces *p, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return find_place(p, pid, cpumode, ip, true, ret);
}
