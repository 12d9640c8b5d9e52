/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This connects lib/perfevent and lib/format: opened events become the file's events. Features that do not change are
 * read once, those of the machine when the first file is finished, because reading them takes longer than opening the
 * events; build ids and times are different in each file. perf leaves build ids out when it switches output, to be
 * faster; here all files have them, since a file that is read on another machine needs them. */

#include "file-description.h"

#include "build-id-memory.h"
#include "dso-hits.h"
#include "event-set-groups.h"
#include "feature-machine.h"
#include "format-text.h"
#include "log.h"
#include "parse-time.h"
#include "tracing-data.h"
#include "tracepoint.h"
#include "unwound-sample.h"

/* Bytes of data by which the search for hits stays behind. While samples come fast they take up the CPUs, and all other work
 * costs a multiple: so the search is late, but not so late that the end of the recording takes long. */
#define LOOK_LAG (UINT64_C(64) << 20)

struct FileDescription {
        FileDescriptionOptions options;
        PerfDataEvent *events;
        uint64_t **ids;
        char **names;       /* of events that are counted for units, otherwise NULL */
        size_t *members; /* of the set, for each of the events */
        size_t n_events;
        FeatureTable *features;
        BuildIdMemory known_ids;
        DsoHits *hits;      /* of the open file; NULL: they are not searched for */
        uint64_t looked_at; /* bytes of its data that were searched */
        bool unreadable;    /* the data after them */
        bool has_machine;
        bool gathered;      /* file_description_gather() was called for the next file */
        bool at_once;       /* file_description_search() gets its records */
};

FileDescription *file_description_free(FileDescription *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < f->n_events; i++) {
                free(f->ids[i]);
                free(f->names[i]);
        }
        free(f->ids);
        free(f->names);
        free(f->members);
        free(f->events);
        feature_table_free(f->features);
        build_id_memory_done(&f->known_ids);
        dso_hits_free(f->hits);
        free(f);
        return NULL;
}

static unsigned spec_count_group(const EventSet *set, const EventSpec *leader) {
        unsigned n = 0;

        if (leader->group == 0 || !leader->leader)
                return 0;
        for (size_t i = 0; i < set->n_members; i++)
                if (set->members[i].spec && set->members[i].spec->group == leader->group)
                        n++;
        return n;
}

/* Events that could not be opened are left out, or readers of counts would show them in each interval; those of a unit that
 * ended keep its counts. */
static int description_add_events(FileDescription *f, const EventSet *set) {
        f->events = calloc(set->n_members, sizeof(PerfDataEvent));
        f->ids = calloc(set->n_members, sizeof(uint64_t *));
        f->names = calloc(set->n_members + 1, sizeof(char *));
        f->members = calloc(set->n_members, sizeof(size_t));
        if (!f->events || !f->ids || !f->names || !f->members)
                return -ENOMEM;
        for (size_t i = 0; i < set->n_members; i++) {
                const SetMember *m = &set->members[i];
                const char *unit = event_set_unit(set, i);
                size_t n_ids, n = f->n_events;
                int r = event_set_ids(set, i, &f->ids[n], &n_ids);

                if (r < 0)
                        return r;
                if (n_ids == 0 && !unit && event_set_counts(set)) {
                        free(steal_ptr(f->ids[n]));
                        continue;
                }
                f->names[n] = unit ? format_text("%s %s", m->name, unit) : NULL;
                if (unit && !f->names[n])
                        return -ENOMEM;
                f->members[f->n_events++] = i;
                f->events[n] = (PerfDataEvent) {
                        .attr = m->attr,
                        .ids = f->ids[n],
                        .n_ids = n_ids,
                        .name = f->names[n] ?: m->name,
                        .group_name = m->spec ? m->spec->group_name : NULL,
                        .group_members = m->spec ? spec_count_group(set, m->spec) : 0,
                };
                if (m->spec && m->spec->probe_kind != PROBE_NONE)
                        f->events[n].attr.config1 = 0; /* an address of this process */
        }
        return 0;
}

int file_description_renew_ids(FileDescription *f) {
        for (size_t i = 0; i < f->n_events; i++) {
                uint64_t *ids;
                size_t n_ids;
                int r = event_set_ids(f->options.set, f->members[i], &ids, &n_ids);

                if (r < 0)
                        return r;
                free(f->ids[i]);
                f->events[i].ids = f->ids[i] = ids;
                f->events[i].n_ids = n_ids;
        }
        f->hits = dso_hits_free(f->hits);
        return feature_table_add_events(f->features, f->events, f->n_events);
}

static int features_add_tracing_data(FeatureTable *t, const EventSet *set, Diagnosis *d) {
        _cleanup_strv_free_ char **names = NULL;
        _cleanup_free_ char *tracefs = NULL;
        int r = 0;

        for (size_t i = 0; i < set->n_members && r >= 0; i++) {
                const EventSpec *spec = set->members[i].spec;

                if (spec && spec->tracepoint_name)
                        r = strv_extendf(&names, "%s:%s", spec->tracepoint_system, spec->tracepoint_name);
        }
        if (r < 0 || !names)
                return r;
        r = tracefs_find(&tracefs);
        if (r >= 0)
                r = feature_table_add_tracing_data(t, tracefs, names);
        if (r < 0)
                return diagnosis_set(d, r, "formats of tracepoints can't be read from tracefs: %s", strerror(-r));
        return 0;
}

int file_description_new(const FileDescriptionOptions *options, FileDescription **ret, Diagnosis *d) {
        _cleanup_(file_description_freep) FileDescription *f = calloc(1, sizeof(FileDescription));
        const EventSet *set = options->set;
        int r;

        if (!f)
                return -ENOMEM;
        f->options = *options;
        r = description_add_events(f, set);
        if (r >= 0)
                r = feature_table_new(&f->features);
        if (r >= 0)
                r = feature_table_add_version(f->features, "perf-recorder " PR_VERSION);
        if (r >= 0)
                r = feature_table_add_command_line(f->features, options->command_line);
        if (r >= 0)
                r = feature_table_add_events(f->features, f->events, f->n_events);
        if (r >= 0)
                r = features_add_tracing_data(f->features, set, d);
        if (r >= 0 && event_set_counts(set))
                r = feature_table_put(f->features, PERF_FEATURE_STAT, NULL, 0);
        if (r >= 0 && set->members[0].attr.use_clockid)
                r = feature_table_add_clock(f->features, set->members[0].attr.clockid);
        if (r < 0)
                return r;
        for (size_t i = 0; options->unwound && i < f->n_events; i++)
                (void) unwound_sample_attr(&f->events[i].attr, options->registers);
        *ret = steal_ptr(f);
        return 0;
}

int file_description_relate_clock(FileDescription *f, int64_t offset) {
        const struct perf_event_attr *first = &f->events[0].attr;
        uint32_t clock = first->use_clockid ? (uint32_t) first->clockid : PERF_CLOCK_UNNAMED;
        uint64_t wall = now_nsec(CLOCK_REALTIME);

        return feature_table_add_clock_data(f->features, clock, wall, wall - (uint64_t) offset);
}

static int description_begin_hits(FileDescription *f) {
        f->hits = dso_hits_free(f->hits);
        f->looked_at = 0;
        f->unreadable = false;
        if (f->options.build_ids == BUILD_ID_TABLE_NONE && !f->options.want_times && !f->options.want_hits)
                return 0;
        return dso_hits_new(f->events, f->n_events, f->options.build_ids == BUILD_ID_TABLE_ALL, &f->hits);
}

static PerfDataWriterOptions description_writer_options(const FileDescription *f) {
        return (PerfDataWriterOptions) {
                .events = f->events, .n_events = f->n_events,
                .level = f->options.level,
                .progress = f->options.progress,
                .tail_size = feature_table_size(f->features) + PERF_DATA_TAIL_SIZE +
                             (f->options.programs ? bpf_catalog_size(f->options.programs) : 0),
                .unsynced = !f->options.synced,
                .keep_old = true, /* for the file's own name; one with a timestamp is always new */
                .all_at_once = f->at_once,
        };
}

int file_description_open(FileDescription *f, int dir_fd, const char *name, bool at_once, PerfDataWriter **ret) {
        PerfDataWriterOptions o;
        int r = description_begin_hits(f);

        if (r < 0)
                return r;
        f->at_once = at_once;
        o = description_writer_options(f);
        return perf_data_writer_new(dir_fd, name, &o, ret);
}

static int description_add_machine(FileDescription *f) {
        int r = f->has_machine ? 0 : feature_table_add_machine(f->features, NULL);

        f->has_machine = r >= 0;
        return r;
}

static int description_gather(FileDescription *f) {
        BpfCatalog *programs = f->options.programs;
        int r = description_add_machine(f);

        if (r >= 0 && programs)
                r = bpf_catalog_update(programs);
        return r >= 0 && programs ? bpf_catalog_add_features(programs, f->features) : r;
}

void file_description_gather(FileDescription *f) {
        int r = description_gather(f);

        f->gathered = true;
        if (r < 0)
                log_warning("The file's header lacks something: %s", strerror(-r));
}

void file_description_gather_machine(FileDescription *f) {
        (void) description_add_machine(f); /* the end of the file tries again */
}

const PerfDataEvent *file_description_events(const FileDescription *f, size_t *ret_n) {
        *ret_n = f->n_events;
        return f->events;
}

int file_description_open_stream(FileDescription *f, int fd, PerfDataWriter **ret) {
        const PerfDataWriterOptions o = description_writer_options(f);
        int r = description_gather(f);

        if (r >= 0)
                r = feature_table_add_sample_time(f->features, 0, 0); /* not known yet */
        if (r >= 0 && o.level > 0)
                r = feature_table_add_compressed(f->features, (int) o.level, 0, COMPRESS_READ_SIZE);
        return r < 0 ? r : perf_data_writer_new_stream(fd, &o, f->features, ret);
}

int file_description_open_window(FileDescription *f, int fd, bool whole, uint64_t begin, uint64_t until, PerfDataWriter **ret) {
        _cleanup_(feature_table_freep) FeatureTable *none = NULL;
        PerfDataWriterOptions o = description_writer_options(f);
        int r = whole ? 0 : feature_table_new(&none);

        if (r >= 0)
                r = feature_table_add_sample_time(none ?: f->features, begin, until);
        o.level = 0;
        o.progress = NULL;
        return r < 0 ? r : perf_data_writer_new_stream(fd, &o, none ?: f->features, ret);
}

/* Continues the search until lag bytes are left. Data after something that is no record can't be read. */
static int description_look(FileDescription *f, const PerfDataWriter *w, uint64_t lag) {
        uint64_t size = perf_data_writer_data_size(w), begin = perf_data_writer_data_offset(w), offset = begin + f->looked_at;
        int r;

        if (f->unreadable || f->at_once || size <= lag || f->options.level > 0 || perf_data_writer_is_stream(w))
                return 0;
        r = dso_hits_scan(f->hits, perf_data_writer_fd(w), &offset, begin + size - lag, begin + size);
        f->looked_at = offset - begin;
        f->unreadable = r < 0;
        return r;
}

/* Unreadable records are no error here. Without memory the file has no build ids, as with -B. */
static void description_check_look(FileDescription *f, int r) {
        if (r != -ENOMEM)
                return;
        log_warning("There is no memory to find the binaries that have samples: the file has no build ids");
        f->hits = dso_hits_free(f->hits);
}

void file_description_search(FileDescription *f, const struct iovec *records, size_t n) {
        if (f->hits)
                description_check_look(f, dso_hits_feed_segments(f->hits, records, n));
        if (f->options.progress)
                __atomic_fetch_add(f->options.progress, 1, __ATOMIC_RELAXED);
}

int file_description_append(FileDescription *f, PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        int r = perf_data_writer_append(w, segments, n_segments);

        if (r >= 0 && !f->at_once && f->hits && f->options.level > 0)
                description_check_look(f, dso_hits_feed_segments(f->hits, segments, n_segments));
        return r;
}

void file_description_keep_up(FileDescription *f, const PerfDataWriter *w) {
        if (f->hits)
                description_check_look(f, description_look(f, w, LOOK_LAG));
}

bool file_description_look(FileDescription *f, const PerfDataWriter *w, uint64_t *ret_first, uint64_t *ret_last) {
        if (!f->hits || !w)
                return false;
        description_check_look(f, description_look(f, w, 0));
        return f->hits && dso_hits_times(f->hits, ret_first, ret_last);
}

static int description_add_hits(FileDescription *f, const PerfDataWriter *w) {
        uint64_t first, last;
        int r;

        /* As in perf's files, zeros mean that the times are not known. */
        if (!f->hits)
                return feature_table_add_sample_time(f->features, 0, 0);
        r = description_look(f, w, 0);
        if (r == -ENOMEM)
                return r;
        if (f->options.build_ids != BUILD_ID_TABLE_NONE)
                r = feature_table_add_build_ids(f->features, f->hits, NULL, &f->known_ids);
        else
                r = 0;
        if (r < 0)
                return r;
        if (!dso_hits_times(f->hits, &first, &last))
                first = last = 0;
        return feature_table_add_sample_time(f->features, first, last);
}

static int description_add_compressed(FileDescription *f, const PerfDataWriter *w) {
        uint64_t original, compressed;

        if (!perf_data_writer_compression(w, &original, &compressed))
                return 0;
        return feature_table_add_compressed(f->features, (int) f->options.level,
                                            compressed > 0 ? (unsigned) ((original + compressed / 2) / compressed) : 0,
                                            COMPRESS_READ_SIZE);
}

int file_description_finish(FileDescription *f, PerfDataWriter *w, const char *name, uint64_t *ret_left_out, DsoHits **ret_hits) {
        int r;

        perf_data_writer_expect_finish(w);
        r = perf_data_writer_is_stream(w) ? 0 : description_add_hits(f, w);
        if (r >= 0 && !f->gathered)
                r = description_gather(f);
        f->gathered = false;
        if (r >= 0)
                r = description_add_compressed(f, w);
        /* A file that lacks features is better than none. */
        if (r < 0)
                log_warning("The file's header lacks something: %s", strerror(-r));
        r = perf_data_writer_finish(w, f->features, name, ret_left_out);
        if (r < 0) /* the file stays open */
                return r;
        if (f->options.want_hits)
                *ret_hits = steal_ptr(f->hits);
        f->hits = dso_hits_free(f->hits);
        return r;
}
