/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An object file, its attached programs, and the one map that is read. All outputs that one read finds are one reason,
 * whose detail is the first of them. After that the map is not watched for a moment, so that a program that never
 * stops can't keep the recorder from all other work. */

#include "trigger-bpf.h"

#include <sys/epoll.h>
#include "bpf-library.h"
#include "log.h"
#include "utf8.h"

#define PERF_PAGES 8u    /* of each CPU's ring, for a map that is an array of perf events */
#define HEX_BYTES_MAX 32u

struct TriggerBpf {
        BpfLibrary bpf;
        Loop *loop;
        char *name;       /* of the file, without its folder */
        struct bpf_object *object;
        struct bpf_link **links;
        size_t n_links;
        struct ring_buffer *ring; /* one of the two */
        struct perf_buffer *perf;
        int epoll_fd;     /* the library's */
        int timer;        /* the pause, -EBADF: none */
        char detail[512];
        unsigned n;       /* outputs in this look */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
};

TriggerBpf *trigger_bpf_free(TriggerBpf *t) {
        if (!t)
                return NULL;
        loop_remove(t->loop, t->epoll_fd);
        loop_remove_timer(t->loop, t->timer);
        for (size_t i = 0; i < t->n_links; i++)
                (void) t->bpf.link_destroy(t->links[i]);
        free(t->links);
        if (t->ring)
                t->bpf.buffers.ring_free(t->ring);
        if (t->perf)
                t->bpf.buffers.perf_free(t->perf);
        if (t->object)
                t->bpf.object_close(t->object);
        bpf_library_unload(&t->bpf);
        free(t->name);
        free(t);
        return NULL;
}

static bool output_is_text(const uint8_t *s, size_t n) {
        for (size_t i = 0; i < n; i++)
                if ((s[i] < ' ' && s[i] != '\t' && s[i] != '\n') || s[i] >= 0x7f)
                        return false;
        return n > 0;
}

void trigger_bpf_describe(const void *data, size_t size, char *ret, size_t ret_size) {
        const uint8_t *s = data;
        size_t text = strnlen(data, size), rest = text, at = 0;

        while (rest < size && s[rest] == 0) /* the unused end of an array of characters */
                rest++;
        if (rest == size && output_is_text(s, text)) {
                while (text > 0 && s[text - 1] <= ' ')
                        text--;
                for (; at < text && at + 1 < ret_size; at++)
                        ret[at] = s[at] < ' ' ? ' ' : (char) s[at];
                ret[at] = '\0';
                return;
        }
        ret[0] = '\0';
        for (size_t i = 0; i < MIN_OF(size, (size_t) HEX_BYTES_MAX) && at + 3 < ret_size; i++)
                at += (size_t) snprintf(ret + at, ret_size - at, "%02x", s[i]);
}

static void bpf_take_output(TriggerBpf *t, const void *data, size_t size) {
        char text[384];

        if (t->n++ > 0)
                return;
        trigger_bpf_describe(data, size, text, sizeof(text));
        (void) snprintf(t->detail, sizeof(t->detail), "%.*s: %s", utf8_prefix(t->name, 100), t->name, text);
}

static int bpf_on_ring_output(void *userdata, void *data, size_t size) {
        bpf_take_output(userdata, data, size);
        return 0;
}

static void bpf_on_perf_output(void *userdata, int cpu, void *data, uint32_t size) {
        bpf_take_output(userdata, data, size);
}

static void bpf_on_perf_lost(void *userdata, int cpu, unsigned long long n) {
        TriggerBpf *t = userdata;

        if (t->n > 0)
                t->n += (unsigned) n;
        else
                bpf_take_output(t, "", 1);
}

static int bpf_on_readable(void *userdata, int fd, uint32_t events);
static int bpf_on_pause_end(void *userdata, int fd, uint32_t events);

static int bpf_watch_map(TriggerBpf *t) {
        return loop_add(t->loop, t->epoll_fd, EPOLLIN, bpf_on_readable, t);
}

/* Returns true if there were outputs. */
static bool bpf_read_map(TriggerBpf *t) {
        t->n = 0;
        if (t->ring)
                (void) t->bpf.buffers.ring_consume(t->ring);
        else
                (void) t->bpf.buffers.perf_consume(t->perf);
        return t->n > 0;
}

static int bpf_fire_and_pause(TriggerBpf *t) {
        int fd;

        loop_remove(t->loop, t->epoll_fd);
        fd = loop_add_timer(t->loop, TRIGGER_BPF_PAUSE, false, bpf_on_pause_end, t);
        if (fd < 0)
                return fd;
        t->timer = fd;
        return t->fired(t->userdata, t->detail, t->n);
}

int trigger_bpf_look(TriggerBpf *t) {
        return bpf_read_map(t) ? t->fired(t->userdata, t->detail, t->n) : 0;
}

static int bpf_on_readable(void *userdata, int fd, uint32_t events) {
        TriggerBpf *t = userdata;

        return bpf_read_map(t) ? bpf_fire_and_pause(t) : 0;
}

/* A perf event that is added to epoll again is no longer readable for the data it has (ring-watch.h), so it must be
 * read after. */
static int bpf_on_pause_end(void *userdata, int fd, uint32_t events) {
        TriggerBpf *t = userdata;
        int r;

        loop_remove_timer(t->loop, t->timer);
        t->timer = -EBADF;
        if (bpf_read_map(t))
                return bpf_fire_and_pause(t);
        r = bpf_watch_map(t);
        if (r < 0)
                return r;
        return bpf_read_map(t) ? bpf_fire_and_pause(t) : 0;
}

/* Adds the library's reason, which has that of the kernel. */
static int bpf_refuse(Diagnosis *d, int r, const char *file, const char *what) {
        const char *warning = bpf_library_take_warning();

        if (r == -EPERM)
                return diagnosis_set(d, r, "%s %s: %s; CAP_BPF, CAP_PERFMON and bpf(2) are needed, see BPF= in "
                                     "perf-recorder.session(5)", file, what, strerror(-r));
        return diagnosis_set(d, r, "%s %s: %s%s%s", file, what, strerror(-r), *warning ? ": " : "", warning);
}

static int bpf_load(TriggerBpf *t, const char *file, Diagnosis *d) {
        int r;

        (void) bpf_library_take_warning();
        t->object = t->bpf.object_open(file, NULL);
        if (!t->object)
                return bpf_refuse(d, -errno, file, "can't be opened");
        r = t->bpf.object_load(t->object);
        return r < 0 ? bpf_refuse(d, r, file, "can't be loaded") : 0;
}

static int bpf_attach(TriggerBpf *t, const char *file, Diagnosis *d) {
        struct bpf_program *program = NULL;
        size_t n = 0;

        while ((program = t->bpf.next_program(t->object, program)))
                n++;
        t->links = calloc(n + 1, sizeof(struct bpf_link *));
        if (!t->links)
                return -ENOMEM;
        while ((program = t->bpf.next_program(t->object, program))) {
                struct bpf_link *link;

                if (!t->bpf.program_is_wanted(program)) /* SEC("?…") */
                        continue;
                link = t->bpf.program_attach(program);
                if (!link && errno == EOPNOTSUPP)
                        return diagnosis_set(d, -EOPNOTSUPP, "%s: the section of %s does not say where to attach it",
                                             file, t->bpf.program_name(program));
                if (!link)
                        return bpf_refuse(d, -errno, file, "can't be attached");
                t->links[t->n_links++] = link;
        }
        return t->n_links == 0 ? diagnosis_set(d, -EINVAL, "%s has no program", file) : 0;
}

static bool map_is_readable(enum bpf_map_type type) {
        return type == BPF_MAP_TYPE_RINGBUF || type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

static int bpf_find_map(const TriggerBpf *t, const char *file, const char *name, const struct bpf_map **ret, Diagnosis *d) {
        const struct bpf_map *found = NULL;

        for (const struct bpf_map *map = NULL; (map = t->bpf.next_map(t->object, map));) {
                if (name ? !streq(t->bpf.map_name(map), name) : !map_is_readable(t->bpf.map_type(map)))
                        continue;
                if (found)
                        return diagnosis_set(d, -EINVAL, "%s has several maps for output, %s and %s: name one after a colon",
                                             file, t->bpf.map_name(found), t->bpf.map_name(map));
                found = map;
        }
        if (!found && name)
                return diagnosis_set(d, -ENOENT, "%s has no map %s", file, name);
        if (!found)
                return diagnosis_set(d, -ENOENT, "%s has no map for output: a ring buffer, or an array of perf events", file);
        if (!map_is_readable(t->bpf.map_type(found)))
                return diagnosis_set(d, -EINVAL, "%s: the map %s is no ring buffer, nor an array of perf events", file, name);
        *ret = found;
        return 0;
}

static int bpf_open_map(TriggerBpf *t, const char *file, const struct bpf_map *map, Diagnosis *d) {
        int fd = t->bpf.map_fd(map);

        if (t->bpf.map_type(map) == BPF_MAP_TYPE_RINGBUF)
                t->ring = t->bpf.buffers.ring_new(fd, bpf_on_ring_output, t, NULL);
        else
                t->perf = t->bpf.buffers.perf_new(fd, PERF_PAGES, bpf_on_perf_output, bpf_on_perf_lost, t, NULL);
        if (!t->ring && !t->perf)
                return bpf_refuse(d, -errno, file, "can't be read");
        t->epoll_fd = t->ring ? t->bpf.buffers.ring_epoll_fd(t->ring) : t->bpf.buffers.perf_epoll_fd(t->perf);
        return bpf_watch_map(t);
}

/* A map's name has no slash. A file whose own name has a colon can only be given with its map. */
static int split_map_name(const char *s, char **ret_file, char **ret_map) {
        const char *colon = strrchr(s, ':');
        bool has_map = colon && colon[1] && !strchr(colon, '/');
        _cleanup_free_ char *file = has_map ? strndup(s, (size_t) (colon - s)) : strdup(s);

        if (!file)
                return -ENOMEM;
        if (has_map && !(*ret_map = strdup(colon + 1)))
                return -ENOMEM;
        *ret_file = steal_ptr(file);
        return 0;
}

static void trigger_bpf_on_line(enum libbpf_print_level level, const char *line) {
        log_verbose(level == LIBBPF_DEBUG ? 2 : 1, "%s", line);
}

int trigger_bpf_new(const TriggerBpfOptions *options, Loop *loop, TriggerBpf **ret, Diagnosis *d) {
        _cleanup_(trigger_bpf_freep) TriggerBpf *t = calloc(1, sizeof(*t));
        _cleanup_free_ char *file = NULL, *map_name = NULL;
        const struct bpf_map *map = NULL;
        int r;

        if (!t)
                return -ENOMEM;
        t->loop = loop;
        t->epoll_fd = t->timer = -EBADF;
        t->fired = options->fired;
        t->userdata = options->userdata;
        r = split_map_name(options->file, &file, &map_name);
        if (r < 0)
                return r;
        t->name = strdup(basename(file));
        if (!t->name)
                return -ENOMEM;
        r = bpf_library_load(&t->bpf, options->library, trigger_bpf_on_line, d);
        if (r >= 0)
                r = bpf_load(t, file, d);
        if (r >= 0)
                r = bpf_find_map(t, file, map_name, &map, d);
        if (r >= 0)
                r = bpf_open_map(t, file, map, d);
        if (r >= 0)
                r = bpf_attach(t, file, d);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}
