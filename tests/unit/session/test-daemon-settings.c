/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorderd.conf: defaults, precedence, drop-ins, errors. */

#include "check-main.h"
#include "load.h"
#include "scratch.h"

/* Sets a configuration path of dir/etc and dir/usr. */
static void use(const char *dir) {
        _cleanup_free_ char *value = NULL;

        ck_assert_int_gt(asprintf(&value, "%s/etc:%s/usr", dir, dir), 0);
        ck_assert_int_eq(setenv("PERF_RECORDER_CONFIG_PATH", value, 1), 0);
}

static void assert_error(const char *dir, const char *text, const char *message) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *formatted = NULL;
        DaemonSettings s = {};

        scratch_write_text(dir, "etc/perf-recorderd.conf", text);
        ck_assert_int_eq(daemon_settings_load(false, &s, &d), -EINVAL);
        formatted = diagnosis_format(&d);
        ck_assert_str_eq(formatted + strlen(dir), message);
        ck_assert_ptr_null(s.base_directory);
}

START_TEST(test_defaults) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(daemon_settings_done) DaemonSettings s = {}, user = {};

        use(dir);
        ck_assert_int_eq(daemon_settings_load(false, &s, NULL), 0);
        ck_assert_str_eq(s.base_directory, "/var/lib/perf-recorder");
        ck_assert_ptr_null(s.perf_config);
        ck_assert_uint_eq(s.default_buffer_size, 0);
        ck_assert_uint_eq(s.max_sessions, 1024);
        ck_assert_uint_eq(s.max_locked_memory, UINT64_MAX);

        setenv("HOME", "/home/u", 1);
        unsetenv("XDG_STATE_HOME");
        ck_assert_int_eq(daemon_settings_load(true, &user, NULL), 0);
        ck_assert_str_eq(user.base_directory, "/home/u/.local/state/perf-recorder");
}
END_TEST

START_TEST(test_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(daemon_settings_done) DaemonSettings s = {};

        use(dir);
        scratch_write_text(dir, "etc/perf-recorderd.conf", "[Recorder]\nBaseDirectory=/srv/perf//\nMaxSessions=7\nNope=1\n[Storage]\nMaxUse=1M\nBaseDirectory=/x\n[Nope]\nMaxAge=1\n");
        scratch_write_text(dir, "usr/perf-recorderd.conf", "[Recorder]\nDefaultBufferSize=1M\n");
        scratch_write_text(dir, "usr/perf-recorderd.conf.d/10-a.conf", "[Recorder]\nMaxSessions=\nMaxLockedMemory=256M\nPerfConfig=/etc/perfconfig\n");
        scratch_write_text(dir, "etc/perf-recorderd.conf.d/20-b.conf", "[Recorder]\nDefaultBufferSize=512K\n"
                           "[Storage]\nTotalMaxUse=infinity\nTotalMaxFiles=7\n");
        scratch_write_text(dir, "etc/perf-recorderd.conf.d/30-mask.conf", "");
        scratch_write_text(dir, "usr/perf-recorderd.conf.d/30-mask.conf", "[Recorder]\nMaxSessions=1\n");

        ck_assert_int_eq(daemon_settings_load(false, &s, NULL), 0);
        ck_assert_str_eq(s.base_directory, "/srv/perf");
        ck_assert_str_eq(s.perf_config, "/etc/perfconfig");
        ck_assert_uint_eq(s.max_sessions, 1024);
        ck_assert_uint_eq(s.max_locked_memory, 256 << 20);
        ck_assert_uint_eq(s.default_buffer_size, 512 << 10);
        ck_assert_uint_eq(s.storage.max_use, 1 << 20);
        ck_assert_uint_eq(s.storage.max_files, 0);
        ck_assert_uint_eq(s.storage.keep_free, UINT64_MAX);
        ck_assert_uint_eq(s.total_max_use, UINT64_MAX);
        ck_assert_uint_eq(s.total_max_files, 7);
        ck_assert_uint_eq(strv_length(s.warnings), 3);
        ck_assert_str_eq(s.warnings[0] + strlen(dir), "/etc/perf-recorderd.conf:4: Nope: unknown key in [Recorder]");
        ck_assert_str_eq(s.warnings[1] + strlen(dir), "/etc/perf-recorderd.conf:7: BaseDirectory: unknown key in [Storage]");
        ck_assert_str_eq(s.warnings[2] + strlen(dir), "/etc/perf-recorderd.conf:8: unknown section [Nope], ignored");
}
END_TEST

START_TEST(test_masked) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(daemon_settings_done) DaemonSettings s = {};

        use(dir);
        scratch_write_text(dir, "etc/perf-recorderd.conf", "");
        scratch_write_text(dir, "usr/perf-recorderd.conf", "[Recorder]\nMaxSessions=1\n");
        ck_assert_int_eq(daemon_settings_load(false, &s, NULL), 0);
        ck_assert_uint_eq(s.max_sessions, 1024);
}
END_TEST

START_TEST(test_errors) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        static const char base[] = "/etc/perf-recorderd.conf:2: BaseDirectory: not the absolute path of a directory";

        use(dir);
        assert_error(dir, "[Recorder]\nBaseDirectory=perf\n", base);
        assert_error(dir, "[Recorder]\nBaseDirectory=/\n", base);
        assert_error(dir, "[Recorder]\nBaseDirectory=/srv/../etc\n", base);
        assert_error(dir, "[Recorder]\nBaseDirectory=/srv/./x\n", base);
        assert_error(dir, "[Recorder]\nPerfConfig=perfconfig\n",
                     "/etc/perf-recorderd.conf:2: PerfConfig: not the absolute path of a file");
        assert_error(dir, "[Recorder]\nDefaultBufferSize=0\n",
                     "/etc/perf-recorderd.conf:2: DefaultBufferSize: not a size above 0, such as 512K or 8M");
        assert_error(dir, "[Recorder]\nDefaultBufferSize=300T\n",
                     "/etc/perf-recorderd.conf:2: DefaultBufferSize: too large for a ring buffer of 2^24 pages at most");
        assert_error(dir, "[Recorder]\nMaxSessions=many\n",
                     "/etc/perf-recorderd.conf:2: MaxSessions: not a whole number above 0");
        assert_error(dir, "[Recorder]\nMaxLockedMemory=0\n",
                     "/etc/perf-recorderd.conf:2: MaxLockedMemory: not a size above 0, such as 500M, or infinity");
        assert_error(dir, "[Storage]\nTotalMaxFiles=0\n",
                     "/etc/perf-recorderd.conf:2: TotalMaxFiles: not a whole number above 0 or infinity");
}
END_TEST

CHECK_MAIN("daemon-settings", test_defaults, test_files, test_masked, test_errors);
