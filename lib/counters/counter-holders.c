/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /proc/PID/fd has a link to "anon_inode:[perf_event]" for each event. Processes come and go while it is read: one that is gone
 * has none. Their names are theirs to choose. */

#include "counter-holders.h"

#include <fcntl.h>
#include <sys/stat.h>
#include "array.h"
#include "fd-file.h"
#include "format-text.h"
#include "parse-number.h"
#include "parse-time.h"
#include "utf8.h"

#define EVENT_LINK "anon_inode:[perf_event]"
#define WATCHDOG_NAME "NMI watchdog"
#define LIKWID_LOCK "/var/run/likwid.lock"
#define HOLDER_NAME_MAX 64u /* bytes; a name in comm has fewer */
#define DESCRIBED_MAX 8u
#define FLAG_KERNEL_THREAD 0x00200000u /* PF_KTHREAD in the flags of /proc/PID/stat */

typedef struct HolderList {
        CounterHolder *all;
        size_t n;
        size_t hidden;
} HolderList;

static void holder_list_done(HolderList *l) {
        (void) counter_holders_free(l->all, l->n);
}

CounterHolder *counter_holders_free(CounterHolder *l, size_t n) {
        for (size_t i = 0; i < n; i++)
                free(l[i].name);
        free(l);
        return NULL;
}

static int holder_list_add(HolderList *l, const CounterHolder *holder, const char *name) {
        if (l->n == COUNTER_HOLDERS_MAX) {
                l->hidden++;
                return 0;
        }
        if (ARRAY_RESERVE_NEXT(l->all, l->n) < 0)
                return -ENOMEM;
        l->all[l->n] = *holder;
        l->all[l->n].name = utf8_line(name, strcspn(name, "\n"), HOLDER_NAME_MAX);
        return l->all[l->n].name ? (int) l->n++ : -ENOMEM;
}

/* Returns whether it is a thread of the kernel, which has no descriptors. The fields follow the name, which may have any
 * character. */
static bool is_kernel_thread(int proc_fd, const char *pid) {
        _cleanup_free_ char *path = path_join(pid, "stat"), *text = NULL;
        const char *flags;

        if (!path || read_file_at(proc_fd, path, 4096, &text, NULL) < 0)
                return false;
        flags = strrchr(text, ')');
        for (unsigned i = 0; i < 7 && flags; i++) /* state, parent, group, session, terminal, its group, flags */
                flags = strchr(flags + 1, ' ');
        return flags && strtoul(flags, NULL, 10) & FLAG_KERNEL_THREAD;
}

/* Returns the number of events among the descriptors; -EACCES: they may not be read. */
static int count_events(int proc_fd, const char *pid) {
        _cleanup_free_ char *path = path_join(pid, "fd");
        _cleanup_closedir_ DIR *dir = NULL;
        struct dirent *entry;
        int r = path ? open_directory_at(proc_fd, path, &dir) : -ENOMEM, n = 0;

        if (r < 0)
                return r;
        while ((entry = readdir(dir))) {
                char link[sizeof(EVENT_LINK)];
                ssize_t size = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link));

                if (size < 0 && errno == EACCES)
                        return -EACCES;
                n += size == sizeof(EVENT_LINK) - 1 && memcmp(link, EVENT_LINK, sizeof(EVENT_LINK) - 1) == 0;
        }
        return n;
}

static int look_at_process(HolderList *l, int proc_fd, const char *word, pid_t pid) {
        _cleanup_free_ char *path = NULL, *name = NULL;
        CounterHolder holder = { .pid = pid };
        struct stat st;
        int n = count_events(proc_fd, word);

        if (n == -EACCES || n == -EPERM)
                l->hidden += !is_kernel_thread(proc_fd, word);
        if (n <= 0)
                return n == -ENOMEM ? n : 0;
        path = path_join(word, "comm");
        if (!path)
                return -ENOMEM;
        if (fstatat(proc_fd, word, &st, 0) < 0 || read_file_at(proc_fd, path, 4096, &name, NULL) < 0)
                return 0;
        holder.uid = st.st_uid;
        holder.n_events = (unsigned) n;
        return holder_list_add(l, &holder, name);
}

static int look_at_processes(HolderList *l, const CounterHoldersSearch *search, DIR *proc) {
        struct dirent *entry;
        int r = 0;

        while (r >= 0 && (entry = readdir(proc))) {
                pid_t pid;

                if (parse_pid(entry->d_name, &pid) < 0 || ANY_OF(search->n_except, i, search->except[i] == pid))
                        continue;
                if (search->deadline != 0 && now_usec(CLOCK_MONOTONIC) >= search->deadline)
                        l->hidden++;
                else
                        r = look_at_process(l, dirfd(proc), entry->d_name, pid);
        }
        return r;
}

static int look_at_others(HolderList *l, const char *root, int proc_fd) {
        _cleanup_free_ char *watchdog = NULL, *lock = path_join(root, LIKWID_LOCK);
        struct stat st;
        int r = lock ? 0 : -ENOMEM;

        if (r >= 0 && read_file_at(proc_fd, "sys/kernel/nmi_watchdog", 64, &watchdog, NULL) >= 0 && *watchdog == '1')
                r = holder_list_add(l, &(CounterHolder) {}, WATCHDOG_NAME);
        if (r >= 0 && stat(lock, &st) == 0)
                r = holder_list_add(l, &(CounterHolder) { .uid = st.st_uid }, "LIKWID (" LIKWID_LOCK ")");
        return r;
}

static int compare_holders(const void *a, const void *b) {
        const CounterHolder *x = a, *y = b;

        if (x->n_events != y->n_events)
                return x->n_events < y->n_events ? 1 : -1;
        return (x->pid > y->pid) - (x->pid < y->pid);
}

int counter_holders_find(const CounterHoldersSearch *search, CounterHolder **ret, size_t *ret_n, size_t *ret_hidden) {
        const char *root = search->root ?: "/";
        _cleanup_free_ char *path = path_join(root, "proc");
        _cleanup_(holder_list_done) HolderList l = {};
        _cleanup_closedir_ DIR *proc = NULL;
        int r = path ? open_directory_at(AT_FDCWD, path, &proc) : -ENOMEM;

        if (r >= 0)
                r = look_at_processes(&l, search, proc);
        if (r >= 0 && search->kind == COUNTER_HARDWARE)
                r = look_at_others(&l, root, dirfd(proc));
        if (r < 0)
                return r;
        if (l.n > 0)
                qsort(l.all, l.n, sizeof(CounterHolder), compare_holders);
        *ret = steal_ptr(l.all);
        *ret_n = l.n;
        *ret_hidden = l.hidden;
        l.n = 0;
        return 0;
}

char *counter_holders_describe(const CounterHolder *l, size_t n, size_t hidden) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        for (size_t i = 0; i < MIN_OF(n, (size_t) DESCRIBED_MAX); i++) {
                const CounterHolder *h = &l[i];

                (void) fputs(i > 0 ? ", " : "", f);
                if (h->pid != 0)
                        (void) fprintf(f, "%s (PID %d, %u event%s)", h->name, (int) h->pid, h->n_events,
                                       h->n_events == 1 ? "" : "s");
                else if (streq(h->name, WATCHDOG_NAME))
                        (void) fprintf(f, "the %s", h->name);
                else
                        (void) fprintf(f, "%s of UID %u", h->name, (unsigned) h->uid);
        }
        if (n > DESCRIBED_MAX)
                (void) fprintf(f, ", %zu others", n - DESCRIBED_MAX);
        if (hidden > 0)
                (void) fprintf(f, "%sone of %zu process%s whose descriptors could not be read", n > 0 ? ", or " : "", hidden,
                               hidden == 1 ? "" : "es");
        else if (n == 0)
                (void) fputs("nobody who was found", f);
        return fclose(f) == 0 ? steal_ptr(text) : NULL;
}
