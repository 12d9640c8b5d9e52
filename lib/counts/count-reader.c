/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* All records are walked once for the maps and for which events were counted, and a second time round by round. As in perf, the
 * first map of a kind counts. The maps come before the counts, so that what is broken behind them is met, and reported, by the
 * second walk only. */

#include "count-reader.h"

#include <inttypes.h>
#include <math.h>

#include "array.h"
#include "event-name.h"
#include "record-cpus.h"
#include "utf8.h"

#define UNIT_SIZE ((size_t) 33)
#define COMM_SIZE ((size_t) 64)
#define SCALE_MAX 1e30 /* products of scales and counts are finite */

struct CountReader {
        PerfDataReader *recording;
        EventIndex *index;
        CountEvent *events;     /* by number, as the recording has them */
        char (*units)[UNIT_SIZE];
        int *cpus;
        RecordThread *threads;
        char (*comms)[COMM_SIZE];
        CountLayout layout;
        CountConfig config;
        bool configured;        /* there is a STAT_CONFIG, as recordings of counts have it */
        Count *counts;
        size_t cursor;
};

CountReader *count_reader_free(CountReader *c) {
        if (!c)
                return NULL;
        event_index_free(c->index);
        free(c->events);
        free(c->units);
        free(c->cpus);
        free(c->threads);
        free(c->comms);
        free(c->counts);
        free(c);
        return NULL;
}

const CountLayout *count_reader_layout(const CountReader *c) {
        return &c->layout;
}

const CountConfig *count_reader_config(const CountReader *c) {
        return &c->config;
}

static int reader_find_events(CountReader *c) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(c->recording, &events);
        int r = event_index_new(events, n, &c->index);

        c->events = calloc(n + 1, sizeof(*c->events));
        c->units = calloc(n + 1, sizeof(*c->units));
        if (r < 0 || !c->events || !c->units)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *name = events[i].name ? NULL : event_name_of(&events[i].attr);

                if (!events[i].name && (!name || perf_data_reader_name_event(c->recording, i, name) < 0))
                        return -ENOMEM;
                c->events[i] = (CountEvent) { .name = events[i].name, .unit = c->units[i], .scale = 1, .attr = events[i].attr };
        }
        c->layout.events = c->events;
        c->layout.n_events = n;
        return 0;
}

/* Returns the number of an id's event; SIZE_MAX: there is none. */
static size_t event_of_id(const CountReader *c, uint64_t id) {
        const PerfDataEvent *events, *e = event_index_find_id(c->index, id);

        (void) perf_data_reader_events(c->recording, &events);
        return e ? (size_t) (e - events) : SIZE_MAX;
}

/* Names were the reader's matter, and CPUs are those of the counts. An update of no event is ignored, as in perf. */
static void reader_take_update(CountReader *c, const PerfRecordEventUpdate *u) {
        size_t event = event_of_id(c, u->id), size = u->header.size - sizeof(*u);
        double scale;

        if (event == SIZE_MAX)
                return;
        if (u->kind == EVENT_UPDATE_UNIT && memchr(u->body, 0, size))
                (void) utf8_line_to(c->units[event], UNIT_SIZE, (const char *) u->body);
        if (u->kind != EVENT_UPDATE_SCALE || size < sizeof(scale))
                return;
        memcpy(&scale, u->body, sizeof(scale));
        if (isfinite(scale) && fabs(scale) >= 1 / SCALE_MAX && fabs(scale) <= SCALE_MAX)
                c->events[event].scale = scale;
}

static int reader_take_threads(CountReader *c, const PerfRecordThreadMap *map) {
        if (c->threads)
                return 0;
        c->threads = calloc(map->n + 1, sizeof(*c->threads));
        c->comms = calloc(map->n + 1, sizeof(*c->comms));
        if (!c->threads || !c->comms)
                return -ENOMEM;
        for (uint64_t i = 0; i < map->n; i++) {
                char comm[sizeof(map->threads[i].comm) + 1] = "";

                memcpy(comm, map->threads[i].comm, sizeof(map->threads[i].comm));
                (void) utf8_line_to(c->comms[i], COMM_SIZE, comm);
                c->threads[i] = (RecordThread) { (int32_t) map->threads[i].tid, c->comms[i] };
        }
        c->layout.threads = c->threads;
        c->layout.n_threads = map->n;
        return 0;
}

/* perf's numbers of placings changed: 6.5 inserted caches, and 6.9 clusters, neither of which is shown here. */
static CountPlacing placing_of(const PerfDataReader *recording, uint64_t number) {
        static const CountPlacing kinds[] = {
                COUNT_BY_CPU, COUNT_ALL, COUNT_BY_SOCKET, COUNT_BY_DIE, COUNT_BY_CORE, COUNT_BY_THREAD, COUNT_ALL, COUNT_BY_NODE,
        };
        unsigned major = 0, minor = 0, inserted = 0;
        const char *version;

        if (perf_data_reader_feature_string(recording, PERF_FEATURE_VERSION, &version) >= 0 &&
            sscanf(version, "%u.%u", &major, &minor) == 2 && major >= 6)
                inserted = major > 6 || minor >= 9 ? 2 : minor >= 5;
        if (number > COUNT_BY_DIE && number <= COUNT_BY_DIE + inserted)
                return COUNT_ALL;
        if (number > COUNT_BY_DIE)
                number -= inserted;
        return number < ELEMENTSOF(kinds) ? kinds[number] : COUNT_ALL;
}

static void reader_take_config(CountReader *c, const PerfRecordStatConfig *config) {
        c->configured = true;
        for (uint64_t i = 0; i < config->n; i++) {
                uint64_t value = config->values[i].value;

                switch (config->values[i].tag) {
                case STAT_CONFIG_PLACING:
                        c->config.placing = placing_of(c->recording, value);
                        break;
                case STAT_CONFIG_INTERVAL:
                        c->config.interval = MIN_OF(value, (uint64_t) UINT32_MAX);
                        break;
                case STAT_CONFIG_SCALE:
                        c->config.no_scale = value == 0;
                        break;
                default:
                        break;
                }
        }
}

/* Records of the kernel, which perf adds, have nothing that is read here. */
static bool record_is_cut(const struct perf_event_header *record) {
        return record->type >= PERF_RECORD_USER_TYPE_START && record_lacks_fields(record);
}

/* The first walk: what the recording counts. */
static int reader_take(CountReader *c, const struct perf_event_header *record) {
        size_t event;

        if (record_is_cut(record))
                return -EBADMSG;
        switch (record->type) {
        case PERF_RECORD_CPU_MAP:
                return c->cpus ? 0 : record_read_cpus((const void *) record, &c->cpus, &c->layout.n_cpus);
        case PERF_RECORD_EVENT_UPDATE:
                reader_take_update(c, (const void *) record);
                return 0;
        case PERF_RECORD_THREAD_MAP:
                return reader_take_threads(c, (const void *) record);
        case PERF_RECORD_STAT_CONFIG:
                reader_take_config(c, (const void *) record);
                return 0;
        case PERF_RECORD_STAT:
                event = event_of_id(c, ((const PerfRecordStat *) record)->id);
                if (event != SIZE_MAX)
                        c->events[event].supported = true;
                return 0;
        default:
                return 0;
        }
}

int count_reader_new(PerfDataReader *recording, CountReader **ret, Diagnosis *d) {
        _cleanup_(count_reader_freep) CountReader *c = calloc(1, sizeof(*c));
        const struct perf_event_header *record;
        uint64_t n;
        int r;

        if (!c)
                return -ENOMEM;
        c->recording = recording;
        c->config.placing = COUNT_ALL;
        r = reader_find_events(c);
        while (r >= 0 && (r = perf_data_reader_next(recording, &c->cursor, &record)) == 1)
                r = reader_take(c, record);
        c->cursor = 0;
        if (r == -ENOMEM)
                return r;
        if (!c->cpus || !c->threads || !c->configured)
                return diagnosis_set(d, -EBADMSG, "has no counts");
        c->layout.cpus = c->cpus;
        n = (uint64_t) c->layout.n_cpus * c->layout.n_threads; /* of 16 bits and a few more each */
        if (n > COUNT_READER_MAX || n * c->layout.n_events > COUNT_READER_MAX)
                return diagnosis_set(d, -EFBIG, "has more counts than %" PRIu64, COUNT_READER_MAX);
        c->counts = calloc(n * c->layout.n_events + 1, sizeof(*c->counts));
        if (!c->counts)
                return -ENOMEM;
        *ret = steal_ptr(c);
        return 0;
}

static int reader_take_count(CountReader *c, const PerfRecordStat *s, Diagnosis *d) {
        size_t event = event_of_id(c, s->id), cpu = LOWER_BOUND(c->layout.n_cpus, i, c->cpus[i] < s->cpu);

        if (event == SIZE_MAX)
                return diagnosis_set(d, -EBADMSG, "counts an event that it does not list, with the id %" PRIu64, s->id);
        if (cpu == c->layout.n_cpus || c->cpus[cpu] != s->cpu)
                return diagnosis_set(d, -EBADMSG, "counts on CPU %" PRIi32 ", which it does not list", s->cpu);
        if (s->thread >= c->layout.n_threads)
                return diagnosis_set(d, -EBADMSG, "counts for thread number %" PRIu32 ", which it does not list", s->thread);
        c->counts[count_layout_place(&c->layout, event, cpu, s->thread)] = (Count) { s->value, s->enabled, s->running };
        return 0;
}

int count_reader_next(CountReader *c, CountRound *ret, Diagnosis *d) {
        const struct perf_event_header *record;
        int r;

        while ((r = perf_data_reader_next(c->recording, &c->cursor, &record)) == 1) {
                const PerfRecordStatRound *round = (const void *) record;

                if (record_is_cut(record))
                        return diagnosis_set(d, -EBADMSG, "has a record of type %" PRIu32 " that is too short", record->type);
                if (record->type == PERF_RECORD_STAT)
                        r = reader_take_count(c, (const void *) record, d);
                if (r < 0)
                        return r;
                if (record->type != PERF_RECORD_STAT_ROUND)
                        continue;
                *ret = (CountRound) { .final = round->kind == STAT_ROUND_FINAL, .time = round->time, .counts = c->counts };
                return 1;
        }
        return r;
}

int count_reader_places(const CountReader *c, CpuPlace **ret) {
        return cpu_places_recorded(c->recording, c->layout.cpus, c->layout.n_cpus, ret);
}
