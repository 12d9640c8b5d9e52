/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The syntax of probes, and their events: attributes as for tracepoints, the text as the name, a string that the
 * attribute points to. One test opens a real probe if this kernel allows it, and counts the calls of a program. */

#include <sys/wait.h>
#include "check-main.h"
#include "event.h"
#include "fd-file.h"
#include "fnv.h"
#include "grammar.h"
#include "probe.h"
#include "scratch.h"
#include "skip.h"
#include "test-machine.h"

static const GrammarSources sources = { .event_source = TEST_EVENT_SOURCE("intel"), .tracefs = TEST_DATA "/tracefs",
                                        .kallsyms = TEST_DATA "/kallsyms" };

static void parse(EventSpecs *list, const char *text, const GrammarSources *from) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r = event_specs_parse(list, text, from, &d);

        ck_assert_msg(r == 0, "%s: %d %s", text, r, d.sentence);
}

START_TEST(test_user) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        const EventSpec *s;

        parse(&list, "uprobe:" PROBED ":probed", &sources);
        s = &list.specs[0];
        ck_assert_str_eq(s->name, "uprobe:" PROBED ":probed");
        ck_assert_int_eq(s->probe_kind, PROBE_USER);
        ck_assert_uint_eq(s->attr.type, 21);
        ck_assert_uint_eq(s->attr.config, 0);
        ck_assert_uint_eq(s->attr.config1, (uintptr_t) s->probe_text);
        ck_assert_uint_gt(s->attr.config2, 0);
        ck_assert_uint_eq(s->attr.sample_period, 1);
        ck_assert_uint_eq(s->attr.sample_type, PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);
}
END_TEST

/* An update puts another file under the same name. */
static void replace(const char *path, const char *by) {
        (void) unlink(path);
        ck_assert_int_eq(by ? symlink(by, path) : 0, 0);
}

static bool is_replaced(const EventSpecs *list) {
        uint64_t files = FNV_BEGIN;

        return probes_replaced(list, &files) != NULL;
}

static void assert_not_renewed(EventSpecs *list, int error, const char *says) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(probes_renew(list, &d), error);
        ck_assert_msg(strstr(d.sentence, says), "%s", d.sentence);
        ck_assert(is_replaced(list));
}

START_TEST(test_replaced) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = path_join(dir, "app"), *text = NULL, *number = NULL;
        _cleanup_(event_specs_done) EventSpecs list = {}, fixed = {}, offset = {};
        uint64_t place, files = FNV_BEGIN;

        ck_assert_int_gt(asprintf(&text, "cs,uprobe:%s:probed", path), 0);
        parse(&fixed, "uprobe:" PROBED_FIXED ":probed", &sources);
        replace(path, PROBED);
        parse(&list, text, &sources);
        place = list.specs[1].attr.config2;
        ck_assert_uint_ne(place, fixed.specs[0].attr.config2);
        ck_assert_int_gt(asprintf(&number, "uprobe:%s:%#llx", path, (unsigned long long) place), 0);
        parse(&offset, number, &sources);
        ck_assert(!is_replaced(&list) && !is_replaced(&offset));
        ck_assert_int_eq(probes_renew(&list, NULL), 0);
        ck_assert_int_eq(probes_renew(&offset, NULL), 0);

        replace(path, PROBED_FIXED);
        ck_assert_str_eq(probes_replaced(&list, &files), path);
        ck_assert_int_eq(probes_renew(&list, NULL), 0);
        ck_assert_uint_eq(list.specs[1].attr.config2, fixed.specs[0].attr.config2);
        ck_assert(is_replaced(&list)); /* until they are opened */
        probes_opened(&list);
        ck_assert(!is_replaced(&list));
        assert_not_renewed(&offset, -ESTALE, "name a function, or the offset in the new file");

        replace(path, PROBED_STRIPPED);
        assert_not_renewed(&list, -ENOENT, "probed");
        replace(path, NULL);
        assert_not_renewed(&list, -ENOENT, path);
        replace(path, PROBED_FIXED);
        ck_assert(!is_replaced(&list));
}
END_TEST

START_TEST(test_forms) {
        _cleanup_(event_specs_done) EventSpecs list = {};

        parse(&list, "{uprobe:'" PROBED "':'probed'+1:u,cs},uprobe:" PROBED ":probed%return/name=back,period=10/k,kprobe:vfs_read+0x4,"
              "kprobe:tcp_sendmsg%return,kprobe:0xffffffff81000040:k", &sources);
        ck_assert_uint_eq(list.n_specs, 6);
        ck_assert_uint_eq(list.specs[0].group_size, 2);
        ck_assert(list.specs[0].attr.exclude_kernel);
        ck_assert_uint_eq(list.specs[0].attr.config2, list.specs[2].attr.config2 + 1);
        ck_assert_uint_eq(list.specs[2].attr.config, 1);
        ck_assert_str_eq(list.specs[2].name, "back");
        ck_assert_uint_eq(list.specs[2].terms.period, 10);
        ck_assert_uint_eq(list.specs[3].attr.type, 20);
        ck_assert_str_eq(list.specs[3].probe_text, "vfs_read");
        ck_assert_uint_eq(list.specs[3].attr.config2, 4);
        ck_assert_uint_eq(list.specs[4].attr.config, 1);
        ck_assert_uint_eq(list.specs[5].attr.config1, 0);
        ck_assert_uint_eq(list.specs[5].attr.config2, 0xffffffff81000040);
        ck_assert(list.specs[5].attr.exclude_user);
}
END_TEST

START_TEST(test_refused) {
        static const struct {
                const char *text;
                int error;
                size_t column;
                const char *says;
        } bad[] = {
                { "uprobe:", -EINVAL, 8, "uprobe:PATH:SYMBOL" },
                { "uprobe:/bin/true", -EINVAL, 17, "uprobe:PATH:SYMBOL" },
                { "cs,uprobe:/bin/true:", -EINVAL, 21, "a function or an offset" },
                { "uprobe:'/bin/true:x", -EINVAL, 8, "quote" },
                { "uprobe:/x:y+z", -EINVAL, 13, "\"z\" is not an offset" },
                { "uprobe:/x:y%entry", -EINVAL, 12, "%entry" },
                { "uprobe:/x:0xyz", -EINVAL, 11, "0xyz" },
                { "cs,uprobe:/no/such:x", -ENOENT, 11, "no file /no/such" },
                { "kprobe:", -EINVAL, 8, "a function or an offset" },
                { "kprobe:vfs_reed", -ENOENT, 8, "vfs_read" },
                { "kprobe:vfs_read/config1=1/", -EINVAL, 17, "config1" },
        };

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(event_specs_done) EventSpecs list = {};
                _cleanup_(diagnosis_done) Diagnosis d = {};

                ck_assert_int_eq(event_specs_parse(&list, bad[i].text, &sources, &d), bad[i].error);
                ck_assert_msg(strcasestr(d.sentence, bad[i].says), "%s: %s", bad[i].text, d.sentence);
                ck_assert_msg(d.column == bad[i].column, "%s: %zu", bad[i].text, d.column);
                ck_assert_uint_eq(list.n_specs, 0);
        }
}
END_TEST

START_TEST(test_no_pmu) {
        static const GrammarSources none = { .event_source = TEST_EVENT_SOURCE("arm"), .kallsyms = TEST_DATA "/kallsyms" };
        _cleanup_(event_specs_done) EventSpecs list = {};
        _cleanup_(diagnosis_done) Diagnosis user = {}, kernel = {};

        ck_assert_int_eq(event_specs_parse(&list, "uprobe:" PROBED ":probed", &none, &user), -ENOENT);
        ck_assert_ptr_nonnull(strstr(user.sentence, "no uprobes"));
        ck_assert_int_eq(event_specs_parse(&list, "kprobe:vfs_read", &none, &kernel), -ENOENT);
        ck_assert_ptr_nonnull(strstr(kernel.sentence, "CONFIG_KPROBE_EVENTS"));
        ck_assert_ptr_nonnull(strstr(kernel.sentence, "tracepoints"));
}
END_TEST

static pid_t start_probed(int *ret_go) {
        int go[2];
        pid_t pid;

        ck_assert_int_eq(pipe(go), 0);
        pid = fork();
        if (pid == 0) {
                (void) close(go[1]);
                (void) dup2(go[0], STDIN_FILENO);
                (void) read(STDIN_FILENO, &(char){ 0 }, 1);
                (void) execl(PROBED_FIXED, "probed", (char *) NULL);
                _exit(127);
        }
        (void) close(go[0]);
        *ret_go = go[1];
        return pid;
}

/* It calls probed() ten times. */
static void assert_counts(const char *text) {
        _cleanup_(event_specs_done) EventSpecs list = {};
        Event e = EVENT_EMPTY;
        uint64_t count = 0;
        int r, status, go;
        pid_t pid;

        parse(&list, text, NULL);
        list.specs[0].attr.disabled = list.specs[0].attr.enable_on_exec = true;
        pid = start_probed(&go);
        r = event_open(&e, &event_ops_kernel, &list.specs[0].attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
        (void) close(go);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        if (r == -EACCES || r == -EPERM || r == -ENOSYS)
                SKIP("probes are not allowed here: %s", strerror(-r));
        ck_assert_int_eq(r, 0);
        ck_assert_int_eq(status, 0);
        ck_assert_int_eq(read(e.fd, &count, sizeof(count)), sizeof(count));
        ck_assert_uint_eq(count, 10);
        event_done(&e);
}

START_TEST(test_count) {
        if (access("/sys/bus/event_source/devices/uprobe", F_OK) < 0)
                SKIP("this kernel has no uprobes");
        assert_counts("uprobe:" PROBED_FIXED ":probed");
        assert_counts("uprobe:" PROBED_FIXED ":probed%return");
}
END_TEST

CHECK_MAIN("grammar-probe", test_user, test_replaced, test_forms, test_refused, test_no_pmu, test_count);
