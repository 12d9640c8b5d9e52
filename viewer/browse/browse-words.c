/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A row's thread, and that of a zoom, is selected by its id, and its command by its name. A later option is of the same samples as
 * one before with its name, or of a part of them, so that it stands in its place. */

#include "browse-words.h"

#include <inttypes.h>

#include "array.h"
#include "format-text.h"
#include "parse-time.h"
#include "strv.h"

int browse_words_take(int argc, char **argv, char ***ret) {
        static const char *const names[] = {
                "pid", "tid", "cpu", "no-idle", "unit", "time", "last", "since", "until", "before-trigger", "around-trigger",
                "comms", "vmlinux", "kallsyms", "debuginfod", "no-demangle",
        };
        int r = 0;

        for (int i = 1; r >= 0 && i < argc; i++) {
                const char *name = startswith(argv[i], "--");
                size_t n = name ? strcspn(name, "=") : 0;

                if (name && ANY_OF(ELEMENTSOF(names), k, strlen(names[k]) == n && startswith(name, names[k])))
                        r = strv_extend(ret, argv[i]);
        }
        return r;
}

/* Takes over the word. */
static int words_set(char ***words, char *word) {
        size_t n = word ? strcspn(word, "=") + 1 : 0;

        if (!word)
                return -ENOMEM;
        STRV_FOREACH(other, *words)
                if (strncmp(*other, word, n) == 0) {
                        free(*other);
                        *other = word;
                        return 0;
                }
        return strv_consume(words, word);
}

/* Puts an option whose value is a list: a comma of the name is none of that. */
int browse_words_set_name(char ***words, const char *option, const char *name) {
        _cleanup_(text_buffer_done) TextBuffer b = {};

        text_buffer_format(&b, "--%s=", option);
        for (const char *c = name; *c; c++) {
                if (*c == ',')
                        text_buffer_putc(&b, '\\');
                text_buffer_putc(&b, *c);
        }
        text_buffer_putc(&b, '\0');
        return words_set(words, b.error < 0 ? NULL : steal_ptr(b.data));
}

static int words_set_zoom(char ***words, const SampleZoom *z, bool libraries) {
        switch (z->kind) {
        case ZOOM_COMMAND:
                return browse_words_set_name(words, "comms", z->text);
        case ZOOM_THREAD:
                return words_set(words, format_text("--tid=%" PRIu32, z->number));
        case ZOOM_UNIT:
                return browse_words_set_name(words, "unit", z->text);
        case ZOOM_LIBRARY:
                return libraries && !streq(z->text, PLACE_UNKNOWN_DSO) ? browse_words_set_name(words, "dsos", z->text) :
                                                                         -EOPNOTSUPP;
        case ZOOM_CPU:
                return words_set(words, format_text("--cpu=%s", z->text));
        default:
                return -EOPNOTSUPP;
        }
}

static int words_set_times(char ***words, const BrowseChoice *c) {
        char until[32] = "";

        if (c->since == 0 && c->until == 0)
                return 0;
        if (c->until > 0)
                (void) snprintf(until, sizeof(until), "%" PRIu64 ".%09" PRIu64, c->until / NSEC_PER_SEC, c->until % NSEC_PER_SEC);
        return words_set(words, format_text("--time=%" PRIu64 ".%09" PRIu64 ",%s", c->since / NSEC_PER_SEC, c->since % NSEC_PER_SEC,
                                            until));
}

int browse_words_add(const BrowserSubject *subject, char *const *taken, bool libraries, char ***words) {
        int r = strv_extend_strv(words, taken);

        if (r >= 0)
                r = words_set_times(words, subject->choice);
        for (size_t i = 0; r >= 0 && i < subject->n_zooms; i++)
                r = words_set_zoom(words, subject->zooms + i, libraries);
        return r;
}
