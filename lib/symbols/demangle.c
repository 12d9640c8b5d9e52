/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of all languages become readable here. Most do so by GNU's libiberty, as in perf and gdb: C++, both schemes of Rust, D. It
 * is a static library. Those of OCaml and Java are read beside this file.
 *
 * It bounds how deep it recurses, and nothing else: every part that a name refers to twice doubles, so that 250 bytes become
 * half a gigabyte, and 310 bytes never finish. Names are those of any program that was recorded. So the library runs in
 * a process of its own, which has little memory and little time for each name; if a name ends that process, the next one
 * gets a new one, a few times. */

#include "demangle.h"

#include <libiberty/demangle.h>
#include <pthread.h>
#include <sys/socket.h>

#include "demangle-parts.h"
#include "forked-process.h"
#include "function-name.h"

#define MEMORY_MAX (UINT64_C(32) << 20) /* bytes, besides what the process begins with */
#define TIME_MAX_USEC 100000           /* of the processor, for one name */
#define ENDS_MAX 16u                   /* of processes; after these no name is demangled */

/* The first byte of a question; the name follows. */
typedef enum Question {
        QUESTION_WHOLE = 'w',
        QUESTION_FUNCTION = 'f', /* without parameters and the type that is returned */
} Question;

/* The first byte of an answer; what is readable follows. */
typedef enum Answer {
        ANSWER_NONE = 'n',
        ANSWER_NAME = 'y',
} Answer;

static struct {
        pthread_mutex_t lock;
        ForkedProcess process;
        unsigned ends;
        bool raw; /* names stay as they are */
} demangler = { .lock = PTHREAD_MUTEX_INITIALIZER, .process = FORKED_PROCESS_EMPTY };

static bool is_of_d(const char *name) {
        return startswith(name, "_D") && ((name[2] >= '0' && name[2] <= '9') || streq(name, "_Dmain"));
}

static bool is_mangled(const char *name) {
        return startswith(name, "_Z") || (startswith(name, "_R") && name[2] >= 'A' && name[2] <= 'Z') || is_of_d(name);
}

static void demangler_answer(const char *readable) {
        char text[1 + DEMANGLE_MAX] = { ANSWER_NONE };
        size_t n = readable ? strlen(readable) : 0;

        if (n > 0 && n <= DEMANGLE_MAX) {
                text[0] = ANSWER_NAME;
                memcpy(text + 1, readable, n);
        }
        (void) send(FORKED_PROCESS_SOCKET, text, text[0] == ANSWER_NAME ? n + 1 : 1, MSG_NOSIGNAL);
}

static char *demangler_demangle(Question question, const char *name) {
        int options = question == QUESTION_WHOLE ? DMGL_PARAMS | DMGL_ANSI : 0;
        char *readable = cplus_demangle(name, options | (is_of_d(name) ? DMGL_DLANG : DMGL_AUTO));

        if (readable && is_of_d(name) && question == QUESTION_FUNCTION) /* it has no option for these */
                function_name_cut(readable);
        return readable;
}

/* Answers questions until the other end is closed. */
static void demangler_serve(void *userdata) {
        char name[1 + DEMANGLE_NAME_MAX + 1];
        ssize_t n;

        while ((n = recv(FORKED_PROCESS_SOCKET, name, sizeof(name) - 1, 0)) > 0) {
                char *readable;

                name[n] = '\0';
                (void) forked_process_limit_time(TIME_MAX_USEC);
                readable = demangler_demangle((Question) name[0], name + 1);
                demangler_answer(readable);
                free(readable);
        }
        _exit(EXIT_SUCCESS);
}

static int demangler_start(void) {
        const ForkedPlan plan = { .serve = demangler_serve, .socket_type = SOCK_SEQPACKET, .memory = MEMORY_MAX };

        if (demangler.process.fd >= 0)
                return 0;
        return demangler.ends >= ENDS_MAX ? -ECHILD : forked_process_start(&demangler.process, &plan);
}

/* Returns the bytes in buffer; 0: the name has no other form. */
static size_t demangler_ask(Question question, const char *name, char buffer[static 1 + DEMANGLE_MAX]) {
        char text[1 + DEMANGLE_NAME_MAX + 1];
        ssize_t n;

        if (demangler_start() < 0)
                return 0;
        n = snprintf(text, sizeof(text), "%c%s", question, name);
        n = send(demangler.process.fd, text, (size_t) n, MSG_NOSIGNAL);
        if (n > 0)
                n = TEMP_FAILURE_RETRY(recv(demangler.process.fd, buffer, 1 + DEMANGLE_MAX, 0));
        if (n <= 0) {
                (void) forked_process_end(&demangler.process);
                demangler.ends++;
        }
        return n > 1 && buffer[0] == ANSWER_NAME ? (size_t) n - 1 : 0;
}

static char *demangle_by_library(Question question, const char *name) {
        char buffer[1 + DEMANGLE_MAX];
        size_t n;

        (void) pthread_mutex_lock(&demangler.lock);
        n = demangler_ask(question, name, buffer);
        (void) pthread_mutex_unlock(&demangler.lock);
        return n == 0 ? NULL : strndup(buffer + 1, n);
}

/* Behind an "@" is the version of a symbol, "@V1" or "@@V2", or "@plt". */
static char *demangle_as(Question question, const char *name) {
        size_t n = *name ? 1 + strcspn(name + 1, "@") : 0;
        _cleanup_free_ char *function = strndup(name, n), *readable = NULL;
        char *whole;

        if (!function)
                return NULL;
        if (!demangler.raw && n <= DEMANGLE_NAME_MAX)
                readable = is_mangled(function) ? demangle_by_library(question, function) :
                                                  demangle_ocaml(function) ?: demangle_java(function);
        if (!readable || !name[n])
                return readable ? steal_ptr(readable) : strdup(name);
        return asprintf(&whole, "%s%s", readable, name + n) < 0 ? NULL : whole;
}

void demangle_set_raw(bool raw) {
        demangler.raw = raw;
}

void demangle_begin_anew(void) {
        demangler.process = (ForkedProcess) FORKED_PROCESS_EMPTY;
        demangler.ends = 0;
}

char *demangle(const char *name) {
        return demangle_as(QUESTION_WHOLE, name);
}

char *demangle_function(const char *name) {
        return demangle_as(QUESTION_FUNCTION, name);
}
