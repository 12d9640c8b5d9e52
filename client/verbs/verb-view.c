/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl report, script, annotate, header, evlist, flamegraph, heatmap, export, diff: run perf-recorder-view for dumps that
 * there are, or for one that is made now. */

#include <fcntl.h>

#include "array.h"
#include "format-text.h"
#include "pager.h"
#include "parse-number.h"
#include "remote-run.h"
#include "strv.h"
#include "terminal.h"
#include "verb-view.h"
#include "verbs.h"
#include "view-line.h"
#include "viewed-dump.h"
#include "viewer-process.h"

#define DUMPS_MAX 256u

typedef struct ViewedDumps {
        ViewedDump *dumps;
        size_t n;
        bool inherited; /* the viewer inherits their descriptors, and standard input stays the terminal */
} ViewedDumps;

static void viewed_dumps_done(ViewedDumps *d) {
        for (size_t i = 0; i < d->n; i++)
                viewed_dump_done(d->dumps + i);
        free(d->dumps);
}

/* A single dump becomes the viewer's standard input, unless that is a browser; it inherits the descriptors of several ones. */
static int view_prepare(void *userdata) {
        const ViewedDumps *d = userdata;

        if (d->n == 1 && !d->inherited)
                return dup2(d->dumps->fd, STDIN_FILENO) < 0 ? -errno : 0;
        for (size_t i = 0; i < d->n; i++)
                if (fcntl(d->dumps[i].fd, F_SETFD, 0) < 0)
                        return -errno;
        return 0;
}

/* The page that is drawn unless the words say where the picture goes: *ret is NULL then. */
static int view_default_output(const ViewVerb *v, const ViewLine *line, const char *dump, char **ret) {
        const char *slash = dump ? strrchr(dump, '/') : NULL;

        if (!v->picture || !v->format_by_name || line->output || line->format)
                return *ret = NULL, 0;
        *ret = format_text("perf-%s.html", slash ? slash + 1 : dump ?: "dump");
        return *ret ? 0 : -ENOMEM;
}

/* The name of a view of sched is two words. */
static int view_add_name(const ViewVerb *v, char ***words) {
        const char *blank = strchr(v->name, ' ');
        int r = blank ? strv_extendf(words, "%.*s", (int) (blank - v->name), v->name) : strv_extend(words, v->name);

        return r >= 0 && blank ? strv_extend(words, blank + 1) : r;
}

/* The viewer writes to the pager, which is no terminal. Words of the user come behind it, and have the last say. */
static int view_add_screen(const ViewVerb *v, bool browses, char ***words) {
        if (browses)
                return strv_extend(words, "--tui");
        return v->fits && terminal_get()->tty ? strv_extendf(words, "--columns=%u", terminal_get()->columns) : 0;
}

static int view_run(const ViewVerb *v, const ViewLine *line, ViewedDumps *dumps) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *page = NULL;
        const char *output;
        int status, r = strv_extend(&words, viewer_program());

        if (r >= 0)
                r = view_add_name(v, &words);
        if (r >= 0 && line->piped)
                r = strv_extend(&words, "--input=-");
        for (size_t i = 0; r >= 0 && i < dumps->n; i++)
                r = viewed_dump_add_words(dumps->dumps + i, dumps->n == 1 && !dumps->inherited ? STDIN_FILENO : dumps->dumps[i].fd,
                                          &words);
        if (r >= 0)
                r = view_add_screen(v, dumps->inherited, &words);
        if (r >= 0)
                r = strv_extend_strv(&words, line->options);
        if (r >= 0)
                r = view_default_output(v, line, dumps->n > 0 ? dump_name(dumps->dumps->dump) : NULL, &page);
        output = page ?: line->output;
        if (r >= 0 && output)
                r = strv_extendf(&words, "--output=%s", output);
        if (r < 0)
                return verb_fail("run the viewer", r);
        status = viewer_run(words, view_prepare, dumps);
        if (page && access(page, F_OK) >= 0)
                (void) printf("%s\n", page);
        return status;
}

/* The host's perfctl reads them: the value of -o is a file here, and standard output there. With a terminal it opens a browser,
 * as the one here does. */
static int view_remote_words(const ViewVerb *v, const ClientOptions *o, const ViewLine *line, const char *output, bool browses,
                             char ***ret) {
        _cleanup_strv_free_ char **words = NULL;
        const char *dot = output && v->format_by_name ? strrchr(output, '.') : NULL;
        int r = view_add_name(v, &words);

        if (r >= 0)
                r = strv_extend_strv(&words, line->dumps);
        if (r >= 0 && line->session)
                r = strv_extendf(&words, "--now=%s", line->session);
        if (r >= 0 && o->dump.no_keep)
                r = strv_extend(&words, "--no-keep");
        if (r >= 0 && line->piped)
                r = strv_extend(&words, "-");
        if (r >= 0 && !browses)
                r = view_add_screen(v, false, &words);
        if (r >= 0)
                r = strv_extend_strv(&words, line->options);
        if (r >= 0 && output)
                r = strv_extend(&words, "--output=-");
        if (r >= 0 && dot && !strchr(dot, '/'))
                r = strv_extendf(&words, "--format=%s", dot + 1);
        if (r >= 0)
                *ret = steal_ptr(words);
        return r;
}

static int view_on_host(const ViewVerb *v, const ClientOptions *o, const ViewLine *line, bool browses) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *page = NULL;
        const char *output;
        int r = view_default_output(v, line, line->dumps ? line->dumps[0] : line->session, &page);

        output = page ?: line->output;
        if (r >= 0)
                r = view_remote_words(v, o, line, output, browses, &words);
        if (r < 0)
                return verb_fail("run ssh", r);
        if (page)
                (void) printf("%s\n", page);
        if (browses)
                return remote_run_on_terminal(o, words);
        return output && !streq(output, "-") ? remote_copy(o, words, output) : remote_run(o, words, STDOUT_FILENO);
}

/* made: word is the session of which a dump is made. */
static int view_open_dump(const ViewVerb *v, DumpSource *source, const char *word, bool made, ViewedDumps *dumps) {
        ViewedDump *d = dumps->dumps + dumps->n++;
        int status;

        *d = (ViewedDump) VIEWED_DUMP_EMPTY;
        status = made ? viewed_dump_make(d, source, word, v->symbols) : viewed_dump_open(d, source, word, v->symbols);
        if (status != STATUS_OK && dumps->n > 1 && v->one_function)
                (void) fprintf(stderr, "-s names a function: perfctl %s %s -s %s\n", v->name, dump_name(dumps->dumps->dump), word);
        return status;
}

/* Opens the newest dumps of the session that are earlier than the first one. A wrong number is for the viewer to refuse. */
static int view_open_earlier(const ViewVerb *v, DumpSource *source, const char *number, ViewedDumps *dumps) {
        const json_object *dump = dumps->dumps->dump;
        const char *session = json_get_string(dump, "Session");
        unsigned wanted;
        size_t n = 0;
        int status;

        if (parse_uint(number, &wanted) < 0 || wanted == 0)
                return STATUS_OK;
        status = dump_source_load(source);
        if (status != STATUS_OK)
                return status;
        wanted = MIN_OF(wanted, DUMPS_MAX);
        if (ARRAY_RESIZE(dumps->dumps, dumps->n + wanted) < 0)
                return verb_fail("run the viewer", -ENOMEM);
        for (size_t i = source->list.n; status == STATUS_OK && i > 0 && n < wanted; i--) {
                const json_object *other = source->list.dumps[i - 1];

                if (!streq(json_get_string(other, "Session"), session) ||
                    json_get_unsigned(other, "Timestamp") >= json_get_unsigned(dump, "Timestamp"))
                        continue;
                status = view_open_dump(v, source, json_get_string(other, "Id"), false, dumps);
                n++;
        }
        if (status == STATUS_OK && n < wanted)
                (void) fprintf(stderr, "Session '%s' has %zu earlier dump%s\n", session, n, n == 1 ? "" : "s");
        return status == STATUS_OK && n == 0 ? STATUS_FAILED : status;
}

/* The dump that is made comes last, so that "-1" is still the newest of those that there were. */
static int view_open_dumps(const ViewVerb *v, const ViewLine *line, DumpSource *source, ViewedDumps *dumps) {
        size_t n = strv_length(line->dumps);
        unsigned max = v->several || line->triggered ? DUMPS_MAX : v->pair ? 2 : 1;
        int status = STATUS_OK;

        if (n + (line->session != NULL) > max) {
                (void) fprintf(stderr, max > 1 ? "'%s' takes up to %u dumps\n" : "'%s' takes one dump\n", v->name, max);
                return STATUS_FAILED;
        }
        dumps->dumps = calloc(n + 1, sizeof(*dumps->dumps));
        if (!dumps->dumps)
                return verb_fail("run the viewer", -ENOMEM);
        for (size_t i = 0; status == STATUS_OK && i < n; i++)
                status = view_open_dump(v, source, line->dumps[i], false, dumps);
        if (status == STATUS_OK && line->session)
                status = view_open_dump(v, source, line->session, true, dumps);
        else if (status == STATUS_OK && n == 0 && !line->piped && !line->input && (!v->pair || line->triggered))
                status = view_open_dump(v, source, NULL, false, dumps);
        if (status == STATUS_OK && line->triggered && line->baseline && dumps->n > 0)
                status = view_open_earlier(v, source, line->baseline, dumps);
        return status;
}

static int view_line(const ViewVerb *v, const ClientOptions *o, const ViewLine *line) {
        _cleanup_(dump_source_done) DumpSource source = { .options = o };
        const ReportBrowsing browsing = v->browses && !line->help ? report_browsing_of(line->options) : REPORT_BROWSING_REFUSED;
        const bool drawn = terminal_get()->tty && isatty(STDIN_FILENO) > 0 && !terminal_is_dumb() && !o->no_pager && !line->piped;
        const bool browses = browsing == REPORT_BROWSING_WANTED || (browsing == REPORT_BROWSING_POSSIBLE && drawn);
        _cleanup_(viewed_dumps_done) ViewedDumps dumps = { .inherited = browses };
        int status;

        if (!browses && terminal_get()->colour) /* which is that of the pager */
                (void) setenv("SYSTEMD_COLORS", "true", 1);
        if (!browses && ((!v->picture && !(v->format_by_name && line->output)) || line->help))
                pager_open(!o->no_pager);
        if (line->help) {
                verb_print_help(v->row ? v->row : verb_find(v->name));
                return STATUS_OK;
        }
        if (o->host)
                return view_on_host(v, o, line, browses);
        status = view_open_dumps(v, line, &source, &dumps);
        if (status == STATUS_OK)
                status = view_run(v, line, &dumps);
        return dump_source_finish(&source, status);
}

int view_run_verb(const ViewVerb *v, const ClientOptions *options, char **arguments) {
        _cleanup_(view_line_done) ViewLine line = { .usual_session = v->session, .pair = v->pair };
        ClientOptions o = *options; /* what is before the verb, and what is behind it */
        int r = view_line_read(&line, v->name, arguments, &o);

        if (r >= 0 && v->pair && line.output && (streq(line.output, "0") || streq(line.output, "1")))
                r = strv_extendf(&line.options, "--order=%s", line.output), line.output = NULL; /* as perf diff has -o */
        if (r == -EINVAL)
                return STATUS_FAILED;
        if (r < 0)
                return verb_fail("run the viewer", r);
        r = verb_check(v->row ? v->row : verb_find(v->name), &o, NULL);
        return r != STATUS_OK ? r : view_line(v, &o, &line);
}

int verb_report(const ClientOptions *o, char **arguments) {
        static const ViewVerb report = { "report", .symbols = true, .several = true, .browses = true, .fits = true };

        return view_run_verb(&report, o, arguments);
}

int verb_script(const ClientOptions *o, char **arguments) {
        static const ViewVerb script = { "script", .symbols = true, .several = true };

        return view_run_verb(&script, o, arguments);
}

int verb_annotate(const ClientOptions *o, char **arguments) {
        static const ViewVerb annotate = { "annotate", .symbols = true, .several = true, .one_function = true };

        return view_run_verb(&annotate, o, arguments);
}

int verb_header(const ClientOptions *o, char **arguments) {
        static const ViewVerb header = { "header" };

        return view_run_verb(&header, o, arguments);
}

int verb_evlist(const ClientOptions *o, char **arguments) {
        static const ViewVerb evlist = { "evlist" };

        return view_run_verb(&evlist, o, arguments);
}

int verb_flamegraph(const ClientOptions *o, char **arguments) {
        static const ViewVerb flamegraph = {
                "flamegraph", .symbols = true, .several = true, .picture = true, .format_by_name = true,
        };

        return view_run_verb(&flamegraph, o, arguments);
}

int verb_heatmap(const ClientOptions *o, char **arguments) {
        static const ViewVerb heatmap = {
                "heatmap", .symbols = true, .several = true, .picture = true, .format_by_name = true,
        };

        return view_run_verb(&heatmap, o, arguments);
}

int verb_diff(const ClientOptions *o, char **arguments) {
        static const ViewVerb diff = { "diff", .symbols = true, .pair = true, .format_by_name = true };

        return view_run_verb(&diff, o, arguments);
}

int verb_export(const ClientOptions *o, char **arguments) {
        static const ViewVerb export = { "export", .symbols = true, .several = true, .picture = true };

        return view_run_verb(&export, o, arguments);
}
