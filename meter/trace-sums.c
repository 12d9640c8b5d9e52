/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables of the kernel are read while threads change them: an entry that is read is of one moment, but for its halves. */

#include "trace-sums.h"

#include <unistd.h>

#include "array.h"
#include "thread-name.h"
#include "trace-sums-program.h"

KERNEL_PROGRAM_OBJECT(trace_sums_object, PROGRAM_OBJECT);

struct TraceSums {
        KernelProgram program;
};

TraceSums *trace_sums_free(TraceSums *s) {
        if (s)
                kernel_program_done(&s->program);
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
        }
        return r < 0 ? r : kernel_program_set(&s->program, "settings", 0, &settings);
}

int trace_sums_new(const TraceLiveOptions *o, const pid_t *tids, size_t n_tids, pid_t command, TraceSums **ret, Diagnosis *d) {
        _cleanup_(trace_sums_freep) TraceSums *s = calloc(1, sizeof(*s));
        bool all = n_tids > 0 && tids[0] < 0;
        int r;

        if (!s)
                return -ENOMEM;
        if (o->target.n_cpus > 0 || o->groups || o->delay > 0 || o->left_out.n_pids > 0)
                return -EOPNOTSUPP;
        r = kernel_program_load(&s->program, trace_sums_object, trace_sums_object_end, d);
        if (r < 0)
                return r;
        r = trace_sums_set(s, &o->calls, all);
        for (size_t i = 0; r >= 0 && (i < n_tids || (i == n_tids && command > 0)); i++) {
                pid_t tid = i < n_tids ? tids[i] : command;
                SumsThread thread = { .waits = tid == command };

                if (tid <= 0)
                        continue;
                thread_name_read((uint32_t) tid, thread.name, sizeof(thread.name));
                r = kernel_program_set(&s->program, "threads", (uint32_t) tid, &thread);
        }
        if (r >= 0)
                r = kernel_program_attach(&s->program, o->no_inherit || all ? "follow" : NULL);
        if (r < 0)
                return kernel_program_refuse(d, r, "the program that sums them up can't be attached");
        *ret = steal_ptr(s);
        return 0;
}

static RunMean mean_of(const SumsValue *v) {
        long double squares = (long double) v->squares_high * 0x1p64L + (long double) v->squares, total = (long double) v->total;
        long double spread = squares - total * total / (long double) v->n;

        return (RunMean) { .mean = (double) (total / (long double) v->n), .squares = spread > 0 ? (double) spread : 0, .n = v->n };
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
        const ThreadNumber *t = v->n > 0 ? find_thread(reading, k->tid) : NULL;
        const CallSum sum = {
                .number = k->number, .n = v->n, .failed = v->failed, .times = mean_of(v), .shortest = v->shortest,
                .longest = v->longest,
        };

        return t ? call_sums_merge(reading->sums, t->number, &sum) : 0;
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

int trace_sums_read(const TraceSums *s, const CallOptions *o, CallSums *sums, uint64_t *ret_lost) {
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
        *ret_lost = settings.lost;
        return r;
}
