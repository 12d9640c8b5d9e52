/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every thread is followed, and only what is wanted is shown: a call that began before the selected time has its begin. */

#include "call-view.h"

#include <stdio.h>
#include <string.h>

void call_view_done(CallView *v) {
        call_model_done(&v->model);
        call_lines_done(&v->lines);
        call_sums_done(&v->sums);
        call_descriptors_done(&v->descriptors);
        text_buffer_done(&v->out);
}

void call_view_begin(CallView *v, SyscallAbi abi, bool several) {
        if (abi != v->abi)
                memset(v->wanted, 0, sizeof(v->wanted));
        v->abi = abi;
        call_model_done(&v->model);
        call_sums_begin(&v->sums);
        v->lines.options = v->options;
        v->lines.abi = abi;
        v->lines.several = several;
        v->lines.out = &v->out;
        v->lines.model = &v->model;
        call_descriptors_done(&v->descriptors);
        v->lines.descriptors = call_options_name_descriptors(v->options, v->descriptors.live) ? &v->descriptors : NULL;
        call_lines_begin(&v->lines);
}

int call_view_fork(CallView *v, uint32_t parent, uint32_t parent_tid, uint32_t pid, uint32_t tid) {
        const CallThread *from = call_model_find(&v->model, parent_tid);
        char name[CALL_NAME_SIZE] = "";
        int r = 0;

        if (from)
                memcpy(name, from->name, sizeof(name));
        if (v->lines.descriptors && pid != parent)
                r = call_descriptors_fork(&v->descriptors, parent, pid);
        return r < 0 ? r : call_model_fork(&v->model, pid, tid, name);
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

int call_view_enter(CallView *v, CallThread *t, uint64_t time, uint32_t number, const uint64_t arguments[static CALL_ARGUMENTS],
                    bool selected) {
        uint32_t thread = (uint32_t) (t - v->model.threads);
        int r;

        (void) call_thread_begin(t, time, number, arguments);
        t->wanted = selected && call_view_wants(v, number);
        if (!t->wanted)
                return 0;
        call_lines_add_begin(&v->lines, &v->model, thread, time);
        r = call_sums_add_begin(&v->sums, v->options, &v->model, thread);
        return r < 0 ? r : v->out.error;
}

int call_view_exit(CallView *v, CallThread *t, uint64_t time, uint32_t number, int64_t result, bool selected) {
        uint32_t thread = (uint32_t) (t - v->model.threads);
        Call call;
        int r = 0;

        if (call_thread_end(t, time, number, result, &call) && selected && call_view_wants(v, call.number)) {
                r = call_lines_add_end(&v->lines, &v->model, thread, &call);
                if (r >= 0)
                        r = call_sums_add_end(&v->sums, v->options, &v->model, thread, &call);
        } else if (v->lines.descriptors)
                r = call_descriptors_follow(&v->descriptors, t->pid, v->abi, &call, call_thread_memory(t, call.number));
        t->memory = call_memory_free(t->memory);
        return r < 0 ? r : v->out.error;
}

int call_view_event(CallView *v, const CallThread *t, uint64_t time, const CallEvent *e, const void *raw, size_t size) {
        call_lines_add_event(&v->lines, &v->model, t, time, e, raw, size);
        return v->out.error;
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
        call_lines_end(&v->lines, &v->model);
}

int call_view_finish(CallView *v) {
        const CallOptions *o = v->options;
        int r = 0;

        if (o->summary || o->summary_only)
                r = o->json ? call_sums_put_json(&v->sums, v->abi, &v->out) : call_sums_put(&v->sums, o, v->abi, &v->out);
        return r < 0 ? r : text_buffer_flush(&v->out);
}
