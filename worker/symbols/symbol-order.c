/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The thread for symbols. Nobody waits for it: a dump is reported before its symbols are read. It starts with the
 * first order, ends when there are none left, and starts again for the next one: so recorders that dump once a day
 * have no thread most of the time. It has the lowest priority for CPU and disk, also if the recorder itself has
 * real-time priority. */

#include "symbol-order.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "log.h"
#include "quiet-thread.h"

#define ORDERS_MAX 16u
#define NICE 10
#define LEAVE_MSEC 200u /* for the file that is being written, and to finish the folders */
#define IO_PRIORITY_IDLE (3 << 13) /* IOPRIO_CLASS_IDLE of linux/ioprio.h, in its place */
#define IO_WHO_THREAD 1            /* IOPRIO_WHO_PROCESS */

typedef struct Order {
        struct Order *next;
        int dir_fd;
        char *dump;
        DsoHits *hits;
} Order;

struct SymbolOrders {
        SymbolKeeper *keeper;
        pthread_mutex_t lock;
        Order *first, *last;
        size_t n;
        pthread_t thread;
        pid_t tid;
        bool started; /* there is a thread to be joined */
        bool running; /* it will look for another order */
        bool hurried; /* the end of the recorder waits: the priority is raised */
        _Atomic bool stopped;
};

static Order *order_free(Order *o) {
        if (!o)
                return NULL;
        (void) safe_close(o->dir_fd);
        free(o->dump);
        dso_hits_free(o->hits);
        free(o);
        return NULL;
}

static void symbol_orders_report(SymbolOrders *o, const char *dump, int r, const SymbolsKept *facts) {
        if (r < 0) {
                log_warning("There are no symbols beside %s: %s", dump, strerror(-r));
                return;
        }
        if (facts->left_out > 0)
                log_info("%zu binaries have no symbols beside %s: %s", facts->left_out, dump, facts->first);
        if (facts->too_large > 0)
                log_warning("The symbols of %zu binaries in %s are too large to be put beside it (--symbols)", facts->too_large,
                            dump);
        log_verbose(1, "Symbols beside %s: %zu files, %.1f MB", dump, facts->files, (double) facts->bytes / 1e6);
}

static Order *symbol_orders_take(SymbolOrders *o) {
        Order *order;

        (void) pthread_mutex_lock(&o->lock);
        order = o->first;
        if (order) {
                o->first = order->next;
                o->n--;
        } else
                o->running = false;
        (void) pthread_mutex_unlock(&o->lock);
        return order;
}

static void *symbol_orders_run(void *userdata) {
        SymbolOrders *o = userdata;
        const struct sched_param none = {};
        Order *order;

        (void) pthread_mutex_lock(&o->lock);
        o->tid = gettid();
        if (!o->hurried) {
                (void) sched_setscheduler(0, SCHED_BATCH, &none);
                (void) setpriority(PRIO_PROCESS, 0, NICE); /* on Linux only for the thread */
                (void) syscall(SYS_ioprio_set, IO_WHO_THREAD, 0, IO_PRIORITY_IDLE);
        }
        (void) pthread_mutex_unlock(&o->lock);
        while ((order = symbol_orders_take(o))) {
                SymbolsKept facts = {};
                int r = symbol_keeper_keep(o->keeper, order->dir_fd, order->dump, order->hits, &facts);

                symbol_orders_report(o, order->dump, r, &facts);
                order_free(order);
        }
        return NULL;
}

/* To be called with the lock held. */
static int symbol_orders_start(SymbolOrders *o) {
        int r;

        if (o->running)
                return 0;
        if (o->started)
                (void) pthread_join(o->thread, NULL);
        o->tid = 0;
        r = quiet_thread_start(&o->thread, symbol_orders_run, o);
        o->started = o->running = r >= 0;
        return r;
}

static int symbol_orders_add(SymbolOrders *o, Order *order) {
        int r = -EBUSY;

        (void) pthread_mutex_lock(&o->lock);
        if (o->n < ORDERS_MAX)
                r = symbol_orders_start(o);
        if (r >= 0) {
                *(o->first ? &o->last->next : &o->first) = order;
                o->last = order;
                o->n++;
        }
        (void) pthread_mutex_unlock(&o->lock);
        return r;
}

int symbol_orders_new(SymbolKeeper *k, SymbolOrders **ret) {
        SymbolOrders *o = calloc(1, sizeof(*o));

        if (!o)
                return -ENOMEM;
        o->keeper = k;
        (void) pthread_mutex_init(&o->lock, NULL);
        *ret = o;
        return 0;
}

int symbol_keeper_order(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits) {
        Order *order = calloc(1, sizeof(*order));
        int r;

        if (!order)
                return dso_hits_free(hits), -ENOMEM;
        order->hits = hits;
        order->dump = strdup(dump);
        order->dir_fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 3);
        r = order->dir_fd < 0 ? -errno : order->dump ? 0 : -ENOMEM;
        if (r >= 0)
                r = symbol_orders_add(symbol_keeper_orders(k), order);
        if (r < 0)
                order_free(order);
        return r;
}

SymbolOrders *symbol_orders_free(SymbolOrders *o) {
        if (!o)
                return NULL;
        if (o->started)
                (void) pthread_join(o->thread, NULL);
        (void) pthread_mutex_destroy(&o->lock);
        free(o);
        return NULL;
}

bool symbol_orders_are_stopped(const SymbolOrders *o) {
        return o->stopped;
}

static bool symbol_orders_join(SymbolOrders *o, unsigned msec) {
        struct timespec until;

        (void) clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long) (msec % 1000) * 1000000;
        until.tv_sec += (time_t) (msec / 1000) + until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        return pthread_timedjoin_np(o->thread, NULL, &until) == 0;
}

bool symbol_orders_wait(SymbolOrders *o, unsigned max_msec) {
        if (o->started)
                o->started = !symbol_orders_join(o, max_msec);
        return !o->started;
}

bool symbol_orders_stop(SymbolOrders *o, unsigned max_msec) {
        const struct sched_param none = {};

        (void) pthread_mutex_lock(&o->lock);
        o->hurried = true;
        if (o->running && o->tid > 0) { /* its priority is raised as far as the limits of the recorder's user allow it */
                (void) sched_setscheduler(o->tid, SCHED_OTHER, &none);
                (void) setpriority(PRIO_PROCESS, (id_t) o->tid, 0);
                (void) syscall(SYS_ioprio_set, IO_WHO_THREAD, o->tid, 0);
        }
        (void) pthread_mutex_unlock(&o->lock);
        if (symbol_orders_wait(o, max_msec))
                return true;
        o->stopped = true;
        return symbol_orders_wait(o, LEAVE_MSEC);
}
