/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions in a search path of three directories, of which the first two are the administrator's: precedence, masks,
 * drop-ins, templates, and errors of one session that do not affect others. */

#include "check-main.h"
#include "load.h"
#include "scratch.h"

typedef struct Place {
        char *dir;
        SearchPath path;
} Place;

static void place_done(Place *p) {
        search_path_done(&p->path);
        scratch_done(&p->dir);
}

static Place place_new(void) {
        Place p = { .dir = scratch_new(), .path = { .n_enabled = 2 } };

        ck_assert_int_eq(strv_extendf(&p.path.directories, "%s/etc", p.dir), 0);
        ck_assert_int_eq(strv_extendf(&p.path.directories, "%s/run", p.dir), 0);
        ck_assert_int_eq(strv_extendf(&p.path.directories, "%s/usr", p.dir), 0);
        return p;
}

static void put_link(const Place *p, const char *target, const char *name) {
        _cleanup_free_ char *path = path_join(p->dir, name), *parent = strndup(path, (size_t) (strrchr(path, '/') - path));

        ck_assert_int_eq(make_directories(parent, 0755), 0);
        ck_assert_int_eq(symlink(target, path), 0);
}

static SessionFile *load(const Place *p, const char *name) {
        SessionFile *f = NULL;

        ck_assert_int_eq(session_file_load(&p->path, name, &f), 0);
        ck_assert_str_eq(f->name, name);
        return f;
}

/* Checks that the session is loaded with an error; message follows the directory of the place. */
static void assert_bad(const Place *p, const char *name, const char *message) {
        _cleanup_(session_file_freep) SessionFile *f = load(p, name);
        _cleanup_free_ char *text = diagnosis_format(&f->error);

        ck_assert_ptr_null(f->settings);
        ck_assert_ptr_nonnull(startswith(text, p->dir));
        ck_assert_str_eq(text + strlen(p->dir), message);
}

START_TEST(test_first_wins) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL, *vendor = NULL, *said = NULL;

        scratch_write_text(p.dir, "run/cpu.session", "[Session]\nDescription=run\n[Record]\nAllCPUs=yes\n");
        scratch_write_text(p.dir, "usr/cpu.session", "[Session]\nDescription=usr\n[Record]\nFrequency=99\n");
        scratch_write_text(p.dir, "usr/other.session", "[Record]\nFrequency=99\n");
        scratch_write_text(p.dir, "usr/said.session", "[Session]\nEnabled=yes\nRun=-a\n");

        f = load(&p, "cpu");
        ck_assert_str_eq(f->settings->description, "run");
        ck_assert_uint_eq(f->settings->record.frequency, 0);
        ck_assert_str_eq(f->fragment_path + strlen(p.dir), "/run/cpu.session");
        ck_assert(f->enabled);
        vendor = load(&p, "other");
        ck_assert(!vendor->enabled);
        said = load(&p, "said");
        ck_assert(said->enabled);
}
END_TEST

START_TEST(test_drop_ins) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL;

        scratch_write_text(p.dir, "usr/cpu.session", "[Session]\nEnabled=yes\n[Record]\nEvent=cycles\nFrequency=1\n");
        scratch_write_text(p.dir, "usr/cpu.session.d/20-b.conf", "[Record]\nFrequency=20\n");
        scratch_write_text(p.dir, "etc/cpu.session.d/10-a.conf", "[Record]\nFrequency=10\nEvent=\nEvent=faults\n");
        scratch_write_text(p.dir, "usr/cpu.session.d/30-masked.conf", "[Record]\nFrequency=30\n");
        put_link(&p, "/dev/null", "etc/cpu.session.d/30-masked.conf");
        scratch_write_text(p.dir, "run/cpu.session.d/40-empty.conf", "");
        scratch_write_text(p.dir, "usr/cpu.session.d/40-empty.conf", "[Record]\nFrequency=40\n");
        scratch_write_text(p.dir, "etc/cpu.session.d/50-off.conf", "[Session]\nEnabled=no\n");

        f = load(&p, "cpu");
        ck_assert_uint_eq(f->settings->record.frequency, 20);
        ck_assert_uint_eq(strv_length(f->settings->record.events), 1);
        ck_assert_str_eq(f->settings->record.events[0], "faults");
        ck_assert(!f->enabled);
        ck_assert_uint_eq(strv_length(f->drop_in_paths), 3);
        ck_assert_str_eq(f->drop_in_paths[1] + strlen(p.dir), "/usr/cpu.session.d/20-b.conf");
}
END_TEST

START_TEST(test_bad_drop_in) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_free_ char *fifo = path_join(p.dir, "etc/fifo.session.d/x.conf");

        scratch_write_text(p.dir, "usr/cpu.session", "[Record]\nFrequency=1\n");
        scratch_write_text(p.dir, "etc/cpu.session.d/x.conf", "[Record]\nPeriod=1\n");
        assert_bad(&p, "cpu", "/usr/cpu.session: Period: cannot be used beside Frequency=; "
                   "an event can have its own: Event=NAME/period=N/");

        scratch_write_text(p.dir, "usr/other.session", "[Record]\nFrequency=1\n");
        scratch_write_text(p.dir, "etc/other.session.d/x.conf", "[Record]\nPeriod=never\n");
        assert_bad(&p, "other", "/etc/other.session.d/x.conf:2: Period: \"never\" is not a whole number above 0");

        scratch_write_text(p.dir, "etc/fifo.session", "[Session]\n");
        scratch_write_text(p.dir, "etc/fifo.session.d/y.conf", "[Session]\n");
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        assert_bad(&p, "fifo", "/etc/fifo.session.d/x.conf: a FIFO, socket or device, where a file is expected");
}
END_TEST

START_TEST(test_masks) {
        _cleanup_(place_done) Place p = place_new();
        SessionFile *f = NULL;

        put_link(&p, "/dev/null", "etc/cpu.session");
        scratch_write_text(p.dir, "usr/cpu.session", "[Session]\n");
        scratch_write_text(p.dir, "etc/empty.session", "");
        scratch_write_text(p.dir, "usr/empty.session", "[Session]\n");
        ck_assert_int_eq(session_file_load(&p.path, "cpu", &f), -ERFKILL);
        ck_assert_int_eq(session_file_load(&p.path, "empty", &f), -ERFKILL);
        ck_assert_ptr_null(f);
}
END_TEST

START_TEST(test_no_session) {
        _cleanup_(place_done) Place p = place_new();
        SearchPath none = {};
        SessionFile *f = NULL;

        scratch_write_text(p.dir, "etc/unit@.session", "[Session]\n");
        ck_assert_int_eq(session_file_load(&p.path, "cpu", &f), -ENOENT);
        ck_assert_int_eq(session_file_load(&none, "cpu", &f), -ENOENT);
        ck_assert_int_eq(session_file_load(&p.path, "../etc/unit", &f), -EINVAL);
        ck_assert_int_eq(session_file_load(&p.path, "", &f), -EINVAL);
        ck_assert_int_eq(session_file_load(&p.path, "unit@", &f), -EINVAL);
        ck_assert_ptr_null(f);
}
END_TEST

START_TEST(test_template) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL, *own = NULL;

        scratch_write_text(p.dir, "usr/unit@.session", "[Session]\nDescription=%p of %I\n[Record]\nUnit=%i\nFrequency=1\n");
        scratch_write_text(p.dir, "usr/unit@.session.d/10-all.conf", "[Record]\nFrequency=2\n");
        scratch_write_text(p.dir, "usr/unit@.session.d/20-both.conf", "[Record]\nPeriod=1\n");
        scratch_write_text(p.dir, "usr/unit@a-b.service.session.d/20-both.conf", "[Session]\nRestart=no\n");
        scratch_write_text(p.dir, "etc/unit@own.session", "[Session]\nDescription=own\n");

        f = load(&p, "unit@a-b.service");
        ck_assert_str_eq(f->settings->description, "unit of a/b.service");
        ck_assert_str_eq(f->settings->record.unit, "a-b.service");
        ck_assert_uint_eq(f->settings->record.frequency, 2);
        ck_assert_uint_eq(f->settings->record.period, 0);
        ck_assert_int_eq(f->settings->restart, RESTART_NO);
        ck_assert_str_eq(f->fragment_path + strlen(p.dir), "/usr/unit@.session");
        ck_assert_uint_eq(strv_length(f->drop_in_paths), 2);

        scratch_write_text(p.dir, "etc/unit@own.session.d/20-both.conf", "[Session]\nRestart=no\n");
        own = load(&p, "unit@own");
        ck_assert_str_eq(own->settings->description, "own");
        ck_assert_uint_eq(own->settings->record.frequency, 2); /* a template's drop-ins are for all its instances */
        ck_assert(own->enabled);
}
END_TEST

START_TEST(test_perf_config) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *cpu = NULL, *own = NULL, *vendor = NULL;
        _cleanup_(session_files_done) SessionFiles l = {};

        p.path.perf_config = path_join(p.dir, "perfconfig");
        scratch_write_text(p.dir, "perfconfig", "[session-cpu]\nrun = -e 100%% -a\n\n[session-own]\nrun = -e theirs\n");
        scratch_write_text(p.dir, "etc/own.session", "[Session]\nRun=-e ours\n");
        scratch_write_text(p.dir, "usr/cpu.session", "[Session]\nRun=-e vendor\n");
        scratch_write_text(p.dir, "usr/vendor.session", "[Session]\nRun=-e vendor\n");
        scratch_write_text(p.dir, "etc/cpu.session.d/x.conf", "[Session]\nDescription=mine\n");

        cpu = load(&p, "cpu");
        ck_assert_str_eq(cpu->settings->run, "-e 100%% -a");
        ck_assert_str_eq(cpu->settings->description, "mine");
        ck_assert_str_eq(cpu->fragment_path, p.path.perf_config);
        ck_assert(cpu->enabled);
        own = load(&p, "own");
        ck_assert_str_eq(own->settings->run, "-e ours");
        vendor = load(&p, "vendor");
        ck_assert(!vendor->enabled);

        ck_assert_int_eq(session_files_load(&p.path, &l), 0);
        ck_assert_uint_eq(l.n_files, 3);
        ck_assert_str_eq(l.files[0]->name, "cpu");
        ck_assert_ptr_null(l.warnings);
}
END_TEST

START_TEST(test_bad_perf_config) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *vendor = NULL;
        _cleanup_(session_files_done) SessionFiles l = {}, none = {};
        SessionFile *f = NULL;

        p.path.perf_config = path_join(p.dir, "perfconfig");
        scratch_write_text(p.dir, "usr/vendor.session", "[Session]\nRun=-e vendor\n");
        ck_assert_int_eq(session_files_load(&p.path, &none), 0);
        ck_assert_uint_eq(none.n_files, 1);
        ck_assert_ptr_null(none.warnings);
        ck_assert_int_eq(session_file_load(&p.path, "cpu", &f), -ENOENT);

        scratch_write_text(p.dir, "perfconfig", "[session-cpu]\nrun = -e a\n[session-\n");
        vendor = load(&p, "vendor");
        ck_assert_ptr_nonnull(vendor->settings);
        assert_bad(&p, "cpu", "/perfconfig:3: a section without its closing bracket");
        ck_assert_int_eq(session_files_load(&p.path, &l), 0);
        ck_assert_uint_eq(l.n_files, 1);
        ck_assert_uint_eq(strv_length(l.warnings), 1);
}
END_TEST

START_TEST(test_whatever_lies_there) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_free_ char *fifo = path_join(p.dir, "etc/fifo.session"), *keys = malloc(1 << 20);
        size_t n = 0;

        scratch_write_text(p.dir, "etc/good.session", "[Session]\n");
        scratch_write_text(p.dir, "etc/dir.session/x", "");
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        put_link(&p, "nowhere", "etc/dangling.session");
        scratch_write_text(p.dir, "secrets", "root:$y$j9T$verysecret=:19000:0:99999:7:::\n");
        put_link(&p, "../secrets", "etc/shadow.session");
        n += (size_t) sprintf(keys, "[Record]\n");
        while (n < (1 << 20) - 20)
                n += (size_t) sprintf(keys + n, "Frequency=99\n");
        scratch_write_text(p.dir, "etc/keys.session", keys);
        scratch_write(p.dir, "etc/nul.session", "[Session]\nRun=\0\n", 16);

        assert_bad(&p, "dir", "/etc/dir.session: a directory, where a file is expected");
        assert_bad(&p, "fifo", "/etc/fifo.session: a FIFO, socket or device, where a file is expected");
        assert_bad(&p, "dangling", "/etc/dangling.session: a link to a file that is not there");
        assert_bad(&p, "shadow", "/etc/shadow.session:1: not an assignment, expected Key=value, [Section] or a # comment");
        assert_bad(&p, "keys", "/etc/keys.session:4098: more than 4096 assignments in a file");
        assert_bad(&p, "nul", "/etc/nul.session:2: a NUL byte");
}
END_TEST

START_TEST(test_all) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_files_done) SessionFiles l = {};
        static const struct {
                const char *name;
                bool bad, enabled;
        } expected[] = {
                { "a", false, true }, { "b", true, true }, { "c", false, false }, { "unit@x", false, true },
        };

        scratch_write_text(p.dir, "etc/a.session", "[Session]\nNope=1\nRun=-a\n");
        scratch_write_text(p.dir, "usr/a.session", "[Session]\nRestart=never\n");
        scratch_write_text(p.dir, "etc/b.session", "[Session]\nRestart=never\n");
        scratch_write_text(p.dir, "usr/c.session", "[Session]\nRun=-a\n");
        put_link(&p, "/dev/null", "etc/masked.session");
        scratch_write_text(p.dir, "usr/masked.session", "[Session]\n");
        scratch_write_text(p.dir, "usr/unit@.session", "[Session]\nRun=-a\n");
        put_link(&p, "../usr/unit@.session", "etc/unit@x.session");
        scratch_write_text(p.dir, "etc/README", "x");
        scratch_write_text(p.dir, "etc/a.session.d/x.conf", "[Session]\n");
        scratch_write_text(p.dir, "etc/bad name.session", "x");
        scratch_write_text(p.dir, "etc/bad\033[m\xff.session", "x");
        scratch_write_text(p.dir, "etc/.hidden one.session", "x");
        scratch_write_text(p.dir, "etc/a.session~", "x");
        scratch_write_text(p.dir, "run", "a file, where a directory is expected");

        ck_assert_int_eq(session_files_load(&p.path, &l), 0);
        ck_assert_uint_eq(l.n_files, ELEMENTSOF(expected));
        for (size_t i = 0; i < l.n_files; i++) {
                ck_assert_str_eq(l.files[i]->name, expected[i].name);
                ck_assert_int_eq(!l.files[i]->settings, expected[i].bad);
                ck_assert_int_eq(l.files[i]->enabled, expected[i].enabled);
        }
        ck_assert_uint_eq(strv_length(l.files[0]->warnings), 1);
        ck_assert_str_eq(l.files[0]->warnings[0] + strlen(p.dir), "/etc/a.session:2: Nope: unknown key in [Session]");
        ck_assert_uint_eq(strv_length(l.warnings), 1);
        ck_assert_str_eq(l.warnings[0] + strlen(p.dir), "/run: Not a directory");
        strv_sort(l.misnamed);
        ck_assert_uint_eq(strv_length(l.misnamed), 2);
        ck_assert_str_eq(l.misnamed[0] + strlen(p.dir), "/etc/bad name.session");
        ck_assert_str_eq(l.misnamed[1] + strlen(p.dir), "/etc/bad?[m\xef\xbf\xbd.session");
}
END_TEST

/* Saving a file with an error starts nothing. */
START_TEST(test_says_nothing) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *fast = NULL, *dropped_in = NULL;

        scratch_write_text(p.dir, "etc/typo.session", "[Recrod]\nFrequency=99\n");
        assert_bad(&p, "typo", "/etc/typo.session:1: unknown section [Recrod]; there are [Session], [Record], [Trigger], [Storage], "
                   "[Scope]");
        scratch_write_text(p.dir, "etc/nothing.session", "[Session]\nDescription=x\n[Record]\nEvent=\n");
        assert_bad(&p, "nothing", "/etc/nothing.session: neither Run= nor anything in [Record]: there is nothing to record");
        scratch_write_text(p.dir, "etc/late.session", "[X-Other]\na=b\n[Record]\nFrequency=99\n[Colours]\n");
        assert_bad(&p, "late", "/etc/late.session:5: unknown section [Colours]; there are [Session], [Record], [Trigger], [Storage], "
                   "[Scope]");
        scratch_write_text(p.dir, "etc/comment.session", "[Record]\nFrequency=99 # hz\n");
        assert_bad(&p, "comment", "/etc/comment.session:2: Frequency: \"99 # hz\" is neither samples per second, a whole number "
                   "above 0, nor max; a comment has a line of its own");

        scratch_write_text(p.dir, "usr/split.session", "[Session]\nDescription=x\n");
        scratch_write_text(p.dir, "etc/split.session.d/x.conf", "[Record]\nMode=overwrite\n");
        dropped_in = load(&p, "split");
        ck_assert_ptr_nonnull(dropped_in->settings);

        scratch_write_text(p.dir, "etc/fast.session", "[Record]\nFrequency=4294967295\n");
        fast = load(&p, "fast");
        ck_assert_ptr_nonnull(fast->settings);
        ck_assert_uint_eq(strv_length(fast->warnings), 1);
        ck_assert_ptr_nonnull(strstr(fast->warnings[0], "Frequency: 4294967295 is above kernel.perf_event_max_sample_rate, and becomes"));
}
END_TEST

START_TEST(test_nothing) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_files_done) SessionFiles l = {};

        ck_assert_int_eq(session_files_load(&p.path, &l), 0);
        ck_assert_uint_eq(l.n_files, 0);
        ck_assert_ptr_null(l.warnings);
}
END_TEST

START_TEST(test_verify) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *good = NULL, *template = NULL, *misnamed = NULL;
        _cleanup_free_ char *a = path_join(p.dir, "a.session"), *t = path_join(p.dir, "t@.session"),
                            *conf = path_join(p.dir, "x.conf"), *none = path_join(p.dir, "none.session"),
                            *mask = path_join(p.dir, "mask.session"), *text = NULL;
        SessionFile *f = NULL;

        scratch_write_text(p.dir, "a.session", "[Session]\nDescription=%N\nRun=-a\n");
        scratch_write_text(p.dir, "a.session.d/x.conf", "[Session]\nRestart=never\n");
        scratch_write_text(p.dir, "t@.session", "[Record]\nUnit=%i\nPID=%i\n");
        scratch_write_text(p.dir, "x.conf", "[Session]\n");
        scratch_write_text(p.dir, "mask.session", "");

        ck_assert_int_eq(session_file_verify(NULL, a, &good), 0);
        ck_assert_str_eq(good->settings->description, "a");
        ck_assert_int_eq(session_file_verify(NULL, t, &template), 0);
        ck_assert_ptr_nonnull(template->settings);
        ck_assert_int_eq(session_file_verify(NULL, conf, &misnamed), 0);
        ck_assert_ptr_null(misnamed->settings);
        text = diagnosis_format(&misnamed->error);
        ck_assert_str_eq(text + strlen(p.dir), "/x.conf: not the name of a session file, expected NAME.session with letters, "
                                               "digits and :-_.\\@ in a NAME of at most 200 bytes");
        ck_assert_int_eq(session_file_verify(NULL, none, &f), -ENOENT);
        ck_assert_int_eq(session_file_verify(NULL, mask, &f), -ERFKILL);
        ck_assert_ptr_null(f);
}
END_TEST

static void assert_error(const SessionFile *f, size_t i, const char *end) {
        const char *error = f->report.errors[i];

        ck_assert_uint_ge(strlen(error), strlen(end));
        ck_assert_str_eq(error + strlen(error) - strlen(end), end);
}

/* All errors of a file are reported at once; those of the whole are reported when each line is right. */
START_TEST(test_verify_reports_all) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *lines = NULL, *whole = NULL;
        _cleanup_free_ char *a = path_join(p.dir, "a.session"), *b = path_join(p.dir, "b.session");

        scratch_write_text(p.dir, "a.session", "[Recrod]\nEvent=x\n[Session]\nRestart=never\nRun=-a\n[Scope]\nNice=99\n");
        scratch_write_text(p.dir, "b.session", "[Record]\nFrequency=9\nPeriod=9\n");
        ck_assert_int_eq(session_file_verify(NULL, a, &lines), 0);
        ck_assert_ptr_null(lines->settings);
        ck_assert_uint_eq(lines->error.line, 1);
        ck_assert_uint_eq(strv_length(lines->report.errors), 3);
        assert_error(lines, 1, "/a.session:4: Restart: \"never\" is none of no, on-failure, always");
        ck_assert_ptr_nonnull(strstr(lines->report.errors[2], "/a.session:7: Nice: "));

        ck_assert_int_eq(session_file_verify(NULL, b, &whole), 0);
        ck_assert_uint_eq(strv_length(whole->report.errors), 1);
        assert_error(whole, 0, "/b.session:3: Period: cannot be used beside Frequency=; "
                     "an event can have its own: Event=NAME/period=N/");
}
END_TEST

/* Only a check of a file waits for systemd's program. */
START_TEST(test_verify_asks_for_times) {
        _cleanup_(place_done) Place p = place_new();
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_free_ char *a = path_join(p.dir, "a.session");

        scratch_write_text(p.dir, "a.session", "[Session]\nRun=-a\n[Trigger]\nOnCalendar=hourly\nOnCalendar=whenever\n"
                                               "OnCalendar=some day\n");
        ck_assert_int_eq(session_file_verify(NULL, a, &f), 0);
        ck_assert_ptr_null(f->settings);
        ck_assert_uint_eq(strv_length(f->report.errors), 2);
        assert_error(f, 0, "/a.session:5: OnCalendar: Failed to parse calendar specification 'whenever': Invalid argument");
        ck_assert_ptr_nonnull(strstr(f->report.errors[1], "/a.session:6: OnCalendar: "));
        ck_assert_uint_eq(f->error.line, 5);
}
END_TEST

CHECK_MAIN("load", test_first_wins, test_drop_ins, test_bad_drop_in, test_masks, test_no_session, test_template,
           test_perf_config, test_bad_perf_config, test_whatever_lies_there, test_all, test_says_nothing, test_nothing,
           test_verify, test_verify_reports_all, test_verify_asks_for_times);
