/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A target is CPUs (all or a list) or tasks (processes with all their threads, single threads, a user's processes, a
 * command that waits for its exec), never both: target_check() decides as perf record does. Tasks are followed on
 * every CPU that is online, so that each CPU has one ring and children can inherit the events; only --per-thread gives
 * each thread a ring of its own.
 *
 * A process may exit while it is read: a thread that has exited in between is no error, a missing process that was
 * named by its number is one. */

#include "target.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include "array.h"
#include "fd-file.h"
#include "parse-number.h"

void target_done(Target *t) {
        free(t->cpus);
        free(t->pids);
        free(t->tids);
        *t = (Target) TARGET_EMPTY;
}

bool target_has_cpu(const Target *t) {
        return t->all_cpus || t->n_cpus > 0;
}

bool target_has_task(const Target *t) {
        return t->all_threads || t->n_pids > 0 || t->n_tids > 0 || t->uid != TARGET_UID_INVALID;
}

bool target_is_command(const Target *t) {
        return t->command > 0 && !target_has_cpu(t) && !target_has_task(t);
}

int target_set_cpus(Target *t, const char *list, Diagnosis *d) {
        int *cpus;
        size_t n;
        int r = parse_cpu_list(list, &cpus, &n);

        if (r < 0)
                return diagnosis_set(d, r, "\"%s\" is not a list of CPUs such as 0-3,5", list);
        free(t->cpus);
        t->cpus = cpus;
        t->n_cpus = n;
        return 0;
}

static int add_task(pid_t **tasks, size_t *n, pid_t task) {
        for (size_t i = 0; i < *n && *n <= 64; i++) /* users may repeat a number; long lists come from /proc */
                if ((*tasks)[i] == task)
                        return 0;
        if (*n >= TARGET_THREADS_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE_NEXT(*tasks, *n) < 0)
                return -ENOMEM;
        (*tasks)[(*n)++] = task;
        return 0;
}

static int add_task_list(pid_t **tasks, size_t *n, const char *list, const char *what, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(list);
        char *rest = copy, *word;
        pid_t task;
        int r;

        if (!copy)
                return -ENOMEM;
        while ((word = strsep(&rest, ","))) {
                r = parse_pid(word, &task);
                if (r < 0)
                        return diagnosis_set(d, r, "\"%s\" is not the number of a %s", word, what);
                r = add_task(tasks, n, task);
                if (r < 0)
                        return diagnosis_set(d, r, "There are more than %d of them", TARGET_THREADS_MAX);
        }
        return 0;
}

int target_add_pids(Target *t, const char *list, Diagnosis *d) {
        return add_task_list(&t->pids, &t->n_pids, list, "process", d);
}

int target_add_tids(Target *t, const char *list, Diagnosis *d) {
        return add_task_list(&t->tids, &t->n_tids, list, "thread", d);
}

int target_set_user(Target *t, const char *user, Diagnosis *d) {
        const struct passwd *pw;
        unsigned uid;

        if (parse_uint(user, &uid) >= 0 && uid != TARGET_UID_INVALID) {
                t->uid = uid;
                return 0;
        }
        pw = getpwnam(user);
        if (!pw)
                return diagnosis_set(d, -EINVAL, "There is no user \"%s\"", user);
        t->uid = pw->pw_uid;
        return 0;
}

int target_check(Target *t, char ***notes) {
        int r = 0;

        if ((t->n_pids > 0 || t->n_tids > 0) && t->uid != TARGET_UID_INVALID) {
                t->uid = TARGET_UID_INVALID;
                r = strv_extend(notes, "Processes are named by number: the user (-u) is ignored");
        }
        if (r >= 0 && target_has_task(t) && target_has_cpu(t)) {
                t->all_cpus = false;
                free(steal_ptr(t->cpus));
                t->n_cpus = 0;
                r = strv_extend(notes, "Processes, threads or a user are named: -a and -C are ignored");
        }
        if (r >= 0 && target_has_cpu(t) && t->per_thread) {
                t->per_thread = false;
                r = strv_extend(notes, "CPUs are recorded (-a or -C): --per-thread is ignored");
        }
        if (!target_has_task(t) && !target_has_cpu(t) && t->command <= 0)
                t->all_cpus = true;
        return r;
}

static int read_online_cpus(int **ret, size_t *ret_n) {
        _cleanup_free_ char *text = NULL;

        if (read_file("/sys/devices/system/cpu/online", 4096, &text, NULL) >= 0) {
                text[strcspn(text, "\n")] = 0;
                if (parse_cpu_list(text, ret, ret_n) >= 0)
                        return 0;
        }
        *ret = malloc(sizeof(int)); /* without sysfs: the first one */
        if (!*ret)
                return -ENOMEM;
        **ret = 0;
        *ret_n = 1;
        return 0;
}

int target_add_online_cpus(int **cpus, size_t *n_cpus) {
        _cleanup_free_ int *online = NULL, *all = NULL;
        size_t n_online, n = *n_cpus;
        int r = read_online_cpus(&online, &n_online);

        if (r < 0)
                return r;
        all = calloc(n + n_online, sizeof(int));
        if (!all)
                return -ENOMEM;
        memcpy(all, *cpus, n * sizeof(int));
        for (size_t i = 0; i < n_online; i++)
                if (!ANY_OF(*n_cpus, k, all[k] == online[i]))
                        all[n++] = online[i];
        free(*cpus);
        *cpus = steal_ptr(all);
        *n_cpus = n;
        return 0;
}

/* Selects the CPUs of -C, each of which must be online. */
static int target_pick_cpus(const Target *t, const int *online, size_t n_online, int **ret, size_t *ret_n, Diagnosis *d) {
        _cleanup_free_ int *cpus = calloc(t->n_cpus, sizeof(int));
        size_t n = 0;

        if (!cpus)
                return -ENOMEM;
        for (size_t i = 0; i < t->n_cpus; i++)
                if (ANY_OF(n_online, k, online[k] == t->cpus[i]))
                        cpus[n++] = t->cpus[i];
                else if (!t->online_only)
                        return diagnosis_set(d, -ENODEV, "CPU %d does not exist or is not online; "
                                             "/sys/devices/system/cpu/online lists those that are", t->cpus[i]);
        if (n == 0)
                return diagnosis_set(d, -ENODEV, "None of the CPUs is online");
        *ret = steal_ptr(cpus);
        *ret_n = n;
        return 0;
}

static int resolve_cpus(const Target *t, int **ret, size_t *ret_n, Diagnosis *d) {
        _cleanup_free_ int *online = NULL;
        size_t n = 0;
        int r;

        if (t->per_thread) {
                *ret = malloc(sizeof(int));
                if (!*ret)
                        return -ENOMEM;
                **ret = -1;
                *ret_n = 1;
                return 0;
        }
        r = read_online_cpus(&online, &n);
        if (r < 0)
                return r;
        if (t->n_cpus > 0)
                return target_pick_cpus(t, online, n, ret, ret_n, d);
        *ret = steal_ptr(online);
        *ret_n = n;
        return 0;
}

/* Adds the numbers in a directory. */
static int add_numbers(int dir_fd, const char *path, pid_t **tasks, size_t *n) {
        _cleanup_closedir_ DIR *dir = NULL;
        struct dirent *entry;
        int r = open_directory_at(dir_fd, path, &dir);

        if (r < 0)
                return r;
        while ((entry = readdir(dir))) {
                pid_t task;

                if (parse_pid(entry->d_name, &task) < 0)
                        continue;
                r = add_task(tasks, n, task);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int add_threads(int proc_fd, pid_t pid, pid_t **tasks, size_t *n) {
        char path[64];
        size_t before = *n;
        int r;

        (void) snprintf(path, sizeof(path), "%d/task", pid);
        r = add_numbers(proc_fd, path, tasks, n);
        if (r >= 0 && *n == before)
                r = -ESRCH;
        return r == -ENOENT ? -ESRCH : r;
}

/* TARGET_UID_INVALID: of all users. */
static int add_user(int proc_fd, uid_t uid, pid_t **tasks, size_t *n) {
        _cleanup_free_ pid_t *pids = NULL;
        size_t n_pids = 0;
        int r = add_numbers(proc_fd, ".", &pids, &n_pids);

        for (size_t i = 0; i < n_pids && r >= 0; i++) {
                struct stat st;
                char path[32];

                (void) snprintf(path, sizeof(path), "%d", pids[i]);
                if (uid != TARGET_UID_INVALID && (fstatat(proc_fd, path, &st, 0) < 0 || st.st_uid != uid))
                        continue;
                r = add_threads(proc_fd, pids[i], tasks, n);
                if (r == -ESRCH)
                        r = 0;
        }
        return r;
}

static int add_tasks(const Target *t, int proc_fd, pid_t **tasks, size_t *n, Diagnosis *d) {
        int r = 0;

        for (size_t i = 0; i < t->n_pids && r >= 0; i++) {
                r = add_threads(proc_fd, t->pids[i], tasks, n);
                if (r == -ESRCH)
                        return diagnosis_set(d, r, "Couldn't create thread/CPU maps: No such process: there is no %d", t->pids[i]);
        }
        for (size_t i = 0; i < t->n_tids && r >= 0; i++)
                r = add_task(tasks, n, t->tids[i]);
        if (r >= 0 && (t->uid != TARGET_UID_INVALID || t->all_threads))
                r = add_user(proc_fd, t->uid, tasks, n);
        if (r == -E2BIG)
                return diagnosis_set(d, r, "There are more than %d threads; record all CPUs (-a) instead", TARGET_THREADS_MAX);
        if (r >= 0 && *n == 0)
                return diagnosis_set(d, -ESRCH, "The user %u has no processes", t->uid);
        return r;
}

static int resolve_tasks(const Target *t, const char *proc_root, pid_t **ret, size_t *ret_n, Diagnosis *d) {
        _cleanup_close_ int proc_fd = -EBADF;
        _cleanup_free_ pid_t *tasks = NULL;
        size_t n = 0;
        int r;

        if (!target_has_task(t)) {
                r = add_task(&tasks, &n, target_has_cpu(t) || t->command <= 0 ? -1 : t->command);
        } else {
                proc_fd = open(proc_root ?: "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
                r = proc_fd < 0 ? -errno : add_tasks(t, proc_fd, &tasks, &n, d);
        }
        if (r < 0)
                return diagnosis_set(d, r, "Listing the threads to record failed: %s", strerror(-r));
        *ret = steal_ptr(tasks);
        *ret_n = n;
        return 0;
}

int target_resolve(const Target *t, const char *proc_root, int **ret_cpus, size_t *ret_n_cpus,
                   pid_t **ret_tids, size_t *ret_n_tids, Diagnosis *d) {
        _cleanup_free_ int *cpus = NULL;
        size_t n = 0;
        int r = resolve_cpus(t, &cpus, &n, d);

        if (r < 0)
                return r;
        r = resolve_tasks(t, proc_root, ret_tids, ret_n_tids, d);
        if (r < 0)
                return r;
        *ret_cpus = steal_ptr(cpus);
        *ret_n_cpus = n;
        return 0;
}
