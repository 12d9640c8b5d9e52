/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/bpf.h>

#include "bpf-program.h"
#include "format.h"

/* Loads a minimal program, until the returned descriptor is closed; *ret_id is its number. -EPERM and others: it can't
 * be loaded here. */
static inline int load_program(uint32_t *ret_id) {
        static const struct bpf_insn instructions[] = {
                { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
                { .code = BPF_JMP | BPF_EXIT },
        };
        union bpf_attr attr = {
                .prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
                .insn_cnt = ELEMENTSOF(instructions),
                .insns = (uint64_t) (uintptr_t) instructions,
                .license = (uint64_t) (uintptr_t) "GPL",
                .prog_name = "smallest",
        };
        struct bpf_prog_info info = {};
        int fd = bpf_call(BPF_PROG_LOAD, &attr), r;

        if (fd < 0)
                return fd;
        attr = (union bpf_attr) {};
        attr.info.bpf_fd = (uint32_t) fd;
        attr.info.info_len = sizeof(info);
        attr.info.info = (uint64_t) (uintptr_t) &info;
        r = bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr);
        if (r < 0)
                return safe_close(fd), r;
        *ret_id = info.id;
        return fd;
}
