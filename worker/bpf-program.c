/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* bpf(2)'s walk over the numbers of loaded programs, three calls a program. Which name the kernel itself shows for a
 * function comes from the program's type information, which is not read here: the first function gets the program's
 * name, the others "F", as perf does it without that information. The kernel's own KSYMBOL records tell of programs that
 * are loaded later. */

#include "bpf-program.h"

#include <linux/bpf.h>
#include <sys/syscall.h>

#define PROGRAMS_MAX 65536u
#define FUNCTIONS_MAX 64u /* of one program that are named; more is rare, and the others stay without a name */

typedef struct ProgramFunctions {
        uint64_t addresses[FUNCTIONS_MAX];
        uint32_t lengths[FUNCTIONS_MAX];
        uint8_t tags[FUNCTIONS_MAX][BPF_TAG_SIZE];
} ProgramFunctions;

static int call_bpf(int command, union bpf_attr *attr) {
        long r = syscall(SYS_bpf, command, attr, sizeof(*attr));

        return r < 0 ? -errno : (int) r;
}

static int next_program(uint32_t *id) {
        union bpf_attr attr = { .start_id = *id };
        int r = call_bpf(BPF_PROG_GET_NEXT_ID, &attr);

        if (r >= 0)
                *id = attr.next_id;
        return r;
}

static int read_program(uint32_t id, struct bpf_prog_info *info, ProgramFunctions *f) {
        union bpf_attr attr = { .prog_id = id };
        _cleanup_close_ int fd = call_bpf(BPF_PROG_GET_FD_BY_ID, &attr);

        if (fd < 0)
                return fd;
        *info = (struct bpf_prog_info) {
                .jited_ksyms = (uint64_t) (uintptr_t) f->addresses,
                .nr_jited_ksyms = FUNCTIONS_MAX,
                .jited_func_lens = (uint64_t) (uintptr_t) f->lengths,
                .nr_jited_func_lens = FUNCTIONS_MAX,
                .prog_tags = (uint64_t) (uintptr_t) f->tags,
                .nr_prog_tags = FUNCTIONS_MAX,
        };
        attr = (union bpf_attr) {};
        attr.info.bpf_fd = (uint32_t) fd;
        attr.info.info_len = sizeof(*info);
        attr.info.info = (uint64_t) (uintptr_t) info;
        return call_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static void name_function(const struct bpf_prog_info *info, const uint8_t *tag, size_t index, char *ret, size_t size) {
        size_t n = (size_t) snprintf(ret, size, "bpf_prog_");

        for (size_t i = 0; i < BPF_TAG_SIZE; i++)
                n += (size_t) snprintf(ret + n, size - n, "%02x", tag[i]);
        (void) snprintf(ret + n, size - n, "_%.*s", BPF_OBJ_NAME_LEN, index == 0 && *info->name ? info->name : "F");
}

static int each_function(const struct bpf_prog_info *info, const ProgramFunctions *f, BpfFunctionHandler handler, void *userdata) {
        uint32_t n = MIN_OF(info->nr_jited_ksyms, info->nr_jited_func_lens);
        int r = 0;

        n = MIN_OF(n, info->nr_prog_tags);
        n = MIN_OF(n, FUNCTIONS_MAX);
        for (size_t i = 0; i < n && r >= 0; i++) {
                BpfFunction function = { .address = f->addresses[i], .length = f->lengths[i] };

                if (function.address == 0) /* hidden, kernel.kptr_restrict */
                        continue;
                name_function(info, f->tags[i], i, function.name, sizeof(function.name));
                r = handler(userdata, &function);
        }
        return r;
}

int bpf_program_each(BpfFunctionHandler handler, void *userdata) {
        uint32_t id = 0;

        for (unsigned i = 0; i < PROGRAMS_MAX; i++) {
                ProgramFunctions f = {};
                struct bpf_prog_info info;
                int r = next_program(&id);

                if (r == -ENOENT)
                        return 0;
                if (r < 0)
                        return r;
                r = read_program(id, &info, &f);
                if (r == -ENOENT) /* unloaded meanwhile */
                        continue;
                if (r >= 0)
                        r = each_function(&info, &f, handler, userdata);
                if (r < 0)
                        return r;
        }
        return -E2BIG;
}
