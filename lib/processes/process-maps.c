/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* There are two ways to read mappings. Since Linux 6.11 there is an ioctl on /proc/PID/maps (PROCMAP_QUERY,
 * fs/proc/task_mmu.c): one call for each executable mapping, which takes a quarter of the time of printing and parsing
 * all mappings, since for each executable one a process has a dozen others. On other kernels the text is read in large
 * pieces. The first process shows which way it is; that does not change later.
 *
 * A process whose first thread has ended shows no mappings; those of its other threads are the same. */

#include "process-maps.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "living-thread.h"

#define TEXT_SIZE (UINT64_C(256) * 1024) /* bytes of one read; a line has a path of 4096 at most */
#define TEXT_MAX (UINT64_C(32) * 1024 * 1024) /* of a process: 65,530 lines are 6 MiB, unless their paths are long */

/* struct procmap_query of linux/fs.h since 6.11. */
typedef struct MapQuery {
        uint64_t size;
        uint64_t query_flags;
        uint64_t query_address;
        uint64_t start, end;
        uint64_t vma_flags;
        uint64_t page_size;
        uint64_t offset;
        uint64_t inode;
        uint32_t major, minor;
        uint32_t name_size;
        uint32_t build_id_size;
        uint64_t name_address;
        uint64_t build_id_address;
} MapQuery;

#define MAP_QUERY_IOCTL _IOWR('f', 17, MapQuery)
#define MAP_QUERY_READABLE UINT64_C(0x01)
#define MAP_QUERY_WRITABLE UINT64_C(0x02)
#define MAP_QUERY_EXECUTABLE UINT64_C(0x04)
#define MAP_QUERY_SHARED UINT64_C(0x08)
#define MAP_QUERY_COVERING_OR_NEXT UINT64_C(0x10)

struct ProcessMaps {
        char *root;
        int fd;
        bool data;       /* not only executable mappings */
        bool no_query;   /* the kernel is older than 6.11 */
        bool want_ids;
        bool nameless;   /* process_maps_skip_names() */
        pid_t pid;       /* that was opened and has shown no mapping yet; 0: none */
        uint64_t next;   /* query: address to continue from */
        uint64_t n_read; /* text: bytes of this process */
        char *text;      /* text: TEXT_SIZE and a NUL, allocated when first needed */
        size_t begin, end; /* of the text that was not parsed yet */
        char path[PATH_MAX];
};

int process_maps_new(const char *root, bool data, bool build_ids, ProcessMaps **ret) {
        ProcessMaps *m = calloc(1, sizeof(ProcessMaps));

        if (!m)
                return -ENOMEM;
        m->fd = -EBADF;
        m->data = data;
        m->want_ids = build_ids;
        m->root = strdup(root);
        if (!m->root)
                return free(m), -ENOMEM;
        *ret = m;
        return 0;
}

ProcessMaps *process_maps_free(ProcessMaps *m) {
        if (!m)
                return NULL;
        safe_close(m->fd);
        free(m->text);
        free(m->root);
        free(m);
        return NULL;
}

void process_maps_skip_names(ProcessMaps *m) {
        m->nameless = true;
}

static int process_maps_open_thread(ProcessMaps *m, pid_t tid) {
        char path[256];

        m->fd = safe_close(m->fd);
        m->next = m->n_read = 0;
        m->begin = m->end = 0;
        (void) snprintf(path, sizeof(path), "%s/proc/%d/maps", m->root, tid);
        m->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        return m->fd < 0 ? -errno : 0;
}

int process_maps_open(ProcessMaps *m, pid_t pid) {
        m->nameless = false;
        m->pid = pid;
        return process_maps_open_thread(m, pid);
}

static int process_maps_next_by_query(ProcessMaps *m, ProcessMap *ret) {
        MapQuery q = {
                .size = sizeof(q),
                .query_flags = (m->data ? 0 : MAP_QUERY_EXECUTABLE) | MAP_QUERY_COVERING_OR_NEXT,
                .query_address = m->next,
        };
        BuildId id = {};

        if (!m->nameless) {
                q.name_size = sizeof(m->path);
                q.name_address = (uint64_t) (uintptr_t) m->path;
        }
        if (m->want_ids && !m->nameless) {
                q.build_id_size = sizeof(id.bytes);
                q.build_id_address = (uint64_t) (uintptr_t) id.bytes;
        }

        m->path[0] = '\0';
        if (ioctl(m->fd, MAP_QUERY_IOCTL, &q) < 0)
                return errno == ENOENT ? 0 : -errno;
        m->next = q.end;
        id.size = (uint8_t) MIN_OF(q.build_id_size, (uint32_t) sizeof(id.bytes));
        *ret = (ProcessMap) {
                .start = q.start,
                .end = q.end,
                .offset = q.offset,
                .major = q.major,
                .minor = q.minor,
                .inode = q.inode,
                .protection = (q.vma_flags & MAP_QUERY_READABLE ? PROT_READ : 0) |
                              (q.vma_flags & MAP_QUERY_WRITABLE ? PROT_WRITE : 0) |
                              (q.vma_flags & MAP_QUERY_EXECUTABLE ? PROT_EXEC : 0),
                .flags = q.vma_flags & MAP_QUERY_SHARED ? MAP_SHARED : MAP_PRIVATE,
                .id = id,
                .path = q.name_size > 0 ? m->path : "",
        };
        return 1;
}

int process_map_parse(char *line, ProcessMap *ret) {
        unsigned long long start, end, offset, inode;
        unsigned major, minor;
        char access[5];
        int consumed = 0;

        if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, access, &offset, &major, &minor, &inode,
                   &consumed) < 7 ||
            consumed == 0 || strlen(access) != 4)
                return -EBADMSG;
        *ret = (ProcessMap) {
                .start = start,
                .end = end,
                .offset = offset,
                .major = major,
                .minor = minor,
                .inode = inode,
                .protection = (access[0] == 'r' ? PROT_READ : 0u) | (access[1] == 'w' ? PROT_WRITE : 0u) |
                              (access[2] == 'x' ? PROT_EXEC : 0u),
                .flags = access[3] == 's' ? MAP_SHARED : MAP_PRIVATE,
                .path = line + consumed,
        };
        return 0;
}

/* Moves the rest of the text to the front and reads on: 1, or 0 at the end. */
static int process_maps_fill_text(ProcessMaps *m) {
        ssize_t n;

        if (!m->text) {
                m->text = malloc(TEXT_SIZE + 1);
                if (!m->text)
                        return -ENOMEM;
        }
        if (m->begin > 0)
                memmove(m->text, m->text + m->begin, m->end - m->begin);
        m->end -= m->begin;
        m->begin = 0;
        if (m->end == TEXT_SIZE)
                return -EBADMSG;
        if (m->n_read >= TEXT_MAX)
                return 0;
        n = read(m->fd, m->text + m->end, TEXT_SIZE - m->end);
        if (n < 0)
                return -errno;
        m->end += (size_t) n;
        m->n_read += (uint64_t) n;
        m->text[m->end] = '\0';
        return n > 0;
}

static int process_maps_next_line(ProcessMaps *m, char **ret) {
        for (;;) {
                char *begin = m->text ? m->text + m->begin : NULL;
                char *newline = begin ? memchr(begin, '\n', m->end - m->begin) : NULL;
                int r;

                if (newline) {
                        *newline = '\0';
                        m->begin = (size_t) (newline + 1 - m->text);
                        *ret = begin;
                        return 1;
                }
                r = process_maps_fill_text(m);
                if (r <= 0)
                        return r;
        }
}

static int process_maps_next_by_text(ProcessMaps *m, ProcessMap *ret) {
        char *line;
        int r;

        while ((r = process_maps_next_line(m, &line)) > 0) {
                /* Most lines are not executable: the third character after the first blank shows it. */
                const char *blank = strchr(line, ' ');

                if (!blank || strnlen(blank, 4) < 4 || (blank[3] != 'x' && !(m->data && blank[1] == 'r')))
                        continue;
                if (process_map_parse(line, ret) >= 0)
                        return 1;
        }
        return r;
}

static int process_maps_next_of_thread(ProcessMaps *m, ProcessMap *ret) {
        while (!m->no_query) {
                int r = process_maps_next_by_query(m, ret);

                if (r == -ENOTTY)
                        m->no_query = true;
                else if (r <= 0 || (ret->protection & (PROT_EXEC | PROT_READ)))
                        return r;
        }
        return process_maps_next_by_text(m, ret);
}

int process_maps_next(ProcessMaps *m, ProcessMap *ret) {
        pid_t pid = m->pid, living;
        int r = process_maps_next_of_thread(m, ret);

        m->pid = 0;
        if (pid == 0 || (r != 0 && r != -ESRCH))
                return r;
        living = (pid_t) living_thread(m->root, (uint32_t) pid);
        if (living == pid || process_maps_open_thread(m, living) < 0)
                return r;
        return process_maps_next_of_thread(m, ret);
}
