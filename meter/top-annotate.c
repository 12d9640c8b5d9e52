/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table has where code was hit in files, and not where these were mapped. So each binary is mapped by a process of its own, at
 * an address that is made up, from its begin on; places of the kernel have the processor's addresses, and its maps are known.
 *
 * Invariant: a binary has its build id in the recording, or else its inode, and the viewer shows no code of another one: a file
 * that was replaced since it was mapped is not taken for the one that runs. */

#include "top-annotate.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "array.h"
#include "dso-build-id.h"
#include "fd-file.h"
#include "map-record.h"
#include "program.h"
#include "record.h"
#include "writer.h"

#define MADE_START UINT64_C(0x400000)
#define MADE_LENGTH (UINT64_C(1) << 46) /* offsets in files are less */
#define SAMPLES_MAX (UINT64_C(1) << 20) /* of a recording; beyond, their numbers are parts of these */
#define TEXT_MAX ((size_t) 64 << 20)
#define PIECE ((size_t) 256 << 10)

/* A place that was hit. */
typedef struct HitPlace {
        uint32_t place;
        uint64_t samples, period;
} HitPlace;

typedef struct HitPlaces {
        HitPlace *all;
        size_t n, allocated;
        uint64_t samples;
        BuildId *ids; /* for each binary; size 0: none */
} HitPlaces;

typedef struct AnnotateRecord {
        struct perf_event_header header;
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time, period;
} AnnotateRecord;

#define FIELDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

/* The rows of the choice, and of those the ones in the row's library if it is one's: a name may be that of several functions. */
static bool annotate_wants_row(const TopSamples *s, const BrowserSubject *subject, const SampleRow *row) {
        const NamedSymbol *symbol = s->names.symbols + s->names.symbol_of[row->leaf];

        if (!symbol->name || !streq(symbol->name, subject->function) ||
            !browse_choice_has_row(subject->choice, s->table, &s->names, row))
                return false;
        for (size_t i = subject->choice->n_zooms; i < subject->n_zooms; i++)
                if (subject->zooms[i].kind == ZOOM_LIBRARY && !sample_zoom_has(subject->zooms + i, s->table, &s->names, row))
                        return false;
        return true;
}

/* Finds out which file a binary is. *reason: why there is none that has its code; NULL: there may be one. */
static int annotate_identify(DsoSearch *search, const DsoHit *dso, BuildId *id, TopAnnotated *a, const char **reason) {
        _cleanup_close_ int fd = -EBADF;
        bool kernel = dso->cpumode == PERF_RECORD_MISC_KERNEL, own = true;
        int r;

        /* code that was generated, or that the kernel made of a program of BPF, has names */
        *reason = "its code was in memory only";
        if (kernel ? *dso->path != '/' && *dso->path != '[' :
            *dso->path != '/' || !map_record_has_file(dso->path) || symbols_are_generated(dso->path))
                return 0;
        *reason = NULL;
        r = dso_build_id_read(search, dso, id);
        if (r < 0)
                id->size = 0;
        if (!kernel && r != -ENOMEM) {
                fd = r = dso_source_open(search, dso, &own);
                if (!own && fd >= 0)
                        a->root_pid = dso->pid;
        }
        if (r == -ENOENT || r == -ESTALE || r == -EIDRM)
                *reason = r == -ENOENT ? "the file is not here" : "the file was removed or replaced since it was mapped";
        return r == -ENOMEM ? r : 0;
}

/* Takes the places that were hit, of binaries that have files. */
static int annotate_take_places(const TopSamples *s, const HitPlace *sums, HitPlaces *hits, TopAnnotated *a) {
        const CodePlaces *places = sample_table_places(s->table);
        _cleanup_free_ const char **reasons = calloc(places->dsos->n + 1, sizeof(*reasons));
        _cleanup_free_ bool *seen = calloc(places->dsos->n + 1, sizeof(*seen));
        DsoSearch search;
        int r = reasons && seen ? 0 : -ENOMEM;

        dso_search_init(&search, "", NULL);
        for (size_t i = 0; r >= 0 && i < places->n; i++) {
                uint32_t dso = places->places[i].dso;

                if (sums[i].samples == 0 || dso == DSO_NONE)
                        continue;
                if (!seen[dso]) {
                        seen[dso] = true;
                        r = annotate_identify(&search, places->dsos->dsos + dso, hits->ids + dso, a, reasons + dso);
                        if (r >= 0 && reasons[dso])
                                text_buffer_format(&a->said, "Functions of %s cannot be shown: %s\n",
                                                   place_names_text(&s->names, s->names.dso_name_of[dso]), reasons[dso]);
                }
                if (r < 0 || reasons[dso] ||
                    (places->places[i].address >= MADE_LENGTH && places->dsos->dsos[dso].cpumode == PERF_RECORD_MISC_USER))
                        continue;
                if (ARRAY_RESERVE(hits->all, hits->allocated, hits->n + 1) < 0)
                        r = -ENOMEM;
                else {
                        hits->all[hits->n++] = (HitPlace) { (uint32_t) i, sums[i].samples, sums[i].period };
                        hits->samples += sums[i].samples;
                }
        }
        dso_search_done(&search);
        return r;
}

/* Finds what was hit, in the order of places. */
static int annotate_find_places(const TopSamples *s, const BrowserSubject *subject, HitPlaces *hits, TopAnnotated *a) {
        const CodePlaces *places = sample_table_places(s->table);
        size_t n;
        const SampleRow *rows = sample_table_rows(s->table, &n);
        _cleanup_free_ HitPlace *sums = calloc(places->n + 1, sizeof(*sums));
        uint64_t samples = 0;
        int r;

        hits->ids = calloc(places->dsos->n + 1, sizeof(*hits->ids));
        if (!sums || !hits->ids)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (annotate_wants_row(s, subject, rows + i)) {
                        sums[rows[i].leaf].samples += rows[i].count;
                        sums[rows[i].leaf].period += rows[i].period;
                        samples += rows[i].count;
                }
        r = annotate_take_places(s, sums, hits, a);
        if (samples == 0)
                text_buffer_format(&a->said, "No sample hit %s itself\n", subject->function);
        a->samples = hits->samples;
        return r;
}

/* Puts where the kernel or one of its modules is, to which a place belongs. Modules may lie behind the kernel, which ends for this
 * behind what was hit of it. */
static int annotate_put_kernel(const RecordedKernel *kernel, const CodePlaces *places, const HitPlaces *hits,
                               const CodePlace *place, RecordMap *map, const RecordTrailer *trailer, RecordBuffer *b) {
        const DsoHit *dso = places->dsos->dsos + place->dso;
        const RecordedModule *module = recorded_kernel_module(kernel, dso->path, place->address);
        uint64_t last = kernel->reference;
        char path[64];

        map->pid = map->tid = MAP_RECORD_KERNEL_PID;
        map->misc = PERF_RECORD_MISC_KERNEL;
        if (module) {
                map->start = module->start;
                map->length = module->end - module->start;
                return record_put_mmap2(b, map, trailer);
        }
        for (size_t i = 0; i < hits->n; i++)
                if (places->places[hits->all[i].place].dso == place->dso)
                        last = MAX_OF(last, places->places[hits->all[i].place].address);
        (void) snprintf(path, sizeof(path), "%s%s", dso->path, kernel->symbol);
        map->path = path;
        map->start = map->page_offset = kernel->reference;
        map->length = last - kernel->reference + 1;
        return record_put_mmap2(b, map, trailer);
}

/* Puts the map of each binary that was hit. Processes are numbered as binaries. */
static int annotate_put_maps(const TopSamples *s, const HitPlaces *hits, RecordBuffer *b) {
        const CodePlaces *places = sample_table_places(s->table);
        const RecordTrailer trailer = { .sample_type = FIELDS };
        _cleanup_free_ bool *seen = calloc(places->dsos->n + 1, sizeof(*seen));
        int r = seen ? 0 : -ENOMEM;

        for (size_t i = 0; r >= 0 && i < hits->n; i++) {
                const CodePlace *place = places->places + hits->all[i].place;
                const DsoHit *dso = places->dsos->dsos + place->dso;
                RecordMap map = {
                        .pid = place->dso + 1, .tid = place->dso + 1, .start = MADE_START, .length = MADE_LENGTH,
                        .major = dso->major, .minor = dso->minor, .inode = dso->inode, .inode_generation = dso->generation,
                        .protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .misc = PERF_RECORD_MISC_USER, .path = dso->path,
                        .build_id = hits->ids[place->dso].size > 0 ? hits->ids + place->dso : NULL,
                };

                if (seen[place->dso])
                        continue;
                seen[place->dso] = true;
                r = record_put_comm(b, map.pid, map.tid, "top", 0, &trailer);
                if (r >= 0 && dso->cpumode == PERF_RECORD_MISC_KERNEL)
                        r = annotate_put_kernel(&s->machine->processes.recording.kernel, places, hits, place, &map, &trailer, b);
                else if (r >= 0)
                        r = record_put_mmap2(b, &map, &trailer);
        }
        return r;
}

/* Puts the samples of a place: the first one has what is left of the period. */
static int annotate_put_samples(const CodePlaces *places, const HitPlace *hit, uint64_t n, uint64_t *time, RecordBuffer *b) {
        const CodePlace *place = places->places + hit->place;
        const bool kernel = places->dsos->dsos[place->dso].cpumode == PERF_RECORD_MISC_KERNEL;
        AnnotateRecord record = {
                .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record),
                            .misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER },
                .ip = kernel ? place->address : MADE_START + place->address, .pid = place->dso + 1, .tid = place->dso + 1,
        };

        for (uint64_t i = 0; i < n; i++) {
                record.time = ++*time;
                record.period = hit->period / n + (i == 0 ? hit->period % n : 0);
                byte_buffer_put(b, &record, sizeof(record));
        }
        return b->error;
}

static int annotate_write(const TopSamples *s, const PerfDataEvent *event, const HitPlaces *hits, int fd) {
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_(byte_buffer_done) ByteBuffer release = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint64_t parts = hits->samples / SAMPLES_MAX + 1, time = 0;
        struct utsname u = {};
        struct iovec v;
        int r = feature_table_new(&features);

        (void) uname(&u);
        byte_buffer_put_string(&release, u.release);
        if (r >= 0)
                r = feature_table_take(features, PERF_FEATURE_OSRELEASE, &release);
        if (r >= 0)
                r = feature_table_add_events(features, event, 1);
        if (r >= 0)
                r = perf_data_writer_new_stream(fd, &(PerfDataWriterOptions) { .events = event, .n_events = 1 }, features, &w);
        if (r >= 0)
                r = annotate_put_maps(s, hits, &b);
        for (size_t i = 0; r >= 0 && i < hits->n; i++)
                r = annotate_put_samples(sample_table_places(s->table), hits->all + i,
                                         MAX_OF(hits->all[i].samples / parts, UINT64_C(1)), &time, &b);
        if (r < 0)
                return r;
        v = record_buffer_iovec(&b);
        return perf_data_writer_append(w, &v, 1);
}

int top_annotate_write(TopAnnotated *a, const TopSamples *s, const BrowserSubject *subject, int fd) {
        const PerfDataEvent *opened = s->events + subject->choice->event;
        const uint64_t id = 1;
        const PerfDataEvent event = {
                .attr = {
                        .type = opened->attr.type, .size = sizeof(event.attr), .config = opened->attr.config,
                        .config1 = opened->attr.config1, .config2 = opened->attr.config2, .freq = opened->attr.freq,
                        .sample_freq = opened->attr.sample_freq, .sample_type = FIELDS, .sample_id_all = true, .mmap = true,
                        .mmap2 = true, .comm = true, .build_id = true,
                        .exclude_user = opened->attr.exclude_user, .exclude_kernel = opened->attr.exclude_kernel,
                        .precise_ip = opened->attr.precise_ip,
                },
                .ids = &id, .n_ids = 1, .name = opened->name,
        };
        HitPlaces hits = {};
        int r = annotate_find_places(s, subject, &hits, a);

        if (r >= 0 && hits.n > 0)
                r = annotate_write(s, &event, &hits, fd);
        free(hits.all);
        free(hits.ids);
        return r < 0 ? r : a->said.error;
}

/* First there is what is said, and then the viewer, which prints to a file in memory. */
typedef struct AnnotateText {
        TopAnnotated annotated;
        Program program;
        uint64_t taken; /* bytes of its output */
} AnnotateText;

static void annotate_text_done(void *state) {
        AnnotateText *t = state;

        program_done(&t->program);
        text_buffer_done(&t->annotated.said);
        free(t);
}

/* Appends what follows the first *taken bytes. */
static int annotate_take(int fd, uint64_t *taken, TextBuffer *out) {
        ssize_t n;

        do {
                char *room = text_buffer_room(out, PIECE);

                n = !room ? out->error : *taken >= TEXT_MAX ? 0 : pread_up_to(fd, *taken, room, PIECE);
                if (n < 0)
                        return (int) n;
                out->n += (size_t) n;
                *taken += (uint64_t) n;
        } while (n > 0);
        return 0;
}

static int annotate_text_read(void *state, TextBuffer *out) {
        AnnotateText *t = state;
        struct pollfd p = { .fd = t->program.pidfd, .events = POLLIN };
        uint64_t errors = 0;
        int ended, r;

        text_buffer_put(out, t->annotated.said.data ?: "", t->annotated.said.n);
        t->annotated.said.n = 0;
        if (t->program.pid == 0)
                return out->error;
        ended = poll(&p, 1, 0); /* what it prints comes before that */
        r = annotate_take(t->program.output_fd, &t->taken, out);
        if (t->taken >= TEXT_MAX)
                text_buffer_puts(out, "\nWhat follows is left out\n");
        if (r >= 0 && ended > 0)
                r = annotate_take(t->program.errors_fd, &errors, out);
        return r < 0 ? r : ended <= 0 && t->taken < TEXT_MAX;
}

/* The viewer finds the function again: nothing else was hit. Inside its sandbox it has no access to other processes, so that it
 * gets the file system of a container as a descriptor. */
static int annotate_run(AnnotateText *t, int recording) {
        _cleanup_close_ int root_fd = -EBADF;
        const char *program = secure_getenv("PERF_RECORDER_VIEW") ?: PR_LIBEXECDIR "/perf-recorder-view";
        char root[64], *errors; /* as its own output */
        char *argv[] = {
                (char *) program, (char *) "annotate", (char *) "--stdio", (char *) "--stdio-color=never", (char *) "--input=-",
                (char *) "--input-name=top", NULL, NULL,
        };
        int r;

        (void) snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", t->annotated.root_pid);
        if (t->annotated.root_pid > 0)
                root_fd = open(root, O_PATH | O_DIRECTORY); /* stays open in it */
        (void) snprintf(root, sizeof(root), "--symfs=/proc/self/fd/%d", root_fd);
        if (root_fd >= 0)
                argv[ELEMENTSOF(argv) - 2] = root;
        if (lseek(recording, 0, SEEK_SET) < 0)
                return -errno;
        r = program_begin(&(ProgramRun) { .argv = argv, .input_fd = recording, .errors = &errors }, &t->program);
        if (r != -ENOENT && r != -EACCES)
                return r;
        text_buffer_format(&t->annotated.said, "%s, which shows code, cannot be run: %s\n", program, strerror(-r));
        return t->annotated.said.error;
}

int top_annotate(const TopSamples *s, const BrowserSubject *subject, BrowserText *ret) {
        _cleanup_close_ int fd = open_memfd("top-annotate", 0);
        AnnotateText *t = calloc(1, sizeof(*t));
        int r = fd;

        if (!t)
                return -ENOMEM;
        t->program = (Program) PROGRAM_EMPTY;
        if (r >= 0)
                r = top_annotate_write(&t->annotated, s, subject, fd);
        if (r >= 0 && t->annotated.samples > 0)
                r = annotate_run(t, fd);
        if (r < 0) {
                annotate_text_done(t);
                return r;
        }
        *ret = (BrowserText) {
                .fd = t->program.pidfd, .read = annotate_text_read, .done = annotate_text_done, .state = t, .hottest = true,
        };
        return 0;
}
