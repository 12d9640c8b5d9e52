/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <bpf/libbpf.h>
#include "diagnosis.h"

/* libbpf, loaded only when a BPF program is wanted: nearly all recorders have none, and do not pay for it. */

#define BPF_LIBRARY "libbpf.so.1"

/* The functions that read what programs write. */
typedef struct BpfBuffers {
        struct ring_buffer *(*ring_new)(int map_fd, ring_buffer_sample_fn sample, void *userdata,
                                        const struct ring_buffer_opts *opts);
        void (*ring_free)(struct ring_buffer *ring);
        int (*ring_epoll_fd)(const struct ring_buffer *ring);
        int (*ring_consume)(struct ring_buffer *ring);
        struct perf_buffer *(*perf_new)(int map_fd, size_t pages, perf_buffer_sample_fn sample, perf_buffer_lost_fn lost,
                                        void *userdata, const struct perf_buffer_opts *opts);
        void (*perf_free)(struct perf_buffer *perf);
        int (*perf_epoll_fd)(const struct perf_buffer *perf);
        int (*perf_consume)(struct perf_buffer *perf);
} BpfBuffers;

/* The functions of programs and their tables. */
typedef struct BpfLibrary {
        void *library;
        struct bpf_object *(*object_open)(const char *path, const struct bpf_object_open_opts *opts);
        struct bpf_object *(*object_open_memory)(const void *bytes, size_t size, const struct bpf_object_open_opts *opts);
        int (*object_load)(struct bpf_object *object);
        void (*object_close)(struct bpf_object *object);
        struct bpf_program *(*next_program)(const struct bpf_object *object, struct bpf_program *previous);
        bool (*program_is_wanted)(const struct bpf_program *program);
        const char *(*program_name)(const struct bpf_program *program);
        struct bpf_link *(*program_attach)(const struct bpf_program *program);
        int (*link_destroy)(struct bpf_link *link);
        struct bpf_map *(*next_map)(const struct bpf_object *object, const struct bpf_map *previous);
        enum bpf_map_type (*map_type)(const struct bpf_map *map);
        const char *(*map_name)(const struct bpf_map *map);
        int (*map_fd)(const struct bpf_map *map);
        int (*map_update)(int fd, const void *key, const void *value, __u64 flags);
        int (*map_lookup)(int fd, const void *key, void *value);
        int (*map_next_key)(int fd, const void *key, void *next_key);
        BpfBuffers buffers;
} BpfLibrary;

/* Takes a line of the library's messages. */
typedef void (*BpfLineFunc)(enum libbpf_print_level level, const char *line);

/* line: NULL: messages are not wanted. name NULL: BPF_LIBRARY. -EOPNOTSUPP: it is missing, or another library; d says which. */
int bpf_library_load(BpfLibrary *l, const char *name, BpfLineFunc line, Diagnosis *d);
void bpf_library_unload(BpfLibrary *l);

/* Returns the library's first warning since the last call, one line; "": there was none. */
const char *bpf_library_take_warning(void);
