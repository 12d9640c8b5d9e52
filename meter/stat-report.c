/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rounds of a recording become tables as they come. With intervals a round is shown as one; otherwise it is the end of a run. A
 * recording that is cut or broken is shown up to there. */

#include "stat-report.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "array.h"
#include "count-reader.h"
#include "format-text.h"
#include "parse-time.h"
#include "stat-sums.h"
#include "utf8.h"
#include "wall-clock.h"

#define SUBJECT_MAX ((size_t) 4096) /* bytes */

/* A recording that is shown. */
typedef struct Report {
        const StatOptions *o;
        FILE *out;
        const char *path;
        int fd;
        PerfDataReader *recording;
        CountReader *counts;
        CpuPlace *places;
        StatStyle style;
        StatSums sums;
        size_t n_intervals;
        uint64_t begin, time;   /* of the counts, and of the last round */
} Report;

static void report_done(Report *r) {
        free((char *) r->style.subject);
        stat_sums_done(&r->sums);
        free(r->places);
        count_reader_free(r->counts);
        perf_data_reader_free(r->recording);
        r->fd = safe_close(r->fd);
}

/* As in perf, standard input is read if it is a pipe and nothing is named. A pipe is read to its end first. */
static int report_open(Report *r) {
        struct stat st;
        int q;

        if (!r->path)
                r->path = fstat(STDIN_FILENO, &st) >= 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
        r->fd = streq(r->path, "-") ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
                open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (streq(r->path, "-"))
                r->path = "standard input";
        if (r->fd < 0 || fstat(r->fd, &st) < 0)
                return -errno;
        if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
                int spooled;

                q = perf_data_spool(r->fd, &spooled);
                if (q < 0)
                        return q;
                safe_close(r->fd);
                r->fd = spooled;
        }
        return perf_data_reader_new_partial(r->fd, &r->recording);
}

/* Returns the command line of the recorder, in quotes, as perf shows it; "pipe" if the recording has none. A new string. */
static char *report_subject(const Report *r) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL, *plain = NULL;
        int q = perf_data_reader_command_line(r->recording, &words);

        if (q < 0)
                return q == -ENOMEM ? NULL : strdup("'pipe'");
        line = strv_join(words, " ");
        plain = line ? utf8_line(line, SIZE_MAX, SUBJECT_MAX) : NULL;
        return plain ? format_text("'%s'", plain) : NULL;
}

static StatPlacing recorded_placing(CountPlacing placing) {
        static const StatPlacing placings[] = {
                [COUNT_BY_CPU] = STAT_BY_CPU, [COUNT_ALL] = STAT_ALL, [COUNT_BY_SOCKET] = STAT_BY_SOCKET,
                [COUNT_BY_DIE] = STAT_BY_DIE, [COUNT_BY_CORE] = STAT_BY_CORE,
                [COUNT_BY_THREAD] = STAT_BY_THREAD, [COUNT_BY_NODE] = STAT_BY_NODE,
        };

        return placings[placing];
}

static int report_begin(Report *r, Diagnosis *d) {
        const StatHow *how = &r->o->how;
        const CountLayout *l;
        const CountConfig *config;
        WallClock clock = {};
        int q = count_reader_new(r->recording, &r->counts, d);

        if (q < 0)
                return q;
        l = count_reader_layout(r->counts);
        config = count_reader_config(r->counts);
        r->sums.placing = how->placing != STAT_ALL ? how->placing : recorded_placing(config->placing);
        if (how->placing != STAT_ALL && (l->n_cpus == 0 || l->cpus[0] < 0)) {
                (void) fprintf(stderr, "%s has counts of tasks, which are not apart by CPU\n", r->path);
                r->sums.placing = recorded_placing(config->placing);
        }
        r->sums.no_scale = config->no_scale;
        q = count_reader_places(r->counts, &r->places);
        if (q < 0 && q != -ENODATA)
                return q;
        r->sums.cpu_places = r->places; /* without them, as in perf, the machine is this one */
        /* The dump of a session says how its clock relates to the time of day: its rounds are moments of that clock. Those of perf
         * stat record begin at 0. */
        r->style.wall_clock = wall_clock_read(r->recording, &clock) >= 0;
        r->style.wall_offset = (int64_t) (clock.wall - clock.time);
        r->style.subject = report_subject(r);
        r->style.intervals = config->interval > 0;
        return r->style.subject ? stat_sums_begin(&r->sums, l) : -ENOMEM;
}

static int report_show_round(Report *r, const CountRound *round) {
        uint64_t interval = count_reader_config(r->counts)->interval;
        StatTable table;

        stat_sums_take(&r->sums, count_reader_layout(r->counts), round->counts, interval > 0);
        table = stat_sums_table(&r->sums);
        table.elapsed = (double) (interval > 0 ? interval * NSEC_PER_MSEC : round->time);
        if (r->style.wall_clock && r->n_intervals == 0)
                r->begin = round->time - MIN_OF(round->time, interval * NSEC_PER_MSEC);
        r->time = round->time;
        if (interval == 0)
                return stat_print(&table, &r->style, r->out);
        return stat_print_interval(&table, &r->style, round->time, r->n_intervals++ % STAT_TITLE_EACH == 0, r->out);
}

/* The sum of all intervals, which the last one has, too. */
static int report_show_summary(Report *r, const CountRound *last) {
        StatTable table;

        if (!r->o->how.summary || r->n_intervals == 0)
                return 0;
        stat_sums_take(&r->sums, count_reader_layout(r->counts), last->counts, false);
        table = stat_sums_table(&r->sums);
        table.elapsed = (double) (r->time - r->begin);
        return stat_print_summary(&table, &r->style, r->out);
}

static int report_show(Report *r, Diagnosis *d) {
        CountRound round = {};
        int q, written = 0;

        while (written >= 0 && (q = count_reader_next(r->counts, &round, d)) == 1)
                written = report_show_round(r, &round);
        if (written >= 0)
                written = report_show_summary(r, &round);
        if (written < 0)
                return diagnosis_set(d, written, "could not be shown: %s", strerror(-written));
        return q;
}

/* Reports why not all was shown. Returns the exit status. */
static int report_damage(const Report *r, int error, const Diagnosis *d) {
        char how[80];

        (void) fflush(r->out);
        if (!r->recording)
                (void) fprintf(stderr, "Failed to open %s: %s\n", r->path, perf_data_reader_explain(r->fd, error));
        else if (d->sentence)
                (void) fprintf(stderr, "%s %s\n", r->path, d->sentence);
        else if (perf_data_reader_is_cut(r->recording))
                (void) fprintf(stderr, "%s %s: only a part of it could be read\n", r->path,
                               perf_data_reader_explain_cut(r->recording, how, sizeof(how)));
        else if (error < 0)
                (void) fprintf(stderr, "%s could not be read further: %s\n", r->path,
                               error == -EBADMSG ? "it is broken" : strerror(-error));
        else
                return EXIT_SUCCESS;
        return EXIT_FAILURE;
}

int stat_report(const StatOptions *o, FILE *out) {
        const StatHow *how = &o->how;
        _cleanup_(report_done) Report r = {
                .o = o, .out = out, .path = o->recording, .fd = -EBADF,
                .style = {
                        .format = how->json ? STAT_JSON : how->separator ? STAT_SEPARATED : STAT_TEXT, .separator = how->separator,
                        .big_numbers = !how->no_big_numbers, .metric_only = how->metric_only, .csv_summary = !how->no_csv_summary,
                        .colour = isatty(fileno(out)),
                },
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        int q = report_open(&r);

        if (q >= 0)
                q = report_begin(&r, &d);
        if (q >= 0)
                q = report_show(&r, &d);
        return report_damage(&r, q, &d);
}
