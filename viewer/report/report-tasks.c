/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The lines are those of perf report (Linux 6.1), in the order of the tasks' numbers, while perf's order is that of a hash.
 * A program that is executed has none of the maps from before, which perf would still print. Parents that follow each
 * other in a circle, which only a made recording has, are cut where it is entered. */

#include "report-tasks.h"

#include <inttypes.h>
#include <sys/mman.h>

#include "array.h"
#include "byte-pool.h"
#include "map-record.h"
#include "process-rules.h"
#include "process-table.h"
#include "replay.h"
#include "utf8.h"

#define NO_PARENT UINT32_MAX
#define LEVEL_MAX 256 /* of indentation, for chains of parents without an end */
#define PATH_BYTES_MAX ((size_t) 8192)

typedef struct Task {
        uint32_t tid, pid; /* tid is first, as process-rules.h has it */
        uint32_t parent;   /* a tid, or NO_PARENT */
        bool listed;
        MapList maps; /* of a process's first thread; object: a number of files */
        struct Task *child, *sibling, *above;
} Task;

/* A block of the pool: this, then the path and its zero byte. */
typedef struct MappedFile {
        uint64_t inode;
        uint32_t protection, flags;
} MappedFile;

typedef struct Tasks {
        Task **tasks;
        size_t n, allocated, n_maps;
        HashIndex by_tid;
        BytePool files;
        Replay *replay;
        bool with_maps, incomplete;
} Tasks;

static void tasks_done(Tasks *t) {
        for (size_t i = 0; i < t->n; i++) {
                map_list_done(&t->tasks[i]->maps);
                free(t->tasks[i]);
        }
        free(t->tasks);
        hash_index_done(&t->by_tid);
        byte_pool_done(&t->files);
        replay_free(t->replay);
}

/* Finds or adds. -ENOSPC, -ENOMEM. */
static int tasks_get(Tasks *t, uint32_t pid, uint32_t tid, Task **ret) {
        Task *task = process_find(&t->by_tid, tid);

        if (!task) {
                if (t->n >= PROCESS_MAX)
                        return -ENOSPC;
                if (ARRAY_RESERVE(t->tasks, t->allocated, t->n + 1) < 0 || !(task = calloc(1, sizeof(*task))))
                        return -ENOMEM;
                *task = (Task) { .tid = tid, .pid = pid, .parent = NO_PARENT };
                if (hash_index_add(&t->by_tid, tid, (uintptr_t) task, process_hash, NULL) < 0) {
                        free(task);
                        return -ENOMEM;
                }
                t->tasks[t->n++] = task;
        }
        *ret = task;
        return 0;
}

static int tasks_fork(Tasks *t, const PerfRecordTask *fork) {
        Task *parent, *child, *leader;
        int r = tasks_get(t, fork->ppid, fork->ptid, &parent);

        if (r >= 0)
                r = tasks_get(t, fork->pid, fork->tid, &child);
        if (r < 0)
                return r;
        child->pid = fork->pid;
        child->parent = fork->ptid;
        if (!t->with_maps || !fork_is_of_process(fork))
                return 0;
        t->n_maps -= child->maps.n;
        map_list_done(&child->maps);
        leader = process_find(&t->by_tid, fork->ppid);
        if (!leader || !fork_inherits_maps(fork) || leader == child)
                return 0;
        if (leader->maps.n > PROCESS_TABLE_MAPS_MAX - t->n_maps)
                return -ENOSPC;
        r = map_list_copy(&child->maps, &leader->maps);
        t->n_maps += child->maps.n;
        return r;
}

static int tasks_comm(Tasks *t, const PerfRecordComm *comm) {
        Task *task;
        int r = tasks_get(t, comm->pid, comm->tid, &task);

        if (r >= 0 && record_is_exec(&comm->header)) {
                t->n_maps -= task->maps.n;
                map_list_done(&task->maps);
        }
        return r;
}

static int tasks_name_file(Tasks *t, const MappedFile *file, const char *path, uint32_t *ret) {
        _cleanup_free_ char *line = utf8_line(path, SIZE_MAX, PATH_BYTES_MAX), *block = NULL;
        size_t size;

        if (!line)
                return -ENOMEM;
        size = strlen(line) + 1;
        block = malloc(sizeof(*file) + size);
        if (!block)
                return -ENOMEM;
        memcpy(block, file, sizeof(*file));
        memcpy(block + sizeof(*file), line, size);
        return byte_pool_intern(&t->files, block, sizeof(*file) + size, ret);
}

/* Maps of the kernel are nobody's. */
static int tasks_map(Tasks *t, const PerfRecordMmap *m, const MappedFile *file, const char *path) {
        Map map = { .start = m->start, .end = m->start + m->length, .page_offset = m->page_offset };
        Task *task, *leader;
        size_t before;
        int r;

        if (m->pid == MAP_RECORD_KERNEL_PID || !t->with_maps || map.end <= map.start)
                return 0;
        r = tasks_get(t, m->pid, m->tid, &task);
        if (r >= 0)
                r = tasks_get(t, m->pid, m->pid, &leader);
        if (r < 0)
                return r;
        if (t->n_maps >= PROCESS_TABLE_MAPS_MAX)
                return -ENOSPC;
        r = tasks_name_file(t, file, path, &map.object);
        if (r < 0)
                return r;
        before = leader->maps.n;
        r = map_list_put(&leader->maps, &map);
        t->n_maps += leader->maps.n - before;
        return r;
}

/* An MMAP2 begins as an MMAP does. */
static int tasks_take_map(Tasks *t, const PerfRecordMmap *m) {
        const PerfRecordMmap2 *more = m->header.type == PERF_RECORD_MMAP2 ? (const void *) m : NULL;
        const MappedFile file = {
                .inode = more && !(m->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) ? more->inode : 0,
                .protection = more ? more->protection : m->header.misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC,
                .flags = more ? more->flags : 0,
        };

        return tasks_map(t, m, &file, more ? more->path : m->path);
}

static int tasks_take(Tasks *t, const struct perf_event_header *header) {
        const void *record = header;
        int q = 0;

        switch (header->type) {
        case PERF_RECORD_FORK:
                q = tasks_fork(t, record);
                break;
        case PERF_RECORD_COMM:
                q = tasks_comm(t, record);
                break;
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                q = tasks_take_map(t, record);
                break;
        default:
                break;
        }
        t->incomplete |= q == -ENOSPC;
        return q == -ENOSPC ? 0 : q;
}

static int tasks_compare_tasks(const void *a, const void *b) {
        const Task *x = *(Task *const *) a, *y = *(Task *const *) b;

        return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Puts each below its parent, in their order. */
static void tasks_link(Tasks *t) {
        if (t->n > 0)
                qsort(t->tasks, t->n, sizeof(Task *), tasks_compare_tasks);
        for (size_t i = t->n; i-- > 0;) {
                Task *task = t->tasks[i], *parent = task->parent == NO_PARENT ? NULL : process_find(&t->by_tid, task->parent);

                if (!parent || parent == task)
                        continue;
                task->above = parent;
                task->sibling = parent->child;
                parent->child = task;
        }
}

static void print_maps(const Tasks *t, const Task *task, int indent, FILE *f) {
        const Task *leader = process_find(&t->by_tid, task->pid);

        for (size_t i = 0; leader && i < leader->maps.n; i++) {
                const Map *m = leader->maps.maps + i;
                const ByteBlock *block = byte_pool_get(&t->files, m->object);
                MappedFile file;

                memcpy(&file, block->data, sizeof(file));
                (void) fprintf(f, "%*s  %" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " %s\n", indent, "", m->start,
                               m->end, file.protection & PROT_READ ? 'r' : '-', file.protection & PROT_WRITE ? 'w' : '-',
                               file.protection & PROT_EXEC ? 'x' : '-', file.flags & MAP_SHARED ? 's' : 'p', m->page_offset,
                               file.inode, (const char *) block->data + sizeof(file));
        }
}

static int print_task(Tasks *t, Task *task, int level, FILE *f) {
        const char *name;
        int indent, r = replay_name_thread(t->replay, task->pid, task->tid, &name);

        if (r < 0)
                return r == -ENOSPC ? 0 : r;
        task->listed = true;
        indent = fprintf(f, "  %8d %8d %8d |%*s", (int) task->pid, (int) task->tid, (int) task->parent, level, "");
        (void) fprintf(f, "%s\n", name);
        if (t->with_maps && indent > 0)
                print_maps(t, task, indent, f);
        return 0;
}

static Task *not_listed(Task *task) {
        while (task && task->listed)
                task = task->sibling;
        return task;
}

static int print_tree(Tasks *t, Task *root, FILE *f) {
        Task *task = root;
        int level = 0, r;

        while ((r = print_task(t, task, MIN_OF(level, LEVEL_MAX), f)) >= 0) {
                Task *next = not_listed(task->child);

                for (level += next != NULL; !next && task != root; level--) {
                        next = not_listed(task->sibling);
                        if (next)
                                break;
                        task = task->above;
                }
                if (!next)
                        break;
                task = next;
        }
        return r;
}

static int print_all(Tasks *t, FILE *f) {
        int r = 0;

        (void) fprintf(f, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
        for (size_t i = 0; r >= 0 && i < t->n; i++)
                if (!t->tasks[i]->above)
                        r = print_tree(t, t->tasks[i], f);
        for (size_t i = 0; r >= 0 && i < t->n; i++)
                if (!t->tasks[i]->listed)
                        r = print_tree(t, t->tasks[i], f);
        if (t->incomplete)
                (void) fprintf(f, "# There are too many to print all of them.\n");
        return r < 0 ? r : 0;
}

static int tasks_read(Tasks *t) {
        Moment m;
        int r;

        while ((r = replay_next(t->replay, &m)) == 1) {
                r = tasks_take(t, m.record);
                if (r < 0)
                        break;
        }
        return r;
}

int report_tasks_print(PerfDataReader *reader, bool maps, FILE *f) {
        _cleanup_(tasks_done) Tasks t = { .with_maps = maps };
        Task *idle;
        int read, r = replay_new(reader, &(ReplayOptions) {}, &t.replay);

        if (r >= 0)
                r = tasks_get(&t, 0, 0, &idle);
        if (r < 0)
                return r;
        read = tasks_read(&t);
        if (read == -ENOMEM)
                return read;
        tasks_link(&t);
        r = print_all(&t, f);
        return r < 0 ? r : read;
}
