/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Makes the records that perf synthesizes; tools/perf/util/synthetic-events.c has their kinds, order and values. Time
 * and ids in their trailers are zero, so readers sort them before all others. Processes that exit in the meantime are
 * left out; the kernel's own records report those that start. As in perf, namespaces and groups that can't be read do not
 * end the recording. */

#include "synthesis.h"

#include <fcntl.h>
#include <fts.h>
#include <perf-recorder/environment.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "array.h"
#include "cgroup.h"
#include "kernel-map.h"
#include "living-thread.h"
#include "log.h"
#include "map-list.h"
#include "map-record.h"
#include "process-maps.h"
#include "process.h"
#include "record-layout.h"
#include "sideband-table.h"

#define COUNT_USEC (10 * USEC_PER_MSEC) /* for counting the mappings of a process that are left out */

/* As in perf, maps of the kernel and its modules are MMAP2 records only if they have build ids. */
static int synthesis_put_kernel_map(const Synthesis *s, const RecordMap *m, const char *dso) {
        const DsoHit d = { .path = dso, .cpumode = PERF_RECORD_MISC_KERNEL, .pid = MAP_RECORD_KERNEL_PID };
        RecordMap with_id = *m;
        DsoSearch search;
        BuildId id;

        if (!s->build_ids)
                return record_put_mmap(s->b, m, &s->trailer);
        dso_search_init(&search, s->root, NULL);
        if (dso_build_id_read(&search, &d, &id) >= 0)
                with_id.build_id = &id;
        return record_put_mmap2(s->b, &with_id, &s->trailer);
}

static int synthesis_put_kernel_text(const Synthesis *s) {
        char path[64];
        KernelMap map;
        int r = kernel_map_read(s->root, getenv(PR_RUNTIME_DIRECTORY_ENV), &map);

        if (r < 0)
                return r;
        (void) snprintf(path, sizeof(path), "[kernel.kallsyms]%s", map.symbol);
        return synthesis_put_kernel_map(s,
                              &(RecordMap) {
                                      .pid = MAP_RECORD_KERNEL_PID,
                                      .start = map.start,
                                      .length = map.end - map.start,
                                      .page_offset = map.start,
                                      .misc = PERF_RECORD_MISC_KERNEL,
                                      .path = path,
                              },
                              "[kernel.kallsyms]");
}

int synthesis_put_modules(const Synthesis *s) {
        _cleanup_(kernel_modules_done) KernelModules m = {};
        int r = kernel_modules_read(s->root, &m);

        for (size_t i = 0; i < m.n_modules && r >= 0; i++)
                r = synthesis_put_kernel_map(s,
                                   &(RecordMap) {
                                           .pid = MAP_RECORD_KERNEL_PID,
                                           .start = m.modules[i].start,
                                           .length = m.modules[i].size,
                                           .misc = PERF_RECORD_MISC_KERNEL,
                                           .path = m.modules[i].path,
                                   },
                                   m.modules[i].path);
        return r;
}

int synthesis_put_kernel(const Synthesis *s) {
        int r = synthesis_put_kernel_text(s);

        return r < 0 ? r : synthesis_put_modules(s);
}

typedef struct BpfSynthesis {
        const Synthesis *s;
        bool functions_only;
} BpfSynthesis;

static int synthesis_put_bpf_program(void *userdata, const BpfProgram *p, const BpfTypes *types) {
        const BpfSynthesis *b = userdata;
        const Synthesis *s = b->s;
        int r = 0;

        for (uint32_t i = 0; i < bpf_program_functions(p) && r >= 0; i++) {
                BpfFunction f;

                bpf_program_function(p, i, types, &f);
                r = record_put_ksymbol(s->b, f.address, f.length, PERF_RECORD_KSYMBOL_TYPE_BPF, 0, f.name, &s->trailer);
        }
        if (r >= 0 && !b->functions_only)
                r = record_put_bpf_program(s->b, p->info.id, p->info.tag, &s->trailer);
        return r;
}

int synthesis_put_bpf(const Synthesis *s, const BpfCatalog *catalog, bool functions_only) {
        return bpf_catalog_each(catalog, synthesis_put_bpf_program, &(BpfSynthesis) { s, functions_only });
}

static bool process_is_gone(int r) {
        return r == -ENOENT || r == -ESRCH;
}

/* The build id is the kernel's, otherwise that of the file. The vdso has none in these records, as in those of perf and the
 * kernel. */
static int synthesis_find_map_id(const Synthesis *s, pid_t pid, const ProcessMap *map, BuildId *ret) {
        *ret = map->id;
        if (!s->build_ids || map->id.size > 0 || *map->path != '/' || !map_record_has_file(map->path))
                return 0;
        return build_id_cache_get(s->cache,
                                  &(DsoHit) {
                                          .path = map->path,
                                          .cpumode = PERF_RECORD_MISC_USER,
                                          .pid = (uint32_t) pid,
                                          .major = map->major,
                                          .minor = map->minor,
                                          .inode = map->inode,
                                  },
                                  ret);
}

static int synthesis_put_map(const Synthesis *s, pid_t pid, const ProcessMap *map, uint16_t misc) {
        BuildId id;
        int r = synthesis_find_map_id(s, pid, map, &id);

        if (r < 0)
                return r;
        return record_put_mmap2(s->b,
                                &(RecordMap) {
                                        .pid = (uint32_t) pid,
                                        .tid = (uint32_t) pid,
                                        .start = map->start,
                                        .length = map->end - map->start,
                                        .page_offset = map->offset,
                                        .major = map->major,
                                        .minor = map->minor,
                                        .inode = map->inode,
                                        .build_id = id.size > 0 ? &id : NULL,
                                        .protection = map->protection,
                                        .flags = map->flags,
                                        .misc = PERF_RECORD_MISC_USER | misc,
                                        .path = *map->path ? map->path : "//anon",
                                },
                                &s->trailer);
}

typedef struct Share {
        size_t bytes, data_bytes; /* that are left of it */
        unsigned n;
        uint64_t left_out;
        usec_t counted_until;     /* 0: there is still room for code */
} Share;

static size_t synthesis_next_share(const Synthesis *s) {
        const SynthesisRoom *room = s->room;
        size_t total, left;

        if (!room)
                return SIDEBAND_TABLE_SHARE;
        total = sideband_total_of(SIDEBAND_TABLE_TOTAL, room->all);
        if (room->used <= total / 2)
                return SIDEBAND_TABLE_SHARE;
        left = total - MIN_OF(room->used, total);
        return MIN_OF(SIDEBAND_TABLE_SHARE, left / MAX_OF(room->processes, (size_t) 1));
}

/* Returns true if there is room for the mapping. Once there is no room for code, further mappings are only counted,
 * for a while. */
static bool share_takes(Share *share, const Synthesis *s, const ProcessMap *map) {
        size_t size = sizeof(PerfRecordMmap2) + PERF_ALIGN_UP(strlen(map->path) + 1, sizeof(uint64_t)) +
                      record_trailer_size(s->trailer.sample_type);
        bool data = !(map->protection & PROT_EXEC);

        if (share->counted_until > 0 || share->n >= MAP_LIST_MAX || size > share->bytes || (data && size > share->data_bytes)) {
                if (!data && share->counted_until == 0)
                        share->counted_until = now_usec(CLOCK_MONOTONIC) + COUNT_USEC;
                share->left_out++;
                return false;
        }
        share->bytes -= size;
        share->data_bytes -= data ? size : 0;
        share->n++;
        if (s->room)
                s->room->used += size;
        return true;
}

static int synthesis_put_maps(const Synthesis *s, ProcessMaps *maps, pid_t pid) {
        usec_t end = s->map_timeout > 0 ? now_usec(CLOCK_MONOTONIC) + s->map_timeout : USEC_INFINITY;
        size_t bytes = synthesis_next_share(s);
        Share share = { .bytes = bytes, .data_bytes = bytes / 2 };
        ProcessMap map;
        int r = process_maps_open(maps, pid);

        while (r >= 0 && (r = process_maps_next(maps, &map)) > 0) {
                /* As in perf, the last mapping is marked, so that readers know that there are more. */
                bool late = end != USEC_INFINITY && now_usec(CLOCK_MONOTONIC) > end;

                r = 0;
                if (share_takes(&share, s, &map)) {
                        r = synthesis_put_map(s, pid, &map,
                                    (late ? PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT : 0) |
                                            (map.protection & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA));
                } else if (share.counted_until > 0) {
                        process_maps_skip_names(maps);
                        if (now_usec(CLOCK_MONOTONIC) > share.counted_until)
                                break;
                }
                if (late) {
                        log_warning("Reading %s/proc/%d/maps time out. You may want to increase the time limit by "
                                    "--proc-map-timeout", s->root, pid);
                        break;
                }
        }
        if (share.left_out > 0 && s->left_out)
                s->left_out(s->userdata, pid, share.left_out);
        /* Without the right to read the maps, samples of the process have no symbols, but are recorded. */
        return process_is_gone(r) || r == -EACCES || r == -EPERM || r == -EBADMSG ? 0 : r;
}

static int synthesis_put_thread_comm(const Synthesis *s, pid_t pid, pid_t tid, const char *comm) {
        return record_put_comm(s->b, (uint32_t) pid, (uint32_t) tid, comm, 0, &s->trailer);
}

/* As in perf, the main thread's parent is that of the process, and all other threads are children of the main thread. */
static int synthesis_put_fork(const Synthesis *s, pid_t pid, pid_t tid, pid_t parent) {
        return record_put_fork(s->b, (uint32_t) pid, (uint32_t) parent, (uint32_t) tid, (uint32_t) parent, 0,
                               PERF_RECORD_MISC_FORK_EXEC, &s->trailer);
}

static int synthesis_put_other_threads(const Synthesis *s, const Process *p) {
        _cleanup_free_ pid_t *tids = NULL;
        size_t n = 0;
        int r = process_list(s->root, p->pid, &tids, &n);

        for (size_t i = 0; i < n && r >= 0; i++) {
                char comm[PROCESS_COMM_SIZE];

                r = process_read_comm(s->root, p->pid, tids[i], comm);
                if (process_is_gone(r)) {
                        r = 0;
                        continue;
                }
                if (r >= 0)
                        r = synthesis_put_fork(s, p->pid, tids[i], p->pid);
                if (r >= 0)
                        r = synthesis_put_namespaces(s, p->pid, tids[i]);
                if (r >= 0)
                        r = synthesis_put_thread_comm(s, p->pid, tids[i], comm);
        }
        return process_is_gone(r) ? 0 : r;
}

static int synthesis_put_process(const Synthesis *s, ProcessMaps *maps, pid_t pid) {
        Process p;
        int r = process_read(s->root, pid, &p);

        if (r < 0)
                return process_is_gone(r) || r == -EBADMSG ? 0 : r;
        r = synthesis_put_fork(s, pid, pid, p.ppid);
        if (r >= 0)
                r = synthesis_put_namespaces(s, pid, pid);
        if (r >= 0)
                r = synthesis_put_thread_comm(s, pid, pid, p.comm);
        if (r >= 0 && !p.kernel)
                r = synthesis_put_maps(s, maps, pid);
        if (r >= 0 && p.n_threads > 1)
                r = synthesis_put_other_threads(s, &p);
        return r;
}

int synthesis_put_processes(const Synthesis *s, const pid_t *pids, size_t n_pids) {
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        int r = process_maps_new(s->root, s->data, s->build_ids, &maps);

        for (size_t i = 0; i < n_pids && r >= 0; i++) {
                if (s->room)
                        *s->room = (SynthesisRoom) { .used = s->room->used, .all = n_pids, .processes = n_pids - i };
                r = synthesis_put_process(s, maps, pids[i]);
        }
        return r;
}

int synthesis_put_all(const Synthesis *s) {
        _cleanup_free_ pid_t *pids = NULL;
        size_t n = 0;
        int r = process_list(s->root, 0, &pids, &n);

        return r < 0 ? r : synthesis_put_processes(s, pids, n);
}

static int synthesis_put_thread(const Synthesis *s, ProcessMaps *maps, pid_t pid, pid_t tid) {
        char comm[PROCESS_COMM_SIZE];
        int r = process_read_comm(s->root, pid, tid, comm);

        if (r >= 0)
                r = synthesis_put_thread_comm(s, pid, tid, comm);
        if (r >= 0)
                r = synthesis_put_namespaces(s, pid, tid);
        if (r >= 0 && pid == tid)
                r = synthesis_put_maps(s, maps, pid);
        return r;
}

int synthesis_put_threads(const Synthesis *s, const pid_t *tids, size_t n_tids) {
        _cleanup_(process_maps_freep) ProcessMaps *maps = NULL;
        pid_t last_leader = 0;
        int r = process_maps_new(s->root, s->data, s->build_ids, &maps);

        for (size_t i = 0; i < n_tids && r >= 0; i++) {
                pid_t pid = 0;

                r = process_of_thread(s->root, tids[i], &pid);
                if (r >= 0)
                        r = synthesis_put_thread(s, maps, pid, tids[i]);
                /* The maps of a process are needed once, also if its main thread is not a target. */
                if (r >= 0 && pid != last_leader && !ANY_OF(n_tids, k, tids[k] == pid)) {
                        r = synthesis_put_thread(s, maps, pid, pid);
                        last_leader = pid;
                }
                if (process_is_gone(r))
                        r = 0;
        }
        return r;
}

int synthesis_put_comm(const Synthesis *s, pid_t pid) {
        char comm[PROCESS_COMM_SIZE];
        int r = process_read_comm(s->root, pid, pid, comm);

        if (r < 0)
                return process_is_gone(r) ? 0 : r;
        r = synthesis_put_thread_comm(s, pid, pid, comm);
        return r < 0 ? r : synthesis_put_namespaces(s, pid, pid);
}

int synthesis_put_namespaces(const Synthesis *s, pid_t pid, pid_t tid) {
        /* The order of NET_NS_INDEX and so on in linux/perf_event.h. */
        static const char *const names[NR_NAMESPACES] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
        struct perf_ns_link_info links[NR_NAMESPACES] = {};
        uint32_t living;

        if (!s->namespaces)
                return 0;
        living = living_thread(s->root, (uint32_t) pid);
        for (size_t i = 0; i < NR_NAMESPACES; i++) {
                char path[256];
                struct stat st;

                (void) snprintf(path, sizeof(path), "%s/proc/%u/ns/%s", s->root, living, names[i]);
                if (stat(path, &st) >= 0)
                        links[i] = (struct perf_ns_link_info) { .dev = st.st_dev, .ino = st.st_ino };
        }
        return record_put_namespaces(s->b, (uint32_t) pid, (uint32_t) tid, links, NR_NAMESPACES, &s->trailer);
}

int synthesis_put_cgroups(const Synthesis *s, const char *top) {
        _cleanup_free_ char *found = NULL;
        FTSENT *entry;
        FTS *tree;
        int r = 0;

        if (!top && cgroup_find_root(NULL, &found) < 0)
                return 0;
        top = top ?: found;
        tree = fts_open((char *const[]) { (char *) top, NULL }, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
        if (!tree)
                return errno == ENOMEM ? -ENOMEM : 0;
        while (r >= 0 && (entry = fts_read(tree))) {
                const char *below = entry->fts_path + strlen(top);
                uint64_t id = 0;

                /* One without an id has gone, or this file system has no such numbers. */
                if (entry->fts_info == FTS_D && cgroup_read_id(entry->fts_path, &id) >= 0)
                        r = record_put_cgroup(s->b, id, *below ? below : "/", &s->trailer);
        }
        (void) fts_close(tree);
        return r == -ENOMEM ? r : 0;
}
