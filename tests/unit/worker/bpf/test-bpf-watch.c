/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A program that is loaded is added to the catalog by the watch, if we may load and read programs. */

#include "bpf-watch.h"
#include "check-main.h"
#include "loaded-program.h"

static Loop *loop;

static int on_timeout(void *userdata, int fd, uint32_t events) {
        bool *late = userdata;

        *late = true;
        loop_stop(loop);
        return 0;
}

static int count(void *userdata, const BpfProgram *p, const BpfTypes *types) {
        uint32_t *wanted = userdata;

        if (p->info.id == *wanted)
                *wanted = 0;
        return 0;
}

typedef struct Wanted {
        BpfCatalog *catalog;
        uint32_t id;
} Wanted;

/* Runs after each batch of handlers. */
static int stop_when_seen(void *userdata, int fd, uint32_t events) {
        Wanted *w = userdata;
        uint32_t id = w->id;

        ck_assert_int_eq(bpf_catalog_each(w->catalog, count, &id), 0);
        if (id == 0)
                loop_stop(loop);
        return 0;
}

START_TEST(test_hears) {
        _cleanup_(bpf_catalog_freep) BpfCatalog *c = NULL;
        BpfWatch *w = NULL;
        Wanted wanted;
        bool late = false;
        int fd;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(bpf_catalog_new(&c), 0);
        ck_assert_int_eq(bpf_watch_new(loop, c, "", &w), 0);
        wanted = (Wanted) { .catalog = c };
        fd = w ? load_program(&wanted.id) : -EPERM;
        if (fd >= 0) {
                loop_set_after(loop, stop_when_seen, &wanted);
                ck_assert_int_ge(loop_add_timer(loop, 5 * USEC_PER_SEC, false, on_timeout, &late), 0);
                ck_assert_int_eq(loop_run(loop), 0);
                ck_assert(!late);
                safe_close(fd);
        }
        bpf_watch_free(w);
        loop = loop_free(loop);
}
END_TEST

START_TEST(test_no_cpus) {
        _cleanup_(bpf_catalog_freep) BpfCatalog *c = NULL;
        BpfWatch *w = NULL;

        ck_assert_int_eq(loop_new(&loop), 0);
        ck_assert_int_eq(bpf_catalog_new(&c), 0);
        ck_assert_int_eq(bpf_watch_new(loop, c, "/nowhere", &w), 0);
        ck_assert_ptr_null(w);
        loop = loop_free(loop);
}
END_TEST

CHECK_MAIN("bpf-watch", test_hears, test_no_cpus);
