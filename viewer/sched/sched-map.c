/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A line for each switch: a column for each CPU has two letters for the thread that it has, "." if it is idle, and a star where the
 * switch is. The letters are explained where a thread has them first, or has another
 * name. After Z9 they begin again, as in perf. */

#include "sched-views.h"

#include <inttypes.h>

#include "array.h"
#include "terminal.h"
#include "timehist-sums.h"

#define LETTERS 26u
#define DIGITS 10u

typedef struct MapThread {
        char letters[3]; /* "": it was not seen */
        char name[SCHED_NAME_SIZE]; /* with which they were explained */
} MapThread;

typedef struct SchedMap {
        const SchedOptions *options;
        TextBuffer out;
        MapThread *threads; /* by number */
        size_t n_threads, threads_allocated;
        unsigned given;     /* letters */
        bool idle;          /* those of idle tasks are explained */
        uint32_t *columns;  /* CPUs, from the left */
        size_t n_columns, columns_allocated;
} SchedMap;

static void sched_map_done(SchedMap *map) {
        text_buffer_done(&map->out);
        free(map->threads);
        free(map->columns);
}

static int map_add_column(SchedMap *map, uint32_t cpu) {
        if (ARRAY_RESERVE(map->columns, map->columns_allocated, map->n_columns + 1) < 0)
                return -ENOMEM;
        map->columns[map->n_columns++] = cpu;
        return 0;
}

/* All CPUs of the machine have a column from the beginning, unless only those that switch are wanted. */
static int map_begin(void *userdata, SchedRun *run) {
        SchedMap *map = userdata;
        uint32_t n[2] = {}; /* available, online */
        const void *data;
        size_t size;
        int r = 0;

        map->n_threads = map->n_columns = map->given = 0;
        map->idle = false;
        if (perf_data_reader_feature(run->recording->in->reader, PERF_FEATURE_NRCPUS, &data, &size) >= 0 && size >= sizeof(n))
                memcpy(n, data, sizeof(n));
        for (uint32_t i = 0; r >= 0 && !map->options->map.compact && i < MIN_OF(n[0], SCHED_CPUS_MAX); i++)
                r = map_add_column(map, i);
        return r;
}

static void map_give_letters(SchedMap *map, bool idle, char letters[static 3]) {
        if (idle) {
                memcpy(letters, ". ", 3);
                return;
        }
        letters[0] = (char) ('A' + map->given % LETTERS);
        letters[1] = (char) ('0' + map->given / LETTERS % DIGITS);
        map->given++;
}

/* *ret is valid until the next call. Returns 1 if the letters are to be explained. */
static int map_find_thread(SchedMap *map, const SchedRun *run, uint32_t thread, MapThread **ret) {
        const SchedThread *in = run->model->threads + thread;
        MapThread *t;
        bool explain;

        if (ARRAY_RESERVE(map->threads, map->threads_allocated, (size_t) thread + 1) < 0)
                return -ENOMEM;
        for (; map->n_threads <= thread; map->n_threads++)
                map->threads[map->n_threads] = (MapThread) {};
        t = *ret = map->threads + thread;
        explain = in->tid == 0 ? !map->idle : !*t->letters || !streq(t->name, in->name);
        if (!*t->letters)
                map_give_letters(map, in->tid == 0, t->letters);
        memcpy(t->name, in->name, sizeof(t->name));
        map->idle = map->idle || in->tid == 0;
        return explain;
}

static bool map_has_number(const SchedNumbers *numbers, uint32_t number) {
        return ANY_OF(numbers->n, i, numbers->numbers[i] == number);
}

static void map_put_column(SchedMap *map, const SchedRun *run, uint32_t cpu, uint32_t switched) {
        const SchedCpu *c = cpu < run->model->n_cpus ? run->model->cpus + cpu : NULL;
        uint32_t running = c ? c->running : SCHED_NOBODY;
        bool marked = map_has_number(&map->options->map.color_cpus, cpu) ||
                (running != SCHED_NOBODY && map_has_number(&map->options->map.color_pids, run->model->threads[running].tid));
        TextBuffer *out = &map->out;

        text_buffer_putc(out, cpu == switched ? '*' : ' ');
        if (marked)
                text_buffer_puts(out, colour_sequence(COLOUR_RED));
        text_buffer_puts(out, running < map->n_threads && *map->threads[running].letters ? map->threads[running].letters : "  ");
        if (marked)
                text_buffer_puts(out, colour_sequence(COLOUR_NONE));
        text_buffer_putc(out, ' ');
}

static int map_put_json(SchedMap *map, const SchedRun *run, const SchedStep *s) {
        JsonWriter w = { .out = &map->out };

        json_writer_begin(&w, NULL, '{');
        json_writer_number(&w, "timestamp", s->time);
        json_writer_number(&w, "cpu", s->cpu);
        json_writer_begin(&w, "running", '[');
        for (uint32_t i = 0; i < run->model->n_cpus; i++)
                if (run->model->cpus[i].running != SCHED_NOBODY) {
                        json_writer_begin(&w, NULL, '{');
                        json_writer_number(&w, "cpu", i);
                        sched_thread_put_json(&w, run->model->threads + run->model->cpus[i].running);
                        json_writer_end(&w, '}');
                }
        json_writer_end(&w, ']');
        json_writer_end(&w, '}');
        text_buffer_putc(&map->out, '\n');
        return map->out.error;
}

static void map_put_line(SchedMap *map, const SchedRun *run, const SchedStep *s, const char *explained, bool new_cpu) {
        const SchedThread *in = run->model->threads + s->in;
        char name[SCHED_TEXT_SIZE];

        text_buffer_puts(&map->out, "  ");
        for (size_t i = 0; i < map->n_columns; i++)
                map_put_column(map, run, map->columns[i], s->cpu);
        text_buffer_format(&map->out, "  %5" PRIu64 ".%06" PRIu64 " secs ", s->time / NSEC_PER_SEC,
                           s->time % NSEC_PER_SEC / NSEC_PER_USEC);
        if (explained)
                text_buffer_format(&map->out, "%s => %s:%" PRIu32, explained, sched_thread_name(in, name), in->tid);
        if (map->options->map.compact && new_cpu)
                text_buffer_format(&map->out, " (CPU %" PRIu32 ")", s->cpu);
        text_buffer_putc(&map->out, '\n');
}

static int map_step(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s) {
        SchedMap *map = userdata;
        MapThread *t;
        bool new_cpu, explain;
        int r;

        if (!sched_event_is_switch(&s->event))
                return 0;
        new_cpu = s->cpu < SCHED_CPUS_MAX && !ANY_OF(map->n_columns, i, map->columns[i] == s->cpu);
        r = new_cpu ? map_add_column(map, s->cpu) : 0;
        if (r >= 0)
                r = map_find_thread(map, run, s->in, &t);
        if (r < 0 || !recording_run_wants_time(run->recording, s->time) || !recording_run_wants_cpu(run->recording, s->cpu) ||
            !(sched_run_wants_thread(run, s->out) || sched_run_wants_thread(run, s->in)))
                return MIN_OF(r, 0);
        explain = r == 1 || (map->options->verbose && run->model->threads[s->in].tid > 0);
        if (map->options->json)
                return map_put_json(map, run, s);
        map_put_line(map, run, s, explain ? t->letters : NULL, new_cpu);
        return map->out.error;
}

static int map_end(void *userdata, SchedRun *run) {
        return text_buffer_flush(&((SchedMap *) userdata)->out);
}

int sched_map(const SchedOptions *o) {
        _cleanup_(sched_map_done) SchedMap map = { .options = o, .out = { .file = stdout } };
        const SchedConsumer consumer = { .begin = map_begin, .step = map_step, .end = map_end, .userdata = &map };

        return sched_run_all(o, &consumer);
}
