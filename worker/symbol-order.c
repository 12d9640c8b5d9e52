/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread for what nobody waits for: a dump is there and was told of before its symbols are looked at. It begins with
 * the first order, ends when it has none left, and is started anew for the next one: recorders that dump once a day
 * have none. It yields to everybody, for processor and disk alike, also where the recorder itself has real-time
 * priority. */

#include "symbol-order.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "log.h"
#include "quiet-thread.h"

#define ORDERS_MAX 16u
#define NICE 10
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
        bool started; /* there is a thread to be joined */
        bool running; /* it will look for orders once more */
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

static void yield_to_others(void) {
        const struct sched_param none = {};

        (void) sched_setscheduler(0, SCHED_BATCH, &none);
        (void) setpriority(PRIO_PROCESS, 0, NICE); /* on Linux, of the thread alone */
        (void) syscall(SYS_ioprio_set, IO_WHO_THREAD, 0, IO_PRIORITY_IDLE);
}

static void say(const char *dump, int r, const SymbolsKept *facts) {
        if (r < 0)
                log_warning("There are no symbols beside %s: %s", dump, strerror(-r));
        else if (facts->too_large > 0)
                log_warning("The symbols of %zu binaries in %s are too large to be put beside it (--symbols)", facts->too_large,
                            dump);
        if (r >= 0)
                log_verbose(1, "Symbols beside %s: %zu files, %.1f MB; %zu binaries have none", dump, facts->files,
                            (double) facts->bytes / 1e6, facts->not_found);
}

static Order *take_order(SymbolOrders *o) {
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

static void *work(void *userdata) {
        SymbolOrders *o = userdata;
        Order *order;

        yield_to_others();
        while ((order = take_order(o))) {
                SymbolsKept facts = {};
                int r = symbol_keeper_keep(o->keeper, order->dir_fd, order->dump, order->hits, &facts);

                say(order->dump, r, &facts);
                order_free(order);
        }
        return NULL;
}

/* With the lock held. */
static int start(SymbolOrders *o) {
        int r;

        if (o->running)
                return 0;
        if (o->started)
                (void) pthread_join(o->thread, NULL);
        r = quiet_thread_start(&o->thread, work, o);
        o->started = o->running = r >= 0;
        return r;
}

static int add(SymbolOrders *o, Order *order) {
        int r = -EBUSY;

        (void) pthread_mutex_lock(&o->lock);
        if (o->n < ORDERS_MAX)
                r = start(o);
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
                r = add(symbol_keeper_orders(k), order);
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
