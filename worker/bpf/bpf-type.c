/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* BTF is a header, a sequence of types of different lengths, numbered from 1 in their order, and their strings
 * (Documentation/bpf/btf.rst). Only a type's length and name are read here. The kernel has checked the data; every offset is
 * checked all the same. */

#include "bpf-type.h"

#include <linux/btf.h>
#include "bpf-program.h"

#define TYPES_SIZE_MAX (64u * 1024 * 1024)
#define FIRST_SIZE 4096u

static int types_read_info(int fd, void *data, uint32_t size, struct bpf_btf_info *ret) {
        union bpf_attr attr = {};
        int r;

        *ret = (struct bpf_btf_info) { .btf = (uint64_t) (uintptr_t) data, .btf_size = size };
        attr.info.bpf_fd = (uint32_t) fd;
        attr.info.info_len = sizeof(*ret);
        attr.info.info = (uint64_t) (uintptr_t) ret;
        r = bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr);
        return r < 0 ? r : 0;
}

/* The kernel fills the buffer as far as it goes, and returns the whole size. */
int bpf_types_read(uint32_t id, BpfTypes *ret) {
        union bpf_attr attr = { .btf_id = id };
        _cleanup_close_ int fd = bpf_call(BPF_BTF_GET_FD_BY_ID, &attr);
        uint32_t size = FIRST_SIZE;

        if (fd < 0)
                return fd;
        for (;;) {
                _cleanup_free_ void *data = malloc(size);
                struct bpf_btf_info info;
                int r;

                if (!data)
                        return -ENOMEM;
                r = types_read_info(fd, data, size, &info);
                if (r < 0)
                        return r;
                if (info.btf_size <= size) {
                        *ret = (BpfTypes) { .id = id, .size = info.btf_size, .data = steal_ptr(data) };
                        return 0;
                }
                if (info.btf_size > TYPES_SIZE_MAX)
                        return -E2BIG;
                size = info.btf_size;
        }
}

void bpf_types_done(BpfTypes *t) {
        free(t->data);
        *t = (BpfTypes) {};
}

/* Returns the bytes that follow struct btf_type; SIZE_MAX: the kind is unknown, so the next type can't be found. */
static size_t type_extra_size(const struct btf_type *t) {
        size_t n = BTF_INFO_VLEN(t->info);

        switch (BTF_INFO_KIND(t->info)) {
        case BTF_KIND_PTR:
        case BTF_KIND_FWD:
        case BTF_KIND_TYPEDEF:
        case BTF_KIND_VOLATILE:
        case BTF_KIND_CONST:
        case BTF_KIND_RESTRICT:
        case BTF_KIND_FUNC:
        case BTF_KIND_FLOAT:
        case BTF_KIND_TYPE_TAG:
                return 0;
        case BTF_KIND_INT:
                return sizeof(uint32_t);
        case BTF_KIND_ARRAY:
                return sizeof(struct btf_array);
        case BTF_KIND_STRUCT:
        case BTF_KIND_UNION:
                return n * sizeof(struct btf_member);
        case BTF_KIND_ENUM:
                return n * sizeof(struct btf_enum);
        case BTF_KIND_FUNC_PROTO:
                return n * sizeof(struct btf_param);
        case BTF_KIND_VAR:
                return sizeof(struct btf_var);
        case BTF_KIND_DATASEC:
                return n * sizeof(struct btf_var_secinfo);
        case BTF_KIND_DECL_TAG:
                return sizeof(struct btf_decl_tag);
        case BTF_KIND_ENUM64:
                return n * sizeof(struct btf_enum64);
        default:
                return SIZE_MAX;
        }
}

static const char *types_string(const BpfTypes *t, const struct btf_header *h, uint32_t offset) {
        uint64_t start = (uint64_t) h->hdr_len + h->str_off, end = start + h->str_len;
        const char *s = (const char *) t->data + start + offset;

        if (end > t->size || offset == 0 || offset >= h->str_len || !memchr(s, 0, h->str_len - offset))
                return NULL;
        return s;
}

const char *bpf_types_name(const BpfTypes *t, uint32_t type_id) {
        uint64_t at, end;
        struct btf_header h;

        if (t->size < sizeof(h))
                return NULL;
        memcpy(&h, t->data, sizeof(h));
        at = (uint64_t) h.hdr_len + h.type_off;
        end = at + h.type_len;
        if (h.magic != BTF_MAGIC || end > t->size)
                return NULL;
        for (uint32_t id = 1; at + sizeof(struct btf_type) <= end; id++) {
                struct btf_type type;
                size_t extra;

                memcpy(&type, (const uint8_t *) t->data + at, sizeof(type));
                if (id == type_id)
                        return types_string(t, &h, type.name_off);
                extra = type_extra_size(&type);
                if (extra > end - at - sizeof(type))
                        return NULL;
                at += sizeof(type) + extra;
        }
        return NULL;
}
