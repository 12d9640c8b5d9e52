/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples with nearly all fields that software events can have, recorded by perf: our parser finds the values that
 * perf script shows, field for field. The last fields are right only if the size of all others is. All are of one CPU,
 * since perf script sorts those of several. perf crashes on records with other recorders' build ids, so it gets three
 * tries. */

#include <inttypes.h>
#include "perfdata-test.h"
#include "reader.h"
#include "sample.h"

#define FIELDS "-d --phys-data --data-page-size --code-page-size --all-cgroups -W --transaction --intr-regs --call-graph dwarf,512 " \
               "-R --sample-identifier --user-regs=ax,ip"

static const struct perf_event_header *next_sample(PerfDataReader *r, size_t *cursor) {
        const struct perf_event_header *record;

        while (perf_data_reader_next(r, cursor, &record) == 1)
                if (record->type == PERF_RECORD_SAMPLE)
                        return record;
        return NULL;
}

static void compare_line(const PerfSample *s, const char *line) {
        uint64_t address, physical, weight;
        unsigned tid, cpu;
        int n = sscanf(line, "%u [%u] %" SCNx64 " %" SCNu64 " %" SCNx64, &tid, &cpu, &address, &weight, &physical);

        ck_assert_msg(n == 5, "%s", line);
        ck_assert_uint_eq(s->tid, tid);
        ck_assert_uint_eq(s->cpu, cpu);
        ck_assert_msg(s->address == address, "%s: %" PRIx64, line, s->address);
        ck_assert_uint_eq(s->weight, weight);
        ck_assert_msg(s->physical_address == physical, "%s: %" PRIx64, line, s->physical_address);
}

static void check_fields(const struct perf_event_attr *attr, const PerfSample *s) {
        ck_assert_uint_eq(s->n_intr_registers, (size_t) __builtin_popcountll(attr->sample_regs_intr));
        ck_assert(s->user_abi == 0 || s->n_user_registers == (size_t) __builtin_popcountll(attr->sample_regs_user));
        ck_assert_uint_le(s->stack_size, 512);
        ck_assert_uint_ne(s->data_source, 0); /* "not available" has another number */
        ck_assert_uint_ne(s->cgroup, 0);
        ck_assert_uint_eq(s->code_page_size & (s->code_page_size - 1), 0);
        ck_assert_uint_eq(s->transaction, 0);
}

START_TEST(as_perf_script_shows) {
        _cleanup_free_ char *path = test_path("fields"), *done = NULL, *script = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        const struct perf_event_header *record;
        size_t cursor = 0, n = 0;
        char *rest, *line;

        done = test_command("for i in 1 2 3; do taskset -c 0 perf record -q -e page-faults -c 5 " FIELDS " -o %s -- ls -R /etc && exit; "
                            "rm -f %s; done >/dev/null 2>&1", path, path);
        if (access(path, F_OK) < 0) {
                (void) fprintf(stderr, "as_perf_script_shows: perf may not record here, left out\n");
                return;
        }
        script = test_command("perf script -f -G -F tid,cpu,addr,weight,phys_addr -i %s 2>/dev/null | grep -v '^$'", path);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        rest = script;
        while ((record = next_sample(r, &cursor)) && (line = strsep(&rest, "\n"))) {
                const PerfDataEvent *e = perf_data_reader_event_of(r, record);
                PerfSample s = {};

                ck_assert_ok(sample_parse(&e->attr, record, &s));
                compare_line(&s, line);
                check_fields(&e->attr, &s);
                n++;
        }
        ck_assert_uint_gt(n, 5);
}
END_TEST

int main(void) {
        const TTest *const all[] = { as_perf_script_shows };

        if (!test_have_perf()) {
                (void) fprintf(stderr, "perf is not installed\n");
                return TEST_SKIPPED;
        }
        return test_run("sample-recorded", all, sizeof(all) / sizeof(all[0]));
}
