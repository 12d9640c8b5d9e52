/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads /proc with few system calls: stat has name, parent, kind and number of threads in one read, at two thirds of
 * the cost of status. Processes come and go in the meantime, so -ENOENT and -ESRCH are ordinary results. */

#include "process.h"

#include <fcntl.h>
#include "array.h"
#include "parse-number.h"

#define STAT_MAX 1024           /* bytes; the longest name a worker thread of the kernel shows is 64 */
#define PROCESS_FLAG_KTHREAD 0x00200000ul /* PF_KTHREAD, include/linux/sched.h */
#define PROCESSES_MAX (1u << 22) /* PID_MAX_LIMIT */

static int proc_read_text(const char *path, char *buffer, size_t size) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        ssize_t n;

        if (fd < 0)
                return -errno;
        n = read(fd, buffer, size - 1);
        if (n < 0)
                return -errno;
        buffer[n] = '\0';
        return 0;
}

static void process_set_comm(char comm[static PROCESS_COMM_SIZE], const char *s, size_t n) {
        n = MIN_OF(n, (size_t) PROCESS_COMM_SIZE - 1);
        memset(comm, 0, PROCESS_COMM_SIZE);
        memcpy(comm, s, n);
}

int process_parse_stat(char *text, Process *ret) {
        char *open = strchr(text, '('), *close = strrchr(text, ')'); /* a name may have brackets of its own */
        Process p = {};
        unsigned long flags;

        if (!open || !close || close < open)
                return -EBADMSG;
        /* proc_pid_stat(5): state ppid pgrp session tty tpgid flags, eleven that don't matter, num_threads. */
        if (sscanf(text, "%d", &p.pid) != 1 ||
            sscanf(close + 1, " %*c %d %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u", &p.ppid, &flags,
                   &p.n_threads) != 3)
                return -EBADMSG;
        process_set_comm(p.comm, open + 1, (size_t) (close - open - 1));
        p.kernel = flags & PROCESS_FLAG_KTHREAD;
        *ret = p;
        return 0;
}

int process_read(const char *root, pid_t pid, Process *ret) {
        char path[256], text[STAT_MAX];
        int r;

        (void) snprintf(path, sizeof(path), "%s/proc/%d/stat", root, pid);
        r = proc_read_text(path, text, sizeof(text));
        return r < 0 ? r : process_parse_stat(text, ret);
}

int process_read_comm(const char *root, pid_t pid, pid_t tid, char ret[static PROCESS_COMM_SIZE]) {
        char path[256], text[STAT_MAX];
        int r;

        (void) snprintf(path, sizeof(path), "%s/proc/%d/task/%d/comm", root, pid, tid);
        r = proc_read_text(path, text, sizeof(text));
        if (r < 0)
                return r;
        process_set_comm(ret, text, strcspn(text, "\n"));
        return 0;
}

int process_of_thread(const char *root, pid_t tid, pid_t *ret) {
        char path[256], text[4096];
        const char *tgid;
        int r;

        (void) snprintf(path, sizeof(path), "%s/proc/%d/status", root, tid);
        r = proc_read_text(path, text, sizeof(text));
        if (r < 0)
                return r;
        tgid = strstr(text, "\nTgid:");
        if (!tgid || sscanf(tgid, "\nTgid: %d", ret) != 1)
                return -EBADMSG;
        return 0;
}

int process_list(const char *root, pid_t pid, pid_t **ret, size_t *ret_n) {
        _cleanup_free_ pid_t *list = NULL;
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *entry;
        size_t n = 0;
        char path[256];

        if (pid > 0)
                (void) snprintf(path, sizeof(path), "%s/proc/%d/task", root, pid);
        else
                (void) snprintf(path, sizeof(path), "%s/proc", root);
        dir = opendir(path);
        if (!dir)
                return -errno;
        while ((entry = readdir(dir))) {
                pid_t found;

                if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || parse_pid(entry->d_name, &found) < 0 || found == pid)
                        continue;
                if (n >= PROCESSES_MAX)
                        return -E2BIG;
                if (ARRAY_RESERVE_NEXT(list, n) < 0)
                        return -ENOMEM;
                list[n++] = found;
        }
        *ret = steal_ptr(list);
        *ret_n = n;
        return 0;
}
