/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The tracepoint has no more of a signal's information than its number, code and error: all lines with fields end in dots, but
 * those of signals of the kernel, which have no other fields. */

#include "signal-text.h"

#include <inttypes.h>
#include <signal.h>

#include "syscall-structure.h"

bool signal_stops_process(int32_t number) {
        return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

bool signal_ends_process(int32_t number) {
        return !signal_stops_process(number) && number != SIGCONT && number != SIGCHLD && number != SIGURG && number != SIGWINCH;
}

static void signal_put_code(TextBuffer *b, int32_t number, int32_t code) {
        static const struct {
                int number;
                ConstantSet set;
        } sets[] = {
                { SIGBUS, CONSTANTS_SI_BUS }, { SIGCHLD, CONSTANTS_SI_CLD },  { SIGFPE, CONSTANTS_SI_FPE },
                { SIGILL, CONSTANTS_SI_ILL }, { SIGIO, CONSTANTS_SI_POLL },   { SIGSEGV, CONSTANTS_SI_SEGV },
                { SIGSYS, CONSTANTS_SI_SYS }, { SIGTRAP, CONSTANTS_SI_TRAP },
        };
        const char *name = constant_name(CONSTANTS_SI, (uint64_t) (int64_t) code);

        for (size_t i = 0; i < ELEMENTSOF(sets) && !name; i++)
                if (sets[i].number == number)
                        name = constant_name(sets[i].set, (uint64_t) (int64_t) code);
        if (name)
                text_buffer_puts(b, name);
        else
                text_buffer_format(b, code == 0 ? "0" : "%#" PRIx32, (uint32_t) code);
}

void signal_put_line(TextBuffer *b, const SyscallSignal *s) {
        /* These have an address, also if the kernel sends them on its own. */
        bool fault = s->number == SIGSEGV || s->number == SIGBUS || s->number == SIGILL || s->number == SIGFPE ||
                     s->number == SIGTRAP;

        text_buffer_puts(b, "--- ");
        structure_put_signal(b, SYSCALL_STYLE_STRACE, (uint32_t) s->number);
        text_buffer_puts(b, " {si_signo=");
        structure_put_signal(b, SYSCALL_STYLE_STRACE, (uint32_t) s->number);
        if (s->has_code) {
                text_buffer_puts(b, ", si_code=");
                signal_put_code(b, s->number, s->code);
        }
        if (s->error != 0)
                text_buffer_format(b, ", si_errno=%" PRId32, s->error);
        if (s->sender > 0)
                text_buffer_format(b, ", si_pid=%" PRIu32, s->sender);
        if (s->has_status && s->code != CLD_EXITED) {
                text_buffer_puts(b, ", si_status=");
                structure_put_signal(b, SYSCALL_STYLE_STRACE, (uint32_t) s->status);
        } else if (s->has_status)
                text_buffer_format(b, ", si_status=%" PRId32, s->status);
        text_buffer_puts(b, s->has_code && s->code == SI_KERNEL && !fault ? "} ---" : ", ...} ---");
}

void signal_put_stop(TextBuffer *b, int32_t number) {
        text_buffer_puts(b, "--- stopped by ");
        structure_put_signal(b, SYSCALL_STYLE_STRACE, (uint32_t) number);
        text_buffer_puts(b, " ---");
}

void signal_put_end(TextBuffer *b, ThreadEnd end) {
        switch (end.kind) {
        case THREAD_END_STATUS:
                text_buffer_format(b, "+++ exited with %" PRId32 " +++", end.number);
                return;
        case THREAD_END_SIGNAL:
                text_buffer_puts(b, "+++ killed by ");
                structure_put_signal(b, SYSCALL_STYLE_STRACE, (uint32_t) end.number);
                text_buffer_puts(b, " +++");
                return;
        default:
                text_buffer_puts(b, "+++ exited +++");
        }
}
