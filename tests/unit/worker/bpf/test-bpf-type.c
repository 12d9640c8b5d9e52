/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Made-up type information: a type of each length, and truncated or damaged ones. */

#include <linux/btf.h>

#include "bpf-type.h"
#include "byte-buffer.h"
#include "check-main.h"

static const char strings[] = "\0first\0second\0last";

static void put_type(ByteBuffer *b, uint32_t name, unsigned kind, uint32_t n, size_t extra) {
        const struct btf_type t = { .name_off = name, .info = kind << 24 | n };

        byte_buffer_put(b, &t, sizeof(t));
        (void) byte_buffer_extend(b, extra);
}

static void make(BpfTypes *ret) {
        struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h) };
        ByteBuffer b = {};

        byte_buffer_put(&b, &h, sizeof(h));
        put_type(&b, 1, BTF_KIND_FUNC, 1, 0);
        put_type(&b, 0, BTF_KIND_INT, 0, 4);
        put_type(&b, 0, BTF_KIND_ARRAY, 0, sizeof(struct btf_array));
        put_type(&b, 0, BTF_KIND_STRUCT, 2, 2 * sizeof(struct btf_member));
        put_type(&b, 0, BTF_KIND_ENUM, 3, 3 * sizeof(struct btf_enum));
        put_type(&b, 0, BTF_KIND_FUNC_PROTO, 1, sizeof(struct btf_param));
        put_type(&b, 7, BTF_KIND_FUNC, 0, 0);
        put_type(&b, 0, BTF_KIND_VAR, 0, sizeof(struct btf_var));
        put_type(&b, 0, BTF_KIND_DATASEC, 2, 2 * sizeof(struct btf_var_secinfo));
        put_type(&b, 0, BTF_KIND_DECL_TAG, 0, sizeof(struct btf_decl_tag));
        put_type(&b, 0, BTF_KIND_ENUM64, 2, 2 * sizeof(struct btf_enum64));
        put_type(&b, 14, BTF_KIND_FUNC, 0, 0);
        h.type_len = (uint32_t) (b.size - sizeof(h));
        h.str_off = h.type_len;
        h.str_len = sizeof(strings);
        byte_buffer_put(&b, strings, sizeof(strings));
        memcpy(b.data, &h, sizeof(h));
        ck_assert_int_eq(b.error, 0);
        *ret = (BpfTypes) { .id = 1, .size = (uint32_t) b.size, .data = b.data };
}

START_TEST(test_names) {
        _cleanup_(bpf_types_done) BpfTypes t = {};

        make(&t);
        ck_assert_str_eq(bpf_types_name(&t, 1), "first");
        ck_assert_str_eq(bpf_types_name(&t, 7), "second");
        ck_assert_str_eq(bpf_types_name(&t, 12), "last");
        ck_assert_ptr_null(bpf_types_name(&t, 2)); /* without a name */
        ck_assert_ptr_null(bpf_types_name(&t, 0));
        ck_assert_ptr_null(bpf_types_name(&t, 13));
}
END_TEST

/* Damaged information gives a name within the data, or none. */
START_TEST(test_broken) {
        _cleanup_(bpf_types_done) BpfTypes t = {};
        uint8_t *bytes;

        make(&t);
        bytes = t.data;
        for (uint32_t size = t.size; t.size > 0; t.size--) {
                (void) bpf_types_name(&t, 12);
                if (t.size < size)
                        ck_assert_ptr_null(bpf_types_name(&t, 12));
        }
        make((bpf_types_done(&t), &t));
        bytes = t.data;
        for (uint32_t i = 0; i < t.size; i++) {
                uint8_t old = bytes[i];

                for (unsigned bit = 0; bit < 8; bit++) {
                        bytes[i] = (uint8_t) (old ^ 1u << bit);
                        for (uint32_t id = 0; id < 14; id++) {
                                const char *name = bpf_types_name(&t, id);

                                ck_assert(!name || (name > (char *) bytes && name < (char *) bytes + t.size));
                        }
                }
                bytes[i] = old;
        }
}
END_TEST

CHECK_MAIN("bpf-type", test_names, test_broken);
