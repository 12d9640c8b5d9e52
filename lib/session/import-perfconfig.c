/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Makes session files from a perfconfig file's [daemon] and [session-NAME] sections. perf daemon splits run= at blanks only and
 * does not interpret quotes; a session's Run= is split as by a shell. So words are quoted where that makes a difference, and
 * the session gets exactly the words that perf daemon gives to perf record. */

#include "import-perfconfig.h"

#include "array.h"
#include "fd-file.h"
#include "format-text.h"
#include "line-reader.h"
#include "perfconfig-reader.h"
#include "quote.h"
#include "settings.h"
#include "settings-file.h"

#define WORDS_MAX PERFCONFIG_VALUE_MAX

typedef struct Importer {
        PerfconfigImport result;
        const char *file;
} Importer;

static void imported_session_done(ImportedSession *s) {
        free(s->name);
        free(s->run);
        free(s->value);
        free(s->text);
}

void perfconfig_import_done(PerfconfigImport *i) {
        for (size_t k = 0; k < i->n_sessions; k++)
                imported_session_done(i->sessions + k);
        free(i->sessions);
        free(i->base);
        free(i->daemon_text);
        strv_free(i->warnings);
        *i = (PerfconfigImport) {};
}

static int warn(Importer *i, unsigned line, const char *key, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        diagnosis_locate(&d, i->file, line, key);
        (void) diagnosis_set(&d, 0, "%s", sentence);
        return warnings_add(&i->result.warnings, &d);
}

ImportedSession *perfconfig_import_find(const PerfconfigImport *i, const char *name) {
        for (size_t k = 0; k < i->n_sessions; k++)
                if (streq(i->sessions[k].name, name))
                        return i->sessions + k;
        return NULL;
}

static int add_session(PerfconfigImport *i, const char *name, ImportedSession **ret) {
        char *copy;

        if (i->n_sessions >= PERFCONFIG_SESSIONS_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE_NEXT(i->sessions, i->n_sessions) < 0)
                return -ENOMEM;
        copy = strdup(name);
        if (!copy)
                return -ENOMEM;
        i->sessions[i->n_sessions] = (ImportedSession) { .name = copy };
        *ret = i->sessions + i->n_sessions++;
        return 0;
}

static int handle_session(Importer *i, const char *name, const char *key, const char *value, unsigned line) {
        ImportedSession *s;
        int r;

        if (!session_name_is_valid(name) || session_name_is_template(name))
                return key ? 0 : warn(i, line, NULL, "a section whose name makes no session name, ignored");

        s = perfconfig_import_find(&i->result, name);
        if (!s) {
                r = add_session(&i->result, name, &s);
                if (r < 0)
                        return r;
        }
        if (!key)
                return 0;
        if (!streq(key, "run"))
                return warn(i, line, key, "unknown key of a session, ignored");
        if (!value)
                return warn(i, line, key, "has no value, ignored");
        s->line = line;
        return free_and_strdup(&s->run, value);
}

static int handle_daemon(Importer *i, const char *key, const char *value, unsigned line) {
        if (!key)
                return 0;
        if (!streq(key, "base"))
                return warn(i, line, key, "unknown key of the daemon, ignored");
        if (!value || *value != '/' || line_complaint(value, strlen(value)) || value[strlen(value) - 1] == '\\')
                return warn(i, line, key, "not the absolute path of a directory, ignored");
        return free_and_strdup(&i->result.base, value);
}

static int handle(const char *section, const char *key, const char *value, unsigned line, void *userdata) {
        const char *name = startswith(section, "session-");

        if (name)
                return handle_session(userdata, name, key, value, line);
        return streq(section, "daemon") ? handle_daemon(userdata, key, value, line) : 0;
}

/* Splits run= into words as perf daemon does. */
static int split_at_blanks(const char *run, char ***ret) {
        _cleanup_strv_free_ char **words = NULL;
        static const char blanks[] = " \t\n";

        for (run += strspn(run, blanks); *run; run += strspn(run, blanks)) {
                size_t n = strcspn(run, blanks);
                int r = strv_consume(&words, strndup(run, n));

                if (r < 0)
                        return r;
                run += n;
        }
        *ret = steal_ptr(words);
        return 0;
}

/* A value of Run= that is split into these words: the unchanged text if possible. */
static int run_value(const char *run, char **ret) {
        _cleanup_strv_free_ char **words = NULL, **ours = NULL;
        int r = split_at_blanks(run, &words);

        if (r < 0)
                return r;
        r = split_words(run, WORDS_MAX, &ours);
        if (r == -ENOMEM)
                return r;
        *ret = r >= 0 && strv_equal(words, ours) && !line_complaint(run, strlen(run)) ? strdup(run) : quote_words(words);
        return *ret ? 0 : -ENOMEM;
}

/* Doubles each "%", so that it is no specifier. */
static int escape_specifiers(const char *text, char **ret) {
        char *escaped = malloc(2 * strlen(text) + 1), *out = escaped;

        if (!escaped)
                return -ENOMEM;
        for (; *text; text++) {
                if (*text == '%')
                        *out++ = '%';
                *out++ = *text;
        }
        *out = '\0';
        *ret = escaped;
        return 0;
}

static int write_session(ImportedSession *s, const char *file) {
        bool named = file && !line_complaint(file, strlen(file));
        _cleanup_free_ char *value = NULL;
        int r = run_value(s->run, &value);

        if (r >= 0)
                r = escape_specifiers(value, &s->value);
        if (r < 0)
                return r;
        s->text = format_text("%s%s%s[Session]\nDescription=Session %s of perf daemon\nRun=%s\n",
                              named ? "# Imported from " : "", named ? file : "", named ? "\n" : "", s->name, s->value);
        if (!s->text)
                return -ENOMEM;
        return 0;
}

/* perf daemon ignores a section without run=, too. */
static int leave_out_bad(Importer *i) {
        PerfconfigImport *result = &i->result;
        size_t n = 0;
        int r = 0;

        for (size_t k = 0; k < result->n_sessions; k++) {
                ImportedSession *s = result->sessions + k;
                const char *complaint = !s->run ? "has no run=, ignored" :
                                        strchr(s->run, '\b') ? "run= holds a control character, ignored" : NULL;

                if (complaint) {
                        r = r < 0 ? r : warn(i, 0, s->name, complaint);
                        imported_session_done(s);
                } else
                        result->sessions[n++] = *s;
        }
        result->n_sessions = n;
        return r;
}

static int write_texts(Importer *i) {
        PerfconfigImport *result = &i->result;

        for (size_t k = 0; k < result->n_sessions; k++) {
                int r = write_session(result->sessions + k, i->file);

                if (r < 0)
                        return r;
        }
        if (result->base) {
                result->daemon_text = format_text("[Recorder]\nBaseDirectory=%s\n", result->base);
                if (!result->daemon_text)
                        return -ENOMEM;
        }
        return 0;
}

int perfconfig_import(const char *text, size_t size, const char *file, PerfconfigImport *ret, Diagnosis *d) {
        Importer i = { .file = file };
        int r = perfconfig_read(text, size, handle, &i, d);

        if (r >= 0)
                r = leave_out_bad(&i);
        if (r >= 0)
                r = write_texts(&i);
        if (r == -E2BIG)
                (void) diagnosis_set(d, r, "more than %d sessions", PERFCONFIG_SESSIONS_MAX);
        if (r < 0) {
                diagnosis_locate(d, file, 0, NULL);
                perfconfig_import_done(&i.result);
                return r;
        }

        *ret = i.result;
        return 0;
}

int perfconfig_import_file(const char *path, PerfconfigImport *ret, Diagnosis *d) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = read_file(path, PERFCONFIG_SIZE_MAX, &text, &size);

        if (r < 0) {
                (void) diagnosis_set(d, r, "cannot be read: %s", file_error_string(r));
                diagnosis_locate(d, path, 0, NULL);
                return r;
        }
        return perfconfig_import(text, size, path, ret, d);
}
