/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* -e is read as perf trace reads it, a list of names, patterns and @groups that "!" in front turns into its opposite; strace's
 * "trace=" in front of it, and "%" for "@", are taken too. A word with a colon is a tracepoint. */

#include "call-options.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "parse-number.h"
#include "strv.h"
#include "syscall-words.h"

static int call_options_add_word(void *userdata, const char *word) {
        CallOptions *o = userdata;

        if (strchr(word, ':'))
                return strv_extend(&o->events, word);
        for (SyscallAbi abi = 0; abi < SYSCALL_ABI_MAX; abi++)
                if (syscall_word_is_known(abi, word))
                        return strv_extend(&o->words, word);
        return -EINVAL;
}

int call_options_take_calls(void *options, const ViewOption *option, const char *value) {
        CallOptions *o = options;
        const char *words = startswith(value, "trace=") ?: value;

        o->last_events = strv_length(o->events);
        if (*words == '!') {
                o->others = true;
                words++;
        }
        return option_list_parse(option->name, words, call_options_add_word, o);
}

int call_options_take_msec(void *nsec, const ViewOption *option, const char *value) {
        char *end;
        double msec = strtod(value, &end);

        if (end == value || *end || !(msec >= 0 && msec < 1e12))
                return option_fail(option->name, value, "not a number of milliseconds");
        *(uint64_t *) nsec = (uint64_t) (msec * 1e6);
        return 0;
}

int call_options_take_number(void *number, const ViewOption *option, const char *value) {
        return parse_uint64(value, number) < 0 ? option_fail(option->name, value, "not a number") : 0;
}

int call_options_take_mode(void *mode, const ViewOption *option, const char *value) {
        static const char *const words[_CALL_SUMMARY_MAX] = {
                [CALL_SUMMARY_THREAD] = "thread", [CALL_SUMMARY_TOTAL] = "total", [CALL_SUMMARY_CGROUP] = "cgroup",
        };

        for (CallSummary i = 0; i < _CALL_SUMMARY_MAX; i++)
                if (streq(value, words[i])) {
                        *(CallSummary *) mode = i;
                        return 0;
                }
        return option_fail(option->name, value, "not one of thread, total, cgroup");
}

int call_options_take_faults(void *options, const ViewOption *option, const char *value) {
        CallOptions *o = options;
        bool all = streq(value, "all"), minor = all || streq(value, "min"), major = all || streq(value, "maj");

        if (!minor && !major)
                return option_fail(option->name, value, "not one of all, maj, min");
        o->minor_faults = o->minor_faults || minor;
        o->major_faults = o->major_faults || major;
        return 0;
}

void call_options_done(CallOptions *o) {
        strv_free(o->words);
        strv_free(o->events);
        *o = (CallOptions) {};
}

bool call_options_have_calls(const CallOptions *o) {
        return !o->no_calls && (o->with_calls || o->words || !(o->events || o->minor_faults || o->major_faults));
}

bool call_options_want_event(const CallOptions *o, const char *name) {
        STRV_FOREACH(pattern, o->events)
                if (fnmatch(*pattern, name, FNM_NOESCAPE) == 0)
                        return true;
        return false;
}

bool call_options_want(const CallOptions *o, SyscallAbi abi, uint32_t number) {
        const char *name = o->words ? syscall_name(abi, number) : NULL;
        bool named = false;

        if (!o->words)
                return true;
        for (char **word = o->words; name && !named && *word; word++)
                named = syscall_matches(name, *word);
        return named != o->others;
}

bool call_options_want_result(const CallOptions *o, const Call *c) {
        if (o->longer > 0 && (c->since == 0 || c->until - c->since < o->longer))
                return false;
        return !o->failures || call_failed(c);
}
