/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The catalog with programs of ours that come and go, if we may load any. */

#include "bpf-catalog.h"
#include "check-main.h"
#include "loaded-program.h"

static int count(void *userdata, const BpfProgram *p, const BpfTypes *types) {
        uint32_t *wanted = userdata;

        if (p->info.id == *wanted)
                *wanted = 0;
        return 0;
}

static bool sees(const BpfCatalog *c, uint32_t id) {
        ck_assert_int_eq(bpf_catalog_each(c, count, &id), 0);
        return id == 0;
}

static uint32_t count_in_file(const BpfCatalog *c) {
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        const void *data, *types;
        size_t size, types_size;
        uint32_t n;

        ck_assert_int_eq(feature_table_new(&t), 0);
        ck_assert_int_eq(bpf_catalog_add_features(c, t), 0);
        ck_assert(feature_table_get(t, PERF_FEATURE_BPF_PROG_INFO, &data, &size));
        ck_assert(feature_table_get(t, PERF_FEATURE_BPF_BTF, &types, &types_size));
        ck_assert_uint_eq(size + types_size, bpf_catalog_size(c));
        memcpy(&n, data, sizeof(n));
        return n;
}

START_TEST(test_empty) {
        _cleanup_(bpf_catalog_freep) BpfCatalog *c = NULL;

        ck_assert_int_eq(bpf_catalog_new(&c), 0);
        ck_assert_uint_eq(count_in_file(c), 0);
        ck_assert_int_eq(bpf_catalog_update(c), 0);
}
END_TEST

START_TEST(test_come_and_go) {
        _cleanup_(bpf_catalog_freep) BpfCatalog *c = NULL;
        uint32_t first = 0, second = 0, before;
        int fd, other;

        ck_assert_int_eq(bpf_catalog_new(&c), 0);
        ck_assert_int_eq(bpf_catalog_update(c), 0);
        before = count_in_file(c);
        fd = load_program(&first);
        if (fd < 0)
                return;
        ck_assert(!sees(c, first));
        ck_assert_int_eq(bpf_catalog_update(c), 0);
        ck_assert(sees(c, first));
        ck_assert_uint_gt(count_in_file(c), before);
        other = load_program(&second);
        ck_assert_int_ge(other, 0);
        safe_close(fd);
        for (unsigned i = 0; i < 1000 && sees(c, first); i++) /* the kernel frees it a little later */
                ck_assert_int_eq(bpf_catalog_update(c), 0);
        ck_assert(!sees(c, first));
        ck_assert(sees(c, second));
        ck_assert_uint_ge(count_in_file(c), before + 2); /* the first one stays in the file */
        safe_close(other);
}
END_TEST

CHECK_MAIN("bpf-catalog", test_empty, test_come_and_go);
