/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The signal handler may only read memory that never moves: slots with a start and a size, whose start is written last
 * and cleared first. A page that can't be read is replaced by one of zeros, which stays until the file is closed. */

#include "mapped-file.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
        _Atomic(uintptr_t) start; /* 0: free */
        size_t size;
} slots[MAPPED_FILES_MAX];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before; /* us */
static uintptr_t page_size;

static bool is_ours(uintptr_t address) {
        for (size_t i = 0; i < MAPPED_FILES_MAX; i++) {
                uintptr_t start = atomic_load(&slots[i].start);

                if (start != 0 && address >= start && address - start < slots[i].size)
                        return true;
        }
        return false;
}

/* For memory of no mapped file the previous handler is restored: it runs when the instruction is tried again. */
static void on_bus_error(int sig, siginfo_t *info, void *context) {
        uintptr_t address = (uintptr_t) info->si_addr;
        void *page = (void *) (address & ~(page_size - 1));
        int error = errno;

        if (!is_ours(address) || mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
                (void) sigaction(SIGBUS, &before, NULL);
        errno = error;
}

static void set_handler(void) {
        const struct sigaction ours = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART };

        page_size = (uintptr_t) sysconf(_SC_PAGESIZE);
        (void) sigaction(SIGBUS, &ours, &before);
}

static void take_slot(const void *data, size_t size) {
        (void) pthread_mutex_lock(&lock);
        for (size_t i = 0; i < MAPPED_FILES_MAX; i++)
                if (atomic_load(&slots[i].start) == 0) {
                        slots[i].size = size;
                        atomic_store(&slots[i].start, (uintptr_t) data);
                        break;
                }
        (void) pthread_mutex_unlock(&lock);
}

int mapped_file_open(int fd, size_t size, const void **ret) {
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

        if (data == MAP_FAILED)
                return -errno;
        (void) pthread_once(&once, set_handler);
        take_slot(data, size);
        *ret = data;
        return 0;
}

void mapped_file_close(const void *data, size_t size) {
        for (size_t i = 0; i < MAPPED_FILES_MAX; i++)
                if (atomic_load(&slots[i].start) == (uintptr_t) data)
                        atomic_store(&slots[i].start, 0);
        (void) munmap((void *) data, size);
}
