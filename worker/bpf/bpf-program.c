/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asks the kernel twice about a program: for the lengths of its arrays, then for the arrays. In the file they follow
 * each other, each padded to 8 bytes, and the info has their offsets instead of pointers. The info is as long as that
 * of Linux 6.1, because readers refuse a longer one than their own. The choice of arrays and the names of functions
 * are those of perf 6.1: by type information, otherwise the program's own name if it has one function, otherwise
 * "F". */

#include "bpf-program.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "array.h"
#include "format.h"

#define INFO_SIZE 232u
#define BLOCK_SIZE_MAX (16u * 1024 * 1024)

_Static_assert(sizeof(struct bpf_prog_info) >= INFO_SIZE, "headers older than Linux 6.1");

/* The head of BpfProgram.block, as the file has it. */
typedef struct BlockHeader {
        uint32_t info_size;
        uint32_t arrays_size;
        uint64_t arrays; /* a bit for each array that follows */
} BlockHeader;

/* Offsets in the info of an array's pointer, its length, and the size of an element, if that is not fixed. */
typedef struct ArrayPlace {
        unsigned bit; /* in BlockHeader.arrays */
        size_t pointer, count, element;
        uint32_t element_size; /* 0: the info has it, at element */
} ArrayPlace;

#define AT(field) offsetof(struct bpf_prog_info, field)

static const ArrayPlace places[] = {
        { 0, AT(jited_prog_insns), AT(jited_prog_len), 0, 1 },
        { 3, AT(jited_ksyms), AT(nr_jited_ksyms), 0, sizeof(uint64_t) },
        { 4, AT(jited_func_lens), AT(nr_jited_func_lens), 0, sizeof(uint32_t) },
        { 5, AT(func_info), AT(nr_func_info), AT(func_info_rec_size), 0 },
        { 6, AT(line_info), AT(nr_line_info), AT(line_info_rec_size), 0 },
        { 7, AT(jited_line_info), AT(nr_jited_line_info), AT(jited_line_info_rec_size), 0 },
        { 8, AT(prog_tags), AT(nr_prog_tags), 0, BPF_TAG_SIZE },
};

int bpf_call(int command, union bpf_attr *attr) {
        long r = syscall(SYS_bpf, command, attr, sizeof(*attr));

        return r < 0 ? -errno : (int) r;
}

int bpf_program_next(uint32_t *id) {
        union bpf_attr attr = { .start_id = *id };
        int r = bpf_call(BPF_PROG_GET_NEXT_ID, &attr);

        if (r >= 0)
                *id = attr.next_id;
        return r;
}

static int program_read_info(int fd, struct bpf_prog_info *info) {
        union bpf_attr attr = {};
        int r;

        attr.info.bpf_fd = (uint32_t) fd;
        attr.info.info_len = INFO_SIZE;
        attr.info.info = (uint64_t) (uintptr_t) info;
        r = bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr);
        return r < 0 ? r : 0;
}

static uint32_t info_u32(const struct bpf_prog_info *info, size_t offset) {
        uint32_t v;

        memcpy(&v, (const uint8_t *) info + offset, sizeof(v));
        return v;
}

static void info_set_u32(struct bpf_prog_info *info, size_t offset, uint32_t v) {
        memcpy((uint8_t *) info + offset, &v, sizeof(v));
}

static void info_set_u64(struct bpf_prog_info *info, size_t offset, uint64_t v) {
        memcpy((uint8_t *) info + offset, &v, sizeof(v));
}

/* Returns the bytes of an array, padded. */
static uint64_t info_array_size(const struct bpf_prog_info *info, const ArrayPlace *p) {
        uint32_t element = p->element_size ?: info_u32(info, p->element);

        return PERF_ALIGN_UP((uint64_t) info_u32(info, p->count) * element, sizeof(uint64_t));
}

static uint64_t info_sum_arrays(const struct bpf_prog_info *info) {
        uint64_t sum = 0;

        for (size_t i = 0; i < ELEMENTSOF(places); i++)
                sum += info_array_size(info, places + i);
        return sum;
}

/* Makes the info of the second call: the lengths of the first one, and pointers to the memory for the arrays. */
static void info_request_arrays(const struct bpf_prog_info *lengths, uint8_t *arrays, struct bpf_prog_info *ret) {
        *ret = (struct bpf_prog_info) {};
        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                const ArrayPlace *p = places + i;

                info_set_u32(ret, p->count, info_u32(lengths, p->count));
                if (p->element_size == 0)
                        info_set_u32(ret, p->element, info_u32(lengths, p->element));
                info_set_u64(ret, p->pointer, (uint64_t) (uintptr_t) arrays);
                arrays += info_array_size(lengths, p);
        }
}

/* Returns true if the arrays that have an element for each function are equally long. */
static bool info_fits_together(const struct bpf_prog_info *info) {
        uint32_t n = info->nr_jited_ksyms;

        if (n != info->nr_prog_tags || n != info->nr_jited_func_lens)
                return false;
        return !info->btf_id || !info->nr_func_info || !info->func_info_rec_size || info->nr_func_info == n;
}

static int program_read_block(int fd, const struct bpf_prog_info *lengths, BpfProgram *p) {
        BlockHeader h = { .info_size = INFO_SIZE, .arrays_size = (uint32_t) info_sum_arrays(lengths) };
        uint8_t *block = calloc(1, sizeof(h) + INFO_SIZE + h.arrays_size);
        struct bpf_prog_info info;
        uint64_t offset = 0;
        int r;

        if (!block)
                return -ENOMEM;
        p->block = block;
        p->size = sizeof(h) + INFO_SIZE + h.arrays_size;
        info_request_arrays(lengths, block + sizeof(h) + INFO_SIZE, &info);
        r = program_read_info(fd, &info);
        if (r < 0)
                return r;
        if (ANY_OF(ELEMENTSOF(places), i, info_array_size(&info, places + i) != info_array_size(lengths, places + i)) ||
            !info_fits_together(&info))
                return -ENODATA;
        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                h.arrays |= UINT64_C(1) << places[i].bit;
                info_set_u64(&info, places[i].pointer, offset); /* instead of the pointer */
                offset += info_array_size(&info, places + i);
        }
        memcpy(block, &h, sizeof(h));
        memcpy(block + sizeof(h), &info, INFO_SIZE);
        p->info = info;
        return 0;
}

int bpf_program_read(uint32_t id, BpfProgram *ret) {
        union bpf_attr attr = { .prog_id = id };
        _cleanup_close_ int fd = bpf_call(BPF_PROG_GET_FD_BY_ID, &attr);
        _cleanup_(bpf_program_done) BpfProgram p = {};
        struct bpf_prog_info lengths = {};
        int r;

        if (fd < 0)
                return fd;
        r = program_read_info(fd, &lengths);
        if (r < 0)
                return r;
        if (info_sum_arrays(&lengths) > BLOCK_SIZE_MAX)
                return -ENODATA;
        r = program_read_block(fd, &lengths, &p);
        if (r < 0)
                return r;
        *ret = steal_value(p, (BpfProgram) {});
        return 0;
}

void bpf_program_done(BpfProgram *p) {
        free(p->block);
        *p = (BpfProgram) {};
}

/* Returns an element of the array at that offset. */
static const void *program_element(const BpfProgram *p, uint64_t offset, size_t index, size_t size) {
        return (const uint8_t *) p->block + sizeof(BlockHeader) + INFO_SIZE + offset + index * size;
}

uint32_t bpf_program_functions(const BpfProgram *p) {
        return p->info.nr_jited_ksyms;
}

bool bpf_program_has_types(const BpfProgram *p) {
        return p->info.btf_id != 0 && p->info.nr_func_info > 0 &&
               p->info.func_info_rec_size >= sizeof(struct bpf_func_info);
}

static const char *program_short_name(const BpfProgram *p, uint32_t index, const BpfTypes *types) {
        struct bpf_func_info function;

        if (types && bpf_program_has_types(p)) {
                memcpy(&function, program_element(p, p->info.func_info, index, p->info.func_info_rec_size), sizeof(function));
                return bpf_types_name(types, function.type_id);
        }
        if (p->info.nr_jited_ksyms > 1)
                return "F";
        return *p->info.name ? p->info.name : NULL;
}

void bpf_program_function(const BpfProgram *p, uint32_t index, const BpfTypes *types, BpfFunction *ret) {
        const uint8_t *tag = program_element(p, p->info.prog_tags, index, BPF_TAG_SIZE);
        const char *name = program_short_name(p, index, types);
        size_t n = (size_t) snprintf(ret->name, sizeof(ret->name), "bpf_prog_");

        memcpy(&ret->address, program_element(p, p->info.jited_ksyms, index, sizeof(uint64_t)), sizeof(uint64_t));
        memcpy(&ret->length, program_element(p, p->info.jited_func_lens, index, sizeof(uint32_t)), sizeof(uint32_t));
        for (size_t i = 0; i < BPF_TAG_SIZE; i++)
                n += (size_t) snprintf(ret->name + n, sizeof(ret->name) - n, "%02x", tag[i]);
        if (name)
                (void) snprintf(ret->name + n, sizeof(ret->name) - n, "_%s", name);
}
