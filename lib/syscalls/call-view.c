/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every thread is followed, and only what is wanted is shown: a call that began before the selected time has its begin.
 *
 * In strace's lines, a thread that ends in a call never returns from it, and a process that does not handle SIGCHLD gets it. The
 * kernel does return from such a call: ERESTARTSYS and its like wait until the thread does anything else. And it sends no SIGCHLD
 * to a process that ignores it by default, unless it is traced: its line is made of the end of the child, and stands before the
 * next call of the parent. */

#include "call-view.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

void call_view_done(CallView *v) {
        call_model_done(&v->model);
        call_lines_done(&v->lines);
        call_sums_done(&v->sums);
        call_descriptors_done(&v->descriptors);
        text_buffer_done(&v->out);
}

void call_view_begin(CallView *v, SyscallAbi abi, CallHeads heads) {
        if (abi != v->abi)
                memset(v->wanted, 0, sizeof(v->wanted));
        v->abi = abi;
        call_model_done(&v->model);
        v->model.reuses = v->descriptors.live && !v->options->summary && !v->options->summary_only; /* sums keep numbers */
        call_sums_begin(&v->sums);
        v->lines.options = v->options;
        v->lines.abi = abi;
        v->lines.heads = heads;
        v->lines.out = &v->out;
        v->lines.model = &v->model;
        call_descriptors_done(&v->descriptors);
        v->lines.descriptors = call_options_name_descriptors(v->options, v->descriptors.live) ? &v->descriptors : NULL;
        call_lines_begin(&v->lines);
}

/* Returns the newest thread of that id; NULL: there is none. */
static CallThread *call_view_find(CallView *v, uint32_t tid) {
        const CallThread *found = call_model_find(&v->model, tid);

        return found ? v->model.threads + (found - v->model.threads) : NULL;
}

int call_view_fork(CallView *v, uint32_t parent, uint32_t parent_tid, uint32_t pid, uint32_t tid) {
        const CallThread *from = call_model_find(&v->model, parent_tid);
        bool from_seen = from && from->seen;
        char name[CALL_NAME_SIZE] = "";
        int r = 0;

        if (from)
                memcpy(name, from->name, sizeof(name));
        if (v->lines.descriptors && pid != parent)
                r = call_descriptors_fork(&v->descriptors, parent, pid);
        if (r >= 0)
                r = call_model_fork(&v->model, pid, tid, name);
        if (r >= 0 && from_seen)
                call_view_find(v, tid)->seen = true;
        return r;
}

int call_view_thread(CallView *v, uint32_t pid, uint32_t tid, const char *name, CallThread **ret) {
        int r = call_model_thread(&v->model, tid, ret);

        if (r < 0)
                return r;
        (*ret)->pid = pid;
        if (name && strcmp(name, (*ret)->name) != 0)
                (void) snprintf((*ret)->name, sizeof((*ret)->name), "%s", name);
        return 0;
}

static bool call_view_wants(CallView *v, uint32_t number) {
        int8_t *known = number < CALL_VIEW_NUMBERS ? v->wanted + number : NULL;

        if (!known)
                return call_options_want(v->options, v->abi, number);
        if (*known == 0)
                *known = call_options_want(v->options, v->abi, number) ? 1 : -1;
        return *known > 0;
}

static uint32_t call_view_index(const CallView *v, const CallThread *t) {
        return (uint32_t) (t - v->model.threads);
}

/* Shows the end of a call that waits for what its thread does next. */
static void call_view_release(CallView *v, CallThread *t) {
        if (!t->held)
                return;
        (void) call_lines_add_end(&v->lines, &v->model, call_view_index(v, t), &t->call); /* it failed, and opened nothing */
        t->held = false;
        t->memory = call_memory_free(t->memory);
}

int call_view_take_memory(CallView *v, CallThread *t, const void *record, size_t size) {
        call_view_release(v, t);
        return call_thread_take_memory(t, record, size);
}

/* The signal of a child that ended is no longer due. */
static void call_thread_forget_child(CallThread *leader, size_t i) {
        leader->n_dead--;
        memmove(leader->dead + i, leader->dead + i + 1, (leader->n_dead - i) * sizeof(*leader->dead));
}

/* Returns what SIGCHLD says of the child of the process that ended first; false: none did. */
static bool call_thread_take_child(CallThread *leader, SyscallSignal *s) {
        const CallChild child = leader->dead[0];

        if (leader->n_dead == 0)
                return false;
        call_thread_forget_child(leader, 0);
        s->sender = child.pid;
        if (!s->has_code)
                s->code = child.end.kind == THREAD_END_SIGNAL ? CLD_KILLED : CLD_EXITED;
        s->has_code = true;
        s->has_status = child.end.kind != THREAD_END_UNKNOWN;
        s->status = child.end.number;
        return true;
}

/* Shows what is due before the call that begins, and keeps what it says of the end of its thread. */
static void call_view_follow(CallView *v, CallThread *t, uint32_t number, const uint64_t *arguments, bool selected) {
        const char *name = syscall_name(v->abi, number) ?: "";
        CallThread *leader = call_model_leader(&v->model, t);
        SyscallSignal s = { .number = SIGCHLD, .by_default = true };
        bool whole = streq(name, "exit_group");

        call_view_release(v, t);
        /* A child that was waited for, and whose signal did not come, has none: that of another one was still pending. */
        for (size_t i = leader->n_dead; i-- > 0;)
                if (leader->handles_children && t->call.until > 0 && t->call.result == leader->dead[i].pid)
                        call_thread_forget_child(leader, i);
        if (!leader->handles_children && call_thread_take_child(leader, &s) && selected)
                call_lines_add_signal(&v->lines, &v->model, call_view_index(v, t), &s);
        if (whole || streq(name, "exit"))
                (whole ? leader : t)->end = (ThreadEnd) { THREAD_END_STATUS, (int32_t) (arguments[0] & 0xff) };
        if (streq(name, "execve") || streq(name, "execveat"))
                leader->replacing = t->tid;
}

/* The line of the first thread of a process stands behind those of its others, as strace has it. */
int call_view_end_thread(CallView *v, uint32_t tid, uint32_t parent, bool selected) {
        CallThread *t = call_view_find(v, tid), *leader = t ? call_model_leader(&v->model, t) : NULL;
        CallThread *receiver = call_view_find(v, parent);
        bool shown = selected && call_options_show_threads(v->options);

        if (!t || t->ended)
                return 0;
        shown = shown && (t->seen || leader->seen);
        call_view_release(v, t);
        if (t->in_call && t->wanted && shown)
                call_lines_add_kill(&v->lines, &v->model, call_view_index(v, t));
        t->in_call = false;
        if (leader == t)
                t->ending = true;
        else {
                ThreadEnd end = t->end.kind != THREAD_END_UNKNOWN ? t->end :
                                leader->replacing > 0 ? (ThreadEnd) { THREAD_END_STATUS, 0 } : leader->end;

                if (shown)
                        call_lines_add_thread_end(&v->lines, &v->model, call_view_index(v, t), end);
                call_model_end(&v->model, t);
        }
        if (!leader->ending || leader->others > 0)
                return v->out.error;
        if (shown)
                call_lines_add_thread_end(&v->lines, &v->model, call_view_index(v, leader), leader->end);
        call_model_end(&v->model, leader);
        if (v->lines.descriptors)
                call_descriptors_forget(&v->descriptors, leader->tid);
        if (receiver && receiver->n_dead < CALL_CHILDREN_MAX)
                receiver->dead[receiver->n_dead++] = (CallChild) { leader->tid, leader->end };
        return v->out.error;
}

void call_view_send(CallView *v, uint32_t tid, int32_t number, int32_t code, uint32_t sender) {
        CallThread *t = call_view_find(v, tid);

        if (!t)
                return;
        t->sent = number;
        t->sent_code = code;
        t->sender = sender;
}

void call_view_kill(CallView *v, uint32_t pid, int32_t number) {
        CallThread *t = call_view_find(v, pid);

        if (t && t->end.kind == THREAD_END_UNKNOWN)
                t->end = (ThreadEnd) { THREAD_END_SIGNAL, number };
}

static void call_view_show_signal(CallView *v, CallThread *t, CallThread *leader, SyscallSignal *s, bool selected) {
        CallThread *target = t->sent == s->number ? t : leader;
        bool from_process = s->code == SI_USER || s->code == SI_TKILL || s->code == SI_QUEUE;

        call_view_release(v, t);
        if (s->number == SIGCHLD)
                (void) call_thread_take_child(leader, s);
        else if (target->sent == s->number && (from_process || !s->has_code)) {
                s->has_code = true;
                s->code = target->sent_code;
                s->sender = s->code == SI_KERNEL ? 0 : target->sender;
        }
        if (target->sent == s->number)
                target->sent = 0;
        if (selected)
                call_lines_add_signal(&v->lines, &v->model, call_view_index(v, t), s);
}

/* The kernel gives SIGKILL to all threads of a process that ends by another signal, or by exit_group(2), or executes a program. */
static void call_view_take_kill(CallView *v, CallThread *t, CallThread *leader, bool selected) {
        CallThread *target = t->sent > 0 ? t : leader;
        SyscallSignal s = { .by_default = true };

        if (leader->end.kind == THREAD_END_UNKNOWN && leader->replacing == 0) {
                bool sent = target->sent > 0 && signal_ends_process(target->sent);

                leader->end = (ThreadEnd) { THREAD_END_SIGNAL, sent ? target->sent : SIGKILL };
        }
        if (t == leader && leader->end.kind == THREAD_END_SIGNAL && leader->end.number != SIGKILL && !leader->took_end) {
                s.number = leader->end.number;
                call_view_show_signal(v, t, leader, &s, selected);
        } else if (t->held) {
                t->held = false;
                call_lines_add_kill(&v->lines, &v->model, call_view_index(v, t));
        }
}

int call_view_signal(CallView *v, CallThread *t, const SyscallSignal *signal, bool selected) {
        CallThread *leader = call_model_leader(&v->model, t);
        SyscallSignal s = *signal;

        if (!call_options_show_threads(v->options))
                return 0;
        if (s.number == SIGKILL) {
                call_view_take_kill(v, t, leader, selected);
                return v->out.error;
        }
        if (s.by_default && signal_ends_process(s.number) && leader->end.kind == THREAD_END_UNKNOWN) {
                leader->end = (ThreadEnd) { THREAD_END_SIGNAL, s.number };
                leader->took_end = true;
        }
        leader->handles_children = leader->handles_children || s.number == SIGCHLD;
        call_view_show_signal(v, t, leader, &s, selected);
        return v->out.error;
}

int call_view_enter(CallView *v, CallThread *t, uint64_t time, uint32_t number, const uint64_t arguments[static CALL_ARGUMENTS],
                    bool selected) {
        uint32_t thread = call_view_index(v, t);
        int r;

        if (call_options_show_threads(v->options))
                call_view_follow(v, t, number, arguments, selected);
        (void) call_thread_begin(t, time, number, arguments);
        t->seen = t->seen || selected;
        t->wanted = selected && call_view_wants(v, number);
        if (!t->wanted)
                return 0;
        call_lines_add_begin(&v->lines, &v->model, thread, time);
        r = call_sums_add_begin(&v->sums, v->options, &v->model, thread);
        return r < 0 ? r : v->out.error;
}

int call_view_exit(CallView *v, CallThread *t, uint64_t time, uint32_t number, int64_t result, bool selected) {
        bool follows = call_options_show_threads(v->options);
        const char *name = syscall_name(v->abi, number) ?: "";
        /* A thread comes out of the call of its parent that made it. */
        bool begins = follows && t->born && !t->in_call && t->call.since == 0 && t->call.until == 0 && result == 0 &&
                      (startswith(name, "clone") || streq(name, "fork") || streq(name, "vfork"));
        Call call;
        int r = 0;

        t->seen = t->seen || selected;
        if (follows && call_model_leader(&v->model, t)->replacing == t->tid)
                call_model_leader(&v->model, t)->replacing = 0;
        if (!call_thread_end(t, time, number, result, &call) || begins || !selected || !call_view_wants(v, call.number)) {
                if (v->lines.descriptors)
                        r = call_descriptors_follow(&v->descriptors, t->pid, v->abi, &call, call_thread_memory(t, call.number));
        } else {
                t->held = follows && result <= -CALL_RESTARTS_FIRST && result >= -CALL_RESTARTS_LAST;
                if (!t->held)
                        r = call_lines_add_end(&v->lines, &v->model, call_view_index(v, t), &call);
                if (r >= 0)
                        r = call_sums_add_end(&v->sums, v->options, &v->model, call_view_index(v, t), &call);
        }
        if (!t->held)
                t->memory = call_memory_free(t->memory);
        return r < 0 ? r : v->out.error;
}

int call_view_event(CallView *v, const CallThread *t, uint64_t time, const CallEvent *e, const void *raw, size_t size) {
        call_lines_add_event(&v->lines, &v->model, t, time, e, raw, size);
        return v->out.error;
}

int call_view_fault(CallView *v, const CallThread *t, uint64_t time, const CallFault *f) {
        int r = call_sums_add_fault(&v->sums, v->options, &v->model, (uint32_t) (t - v->model.threads), f->major);

        call_lines_add_fault(&v->lines, &v->model, t, time, f);
        return r < 0 ? r : v->out.error;
}

void call_view_lose(CallView *v, uint64_t time, uint64_t n, bool selected) {
        call_model_lose(&v->model);
        if (selected)
                call_lines_add_loss(&v->lines, time, n);
}

bool call_view_is_enough(const CallView *v) {
        return call_lines_are_enough(&v->lines);
}

void call_view_end(CallView *v) {
        for (size_t i = 0; i < v->model.n_threads; i++)
                call_view_release(v, v->model.threads + i);
        call_lines_end(&v->lines, &v->model);
}

int call_view_finish(CallView *v) {
        const CallOptions *o = v->options;
        int r = 0;

        if (o->summary || o->summary_only)
                r = o->json ? call_sums_put_json(&v->sums, v->abi, &v->out) : call_sums_put(&v->sums, o, v->abi, &v->out);
        return r < 0 ? r : text_buffer_flush(&v->out);
}
