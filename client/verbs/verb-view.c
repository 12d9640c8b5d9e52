/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl report, script, annotate, header, evlist, flamegraph, export: run perf-recorder-view for dumps. All words behind these
 * are the viewer's. */

#include <fcntl.h>

#include "format-text.h"
#include "pager.h"
#include "remote-run.h"
#include "strv.h"
#include "terminal.h"
#include "verb-dump.h"
#include "verbs.h"
#include "viewed-dump.h"
#include "viewer-process.h"

typedef struct ViewVerb {
        const char *name;
        const char *letters; /* of options without a value, behind which -i may stand in the same word */
        bool symbols;        /* it shows names of functions */
        bool several;        /* it takes several dumps */
        bool picture;        /* it writes a file, which -o names */
        bool format_by_name; /* what that name ends in is the format */
} ViewVerb;

#define DUMPS_MAX 256u

typedef struct ViewedDumps {
        ViewedDump *dumps;
        size_t n;
} ViewedDumps;

static void viewed_dumps_done(ViewedDumps *d) {
        for (size_t i = 0; i < d->n; i++)
                viewed_dump_done(d->dumps + i);
        free(d->dumps);
}

/* A single dump becomes the viewer's standard input; it inherits the descriptors of several ones. */
static int view_prepare(void *userdata) {
        const ViewedDumps *d = userdata;

        if (d->n == 1)
                return dup2(d->dumps->fd, STDIN_FILENO) < 0 ? -errno : 0;
        for (size_t i = 0; i < d->n; i++)
                if (fcntl(d->dumps[i].fd, F_SETFD, 0) < 0)
                        return -errno;
        return 0;
}

/* Returns whether there is such an option; letters in the same word may precede its own. */
static bool view_has_option(const ViewVerb *v, char *const *words, char letter, const char *name) {
        STRV_FOREACH(word, words) {
                const char *rest = startswith(*word, name);

                if (**word == '-' && letter && (*word)[1 + strspn(*word + 1, v->letters)] == letter)
                        return true;
                if (rest && (*rest == '\0' || *rest == '='))
                        return true;
        }
        return false;
}

/* If -i names a file, as in perf, no dump is looked for. */
static bool view_names_input(const ViewVerb *v, char *const *words) {
        return view_has_option(v, words, 'i', "--input");
}

/* The page that is drawn unless the words say where the picture goes, or want none: *ret is NULL then. */
static int view_default_output(const ViewVerb *v, char *const *words, const char *dump, char **ret) {
        const char *slash = dump ? strrchr(dump, '/') : NULL;

        if (!v->format_by_name || view_has_option(v, words, 'o', "--output") || view_has_option(v, words, '\0', "--format") ||
            view_has_option(v, words, '\0', "--help") || strv_contains(words, "-h"))
                return *ret = NULL, 0;
        *ret = format_text("perf-%s.html", slash ? slash + 1 : dump ?: "dump");
        return *ret ? 0 : -ENOMEM;
}

/* piped: the recording is on standard input. */
static int view_run(const ViewVerb *v, char *const *more, ViewedDumps *dumps, bool piped) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *output = NULL;
        int status, r = strv_extend(&words, viewer_program());

        if (r >= 0)
                r = strv_extend(&words, v->name);
        if (r >= 0 && piped)
                r = strv_extend(&words, "--input=-");
        for (size_t i = 0; r >= 0 && i < dumps->n; i++)
                r = viewed_dump_add_words(dumps->dumps + i, dumps->n == 1 ? STDIN_FILENO : dumps->dumps[i].fd, &words);
        if (r >= 0)
                r = strv_extend_strv(&words, more);
        if (r >= 0)
                r = view_default_output(v, more, dumps->n > 0 ? dump_name(dumps->dumps->dump) : NULL, &output);
        if (r >= 0 && output)
                r = strv_extendf(&words, "--output=%s", output);
        if (r < 0)
                return verb_fail("run the viewer", r);
        status = viewer_run(words, view_prepare, dumps);
        if (output && access(output, F_OK) >= 0)
                (void) printf("%s\n", output);
        return status;
}

/* The value of -o is a file here, and standard output there: its words are left out of those for the host. */
static int view_take_output(char *const *arguments, char ***words, const char **ret) {
        int r = 0;

        for (char *const *word = arguments; r >= 0 && word && *word; word++) {
                const char *value = startswith(*word, "--output=") ?: startswith(*word, "-o");

                if (value && (*value || word[1]))
                        *ret = *value ? value : *++word;
                else if (streq(*word, "--output") && word[1])
                        *ret = *++word;
                else
                        r = strv_extend(words, *word);
        }
        return r;
}

static bool view_is_dump(const char *word) {
        size_t back;

        return word && (*word != '-' || dump_word_counts_back(word, &back));
}

static int view_on_host(const ViewVerb *v, const ClientOptions *o, char *const *arguments) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *page = NULL;
        const char *output = NULL, *dot;
        int r = strv_extend(&words, v->name);

        if (r >= 0)
                r = view_default_output(v, arguments, arguments && view_is_dump(arguments[0]) ? arguments[0] : NULL, &page);
        if (r >= 0)
                r = v->picture ? view_take_output(arguments, &words, &output) : strv_extend_strv(&words, arguments);
        output = page ?: output;
        dot = output && v->format_by_name ? strrchr(output, '.') : NULL;
        if (r >= 0 && output)
                r = strv_extend(&words, "--output=-");
        if (r >= 0 && dot && !strchr(dot, '/'))
                r = strv_extendf(&words, "--format=%s", dot + 1);
        if (r < 0)
                return verb_fail("run ssh", r);
        if (page)
                (void) printf("%s\n", page);
        return output && !streq(output, "-") ? remote_copy(o, words, output) : remote_run(o, words, STDOUT_FILENO);
}

/* The words behind the verb: what is looked at, and the viewer's own. */
typedef struct ViewWords {
        char **dumps;        /* n_dumps of them; none: the newest, or what -i names */
        size_t n_dumps;
        const char *session; /* of which a dump is made first; NULL: none is made */
        bool piped;          /* the recording is on standard input */
        char **more;
} ViewWords;

/* Takes the options that perfctl has for itself out of the words, wherever they stand: --no-pager, and --json=MODE, of which
 * the viewer knows one form. 0, -ENOMEM. */
static int view_take_own(char *const *arguments, char ***words, bool *ret_no_pager) {
        int r = 0;

        for (char *const *word = arguments; r >= 0 && word && *word; word++)
                if (streq(*word, "--no-pager"))
                        *ret_no_pager = true;
                else if (streq(*word, "--json=short"))
                        r = strv_extend(words, "--json");
                else if (!streq(*word, "--json=off"))
                        r = strv_extend(words, *word);
        return r;
}

/* "--now SESSION", "--now=SESSION", dumps, "-", or nothing come first. */
static int view_take_words(const ViewVerb *v, char **arguments, ViewWords *ret) {
        const char *word = arguments ? arguments[0] : NULL, *value = word ? startswith(word, "--now=") : NULL;
        ViewWords w = { .dumps = arguments, .more = arguments };

        if (value || (word && streq(word, "--now"))) {
                w.session = value ?: arguments[1];
                w.more = arguments + (value ? 1 : 1 + (arguments[1] != NULL));
                if (!w.session || !*w.session) {
                        (void) fprintf(stderr, "--now takes a session\n");
                        return STATUS_FAILED;
                }
        } else if (word && streq(word, "-")) {
                w.piped = true;
                w.more = arguments + 1;
        } else
                while (w.more && view_is_dump(*w.more)) {
                        w.more++;
                        w.n_dumps++;
                }
        if (w.n_dumps > (v->several ? DUMPS_MAX : 1)) {
                (void) fprintf(stderr, v->several ? "'%s' takes up to %u dumps\n" : "'%s' takes one dump\n", v->name, DUMPS_MAX);
                return STATUS_FAILED;
        }
        if (w.more != arguments && view_names_input(v, w.more)) {
                (void) fprintf(stderr, "Both '%s' and -i name a recording\n", w.session ?: word);
                return STATUS_FAILED;
        }
        *ret = w;
        return STATUS_OK;
}

static int view_open_dump(const ViewVerb *v, DumpSource *source, const char *word, ViewedDumps *dumps) {
        ViewedDump *d = dumps->dumps + dumps->n++;

        *d = (ViewedDump) VIEWED_DUMP_EMPTY;
        return viewed_dump_open(d, source, word, v->symbols);
}

static int view(const ViewVerb *v, const ClientOptions *o, char **all) {
        _cleanup_strv_free_ char **arguments = NULL;
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        _cleanup_(viewed_dumps_done) ViewedDumps dumps = {};
        _cleanup_free_ char *made = NULL;
        bool no_pager = o->no_pager;
        ViewWords words;
        int status, r = view_take_own(all, &arguments, &no_pager);

        if (r < 0)
                return verb_fail("run the viewer", r);
        status = view_take_words(v, arguments, &words);
        if (status != STATUS_OK)
                return status;
        if (terminal_get()->colour) /* which is that of the pager */
                (void) setenv("SYSTEMD_COLORS", "true", 1);
        if (!v->picture)
                pager_open(!no_pager);
        if (o->host)
                return view_on_host(v, o, arguments);
        dumps.dumps = calloc(words.n_dumps + 1, sizeof(*dumps.dumps));
        if (!dumps.dumps)
                return verb_fail("run the viewer", -ENOMEM);
        if (words.session)
                status = dump_session_now(o, words.session, &made);
        if (status == STATUS_OK && words.n_dumps == 0 && !words.piped && !view_names_input(v, words.more))
                status = view_open_dump(v, &source, made, &dumps);
        for (size_t i = 0; status == STATUS_OK && i < words.n_dumps; i++)
                status = view_open_dump(v, &source, words.dumps[i], &dumps);
        return status != STATUS_OK ? status : view_run(v, words.more, &dumps, words.piped);
}

int verb_report(const ClientOptions *o, char **arguments) {
        static const ViewVerb report = { "report", "bUfIDGmnqvhx", .symbols = true, .several = true };

        return view(&report, o, arguments);
}

int verb_script(const ClientOptions *o, char **arguments) {
        static const ViewVerb script = { "script", "DIGLfvh", .symbols = true, .several = true };

        return view(&script, o, arguments);
}

int verb_annotate(const ClientOptions *o, char **arguments) {
        static const ViewVerb annotate = { "annotate", "DlPmnfqvh", .symbols = true, .several = true };

        return view(&annotate, o, arguments);
}

int verb_header(const ClientOptions *o, char **arguments) {
        static const ViewVerb header = { "header", "h" };

        return view(&header, o, arguments);
}

int verb_evlist(const ClientOptions *o, char **arguments) {
        static const ViewVerb evlist = { "evlist", "vFgfh" };

        return view(&evlist, o, arguments);
}

int verb_flamegraph(const ClientOptions *o, char **arguments) {
        static const ViewVerb flamegraph = {
                "flamegraph", "vh", .symbols = true, .several = true, .picture = true, .format_by_name = true,
        };

        return view(&flamegraph, o, arguments);
}

int verb_export(const ClientOptions *o, char **arguments) {
        static const ViewVerb export = { "export", "vh", .symbols = true, .several = true, .picture = true };

        return view(&export, o, arguments);
}
