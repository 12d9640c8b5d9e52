/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sessions and units that a session file names. The daemon accepts names of sessions and units that do not exist, because they
 * may be created later. Mostly they are misspelt, which otherwise only shows at the first dump. */

#include "session-references.h"

#include <stdarg.h>

#include "format-text.h"
#include "session-name.h"
#include "settings-file.h"
#include "unit-property.h"

/* No other section has a key of these names. */
static int session_references_warn(SessionFile *f, const char *key, const char *name, const char *format, ...) _printf_(4, 5);
static int session_references_warn(SessionFile *f, const char *key, const char *name, const char *format, ...) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        unsigned line = settings_report_line(&f->report, NULL, key, name);
        va_list ap;

        if (line == 0) /* the file has a specifier, or a name without its suffix */
                line = settings_report_line(&f->report, NULL, key, NULL);
        diagnosis_locate(&d, f->fragment_path, line, key);
        va_start(ap, format);
        d.sentence = format_text_va(format, ap);
        va_end(ap);
        return d.sentence ? warnings_add(&f->warnings, &d) : -ENOMEM;
}

/* False if the name contains a specifier that only an instance of this template expands. */
static bool session_references_is_known(const SessionFile *f, const char *key) {
        return !session_name_is_template(f->name) || settings_report_line(&f->report, NULL, key, "%") == 0;
}

static int session_references_check_session(SessionFile *f, const SearchPath *p, const char *name) {
        _cleanup_(session_file_freep) SessionFile *other = NULL;
        int r = session_file_load(p, name, &other);

        if (r == -ENOENT)
                return session_references_warn(f, "Also", name, "there is no session '%s'", name);
        if (r == -ERFKILL)
                return session_references_warn(f, "Also", name, "the session '%s' is masked", name);
        return r == -ENOMEM ? r : 0;
}

static int session_references_check_also(SessionFile *f, bool user) {
        const char *slash = strrchr(f->fragment_path, '/');
        int n = slash ? (int) MAX_OF(slash - f->fragment_path, (ptrdiff_t) 1) : 1;
        _cleanup_(search_path_done) SearchPath path = {};
        int r;

        if (!f->settings->trigger.also)
                return 0;
        r = search_path_init(&path, user);
        if (r >= 0)
                r = strv_extendf(&path.directories, "%.*s", n, slash ? f->fragment_path : ".");
        STRV_FOREACH(name, f->settings->trigger.also)
                if (r >= 0 && session_references_is_known(f, "Also"))
                        r = session_references_check_session(f, &path, *name);
        return r;
}

/* systemd only knows instances of a template, so this checks one with an invented name. */
static int session_references_check_on_dump(SessionFile *f, bool user) {
        const char *template = f->settings->trigger.on_dump, *suffix = template ? strrchr(template, '.') : NULL;
        _cleanup_free_ char *unit = NULL, *state = NULL;
        int r;

        if (!suffix || !session_references_is_known(f, "OnDump"))
                return 0;
        unit = format_text("%.*sdump%s", (int) (suffix - template), template, suffix);
        if (!unit)
                return -ENOMEM;
        r = unit_property(unit, "LoadState", user, &state);
        if (r == -ENOMEM)
                return r;
        if (r < 0 || streq(state, "loaded"))
                return 0;
        if (streq(state, "not-found"))
                return session_references_warn(f, "OnDump", template, "there is no unit %s", template);
        return session_references_warn(f, "OnDump", template, "the unit %s cannot be started: systemd says it is '%s'", template,
                                       state);
}

static int session_references_check_unit(SessionFile *f, bool user) {
        const char *unit = f->settings->record.unit;
        _cleanup_free_ char *state = NULL;
        int r;

        if (!unit || unit_name_is_pattern(unit) || !session_references_is_known(f, "Unit"))
                return 0;
        r = unit_property(unit, "LoadState", user, &state);
        if (r < 0 || !streq(state, "not-found"))
                return r == -ENOMEM ? r : 0;
        return session_references_warn(f, "Unit", unit, "systemd does not know the unit %s: the session waits for it", unit);
}

int session_references_check(SessionFile *f, bool user) {
        int r = session_references_check_also(f, user);

        if (r >= 0)
                r = session_references_check_on_dump(f, user);
        return r < 0 ? r : session_references_check_unit(f, user);
}
