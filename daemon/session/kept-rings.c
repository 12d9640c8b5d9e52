/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A ring lives while some process maps it, an event while some process has its descriptor: the daemon does both for the
 * recorder of a session, at the price of page tables. A set that comes is mapped piece by piece as it comes, and takes the
 * place of the one before it when it is whole.
 *
 * An event that nobody maps any more is given a new and empty ring by the next mmap(2), without a word, and the events
 * that shared the old one lose theirs. A dead sender's rings are gone, and mmap(2) has just made new ones; so the sender's
 * memory is checked after the mapping. */

#include <limits.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include <perf-recorder/notify-fields.h>

#include "fd-file.h"
#include "kept-rings.h"
#include "format-text.h"
#include "parse-number.h"

#define NEWEST_MAX UINT64_C(16384) /* bytes of each ring that the samples' mean size is taken from */

typedef struct Mapping {
        void *address;
        size_t size;
        bool is_ring; /* of an event: it cannot shrink under our hands, as a file could */
} Mapping;

typedef struct MappedSet {
        DescriptorSet set;
        Mapping *mappings; /* one for each descriptor, address NULL: not mapped */
} MappedSet;

struct KeptRings {
        MappedSet whole, coming;
        bool is_whole;
        int given_fd; /* our end of the sockets; -EBADF: nobody was given anything */
};

static void mapped_set_done(MappedSet *m) {
        for (size_t i = 0; m->mappings && i < m->set.n_fds; i++)
                if (m->mappings[i].address)
                        (void) munmap(m->mappings[i].address, m->mappings[i].size);
        free(m->mappings);
        descriptor_set_close(&m->set);
        *m = (MappedSet){};
}

KeptRings *kept_rings_free(KeptRings *k) {
        if (!k)
                return NULL;
        mapped_set_done(&k->whole);
        mapped_set_done(&k->coming);
        safe_close(k->given_fd);
        free(k);
        return NULL;
}

/* A process that has no memory any more, though it is not gone yet, shows 0 pages. */
static bool has_memory(pid_t pid) {
        _cleanup_free_ char *text = NULL;
        char path[64];

        snprintf(path, sizeof(path), "/proc/%d/statm", (int) pid);
        return read_file(path, 256, &text, NULL) >= 0 && text[0] != '0';
}

static bool is_event(int fd) {
        char path[64], target[PATH_MAX];
        ssize_t n;

        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        n = readlink(path, target, sizeof(target) - 1);
        target[n > 0 ? n : 0] = '\0';
        return streq(target, "anon_inode:[perf_event]");
}

static int map_new(MappedSet *m) {
        for (size_t i = 0; i < m->set.n_fds; i++) {
                void *p;

                if (m->set.fds[i] < 0 || m->set.map_bytes[i] == 0 || m->mappings[i].address)
                        continue;
                p = mmap(NULL, (size_t) m->set.map_bytes[i], PROT_READ, MAP_SHARED, m->set.fds[i], 0);
                if (p == MAP_FAILED)
                        return -errno;
                m->mappings[i] = (Mapping){
                        .address = p, .size = (size_t) m->set.map_bytes[i], .is_ring = is_event(m->set.fds[i]),
                };
        }
        return 0;
}

static int take_batch(MappedSet *m, pid_t sender, const DescriptorBatch *batch, int *fds, size_t n_fds) {
        int r, whole;

        if (m->set.generation != batch->generation || m->set.n_fds != batch->total) {
                mapped_set_done(m);
                r = descriptor_set_reserve(&m->set, batch->generation, batch->total);
                if (r < 0)
                        return r;
                m->mappings = calloc(batch->total + 1, sizeof(Mapping));
                if (!m->mappings)
                        return -ENOMEM;
        }
        whole = descriptor_set_take(&m->set, batch, fds, n_fds);
        if (whole < 0)
                return whole;
        r = map_new(m);
        if (r < 0)
                return r;
        return has_memory(sender) ? whole : -ESRCH;
}

static int make(KeptRings **k) {
        if (*k)
                return 0;
        *k = calloc(1, sizeof(KeptRings));
        if (!*k)
                return -ENOMEM;
        (*k)->given_fd = -EBADF;
        return 0;
}

int kept_rings_take(KeptRings **k, pid_t sender, const DescriptorBatch *batch, int *fds, size_t n_fds, size_t n_max) {
        int r;

        if (batch->total == 0) {
                *k = kept_rings_free(*k);
                return 1;
        }
        if (batch->total > n_max)
                return -EMFILE;
        r = make(k);
        if (r < 0)
                return r;
        r = take_batch(&(*k)->coming, sender, batch, fds, n_fds);
        if (r < 0)
                mapped_set_done(&(*k)->coming);
        if (r <= 0)
                return r;
        mapped_set_done(&(*k)->whole);
        (*k)->whole = (*k)->coming;
        (*k)->coming = (MappedSet){};
        (*k)->is_whole = true;
        return 1;
}

bool kept_rings_are_whole(const KeptRings *k) {
        return k && k->is_whole;
}

uint64_t kept_rings_bytes(const KeptRings *k) {
        uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE), bytes = 0;

        for (size_t i = 0; k && i < k->whole.set.n_fds; i++)
                if (k->whole.set.map_bytes[i] > page)
                        bytes += k->whole.set.map_bytes[i] - page;
        return bytes;
}

/* The newest records of a ring that is written downwards from data_head on (perf_event_open(2), write_backward): how many of
 * them are samples, in how many bytes. The kernel overwrites them last, so that they stay as they are for this moment; if not,
 * the figure is a bad estimate. */
static void count_newest(const uint8_t *data, uint64_t size, uint64_t head, uint64_t n_bytes, uint64_t *samples, uint64_t *bytes) {
        *samples = *bytes = 0;
        while (*bytes < n_bytes) {
                struct perf_event_header h;

                /* records begin at multiples of 8, so that a header is never split by the end */
                memcpy(&h, data + ((head + *bytes) & (size - 1)), sizeof(h));
                if (h.size < sizeof(h) || h.size % 8 != 0)
                        return;
                *samples += h.type == PERF_RECORD_SAMPLE;
                *bytes += h.size;
        }
}

static bool is_ring(const Mapping *m) {
        size_t page = (size_t) sysconf(_SC_PAGESIZE);

        return m->address && m->is_ring && m->size > page && ((m->size - page) & (m->size - page - 1)) == 0;
}

/* A ring that is written upwards has nothing of interest: its head is above 0, or where it began. */
static RingFill read_ring(const Mapping *m, uint64_t *samples) {
        size_t page = (size_t) sysconf(_SC_PAGESIZE);
        const struct perf_event_mmap_page *control = m->address;
        RingFill f = { .size = m->size - page };
        uint64_t n, bytes, wanted, head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);

        if ((int64_t) head >= 0)
                return f;
        f.written = -head;
        wanted = MIN_OF(f.size / 2, NEWEST_MAX);
        count_newest((const uint8_t *) m->address + page, f.size, head, MIN_OF(wanted, f.written), &n, &bytes);
        if (bytes > 0)
                *samples += (uint64_t) ((double) f.written * (double) n / (double) bytes);
        return f;
}

RingFill *kept_rings_fill(const KeptRings *k, size_t *ret_n, uint64_t *ret_samples) {
        RingFill *rings;
        size_t n = 0;

        *ret_samples = 0;
        if (!kept_rings_are_whole(k))
                return NULL;
        rings = calloc(k->whole.set.n_fds + 1, sizeof(RingFill));
        for (size_t i = 0; rings && i < k->whole.set.n_fds; i++)
                if (is_ring(&k->whole.mappings[i]))
                        rings[n++] = read_ring(&k->whole.mappings[i], ret_samples);
        *ret_n = n;
        return rings;
}

size_t kept_rings_n_descriptors(const KeptRings *k) {
        return k ? k->whole.set.n_fds + k->coming.set.n_fds : 0;
}

int kept_rings_give(KeptRings *k, const char *ended, int *ret_fd) {
        _cleanup_close_ int ours = -EBADF, theirs = -EBADF;
        _cleanup_free_ char *more = NULL;
        size_t sent = 0;
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return -errno;
        ours = pair[0];
        theirs = pair[1];
        more = format_text(PR_NOTIFY_KEEP_END "%.*s", (int) strcspn(ended, "\n"), ended);
        if (!more)
                return -ENOMEM;
        while (sent < k->whole.set.n_fds) {
                ssize_t n = descriptor_set_send(&k->whole.set, sent, sent == 0 ? more : NULL, ours, NULL, 0);

                if (n < 0)
                        return (int) n;
                sent += (size_t) n;
        }
        safe_close(k->given_fd);
        k->given_fd = steal_fd(&ours);
        *ret_fd = steal_fd(&theirs);
        return 0;
}
