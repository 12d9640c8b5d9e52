/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads a settings file, which any user may have created. The result is either settings or one clear sentence about this file.
 * Invariant: nothing here blocks, opens a FIFO, or quotes the file. */

#include "settings-file.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "fd-file.h"
#include "ini.h"

typedef struct SettingsFile {
        const char *path;
        SettingsFileSetter set;
        void *userdata;
        char ***warnings;
        bool section_ignored;
        SettingsReport *report; /* NULL: an error ends the reading */
        int error;              /* the first error, with a report; 0: none yet */
        Diagnosis first;
} SettingsFile;

int warnings_add(char ***warnings, const Diagnosis *d) {
        size_t n = strv_length(*warnings);

        if (n > WARNINGS_MAX)
                return 0;
        if (n == WARNINGS_MAX)
                return strv_extend(warnings, "There are more warnings, which are left out");
        return strv_consume(warnings, diagnosis_format(d));
}

/* Continues after an error, so that a check reports all of them. The keys of an unknown section are skipped. */
static int note_error(SettingsFile *f, int r, bool is_section, Diagnosis *found) {
        int k;

        f->section_ignored = is_section;
        diagnosis_locate(found, f->path, 0, NULL);
        k = warnings_add(&f->report->errors, found);
        if (f->error < 0)
                return k;
        f->error = r;
        f->first = steal_value(*found, (Diagnosis) {});
        return k;
}

static int handle_assignment(const char *section, const char *key, const char *value, unsigned line, Diagnosis *d,
                             void *userdata) {
        _cleanup_(diagnosis_done) Diagnosis found = {};
        SettingsFile *f = userdata;
        int r;

        if (!key)
                f->section_ignored = startswith(section, "X-");
        if (f->section_ignored || (key && startswith(key, "X-")))
                return 0;

        r = f->set(section, key, value, &found, f->userdata);
        if (r == -ENOKEY) {
                f->section_ignored = !key;
                diagnosis_locate(&found, f->path, line, key);
                return warnings_add(f->warnings, &found);
        }
        if (r >= 0)
                return f->report && key ? settings_report_add_line(f->report, section, key, value, line) : 0;
        diagnosis_locate(&found, NULL, line, key);
        if (f->report && r != -ENOMEM)
                return note_error(f, r, !key, &found);
        if (d) {
                diagnosis_done(d);
                *d = steal_value(found, (Diagnosis) {});
        }
        return r;
}

static int describe_read_error(int r, Diagnosis *d) {
        switch (r) {
        case -EISDIR:
                return diagnosis_set(d, r, "a directory, where a file is expected");
        case -EBADFD:
                return diagnosis_set(d, r, "a FIFO, socket or device, where a file is expected");
        case -EFBIG:
                return diagnosis_set(d, r, "a file of more than %d bytes", TEXT_SIZE_MAX);
        case -ENOENT:
                return diagnosis_set(d, r, "a link to a file that is not there");
        default:
                return diagnosis_set(d, r, "cannot be read: %s", strerror(-r));
        }
}

static bool is_masked(const char *path) {
        struct stat st;

        if (stat(path, &st) < 0)
                return false;
        return S_ISCHR(st.st_mode) ? st.st_rdev == makedev(1, 3) : S_ISREG(st.st_mode) && st.st_size == 0;
}

static int read_settings(SettingsFile *f, Diagnosis *d) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = read_file(f->path, TEXT_SIZE_MAX, &text, &size);

        if (r < 0 && r != -ENOMEM)
                (void) describe_read_error(r, d);
        if (r >= 0)
                r = ini_parse(text, size, handle_assignment, f, d);
        if (r < 0)
                diagnosis_locate(d, f->path, 0, NULL);
        return r;
}

int settings_file_parse(const char *path, SettingsFileSetter set, void *userdata, char ***warnings, SettingsReport *report,
                        Diagnosis *d) {
        SettingsFile f = { .path = path, .set = set, .userdata = userdata, .warnings = warnings, .report = report };
        _cleanup_(diagnosis_done) Diagnosis last = {}; /* the error that ended the reading */
        int r;

        if (is_masked(path))
                return -ERFKILL;
        if (!report)
                return read_settings(&f, d);
        r = read_settings(&f, &last);
        if (r < 0 && r != -ENOMEM && note_error(&f, r, false, &last) < 0)
                r = -ENOMEM;
        if (d && f.error < 0) {
                diagnosis_done(d);
                *d = f.first;
        } else
                diagnosis_done(&f.first);
        return r == -ENOMEM ? r : f.error;
}
