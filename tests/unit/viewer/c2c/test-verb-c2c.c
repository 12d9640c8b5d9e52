/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view c2c, end to end, of accesses that can be added up by hand: two processes share a line of a file, of which each
 * has another address, and a thread has a line for itself. */

#include "made-accesses.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "ASAN_OPTIONS=detect_leaks=0 " VIEWER " "
#define LINE_OF_SECOND (MADE_ACCESSES_SHARED + MADE_ACCESSES_APART)
#define LOAD (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT))
#define STORE (PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT))
#define CODE (MADE_FACETS_BASE + 0x1000)

static const MadeFacets program = { .program = "/bin/true" };

static const MadeAccess accesses[] = {
        { CODE, MADE_ACCESSES_SHARED + 8, LOAD | PERF_MEM_S(LVL, L3) | PERF_MEM_S(SNOOP, HITM), 0x10000008, 100, 0, 0 },
        { CODE, LINE_OF_SECOND + 8, LOAD | PERF_MEM_S(LVL, REM_CCE1) | PERF_MEM_S(SNOOP, HITM), 0x10000008, 300, 2, 4 },
        { CODE, LINE_OF_SECOND + 8, LOAD | PERF_MEM_S(LVL, REM_CCE1) | PERF_MEM_S(SNOOP, HITM), 0x10000008, 301, 2, 4 },
        { CODE + 4, MADE_ACCESSES_SHARED + 16, STORE | PERF_MEM_S(LOCK, LOCKED), 0x10000010, 0, 1, 1 },
        { CODE + 4, MADE_FACETS_DATA, LOAD | PERF_MEM_S(LVL, L1), 0x50000000, 4, 3, 5 },
        { CODE + 4, MADE_FACETS_DATA, STORE, 0x50000000, 0, 3, 5 },
        { CODE, 0, LOAD | PERF_MEM_S(LVL, L1), 0, 5, 0, 0 },
        { CODE, MADE_FACETS_DATA, PERF_MEM_S(OP, NA), 0x10000000, 5, 0, 0 },
};

static void expect(const char *words, const char *expected) {
        _cleanup_free_ char *path = test_path("accesses.data"), *text = NULL;

        made_accesses(path, &program, accesses, ELEMENTSOF(accesses));
        text = test_command(VIEW "c2c report %s -i %s 2>&1; echo $?", words, path);
        ck_assert_str_eq(text, expected);
}

#define TOTAL "\"total\":{\"accesses\":8,\"locked\":1,\"load\":5,\"load_without_address\":1,\"load_l1\":1,\"local_hitm\":1," \
              "\"remote_hitm\":2,\"store\":2,\"store_l1\":2,\"unknown\":1}"
#define SHARED "\"shared\":{\"lines\":1,\"accesses\":4,\"locked\":1,\"load\":3,\"local_hitm\":1,\"remote_hitm\":2,\"store\":1," \
               "\"store_l1\":1}"
#define HEAD "{\"events\":[\"cpu/mem-loads,ldlat=30/P\",\"cpu/mem-stores/P\"]," TOTAL "," SHARED

START_TEST(one_line_of_two_processes) {
        expect("--json --stats", HEAD "}\n0\n");
        expect("--json --no-source -c pid",
               HEAD ",\"lines\":[{\"address\":\"0x7f1000000000\",\"memory_nodes\":[0],\"accesses\":4,\"locked\":1,\"load\":3,"
               "\"local_hitm\":1,\"remote_hitm\":2,\"store\":1,\"store_l1\":1,\"rows\":["
               "{\"offset\":8,\"pid\":4200,\"memory_nodes\":[0],\"accesses\":2,\"load\":2,\"remote_hitm\":2,"
               "\"remote_hitm_cycles\":300,\"cpus\":[{\"cpu\":2,\"node\":1}]},"
               "{\"offset\":8,\"pid\":4100,\"memory_nodes\":[0],\"accesses\":1,\"load\":1,\"local_hitm\":1,"
               "\"local_hitm_cycles\":100,\"cpus\":[{\"cpu\":0,\"node\":0}]},"
               "{\"offset\":16,\"pid\":4100,\"memory_nodes\":[0],\"accesses\":1,\"locked\":1,\"store\":1,\"store_l1\":1,"
               "\"cpus\":[{\"cpu\":1,\"node\":0}]}]}]}\n0\n");
}
END_TEST

/* Other views' selections hold here: only the second process, of which two loads and its own line are left. */
START_TEST(selected) {
        expect("--json --stats --pid 4200",
               "{\"events\":[\"cpu/mem-loads,ldlat=30/P\",\"cpu/mem-stores/P\"],\"total\":{\"accesses\":4,\"load\":3,\"load_l1\":1,"
               "\"remote_hitm\":2,\"store\":1,\"store_l1\":1},\"shared\":{\"lines\":1,\"accesses\":2,\"load\":2,"
               "\"remote_hitm\":2}}\n0\n");
        expect("--json --stats -d lcl --time ,0.0000015",
               "{\"events\":[\"cpu/mem-loads,ldlat=30/P\",\"cpu/mem-stores/P\"],\"total\":{\"accesses\":1,\"load\":1,"
               "\"local_hitm\":1},\"shared\":{\"lines\":1,\"accesses\":1,\"load\":1,\"local_hitm\":1}}\n0\n");
}
END_TEST

/* Two recordings are summed up: lines and code are the same in both. */
START_TEST(several) {
        _cleanup_free_ char *first = test_path("first.data"), *second = test_path("second.data"), *text = NULL;

        made_accesses(first, &program, accesses, 1);
        made_accesses(second, &program, accesses + 1, 2);
        text = test_command(VIEW "c2c report -c iaddr -i %s -i %s 2>&1 | sed -n '/Pareto/,$p' | tail -n +8 | cut -c -136", first,
                            second);
        ck_assert_str_eq(text, "  ----------------------------------------------------------------------\n"
                         "      0        2        1        0        0        0      0x7f1000000000\n"
                         "  ----------------------------------------------------------------------\n"
                         "         100.00%  100.00%    0.00%    0.00%    0.00%                 0x8     0       1            "
                         "0x401000       300       100         0\n");
}
END_TEST

START_TEST(refused) {
        _cleanup_free_ char *golden = test_golden("perf-6.1-compressed.data"), *none = NULL;

        none = test_command(VIEW "c2c report -i %s 2>&1 | sed 's,.*/,,'", golden);
        ck_assert_str_eq(none, "perf-6.1-compressed.data has no samples of memory accesses: none of its events records addresses "
                         "and sources of data. 'perfctl c2c record' records what is needed, on CPUs that can\n");
        expect("-d most", "--display: not one of tot, lcl, rmt, peer: 'most'\n1\n");
        expect("-c cpu", "--coalesce: not a value of this option: 'cpu'\n1\n");
}
END_TEST

TEST_RUN("verb-c2c", one_line_of_two_processes, selected, several, refused);
