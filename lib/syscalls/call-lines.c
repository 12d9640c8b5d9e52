/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Columns are those of perf trace and of strace -f: the result stands behind the 70th column of the arguments, or the 40th of the
 * line.
 *
 * A filter by what is known only at the end of a call (how long it took, whether it failed) leaves no lines of begins. */

#include "call-lines.h"

#include <inttypes.h>
#include <string.h>

#include "json-writer.h"
#include "parse-time.h"

#define PERF_COLUMN 70u
#define STRACE_COLUMN 40u
#define NSEC_PER_MSEC_ 1000000.0

void call_lines_done(CallLines *l) {
        text_buffer_done(&l->line);
}

void call_lines_begin(CallLines *l) {
        l->current = 0;
}

bool call_lines_are_enough(const CallLines *l) {
        return l->options->max_events > 0 && l->n >= l->options->max_events;
}

static bool call_lines_show_begins(const CallLines *l) {
        const CallOptions *o = l->options;

        return !o->json && !o->summary_only && !o->failures && o->longer == 0;
}

static const char *call_lines_find_name(void *userdata, uint32_t tid) {
        const CallLines *l = userdata;
        const CallThread *t = call_model_find(l->model, tid);

        return t && *t->name ? t->name : NULL;
}

static const char *call_lines_find_descriptor(void *userdata, int fd) {
        const CallLines *l = userdata;

        return call_descriptors_name(l->descriptors, l->pid, fd);
}

static SyscallCall call_lines_call(CallLines *l, const CallThread *t, const Call *c) {
        const CallMemory *memory = call_thread_memory(t, c->number);
        SyscallCall call = {
                .number = c->number, .result = c->result, .returned = c->until > 0,
                .memory = memory ? memory->pieces : NULL, .n_memory = memory ? memory->n : 0,
                .thread_name = call_lines_find_name,
                .descriptor_name = l->descriptors ? call_lines_find_descriptor : NULL, .userdata = l,
                .interrupted = c->interrupted > 0 ? syscall_name(l->abi, c->interrupted - 1) : NULL,
        };

        call.abi = syscall_abi_of(l->abi, &call.number);
        l->pid = t->pid;
        memcpy(call.arguments, c->arguments, sizeof(call.arguments));
        return call;
}

static SyscallTextOptions call_lines_style(const CallLines *l) {
        return (SyscallTextOptions) {
                .style = l->options->strace ? SYSCALL_STYLE_STRACE : SYSCALL_STYLE_PERF, .descriptor_names = l->descriptors,
                .memory = l->memory,
        };
}

/* Puts milliseconds with three digits, as printf(3) does, which takes a fifth of the time of a line for two of them. Halves of a
 * microsecond are its own: they have no exact numbers. */
static void perf_put_msec(TextBuffer *b, int64_t nsec, unsigned width) {
        uint64_t rest = (uint64_t) nsec % 1000, usec = (uint64_t) nsec / 1000 + (rest > 500);

        if (nsec < 0 || rest == 500) {
                text_buffer_format(b, "%*.3f", (int) width, (double) nsec / NSEC_PER_MSEC_);
                return;
        }
        text_buffer_decimal(b, usec / 1000, width - 4);
        text_buffer_putc(b, '.');
        text_buffer_digits(b, usec % 1000, 3);
}

/* A call that began before what is selected may have begun before the first event of that, too. */
static void perf_put_time(CallLines *l, uint64_t time) {
        int64_t wall = (int64_t) time + l->to_wall;
        time_t second = wall / (int64_t) NSEC_PER_SEC;
        struct tm tm;

        if (l->options->time_of_day) {
                if (second != l->second && localtime_r(&second, &tm))
                        (void) strftime(l->second_text, sizeof(l->second_text), "%T", &tm);
                l->second = second;
                text_buffer_format(l->out, "%s.%06" PRId64 " ", l->second_text,
                                   wall % (int64_t) NSEC_PER_SEC / (int64_t) NSEC_PER_USEC);
                return;
        }
        perf_put_msec(l->out, (int64_t) (time - (l->options->absolute ? 0 : l->first)), 10);
        text_buffer_putc(l->out, ' ');
}

static void perf_put_thread(CallLines *l, const CallThread *t) {
        if (!l->options->anonymous)
                text_buffer_format(l->out, "%.14s/", *t->name ? t->name : ":");
        text_buffer_format(l->out, "%" PRIu32 " ", t->tid);
}

/* Puts the time of the begin, how long the call took, and the thread. Of a call whose begin is not known it is the time of the end;
 * since, until: 0: not known. */
static void perf_put_head(CallLines *l, const CallThread *t, uint64_t since, uint64_t until) {
        perf_put_time(l, since ?: until);
        if (since > 0 && until > 0) {
                text_buffer_putc(l->out, '(');
                perf_put_msec(l->out, (int64_t) (until - since), 6);
                text_buffer_puts(l->out, " ms): ");
        } else
                text_buffer_puts(l->out, since > 0 ? "(         ): " : "(        ?): ");
        perf_put_thread(l, t);
}

static bool strace_names_threads(const CallLines *l) {
        return l->heads == CALL_HEADS_ALWAYS || l->model->n_alive > 1;
}

static void strace_put_head(CallLines *l, const CallThread *t, bool named) {
        if (l->heads == CALL_HEADS_OF_FILE)
                text_buffer_format(&l->line, "%-5" PRIu32 " ", t->tid);
        else if (named)
                text_buffer_format(&l->line, "[pid %5" PRIu32 "] ", t->tid);
}

/* Puts "name(arguments" of a call whose begin is known. */
static void call_lines_put_call(CallLines *l, const CallThread *t, const Call *c, SyscallPart part) {
        const SyscallCall call = call_lines_call(l, t, c);
        SyscallTextOptions style = call_lines_style(l);

        style.part = part;
        syscall_put_name(&l->line, l->abi, c->number);
        text_buffer_putc(&l->line, '(');
        syscall_put_arguments(&l->line, &call, &style);
}

/* Puts the line so far, what is behind it, and blanks up to the column. Returns its length before. */
static size_t call_lines_flush(CallLines *l, const char *behind, size_t column) {
        size_t n;

        text_buffer_puts(&l->line, behind);
        n = l->line.n;
        text_buffer_put(l->out, l->line.data, n);
        for (size_t i = n; i < column; i++)
                text_buffer_putc(l->out, ' ');
        l->line.n = 0;
        return n;
}

/* From here on, another thing may be open, as the result shows. */
static int call_lines_follow(CallLines *l, const CallThread *t, const Call *c) {
        if (!l->descriptors)
                return 0;
        return call_descriptors_follow(l->descriptors, t->pid, l->abi, c, call_thread_memory(t, c->number));
}

static void call_lines_put_result(CallLines *l, const CallThread *t, const Call *c) {
        const SyscallCall call = call_lines_call(l, t, c);
        const SyscallTextOptions style = call_lines_style(l);
        size_t column = l->options->strace ? STRACE_COLUMN : PERF_COLUMN, n = call_lines_flush(l, ")", column);

        text_buffer_puts(l->out, n < column ? "= " : " = ");
        syscall_put_result(l->out, &call, &style);
        text_buffer_putc(l->out, '\n');
        l->n++;
}

/* Shows the begin of the call that is not shown yet, because the line of another one follows. */
static void call_lines_interrupt(CallLines *l, CallModel *m) {
        CallThread *t = l->current > 0 ? m->threads + l->current - 1 : NULL;

        l->current = 0;
        if (!t || !t->in_call || t->shown)
                return;
        if (l->options->strace)
                strace_put_head(l, t, t->named);
        else
                perf_put_head(l, t, t->call.since, 0);
        call_lines_put_call(l, t, &t->call, l->options->strace ? SYSCALL_PART_BEGIN : SYSCALL_PART_ALL);
        if (l->options->strace)
                (void) call_lines_flush(l, " <unfinished ...>", 0);
        else
                (void) call_lines_flush(l, ")", PERF_COLUMN - 4);
        text_buffer_puts(l->out, l->options->strace ? "\n" : " ...\n");
        t->shown = true;
        l->n++;
}

/* Puts the call with which a thread ends. */
static void call_lines_put_last(CallLines *l, CallThread *t) {
        size_t column = l->options->strace ? STRACE_COLUMN : PERF_COLUMN, n;

        if (l->options->strace)
                strace_put_head(l, t, t->named);
        else
                perf_put_head(l, t, t->call.since, 0);
        call_lines_put_call(l, t, &t->call, SYSCALL_PART_ALL);
        n = call_lines_flush(l, ")", column);
        text_buffer_puts(l->out, n < column ? "= ?\n" : " = ?\n");
        t->in_call = false;
        l->n++;
}

void call_lines_add_begin(CallLines *l, CallModel *m, uint32_t thread, uint64_t time) {
        const char *name = syscall_name(l->abi, m->threads[thread].call.number);

        l->first = l->first ?: time;
        m->threads[thread].named = strace_names_threads(l);
        if (!call_lines_show_begins(l))
                return;
        call_lines_interrupt(l, m);
        if (name && (strcmp(name, "exit") == 0 || strcmp(name, "exit_group") == 0))
                call_lines_put_last(l, m->threads + thread);
        else
                l->current = thread + 1;
}

/* Puts the end of a call whose begin has a line or is not known. */
static void strace_put_end(CallLines *l, const CallThread *t, const Call *c) {
        const SyscallCall call = call_lines_call(l, t, c);
        SyscallTextOptions style = call_lines_style(l);

        style.part = SYSCALL_PART_END;
        text_buffer_puts(&l->line, "<... ");
        syscall_put_name(&l->line, l->abi, c->number);
        text_buffer_puts(&l->line, " resumed>");
        if (c->since > 0 && call.returned)
                syscall_put_arguments(&l->line, &call, &style);
}

/* Puts a call whole, or the end of one whose begin has a line or is not known. */
static void call_lines_put_end(CallLines *l, const CallThread *t, const Call *c) {
        bool strace = l->options->strace;

        if (strace)
                strace_put_head(l, t, c->since > 0 && !t->shown ? t->named : strace_names_threads(l));
        else
                perf_put_head(l, t, c->since, c->until);
        if (c->since > 0 && !t->shown) {
                call_lines_put_call(l, t, c, SYSCALL_PART_ALL);
                return;
        }
        if (strace) {
                strace_put_end(l, t, c);
                return;
        }
        if (c->since > 0)
                text_buffer_puts(&l->line, " ... [continued]: ");
        syscall_put_name(&l->line, l->abi, c->number);
        text_buffer_puts(&l->line, c->since > 0 ? "()" : "(...");
}

/* Puts what was just put into the line as a member. */
static void json_put_line(CallLines *l, JsonWriter *w, const char *key) {
        text_buffer_putc(&l->line, '\0');
        if (l->line.error == 0)
                json_writer_text(w, key, l->line.data);
        l->line.n = 0;
}

/* Begins an object with what all events have. since, until: 0: not known. */
static void json_begin(const CallLines *l, JsonWriter *w, const CallThread *t, uint64_t since, uint64_t until) {
        json_writer_begin(w, NULL, '{');
        if (since > 0)
                json_writer_number(w, "time_nsec", since);
        else if (until > 0)
                json_writer_number(w, "end_nsec", until);
        if (l->options->time_of_day)
                json_writer_number(w, "realtime_nsec", (uint64_t) ((int64_t) (since ?: until) + l->to_wall));
        if (since > 0 && until > 0)
                json_writer_number(w, "duration_nsec", until - since);
        if (*t->name)
                json_writer_text(w, "comm", t->name);
        if (t->pid > 0)
                json_writer_number(w, "pid", t->pid);
        json_writer_number(w, "tid", t->tid);
}

static int json_put(CallLines *l, const CallThread *t, const Call *c) {
        const SyscallCall call = call_lines_call(l, t, c);
        const SyscallTextOptions style = call_lines_style(l);
        JsonWriter w = { .out = l->out };

        json_begin(l, &w, t, c->since, c->until);
        syscall_put_name(&l->line, l->abi, c->number);
        json_put_line(l, &w, "call");
        if (c->since > 0) {
                syscall_put_arguments(&l->line, &call, &style);
                json_put_line(l, &w, "arguments");
        }
        if (c->until > 0)
                json_writer_signed(&w, "result", c->result);
        if (call_failed(c))
                json_writer_text(&w, "errno", strerrorname_np((int) -c->result) ?: "?");
        json_writer_end(&w, '}');
        text_buffer_putc(l->out, '\n');
        l->n++;
        return call_lines_follow(l, t, c);
}

int call_lines_add_end(CallLines *l, CallModel *m, uint32_t thread, const Call *c) {
        CallThread *t = m->threads + thread;
        int r = 0;

        l->first = l->first ?: c->since ?: c->until;
        if (l->current == thread + 1)
                l->current = 0;
        if (l->options->summary_only || !call_options_want_result(l->options, c))
                return call_lines_follow(l, t, c);
        if (l->options->json)
                return json_put(l, t, c);
        if (l->options->strace)
                call_lines_interrupt(l, m);
        if (call_descriptors_are_results(l->abi, c->number))
                r = call_lines_follow(l, t, c);
        call_lines_put_end(l, t, c);
        if (!call_descriptors_are_results(l->abi, c->number))
                r = call_lines_follow(l, t, c);
        call_lines_put_result(l, t, c);
        return r;
}

/* An event that is no call: a fault, or one of a further tracepoint with its data. */
typedef struct OtherEvent {
        uint64_t time;
        const CallFault *fault; /* NULL: it is the other one */
        const CallEvent *event;
        const void *raw;
        size_t size;
} OtherEvent;

static const char *other_event_name(const OtherEvent *o) {
        return !o->fault ? o->event->name : o->fault->major ? "majfault" : "minfault";
}

static void json_put_other(CallLines *l, const CallThread *t, const OtherEvent *o) {
        JsonWriter w = { .out = l->out };

        json_begin(l, &w, t, o->time, 0);
        json_writer_text(&w, "event", other_event_name(o));
        if (o->fault) {
                json_writer_text(&w, "code", o->fault->code);
                json_writer_text(&w, "memory", o->fault->memory);
        } else
                call_event_put_json(&w, o->event, o->raw, o->size);
        json_writer_end(&w, '}');
        text_buffer_putc(l->out, '\n');
}

static void call_lines_put_other(CallLines *l, CallModel *m, const CallThread *t, const OtherEvent *o) {
        const CallFault *f = o->fault;

        l->first = l->first ?: o->time;
        if (l->options->summary_only)
                return;
        l->n++;
        if (l->options->json) {
                json_put_other(l, t, o);
                return;
        }
        call_lines_interrupt(l, m);
        if (l->options->strace) {
                strace_put_head(l, t, strace_names_threads(l));
                (void) call_lines_flush(l, "", 0);
        } else if (f || call_options_have_calls(l->options))
                perf_put_head(l, t, o->time, f ? o->time : 0);
        else {
                perf_put_time(l, o->time);
                perf_put_thread(l, t);
        }
        text_buffer_puts(l->out, other_event_name(o));
        if (f) {
                text_buffer_format(l->out, " [%s] => %s (%c%c)\n", f->code, f->memory, f->map, f->level);
                return;
        }
        text_buffer_putc(l->out, '(');
        call_event_put(l->out, o->event, o->raw, o->size, l->model ? call_lines_find_name : NULL, l);
        text_buffer_puts(l->out, ")\n");
}

void call_lines_add_fault(CallLines *l, CallModel *m, const CallThread *t, uint64_t time, const CallFault *f) {
        call_lines_put_other(l, m, t, &(OtherEvent) { .time = time, .fault = f });
}

void call_lines_add_event(CallLines *l, CallModel *m, const CallThread *t, uint64_t time, const CallEvent *e, const void *raw,
                          size_t size) {
        call_lines_put_other(l, m, t, &(OtherEvent) { .time = time, .event = e, .raw = raw, .size = size });
}

void call_lines_add_kill(CallLines *l, CallModel *m, uint32_t thread) {
        CallThread *t = m->threads + thread;
        Call call = t->call;
        SyscallCall cut;

        call.until = 0;
        cut = call_lines_call(l, t, &call);
        if (!call_lines_show_begins(l))
                return;
        if (l->current == thread + 1)
                l->current = 0;
        call_lines_interrupt(l, m);
        strace_put_head(l, t, t->shown ? strace_names_threads(l) : t->named);
        if (t->shown)
                strace_put_end(l, t, &call);
        else
                call_lines_put_call(l, t, &call, SYSCALL_PART_BEGIN);
        if (call.since > 0 && syscall_has_end_part(&cut))
                text_buffer_puts(&l->line, " <unfinished ...>");
        call_lines_put_result(l, t, &call);
}

void call_lines_add_signal(CallLines *l, CallModel *m, uint32_t thread, const SyscallSignal *s) {
        call_lines_interrupt(l, m);
        strace_put_head(l, m->threads + thread, strace_names_threads(l));
        signal_put_line(&l->line, s);
        (void) call_lines_flush(l, "\n", 0);
        if (!s->by_default || !signal_stops_process(s->number))
                return;
        strace_put_head(l, m->threads + thread, strace_names_threads(l));
        signal_put_stop(&l->line, s->number);
        (void) call_lines_flush(l, "\n", 0);
}

void call_lines_add_thread_end(CallLines *l, CallModel *m, uint32_t thread, ThreadEnd end) {
        call_lines_interrupt(l, m);
        strace_put_head(l, m->threads + thread, strace_names_threads(l));
        signal_put_end(&l->line, end);
        (void) call_lines_flush(l, "\n", 0);
}

static void call_lines_put_json_loss(CallLines *l, uint64_t time, uint64_t n) {
        JsonWriter w = { .out = l->out };

        json_writer_begin(&w, NULL, '{');
        if (time > 0)
                json_writer_number(&w, "time_nsec", time);
        json_writer_number(&w, "lost", n);
        json_writer_end(&w, '}');
        text_buffer_putc(l->out, '\n');
}

void call_lines_add_loss(CallLines *l, uint64_t time, uint64_t n) {
        char count[32] = "";

        if (n > 0)
                (void) snprintf(count, sizeof(count), "%" PRIu64 " ", n);
        if (l->options->json)
                call_lines_put_json_loss(l, time, n);
        else if (l->options->strace || l->options->summary_only || time == 0)
                text_buffer_format(l->out, "LOST %sevents!\n", count);
        else {
                l->first = l->first ?: time;
                perf_put_time(l, time);
                text_buffer_format(l->out, "LOST %sevents!\n", count);
        }
}

void call_lines_end(CallLines *l, CallModel *m) {
        for (size_t i = 0; i < m->n_threads && !call_lines_are_enough(l); i++) {
                CallThread *t = m->threads + i;

                if (!t->in_call || !call_lines_show_begins(l) || !t->wanted)
                        continue;
                l->current = (uint32_t) i + 1;
                t->shown = false;
                call_lines_interrupt(l, m);
        }
}
