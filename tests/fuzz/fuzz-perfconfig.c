/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any text as a perfconfig file: the session files made from it have no error except, perhaps, too many words. */

#include "fuzz.h"
#include "import-perfconfig.h"
#include "ini.h"
#include "settings.h"
#include "specifier.h"

static int set(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d, void *userdata) {
        _cleanup_free_ char *expanded = NULL;
        int r;

        if (!key)
                return 0;
        r = specifier_expand(value, "x", "", &expanded, d);
        FUZZ_ASSERT(r == 0);
        FUZZ_ASSERT(!streq(key, "Run") || strlen(expanded) <= strlen(value));
        return session_settings_set(userdata, section, key, expanded, d);
}

static void check_session(const ImportedSession *imported) {
        _cleanup_(session_settings_freep) SessionSettings *s = NULL;
        int r;

        FUZZ_ASSERT(session_name_is_valid(imported->name) && !session_name_is_template(imported->name));
        FUZZ_ASSERT(session_settings_new(&s) == 0);
        r = ini_parse(imported->text, strlen(imported->text), set, s, NULL);
        FUZZ_ASSERT(r == 0 || r == -E2BIG);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(perfconfig_import_done) PerfconfigImport i = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int r;

        r = perfconfig_import((const char *) data, size, "perfconfig", &i, &d);
        FUZZ_ASSERT((r < 0) == (d.sentence != NULL));
        for (size_t k = 0; k < i.n_sessions; k++)
                check_session(i.sessions + k);
        return 0;
}
