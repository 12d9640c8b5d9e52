/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libdw is a large library, and DWARF can make it take any time and memory, and has made it crash. So it runs in a process of its
 * own, one for each file, which has limits and is believed nothing: its answers are checked as if the file's author had written
 * them. */

#include "source-lines.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "array.h"
#include "debug-reader.h"
#include "forked-process.h"
#include "parse-time.h"
#include "utf8.h"

#define MEMORY_MAX (UINT64_C(3) << 30) /* bytes: the lines of a browser's library have one of these */
#define WATCH_MSEC 100
#define TIME_MAX_SEC 60 /* of the processor, of all files; by the clock, of one: it may be one that nobody writes to … */
#define WAIT_MAX_SEC 120 /* … and of all */

void source_lines_done(SourceLines *s) {
        byte_pool_done(&s->texts);
        free(s->inlined);
        *s = (SourceLines) {};
}

typedef struct Question {
        SourceLines *source;
        SourcePlace *places;
        size_t n, current;  /* current: the address of the last line */
        uint32_t *texts;    /* the numbers of the process's texts in our pool */
        size_t n_texts, allocated, bytes;
} Question;

static int source_take_text(Question *q, size_t size, FILE *f) {
        _cleanup_free_ char *line = NULL;
        char text[SOURCE_TEXT_MAX + 1];
        int r;

        if (size > SOURCE_TEXT_MAX || fread(text, 1, size, f) != size)
                return -EBADMSG;
        q->bytes += size + sizeof(*q->texts);
        if (q->bytes > SOURCE_TEXTS_MAX)
                return -EFBIG;
        line = utf8_line(text, size, SOURCE_TEXT_MAX);
        if (!line || ARRAY_RESERVE(q->texts, q->allocated, q->n_texts + 1) < 0)
                return -ENOMEM;
        r = byte_pool_intern(&q->source->texts, line, strlen(line) + 1, q->texts + q->n_texts);
        q->n_texts += r >= 0;
        return r;
}

static uint32_t source_text_of(const Question *q, uint32_t number) {
        return number > 0 && number <= q->n_texts ? q->texts[number - 1] : 0;
}

static int take_inlined(Question *q, const DebugAnswer *a) {
        SourceLines *s = q->source;
        SourcePlace *place = q->places + q->current;

        if (q->current >= q->n || place->n_inlined >= INLINED_DEPTH_MAX)
                return -EBADMSG;
        if (s->n_inlined >= INLINED_MAX)
                return -EFBIG;
        if (ARRAY_RESERVE(s->inlined, s->allocated, s->n_inlined + 1) < 0)
                return -ENOMEM;
        s->inlined[s->n_inlined++] = (InlinedCall) {
                .name = source_text_of(q, a->number), .file = source_text_of(q, a->text), .line = a->line,
        };
        place->n_inlined++;
        return 0;
}

/* 1: that was the last answer. */
static int source_take_answer(Question *q, const DebugAnswer *a, FILE *f) {
        switch ((DebugAnswerType) a->type) {
        case DEBUG_ANSWER_TEXT:
                return source_take_text(q, a->number, f);
        case DEBUG_ANSWER_LINE:
                if (a->number >= q->n)
                        return -EBADMSG;
                q->current = a->number;
                q->places[q->current] = (SourcePlace) {
                        .file = source_text_of(q, a->text), .line = a->line, .inlined = q->source->n_inlined,
                };
                return 0;
        case DEBUG_ANSWER_INLINED:
                return take_inlined(q, a);
        case DEBUG_ANSWER_END:
                return 1;
        default:
                return -EBADMSG;
        }
}

int source_lines_take(SourceLines *s, FILE *f, size_t n, SourcePlace *places) {
        Question q = { .source = s, .places = places, .n = n, .current = n };
        DebugAnswer a;
        int r = 0;

        while (r == 0)
                r = fread(&a, sizeof(a), 1, f) == 1 ? source_take_answer(&q, &a, f) : -EBADMSG;
        free(q.texts);
        return MIN_OF(r, 0);
}

/* Microseconds of the processor that the files have taken so far, in all; any number of them may be made to take long. */
static uint64_t used_usec;
static uint64_t waited_nsec; /* by the clock */

typedef struct Asked {
        const DebugFile *file;
        const uint64_t *addresses;
        size_t n;
        bool inlined;
} Asked;

static void serve(void *userdata) {
        const Asked *asked = userdata;
        rlim_t sec = (rlim_t) (TIME_MAX_SEC - used_usec / 1000000);
        FILE *f;
        int r;

        (void) signal(SIGPIPE, SIG_IGN);
        (void) setitimer(ITIMER_REAL, &(struct itimerval) { .it_value.tv_sec = TIME_MAX_SEC }, NULL);
        (void) setrlimit(RLIMIT_CPU, &(struct rlimit) { sec, sec });
        f = fdopen(FORKED_PROCESS_SOCKET, "we");
        if (!f)
                return;
        r = debug_reader_run(FORKED_PROCESS_FILE, &asked->file->memory, asked->addresses, asked->n, asked->inlined, f);
        _exit(fflush(f) != 0 || r < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* The stream of answers, which ends if the watcher wants no more of them. */
typedef struct WatchedAnswers {
        int fd;
        Watcher watcher;
        bool ended;
} WatchedAnswers;

static ssize_t read_watched(void *userdata, char *buf, size_t size) {
        WatchedAnswers *w = userdata;
        struct pollfd poll_fd = { .fd = w->fd, .events = POLLIN };
        int r;

        do {
                w->ended = w->ended || !watcher_go_on(&w->watcher);
                if (w->ended)
                        return 0;
                r = poll(&poll_fd, 1, WATCH_MSEC);
        } while (r == 0 || (r < 0 && errno == EINTR));
        return r < 0 ? r : TEMP_FAILURE_RETRY(read(w->fd, buf, size));
}

/* Returns -EINTR if the watcher ended it. */
static int take_watched(SourceLines *s, int fd, Watcher watcher, size_t n, SourcePlace *places) {
        WatchedAnswers w = { .fd = fd, .watcher = watcher };
        _cleanup_fclose_ FILE *f = fopencookie(&w, "r", (cookie_io_functions_t) { .read = read_watched });
        int r = f ? source_lines_take(s, f, n, places) : -ENOMEM;

        return w.ended && r == -EBADMSG ? -EINTR : r;
}

static int source_ask(SourceLines *s, const DebugFile *file, const uint64_t *addresses, size_t n, bool inlined,
                      SourcePlace *places) {
        const Asked asked = { .file = file, .addresses = addresses, .n = n, .inlined = inlined };
        const ForkedPlan plan = { .serve = serve, .userdata = (void *) &asked, .socket_type = SOCK_STREAM, .has_file = true,
                                  .file_fd = file->debug, .memory = MEMORY_MAX };
        ForkedProcess p = FORKED_PROCESS_EMPTY;
        uint64_t begin = now_nsec(CLOCK_MONOTONIC);
        bool late = used_usec / 1000000 >= TIME_MAX_SEC || waited_nsec / NSEC_PER_SEC >= WAIT_MAX_SEC;
        int r = late ? -EFBIG : forked_process_start(&p, &plan);

        if (r < 0)
                return r;
        r = take_watched(s, p.fd, file->watcher, n, places);
        if (r < 0)
                (void) kill(p.pid, SIGKILL); /* its answers are not read on */
        used_usec += forked_process_end(&p);
        waited_nsec += now_nsec(CLOCK_MONOTONIC) - begin;
        return r;
}

int source_lines_find(SourceLines *s, const DebugFile *f, const uint64_t *addresses, size_t n, bool inlined, SourcePlace *places) {
        int r;

        if (n == 0 || n > UINT32_MAX || f->debug < 0)
                return 0;
        r = source_ask(s, f, addresses, n, inlined, places);
        if (r == -EBADMSG || r == -EFBIG)
                s->failed++;
        return r == -EBADMSG || r == -EFBIG || r == -EINTR ? 0 : r;
}
