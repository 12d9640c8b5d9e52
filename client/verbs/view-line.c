/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* getopt_long(3) reads it by the viewer's own tables, so that both agree on what is an option, a value and a dump. Each option is
 * written anew, in a word of its own. */

#include "view-line.h"

#include <limits.h>

#include "dump-list.h"
#include "strv.h"

enum { OWN_NOW, OWN_NO_KEEP, OWN_NO_PAGER, OWN_HOST, OWN_MACHINE, OWN_USER, OWN_SYSTEM, OWN_HELP, OWN_JSON, _OWN_MAX };

static const ViewWord own[_OWN_MAX] = {
        [OWN_NOW] = { "now", 0, "[=SESSION]", "Make a dump of the session, and show it" },
        [OWN_NO_KEEP] = { "no-keep", 0, NULL, "Remove that dump afterwards" },
        [OWN_NO_PAGER] = { "no-pager", 0, NULL, "Do not pipe output into a pager" },
        [OWN_HOST] = { "host", 'H', "=[USER@]HOST", "Operate on a remote host, through ssh" },
        [OWN_MACHINE] = { "machine", 0, "=CONTAINER", "Operate on a local container" },
        [OWN_USER] = { "user", 0, NULL, "Talk to the service of the calling user" },
        [OWN_SYSTEM] = { "system", 0, NULL, "Talk to the system's service (the default)" },
        [OWN_HELP] = { "help", 'h', NULL, "Show this help" },
        [OWN_JSON] = { "json", 0, "[=MODE]" }, /* the viewer's, in all forms that perfctl has for it elsewhere */
};

const ViewWord *view_line_own(size_t *ret_n) {
        *ret_n = OWN_JSON;
        return own;
}

/* The session may be the next word, too. */
static int take_now(ViewLine *line, const char *value, ClientOptions *o) {
        const char *next = line->words[optind];

        if (!value && next && *next && *next != '-') {
                value = next;
                optind++;
        }
        if (value && line->session) {
                (void) fprintf(stderr, "Both --now=%s and --now=%s: one dump is made\n", line->session, value);
                return -EINVAL;
        }
        o->now_too = true;
        line->session = value ?: line->session;
        return 0;
}

static int take_own(ViewLine *line, ptrdiff_t number, const char *value, ClientOptions *o) {
        switch (number) {
        case OWN_NOW:
                return take_now(line, value, o);
        case OWN_NO_KEEP:
                o->dump.no_keep = true;
                return 0;
        case OWN_NO_PAGER:
                o->no_pager = true;
                return 0;
        case OWN_JSON:
                if (value && streq(value, "off"))
                        return 0;
                return !value || streq(value, "short") ? strv_extend(&line->options, "--json") :
                                                         strv_extendf(&line->options, "--json=%s", value);
        case OWN_HOST:
                o->host = value;
                return 0;
        case OWN_MACHINE:
                o->machine = value;
                return 0;
        case OWN_HELP:
                line->help = true;
                return 0;
        default:
                o->user = number == OWN_USER;
                return 0;
        }
}

static int take_viewers(ViewLine *line, const ViewWord *word, const char *value) {
        if (streq(word->name, "output")) {
                line->output = value;
                return 0;
        }
        line->input = line->input || streq(word->name, "input");
        line->format = line->format || streq(word->name, "format");
        line->triggered = line->triggered || streq(word->name, "trigger");
        line->baseline = streq(word->name, "baseline") ? value : line->baseline;
        return value ? strv_extendf(&line->options, "--%s=%s", word->name, value) :
                       strv_extendf(&line->options, "--%s", word->name);
}

static int take_dump(ViewLine *line, const char *word) {
        if (!streq(word, "-"))
                return strv_extend(&line->dumps, word);
        line->piped = true;
        return 0;
}

/* Checks what the words say together. */
static int check_line(ViewLine *line, bool now) {
        const char *dump = line->dumps ? line->dumps[0] : NULL;

        if (now && !line->session && strv_length(line->dumps) == 1) {
                STRV_FOREACH(word, line->words)
                        if (streq(*word, dump))
                                line->session = *word;
                line->dumps = strv_free(line->dumps);
                dump = NULL;
        }
        if (now && !line->session && !dump)
                line->session = line->usual_session;
        if (now && (!line->session || !*line->session)) {
                (void) fprintf(stderr, "--now takes a session\n");
                return -EINVAL;
        }
        if (now && ((dump && !line->pair && !strv_contains(line->options, "--diff")) || line->piped)) {
                (void) fprintf(stderr, "Both --now=%s and '%s' name a recording\n", line->session, dump ?: "-");
                return -EINVAL;
        }
        if (dump && line->piped) {
                (void) fprintf(stderr, "Both '%s' and '-' name a recording\n", dump);
                return -EINVAL;
        }
        if (line->input && (dump || line->piped || now)) {
                (void) fprintf(stderr, "Both '%s' and -i name a recording\n", dump ?: line->session ?: "-");
                return -EINVAL;
        }
        return 0;
}

/* Takes the next word that is a dump, or the next option. 1: there was one. */
static int take_next(ViewLine *line, const ViewTable *t, int argc, ClientOptions *o) {
        const char *value, *next = optind < argc ? line->words[optind] : "";
        const ViewWord *word;
        size_t back;
        int r;

        if (*next == '-' && dump_word_counts_back(next, &back)) { /* getopt would take "-1" as an option */
                optind++;
                r = take_dump(line, next);
                return r < 0 ? r : 1;
        }
        r = view_table_next(t, argc, line->words, &word, &value);
        if (r == 0)
                return 0;
        if (r < 0 && optopt > 0 && optopt <= UCHAR_MAX) /* a letter, maybe among others */
                r = strv_extendf(&line->options, "-%c", optopt);
        else if (r < 0)
                r = strv_extend(&line->options, line->words[optind - 1]);
        else if (!word)
                r = take_dump(line, value);
        else
                r = word - t->words < _OWN_MAX ? take_own(line, word - t->words, value, o) : take_viewers(line, word, value);
        return r < 0 ? r : 1;
}

int view_line_read(ViewLine *line, const char *verb, char *const *arguments, ClientOptions *o) {
        ViewTable table = VIEW_TABLE_EMPTY;
        size_t n;
        const ViewWord *words = view_words_find(verb, &n), *first;
        const char *value;
        int argc, r = strv_extend(&line->words, verb);

        if (r >= 0)
                r = strv_extend_strv(&line->words, arguments);
        if (r >= 0)
                r = view_table_add(&table, own, _OWN_MAX);
        if (r >= 0)
                r = view_table_add(&table, words, n);
        if (r < 0)
                return r;
        argc = (int) strv_length(line->words);
        opterr = optind = 0;
        (void) view_table_next(&table, 1, line->words, &first, &value); /* begins anew, in front of the first word */
        do
                r = take_next(line, &table, argc, o);
        while (r > 0);
        for (; r >= 0 && optind < argc; optind++)
                r = strv_extend(&line->dumps, line->words[optind]);
        return r < 0 || line->help ? r : check_line(line, o->now_too);
}

void view_line_done(ViewLine *line) {
        strv_free(line->words);
        strv_free(line->dumps);
        strv_free(line->options);
        *line = (ViewLine) {};
}
