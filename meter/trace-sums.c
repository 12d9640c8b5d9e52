/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables of the kernel are read while threads change them: an entry that is read is of one moment, but for its halves. */

#include "trace-sums.h"

#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "array.h"
#include "thread-name.h"
#include "trace-sums-program.h"

KERNEL_PROGRAM_OBJECT(trace_sums_object, PROGRAM_OBJECT);

struct TraceSums {
        KernelProgram program;
        int *cpus;
        pid_t *tids; /* a single -1: all */
        size_t n_cpus, n_tids;
};

TraceSums *trace_sums_free(TraceSums *s) {
        if (!s)
                return NULL;
        kernel_program_done(&s->program);
        free(s->cpus);
        free(s->tids);
        free(s);
        return NULL;
}

/* Tells the program which calls are wanted. */
static int trace_sums_set(TraceSums *s, const CallOptions *o, bool all) {
        SumsSettings settings = { .all = all, .own_pid = (uint32_t) getpid(), .some = o->words != NULL };
        const uint32_t one = 1;
        int r = 0;

        for (uint32_t i = 0; r >= 0 && i < SUMS_CALLS; i++) {
                const char *name = syscall_name(SYSCALL_X86_64, i);

                if (name && streq(name, "execve"))
                        settings.exec_number = i;
                if (settings.some && call_options_want(o, SYSCALL_X86_64, i))
                        r = kernel_program_set(&s->program, "wanted", i, &one);
                if (r >= 0 && settings.some && call_options_want(o, SYSCALL_X86_64, i | SYSCALL_COMPAT))
                        r = kernel_program_set(&s->program, "wanted", SUMS_CALLS + i, &one);
        }
        return r < 0 ? r : kernel_program_set(&s->program, "settings", 0, &settings);
}

/* Traces the threads, and the command, which counts from its exec on. */
static int trace_sums_add_threads(TraceSums *s, pid_t command) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i <= s->n_tids; i++) {
                pid_t tid = i < s->n_tids ? s->tids[i] : command;
                SumsThread thread = { .waits = tid == command };

                if (tid <= 0)
                        continue;
                thread_name_read((uint32_t) tid, thread.name, sizeof(thread.name));
                r = kernel_program_set(&s->program, "threads", (uint32_t) tid, &thread);
        }
        return r;
}

int trace_sums_new(const TraceLiveOptions *o, pid_t command, TraceSums **ret) {
        _cleanup_(trace_sums_freep) TraceSums *s = calloc(1, sizeof(*s));
        _cleanup_(diagnosis_done) Diagnosis d = {};
        Target target = o->target;
        bool all;
        int r;

        if (!s)
                return -ENOMEM;
        if (o->by_events || o->calls.mode == CALL_SUMMARY_CGROUP || target.n_cpus > 0 || o->groups || o->delay > 0 ||
            o->left_out.n_pids > 0 || !call_options_have_calls(&o->calls) || o->calls.major_faults || o->calls.minor_faults)
                return -EOPNOTSUPP;
        if (!target_has_task(&target)) /* with threads, it is only run */
                target.command = command;
        r = target_resolve(&target, NULL, &s->cpus, &s->n_cpus, &s->tids, &s->n_tids, &d);
        if (r >= 0)
                r = kernel_program_load(&s->program, trace_sums_object, trace_sums_object_end, &d);
        if (r < 0)
                return r;
        all = s->tids[0] < 0;
        r = trace_sums_set(s, &o->calls, all);
        if (r >= 0)
                r = trace_sums_add_threads(s, target.command);
        if (r >= 0)
                r = kernel_program_attach(&s->program, o->no_inherit || all ? "follow" : NULL);
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

bool trace_sums_have_threads(const TraceSums *s) {
        return ANY_OF(s->n_tids, i, s->tids[i] < 0 || kill(s->tids[i], 0) >= 0 || errno != ESRCH);
}

/* A thread's number in CallSums. */
typedef struct ThreadNumber {
        uint32_t tid, number;
} ThreadNumber;

typedef struct SumsReading {
        const TraceSums *s;
        const CallOptions *o;
        CallSums *sums;
        ThreadNumber *threads; /* sorted by tid once all were read */
        size_t n, allocated;
} SumsReading;

static int take_thread(SumsReading *reading, const void *key, const void *value) {
        const SumsThread *t = value;
        char name[SUMS_NAME_SIZE + 1] = "";
        ThreadNumber *number;

        if (t->n == 0)
                return 0;
        memcpy(name, t->name, sizeof(t->name));
        if (ARRAY_RESERVE(reading->threads, reading->allocated, reading->n + 1) < 0)
                return -ENOMEM;
        number = reading->threads + reading->n++;
        memcpy(&number->tid, key, sizeof(number->tid));
        return call_sums_merge_thread(reading->sums, reading->o, number->tid, name, t->n, &number->number);
}

static int compare_threads(const void *a, const void *b) {
        const ThreadNumber *x = a, *y = b;

        return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static const ThreadNumber *find_thread(const SumsReading *reading, uint32_t tid) {
        const ThreadNumber wanted = { .tid = tid };

        return reading->n == 0 ? NULL : bsearch(&wanted, reading->threads, reading->n, sizeof(wanted), compare_threads);
}

static int take_sum(SumsReading *reading, const void *key, const void *value) {
        const SumsKey *k = key;
        const SumsValue *v = value;
        long double squares = (long double) v->squares_high * 0x1p64L + (long double) v->squares, n = (long double) v->n;
        const ThreadNumber *t = v->n > 0 ? find_thread(reading, k->tid) : NULL;
        CallSum sum = {
                .number = k->number, .n = v->n, .failed = v->failed, .times.n = v->n, .shortest = v->shortest,
                .longest = v->longest,
        };

        if (!t)
                return 0;
        sum.times.mean = (double) ((long double) v->total / n);
        squares -= (long double) v->total * (long double) v->total / n;
        sum.times.squares = squares > 0 ? (double) squares : 0;
        return call_sums_merge(reading->sums, t->number, &sum);
}

static int take_error(SumsReading *reading, const void *key, const void *value) {
        const SumsErrorKey *k = key;
        const ThreadNumber *t = find_thread(reading, k->tid);

        return t ? call_sums_merge_error(reading->sums, t->number, k->number, k->error, *(const uint64_t *) value) : 0;
}

/* Has a function take all entries of a table. */
static int read_table(SumsReading *reading, const char *name, int (*take)(SumsReading *, const void *key, const void *value)) {
        const BpfLibrary *bpf = &reading->s->program.bpf;
        int fd = kernel_program_table(&reading->s->program, name), r = 0;
        union {
                SumsThread thread;
                SumsValue sum;
                uint64_t n;
        } value;
        SumsErrorKey key, next; /* the largest one */
        bool first = true;

        while (r >= 0 && bpf->map_next_key(fd, first ? NULL : &key, &next) >= 0) {
                key = next;
                first = false;
                if (bpf->map_lookup(fd, &key, &value) >= 0)
                        r = take(reading, &key, &value);
        }
        return r;
}

int trace_sums_read(const TraceSums *s, const CallOptions *o, CallSums *sums) {
        _cleanup_free_ ThreadNumber *threads = NULL;
        SumsReading reading = { .s = s, .o = o, .sums = sums };
        SumsSettings settings = {};
        uint32_t zero = 0;
        int r = read_table(&reading, "threads", take_thread);

        threads = reading.threads;
        if (reading.n > 0)
                qsort(reading.threads, reading.n, sizeof(*reading.threads), compare_threads);
        if (r >= 0)
                r = read_table(&reading, "sums", take_sum);
        if (r >= 0)
                r = read_table(&reading, "errors", take_error);
        (void) s->program.bpf.map_lookup(kernel_program_table(&s->program, "settings"), &zero, &settings);
        if (settings.lost > 0)
                (void) fprintf(stderr, "LOST %" PRIu64 " events: there are more threads or calls than can be summed up\n",
                               settings.lost);
        return r;
}
