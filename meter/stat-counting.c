/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A run opens the events, starts the command, waits for its end or another one's, and reads the counts. Signals are blocked but
 * while it waits. Ctrl-C goes to the command, too, whose end ends the run; then what was counted is shown, and the signal ends this
 * process as it would have done at once. */

#include "stat-counting.h"

#include <poll.h>

#include "array.h"
#include "command.h"
#include "control-channel.h"
#include "count-set.h"
#include "parse-time.h"
#include "stat-recording.h"
#include "stat-sums.h"
#include "stop-signals.h"
#include "sysctl.h"

#define ALIVE_NSEC NSEC_PER_SEC /* so often it is looked whether the threads are alive that are counted */
#define CLEAR_SCREEN "\033[H\033[2J"

/* A counting. */
typedef struct Counting {
        const StatOptions *o;
        FILE *out;
        StatStyle style;
        StatSums sums;
        CountSet *set;
        StatRecording recording; /* if there is one */
        Command command;
        ControlChannel control; /* --control; fd -EBADF: none */
        sigset_t waiting;     /* the mask while it waits */
        uint64_t begin;       /* ns of CLOCK_MONOTONIC */
        uint64_t n_intervals;
        RunMean elapsed, user, system;
        double *run_times;
        int status;
} Counting;

static void counting_done(Counting *c) {
        stat_sums_done(&c->sums);
        stat_recording_done(&c->recording);
        count_set_free(c->set);
        control_channel_done(&c->control);
        command_done(&c->command);
        free(c->run_times);
        free((char *) c->style.subject);
}

static uint64_t counting_now(void) {
        struct timespec ts;

        (void) clock_gettime(CLOCK_MONOTONIC, &ts);
        return (uint64_t) ts.tv_sec * NSEC_PER_SEC + (uint64_t) ts.tv_nsec;
}

static bool counting_has_threads(const Counting *c) {
        const CountSet *s = c->set;

        return !target_has_task(&c->o->what.target) || ANY_OF(s->n_tids, i, kill(s->tids[i], 0) == 0 || errno != ESRCH);
}

/* Reads the counts, and records them as a round that ends at that time. */
static int counting_read(Counting *c, bool final, uint64_t time) {
        int r = count_set_read(c->set);

        if (r >= 0 && c->o->recording)
                stat_recording_add(&c->recording, &c->set->layout, c->set->counts, final, time);
        return r;
}

static int counting_show_interval(Counting *c) {
        uint64_t time = counting_now() - c->begin;
        StatTable table;
        int r = counting_read(c, false, time);

        if (r < 0)
                return r;
        stat_sums_take(&c->sums, &c->set->layout, c->set->counts, true);
        table = stat_sums_table(&c->sums);
        table.elapsed = (double) (c->o->when.interval * NSEC_PER_MSEC);
        if (c->o->how.clear)
                (void) fputs(CLEAR_SCREEN, c->out);
        r = stat_print_interval(&table, &c->style, time, c->n_intervals % STAT_TITLE_EACH == 0 || c->o->how.clear,
                                c->out);
        c->n_intervals++;
        return r < 0 ? r : fflush(c->out) == 0 ? 0 : -errno;
}

/* Obeys a word of --control. As in perf, an interval ends at a word, and other words are acknowledged only. */
static int counting_obey(void *userdata, ControlWord word, const char *argument) {
        Counting *c = userdata;
        bool enable = word == CONTROL_ENABLE;
        int r;

        if (!enable && word != CONTROL_DISABLE)
                return 0;
        if (argument) {
                (void) fprintf(stderr, "control: all events are enabled and disabled together, and not %s\n", argument);
                return 0;
        }
        r = count_set_enable(c->set, enable);
        (void) fprintf(stderr, "Events %s\n", enable ? "enabled" : "disabled");
        return r >= 0 && c->o->when.interval > 0 ? counting_show_interval(c) : r;
}

/* Waits until that time, a signal, a word of --control or the command's end. 1: the command ended; 0; an error of obeying. */
static int counting_wait(Counting *c, uint64_t until) {
        struct pollfd fds[] = {
                { .fd = c->o->command ? c->command.pidfd : -1, .events = POLLIN }, { .fd = c->control.fd, .events = POLLIN },
        };
        uint64_t now = counting_now(), left = until > now ? until - now : 0;
        const struct timespec timeout = { .tv_sec = (time_t) (left / NSEC_PER_SEC), .tv_nsec = (long) (left % NSEC_PER_SEC) };
        int r = 0;

        if (stop_signals_wait(fds, ELEMENTSOF(fds), until == UINT64_MAX ? NULL : &timeout, &c->waiting) <= 0)
                return 0;
        if (fds[1].revents)
                r = control_channel_read(&c->control);
        if (r > 0)
                c->control.fd = -EBADF; /* its other side is closed; it is the caller's */
        return r < 0 ? r : fds[0].revents != 0;
}

/* Returns whether a signal ends the run. One that the terminal sends to the command, too, is the command's. */
static bool counting_is_interrupted(const Counting *c) {
        return stop_signals_number() > 0 &&
               (!c->o->command || c->o->when.interval > 0 || stop_signals_number() != SIGINT || stop_signals_count() > 1);
}

/* Waits for the end, and shows intervals on the way. */
static int counting_run_on(Counting *c) {
        const StatWhen *when = &c->o->when;
        uint64_t end = when->timeout > 0 ? c->begin + when->timeout * NSEC_PER_MSEC : UINT64_MAX;
        uint64_t step = when->interval * NSEC_PER_MSEC, next = step > 0 ? c->begin + step : UINT64_MAX;
        int r = 0;

        while (r >= 0 && !counting_is_interrupted(c) && counting_has_threads(c)) {
                uint64_t until = MIN_OF(next, end);

                if (target_has_task(&c->o->what.target))
                        until = MIN_OF(until, counting_now() + ALIVE_NSEC);
                r = counting_wait(c, until);
                if (r != 0 || counting_now() >= end)
                        break;
                if (counting_now() < next)
                        continue;
                r = counting_show_interval(c);
                next += step;
                if (when->times > 0 && c->n_intervals >= when->times)
                        return r;
        }
        return r >= 0 && step > 0 ? counting_show_interval(c) : MIN_OF(r, 0);
}

static int counting_open(Counting *c, Diagnosis *d) {
        Target target = c->o->what.target;
        const CountSetOptions options = {
                .target = &target, .no_inherit = c->o->what.no_inherit, .delayed = c->o->when.delay != 0,
        };
        int r;

        if (!target_has_cpu(&target) && !target_has_task(&target))
                target.command = c->command.pid;
        r = count_set_open(&c->o->what.events, &options, &c->set, d);
        if (r < 0)
                return r;
        for (size_t i = 0; c->o->how.verbose && i < c->set->n_members; i++) {
                const CountMember *m = c->set->members + i;

                if (m->error < 0)
                        (void) fprintf(stderr, "%s is not counted: %s\n", m->name, strerror(-m->error));
        }
        return stat_sums_begin(&c->sums, &c->set->layout);
}

static CountPlacing counting_placing(StatPlacing placing) {
        static const CountPlacing placings[] = {
                [STAT_ALL] = COUNT_ALL, [STAT_BY_CPU] = COUNT_BY_CPU, [STAT_BY_CORE] = COUNT_BY_CORE, [STAT_BY_DIE] = COUNT_BY_DIE,
                [STAT_BY_SOCKET] = COUNT_BY_SOCKET, [STAT_BY_NODE] = COUNT_BY_NODE, [STAT_BY_THREAD] = COUNT_BY_THREAD,
        };

        return placings[placing];
}

static int counting_begin_recording(Counting *c, Diagnosis *d) {
        StatRecordingOptions options = {
                .layout = &c->set->layout, .events = &c->o->what.events,
                .config = { counting_placing(c->o->how.placing), c->o->when.interval, c->o->what.no_scale },
        };
        _cleanup_strv_free_ char **line = NULL;
        int r = strv_extend(&line, program_invocation_name);

        STRV_FOREACH(word, c->o->words)
                r = r < 0 ? r : strv_extend(&line, *word);
        (void) signal(SIGPIPE, SIG_IGN); /* the end of its reader must not end what is counted; the command has the default again */
        options.command_line = line;
        if (r >= 0)
                r = stat_recording_begin(&c->recording, c->o->recording, &options);
        if (r == -E2BIG)
                return diagnosis_set(d, r, "A recording of counts cannot have %zu threads", c->set->n_tids);
        return r < 0 ? diagnosis_set(d, r, "Failed to record to %s: %s", c->o->recording, strerror(-r)) : r;
}

/* Lets the command go, and the counters: at once, by its exec, or after a while. */
static int counting_start(Counting *c, Diagnosis *d) {
        bool by_exec = c->o->command && !target_has_cpu(&c->o->what.target) && !target_has_task(&c->o->what.target);
        long delay = c->o->when.delay;
        int r = by_exec || delay != 0 ? 0 : count_set_enable(c->set, true);

        c->begin = counting_now();
        if (r >= 0 && c->o->command) {
                r = command_start(&c->command);
                if (r < 0)
                        return diagnosis_set(d, r, "Workload failed: %s", strerror(-r));
        }
        if (r < 0 || delay == 0)
                return r;
        (void) fprintf(stderr, "Events disabled\n");
        if (delay < 0)
                return 0;
        while (r == 0 && stop_signals_number() == 0 && counting_now() < c->begin + (uint64_t) delay * NSEC_PER_MSEC)
                r = counting_wait(c, c->begin + (uint64_t) delay * NSEC_PER_MSEC);
        if (r >= 0)
                r = count_set_enable(c->set, true);
        (void) fprintf(stderr, "Events enabled\n");
        c->begin = counting_now();
        return r;
}

static void counting_take_time(Counting *c, uint64_t nsec) {
        const struct rusage *u = &c->command.usage;

        if (c->run_times)
                c->run_times[c->elapsed.n] = (double) nsec / 1e9;
        run_mean_add(&c->elapsed, (double) nsec);
        run_mean_add(&c->user, (double) u->ru_utime.tv_sec + (double) u->ru_utime.tv_usec / 1e6);
        run_mean_add(&c->system, (double) u->ru_stime.tv_sec + (double) u->ru_stime.tv_usec / 1e6);
}

/* Counts once. */
static int counting_run(Counting *c, Diagnosis *d) {
        uint64_t nsec;
        int r = 0, number = 0;

        c->command = (Command) COMMAND_EMPTY;
        if (c->o->command)
                r = command_fork(&c->command, c->o->command, c->o->recording && streq(c->o->recording, "-"));
        if (r >= 0)
                r = counting_open(c, d);
        if (r >= 0 && c->o->recording)
                r = counting_begin_recording(c, d);
        if (r >= 0)
                r = counting_start(c, d);
        if (r >= 0)
                r = counting_run_on(c);
        if (r < 0)
                return r;
        nsec = counting_now() - c->begin;
        (void) count_set_enable(c->set, false);
        command_end(&c->command);
        counting_take_time(c, nsec);
        r = c->o->when.interval > 0 ? count_set_read(c->set) : counting_read(c, true, nsec);
        if (r < 0)
                return r;
        if (c->o->when.interval > 0)
                stat_sums_take(&c->sums, &c->set->layout, c->set->counts, false);
        else
                stat_sums_add(&c->sums, &c->set->layout, c->set->counts);
        if (c->o->recording)
                (void) stat_recording_finish(&c->recording);
        c->status = command_exit_status(&c->command, &number);
        if (number > 0) {
                (void) fprintf(stderr, "%s: %s\n", c->o->command[0], strsignal(number));
                c->status = 128 + number; /* as shells have it */
        }
        command_done(&c->command);
        c->set = count_set_free(c->set);
        return 0;
}

static int counting_show(Counting *c) {
        StatTable table = stat_sums_table(&c->sums);
        bool summary = c->o->when.interval > 0;

        if (summary && !c->o->how.summary)
                return 0;
        table.runs = c->elapsed.n;
        table.elapsed = c->elapsed.mean;
        table.elapsed_deviation = run_mean_deviation(&c->elapsed);
        table.has_usage = c->o->command;
        table.user = c->user.mean;
        table.system = c->system.mean;
        c->style.intervals = false;
        return summary ? stat_print_summary(&table, &c->style, c->out) : stat_print(&table, &c->style, c->out);
}

static int counting_run_shell(const char *command) {
        int status = command ? system(command) : 0;

        return status == 0 ? 0 : -ECANCELED;
}

static int counting_run_all(Counting *c, Diagnosis *d) {
        int r = 0;

        for (unsigned run = 0; r >= 0 && stop_signals_number() == 0 && (run < c->o->when.runs || c->o->when.runs == 0); run++) {
                if (c->o->when.sync)
                        sync();
                r = counting_run_shell(c->o->when.pre);
                if (r >= 0)
                        r = counting_run(c, d);
                if (r >= 0)
                        r = counting_run_shell(c->o->when.post);
                if (r >= 0 && c->o->when.runs == 0) {
                        r = counting_show(c);
                        stat_sums_done(&c->sums);
                        c->sums = (StatSums) { .placing = c->o->how.placing, .no_scale = c->o->what.no_scale };
                        c->elapsed = c->user = c->system = (RunMean) {};
                }
        }
        return r >= 0 && c->o->when.runs > 0 ? counting_show(c) : r;
}

int stat_count(const StatOptions *o, FILE *out) {
        _cleanup_(counting_done) Counting c = {
                .o = o, .out = out, .command = COMMAND_EMPTY, .recording = STAT_RECORDING_EMPTY, .control = CONTROL_CHANNEL_EMPTY,
                .sums = { .placing = o->how.placing, .no_scale = o->what.no_scale },
                .style = {
                        .format = o->how.json ? STAT_JSON : o->how.separator ? STAT_SEPARATED : STAT_TEXT,
                        .separator = o->how.separator, .big_numbers = !o->how.no_big_numbers, .metric_only = o->how.metric_only,
                        .null = o->what.null, .subject = stat_options_subject(o), .csv_summary = !o->how.no_csv_summary,
                        .intervals = o->when.interval > 0, .omit_zeros = o->what.target.all_threads,
                        .colour = isatty(fileno(out)), .nmi_watchdog = sysctl_read("kernel/nmi_watchdog", 0) > 0,
                },
        };
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *sentence = NULL;
        int r = c.style.subject ? 0 : -ENOMEM;

        if (o->how.table && o->when.runs > 1) {
                c.run_times = calloc(o->when.runs, sizeof(*c.run_times));
                c.style.run_times = c.run_times;
                r = c.run_times ? r : -ENOMEM;
        }
        c.control.handler = counting_obey;
        c.control.userdata = &c;
        if (r >= 0 && o->when.control)
                r = control_channel_open(&c.control, o->when.control, &d);
        stop_signals_catch(&c.waiting);
        if (r >= 0)
                r = counting_run_all(&c, &d);
        if (r < 0) {
                sentence = d.sentence ? diagnosis_format(&d) : NULL;
                (void) fprintf(stderr, "%s%s\n", sentence ? "" : "Failed to count: ", sentence ?: strerror(-r));
                return c.command.exec_error > 0 ? 255 : EXIT_FAILURE;
        }
        if (c.recording.error < 0) {
                (void) fprintf(stderr, "Failed to record to %s: %s\n", o->recording, strerror(-c.recording.error));
                return EXIT_FAILURE;
        }
        (void) fflush(out);
        stop_signals_raise(&c.waiting);
        return c.status;
}
