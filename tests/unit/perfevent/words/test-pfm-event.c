/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Events by libpfm's names, of a CPU that this machine need not have; they are only encoded. Without the library only
 * its absence is tested. */

#include <dlfcn.h>
#include "check-main.h"
#include "pfm-event.h"
#include "test-machine.h"

static const PfmSources sources = { .event_source = TEST_EVENT_SOURCE("hybrid") };

static bool skip(void) {
        void *library = dlopen(PFM_LIBRARY, RTLD_NOW);

        ck_assert_int_eq(setenv("LIBPFM_FORCE_PMU", "skl", 1), 0);
        ck_assert_int_eq(setenv("LIBPFM_ENCODE_INACTIVE", "1", 1), 0);
        if (library)
                (void) dlclose(library);
        return !library;
}

START_TEST(test_events) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        if (skip())
                return;
        ck_assert_msg(event_specs_parse_pfm(&list, "INST_RETIRED:ANY_P,{MEM_LOAD_RETIRED:L1_MISS:u,BR_INST_RETIRED:k},inst_retired.any_p",
                                            &sources, &d) == 0, "%s", d.sentence);
        ck_assert_uint_eq(list.n_specs, 4);
        ck_assert_str_eq(list.specs[0].name, "INST_RETIRED:ANY_P");
        ck_assert_uint_eq(list.specs[0].attr.type, PERF_TYPE_RAW);
        ck_assert_uint_eq(list.specs[0].attr.config & 0xffff, 0xc0);
        ck_assert(!list.specs[0].attr.exclude_user && !list.specs[0].attr.exclude_kernel && list.specs[0].attr.exclude_guest);
        ck_assert_uint_eq(list.specs[0].column, 1);
        ck_assert_uint_eq(list.specs[0].n_cpus, 2); /* the made-up PMU of that type has them */

        ck_assert_uint_eq(list.specs[1].attr.config & 0xffff, 0x8d1);
        ck_assert(!list.specs[1].attr.exclude_user && list.specs[1].attr.exclude_kernel);
        ck_assert(list.specs[1].leader && !list.specs[2].leader && list.specs[1].group == 1 && list.specs[2].group_size == 2);
        ck_assert(list.specs[2].attr.exclude_user && list.specs[3].leader);
        ck_assert_uint_eq(list.specs[3].attr.config, list.specs[0].attr.config);
}
END_TEST

START_TEST(test_refused) {
        static const struct {
                const char *text;
                int error;
                size_t column;
                const char *says;
        } bad[] = {
                { "", -EINVAL, 1, "expected" },
                { "NO_SUCH_EVENT", -ENOENT, 1, "NO_SUCH_EVENT" },
                { "BR_INST_RETIRED,INST_RETIRED:NO_SUCH", -EINVAL, 17, "INST_RETIRED:NO_SUCH" },
                { "BR_INST_RETIRED,,BR_INST_RETIRED", -EINVAL, 17, "expected" },
                { "{BR_INST_RETIRED", -EINVAL, 1, "not closed" },
                { "{BR_INST_RETIRED{", -EINVAL, 17, "not closed" },
                { "BR_INST_RETIRED}", -EINVAL, 16, "comma" },
                { "{BR_INST_RETIRED}BR_INST_RETIRED", -EINVAL, 18, "comma" },
        };
        _cleanup_(event_specs_done) EventSpecs list = {};

        if (skip())
                return;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                int r = event_specs_parse_pfm(&list, bad[i].text, &sources, &d);

                ck_assert_msg(r == bad[i].error, "%s: %d %s", bad[i].text, r, d.sentence);
                ck_assert_msg(d.column == bad[i].column, "%s: column %zu: %s", bad[i].text, d.column, d.sentence);
                ck_assert_msg(strstr(d.sentence, bad[i].says) != NULL, "%s: %s", bad[i].text, d.sentence);
                ck_assert_uint_eq(list.n_specs, 0);
                ck_assert_uint_eq(list.n_groups, 0);
        }
}
END_TEST

START_TEST(test_without_library) {
        const PfmSources nowhere = { .library = "libnosuch.so.4" }, wrong = { .library = "libc.so.6" };
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis d = {}, d2 = {};

        ck_assert_int_eq(event_specs_parse_pfm(&list, "cpu-clock", &nowhere, &d), -EOPNOTSUPP);
        ck_assert_ptr_nonnull(strstr(d.sentence, "package libpfm4"));
        ck_assert_int_eq(event_specs_parse_pfm(&list, "cpu-clock", &wrong, &d2), -EOPNOTSUPP);
        ck_assert_ptr_nonnull(strstr(d2.sentence, "not the libpfm"));
}
END_TEST

CHECK_MAIN("pfm-event", test_events, test_refused, test_without_library);
