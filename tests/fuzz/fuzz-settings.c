/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any session file: settings differ from their defaults when they were set, and empty assignments restore all
 * defaults. */

#include "setting-key.h"
#include "settings-text.h"

static void reset_section(SessionSettings *s, const SettingSection *section) {
        for (size_t i = 0; i < section->n_keys; i++)
                FUZZ_ASSERT(session_settings_set(s, section->name, section->keys[i].name, "", NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(session_settings_freep) SessionSettings *s = settings_from_text(data, size),
                                                          *same = settings_from_text(data, size), *defaults = NULL;

        FUZZ_ASSERT(session_settings_equal(s, same));
        FUZZ_ASSERT(strv_length(s->record.events) == strv_length(s->record.filters));

        FUZZ_ASSERT(session_settings_new(&defaults) == 0);
        reset_section(s, &session_section);
        reset_section(s, &record_section);
        reset_section(s, &trigger_section);
        reset_section(s, &storage_section);
        reset_section(s, &scope_section);
        FUZZ_ASSERT(session_settings_equal(s, defaults));
        return 0;
}
