/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Invariant: the state is right between any two stores, since the process may be killed there. It works as a log of
 * one entry:
 *
 *   announce  sets pending, moves and the name, and the name's first byte last: from then on the entry is valid
 *   settle    moves the positions to pending if the file has its name, then clears the first byte: the entry is gone
 *
 * A process that dies in between leaves a valid entry. Its successor looks whether the file exists and settles again,
 * which does no harm when some positions are moved already. */

#include "flight-state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static size_t flight_state_size(size_t n_rings) {
        return sizeof(FlightState) + n_rings * sizeof(((FlightState *) NULL)->rings[0]);
}

/* NULL with errno set. */
static FlightState *flight_state_map(int fd, size_t size) {
        void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

        return p == MAP_FAILED ? NULL : p;
}

int flight_state_new(size_t n_rings, int *ret_fd, FlightState **ret) {
        _cleanup_close_ int fd = memfd_create("perf-recorder-flight", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        FlightState *s;

        if (fd < 0 || ftruncate(fd, (off_t) flight_state_size(n_rings)) < 0 ||
            fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
                return -errno;
        s = flight_state_map(fd, flight_state_size(n_rings));
        if (!s)
                return -errno;
        s->n_rings = n_rings;
        s->magic = FLIGHT_STATE_MAGIC;
        *ret_fd = steal_fd(&fd);
        *ret = s;
        return 0;
}

int flight_state_take_over(int fd, size_t n_rings, int dir_fd, FlightState **ret) {
        FlightState *s;
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        if ((uint64_t) st.st_size != flight_state_size(n_rings))
                return -EBADMSG;
        s = flight_state_map(fd, flight_state_size(n_rings));
        if (!s)
                return -errno;
        s->name[FLIGHT_STATE_NAME_MAX - 1] = '\0';
        if (s->magic != FLIGHT_STATE_MAGIC || s->n_rings != n_rings || strchr(s->name, '/')) {
                (void) munmap(s, flight_state_size(n_rings));
                return -EBADMSG;
        }
        if (*s->name)
                flight_state_settle(s, fstatat(dir_fd, s->name, &st, AT_SYMLINK_NOFOLLOW) >= 0);
        *ret = s;
        return 0;
}

FlightState *flight_state_free(FlightState *s) {
        if (s)
                (void) munmap(s, flight_state_size(s->n_rings));
        return NULL;
}

uint64_t flight_state_begin(const FlightState *s, size_t ring, const FlightWish *wish) {
        static const FlightPosition kinds[_DUMP_CONTENT_MAX] = {
                [DUMP_CONTENT_AUTOMATIC] = FLIGHT_POSITION_AUTOMATIC,
                [DUMP_CONTENT_NEW] = FLIGHT_POSITION_ANY,
        };

        return wish->content == DUMP_CONTENT_ALL ? 0 : s->rings[ring].positions[kinds[wish->content]];
}

void flight_state_announce(FlightState *s, const FlightWish *wish, const char *name) {
        size_t n = MIN_OF(strlen(name), (size_t) FLIGHT_STATE_NAME_MAX - 1);

        /* Samples that a window leaves out are in no dump, so it moves nothing. */
        s->moves = flight_wish_has_window(wish) ? 0 :
                   1U << FLIGHT_POSITION_ANY | (wish->automatic ? 1U << FLIGHT_POSITION_AUTOMATIC : 0);
        memcpy(s->name + 1, name + 1, n > 0 ? n - 1 : 0);
        s->name[n] = '\0';
        __atomic_store_n(&s->name[0], name[0], __ATOMIC_RELEASE);
}

void flight_state_settle(FlightState *s, bool named) {
        for (size_t i = 0; named && i < s->n_rings; i++)
                for (FlightPosition p = 0; p < _FLIGHT_POSITION_MAX; p++)
                        if (s->moves & 1U << p)
                                s->rings[i].positions[p] = s->rings[i].pending;
        __atomic_store_n(&s->name[0], '\0', __ATOMIC_RELEASE);
}
