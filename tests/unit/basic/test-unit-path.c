/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <stdio.h>

#include "check-main.h"
#include "unit-path.h"

#define MANAGER "/user.slice/user-1000.slice/user@1000.service"
#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void expect_unit(const char *path, UnitScope scope, const char *expected) {
        char name[UNIT_NAME_SIZE];

        unit_path_name(path, scope, name);
        ck_assert_str_eq(name, expected);
}

START_TEST(test_units) {
        const UnitScope system = {}, user = { .user_units = true }, container = { .in_container = true };

        expect_unit("/system.slice/web.service", system, "web.service");
        expect_unit("/system.slice/web.service/worker/x.service", system, "web.service");
        expect_unit("/system.slice/_web.service", system, "web.service");
        expect_unit("/system.slice/docker-1.scope", system, "docker-1.scope");
        expect_unit("/batch.slice/batch-night.slice", system, "batch-night.slice");
        expect_unit("/", system, "-.slice");
        expect_unit("", system, "-.slice");
        expect_unit("/init.scope", system, "init.scope");
        expect_unit("/docker/1234/system.slice/web.service", system, "-.slice");
        expect_unit("/lxc.payload.box/system.slice/web.service", container, "web.service");
        expect_unit(MANAGER "/app.slice/own.service/x", system, "user@1000.service");
        expect_unit(MANAGER "/app.slice/own.service/x.service", user, "own.service");
}
END_TEST

START_TEST(test_long) {
        char path[2 * UNIT_NAME_SIZE] = "/a.slice/";

        memset(path + strlen(path), 'b', UNIT_NAME_SIZE);
        expect_unit(path, (UnitScope) {}, "a.slice");
        ck_assert(!unit_path_container(path, (char[UNIT_NAME_SIZE]) {}));
}
END_TEST

static void expect_container(const char *path, const char *expected) {
        char name[UNIT_NAME_SIZE];
        bool found = unit_path_container(path, name);

        ck_assert_msg(found == (expected != NULL), "%s", path);
        if (expected)
                ck_assert_str_eq(name, expected);
}

START_TEST(test_containers) {
        expect_container("/system.slice/docker-" ID ".scope", "0123456789ab");
        expect_container("/docker/" ID, "0123456789ab");
        expect_container("/kubepods.slice/kubepods-besteffort.slice/cri-containerd-" ID ".scope/init", "0123456789ab");
        expect_container("/machine.slice/libpod-" ID ".scope/container", "0123456789ab");
        expect_container("/machine.slice/machine-web\\x2d1.scope", "web-1");
        expect_container("/machine.slice/systemd-nspawn@box.service/payload", "box");
        expect_container("/lxc.payload.box/system.slice/web.service", "box");
        expect_container("/system.slice/web.service", NULL);
        expect_container("/docker/" ID "0", NULL);
        expect_container("/docker/0123456789abcdef", NULL);
        expect_container("/machine.slice/machine-.scope", NULL);
        expect_container("/machine.slice/machine-a\\x.scope", "a\\x");
        expect_container("/machine.slice/machine-a\\x00\\xzz.scope", "a\\x00\\xzz");
        expect_container("/", NULL);
}
END_TEST

START_TEST(test_matches) {
        ck_assert(unit_path_matches("/batch.slice/web.service", "batch.slice", (UnitScope) {}));
        ck_assert(unit_path_matches("/batch.slice/web.service", "w*", (UnitScope) {}));
        ck_assert(!unit_path_matches("/batch.slice/web.service/db.service", "db.service", (UnitScope) {}));
}
END_TEST

START_TEST(test_complete) {
        static const char *const words[][2] = {
                { "web", "web.service" }, { "web.1", "web.1.service" }, { "web.scope", "web.scope" }, { "web*", "web*" },
                { "batch.slice", "batch.slice" },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_free_ char *name = unit_path_complete(words[i][0]);

                ck_assert_str_eq(name, words[i][1]);
        }
}
END_TEST

CHECK_MAIN("unit-path", test_units, test_long, test_containers, test_matches, test_complete);
