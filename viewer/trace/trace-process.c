/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Formats come from the recording, and the library that parses them was made for those of the machine's own kernel.
 * The process is as restricted as its parent, has no descriptor but the one that it is asked by, and is limited in
 * its memory, and in its time for one sample and for all of them. It answers once when it has parsed the formats, then to each
 * question, which is the CPU and the raw data. */

#include "trace-process.h"

#include <sys/socket.h>

#include "forked-process.h"
#include "utf8.h"

#define MEMORY_MAX   ((size_t) 256 << 20) /* bytes, besides what the process begins with */
#define PARSE_USEC   2000000  /* of the processor, for all formats */
#define PRINT_USEC   100000   /* for one sample */
#define SPARE_USEC   1000000  /* for all samples, besides MEAN_USEC for each */
#define MEAN_USEC    200
#define ENDS_MAX     3u       /* of processes */
#define QUESTION_MAX ((size_t) 1 << 16)
#define ANSWER_MAX   ((size_t) 1 << 15)

struct TraceProcess {
        const void *data;
        size_t size;
        TraceResolver *resolver;
        void *userdata;
        ForkedProcess process;
        unsigned ends;
        uint64_t question[QUESTION_MAX / sizeof(uint64_t)]; /* the CPU, and the raw data */
        char answer[1 + ANSWER_MAX];
};

int trace_process_new(const void *data, size_t size, TraceResolver *resolver, void *userdata, TraceProcess **ret) {
        TraceProcess *p = calloc(1, sizeof(*p));

        if (!p)
                return -ENOMEM;
        p->data = data;
        p->size = size;
        p->resolver = resolver;
        p->userdata = userdata;
        p->process = (ForkedProcess) FORKED_PROCESS_EMPTY;
        *ret = p;
        return 0;
}

static void process_reap(TraceProcess *p) {
        if (p->process.fd < 0)
                return;
        (void) forked_process_end(&p->process);
        p->ends++;
}

TraceProcess *trace_process_free(TraceProcess *p) {
        if (!p)
                return NULL;
        process_reap(p);
        free(p);
        return NULL;
}

/* Reading files of symbols takes its time, which is not the library's. */
static const char *resolve_untimed(void *userdata, uint64_t *address) {
        const TraceProcess *p = userdata;
        suseconds_t left = forked_process_limit_time(0);
        const char *name = p->resolver(p->userdata, address);

        (void) forked_process_limit_time(MAX_OF(left, 1));
        return name;
}

static void process_serve(void *userdata) {
        static uint64_t question[QUESTION_MAX / sizeof(uint64_t)];
        TraceLibrary *library = NULL;
        static char answer[1 + ANSWER_MAX] = { 'y' };
        TraceProcess *p = userdata;
        suseconds_t spare = SPARE_USEC + PRINT_USEC;
        const char *text;
        ssize_t n;

        (void) forked_process_limit_time(PARSE_USEC);
        if (trace_library_new(p->data, p->size, p->resolver ? resolve_untimed : NULL, p, &library) < 0 ||
            send(FORKED_PROCESS_SOCKET, "y", 1, MSG_NOSIGNAL) != 1)
                return;
        (void) forked_process_limit_time(PRINT_USEC);
        while ((n = recv(FORKED_PROCESS_SOCKET, question, sizeof(question), 0)) >= (ssize_t) sizeof(uint64_t)) {
                size_t size;

                spare += MEAN_USEC - (PRINT_USEC - forked_process_limit_time(PRINT_USEC));
                if (spare < 0)
                        break;
                size = trace_library_print(library, (uint32_t) question[0], question + 1, (size_t) n - sizeof(uint64_t), &text);
                size = MIN_OF(size, ANSWER_MAX);
                memcpy(answer + 1, text, size);
                if (send(FORKED_PROCESS_SOCKET, answer, size + 1, MSG_NOSIGNAL) < 0)
                        break;
        }
        _exit(EXIT_SUCCESS);
}

/* One that cannot parse the formats is the last. */
static bool process_start(TraceProcess *p) {
        const ForkedPlan plan = { .serve = process_serve, .userdata = p, .socket_type = SOCK_SEQPACKET, .memory = MEMORY_MAX };

        if (p->process.fd >= 0)
                return true;
        if (p->ends >= ENDS_MAX || forked_process_start(&p->process, &plan) < 0)
                return false;
        if (TEMP_FAILURE_RETRY(recv(p->process.fd, p->answer, 1, 0)) == 1)
                return true;
        process_reap(p);
        p->ends = ENDS_MAX;
        return false;
}

static bool is_plain(const char *text, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (text[i] < ' ' || text[i] > '~')
                        return false;
        return true;
}

static void put_line(TextBuffer *out, const char *text, size_t n) {
        _cleanup_free_ char *line = NULL;

        if (is_plain(text, n)) {
                text_buffer_put(out, text, n);
                return;
        }
        line = utf8_line(text, n, 4 * n);
        if (line)
                text_buffer_puts(out, line);
}

bool trace_process_print(TraceProcess *p, uint32_t cpu, const void *raw, size_t size, TextBuffer *out) {
        ssize_t n;

        if (size > QUESTION_MAX - sizeof(uint64_t) || !process_start(p))
                return false;
        p->question[0] = cpu;
        memcpy(p->question + 1, raw, size);
        n = send(p->process.fd, p->question, sizeof(uint64_t) + size, MSG_NOSIGNAL);
        if (n > 0)
                n = TEMP_FAILURE_RETRY(recv(p->process.fd, p->answer, sizeof(p->answer), 0));
        if (n <= 0) {
                process_reap(p);
                return false;
        }
        put_line(out, p->answer + 1, (size_t) n - 1);
        return true;
}
