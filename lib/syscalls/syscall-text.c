/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The signature says what each argument is; memory that is not known leaves the pointer. */

#include "syscall-text.h"

#include <inttypes.h>

#include "syscall-adapted.h"
#include "syscall-structure.h"

/* A call that is put, which all functions here need. */
typedef struct CallText {
        TextBuffer *b;
        const SyscallCall *c;
        const SyscallTextOptions *o;
        bool strace;
} CallText;

static uint64_t argument_value(const CallText *t, unsigned i) {
        return t->c->abi == SYSCALL_I386 ? (uint32_t) t->c->arguments[i] : t->c->arguments[i];
}

static size_t string_limit(const CallText *t) {
        return t->o->string_size > 0 ? t->o->string_size : SYSCALL_STRING_SIZE;
}

static void put_pointer(const CallText *t, uint64_t pointer) {
        if (pointer == 0)
                text_buffer_puts(t->b, t->strace ? "NULL" : "0");
        else
                text_buffer_format(t->b, "0x%" PRIx64, pointer);
}

static void put_hex(const CallText *t, uint64_t number) {
        text_buffer_format(t->b, "%#" PRIx64, number);
}

static void put_descriptor(const CallText *t, int fd, bool directory) {
        const char *cwd = directory ? constant_name(CONSTANTS_AT_FDCWD, (uint64_t) (int64_t) fd) : NULL;
        const char *name = NULL;

        if (cwd)
                text_buffer_puts(t->b, t->strace ? cwd : constant_short_name(CONSTANTS_AT_FDCWD, cwd));
        else
                text_buffer_format(t->b, "%d", fd);
        if (t->o->descriptor_names && t->c->descriptor_name && (cwd ? t->strace : fd >= 0))
                name = t->c->descriptor_name(t->c->userdata, fd);
        if (!name)
                return;
        text_buffer_putc(t->b, '<');
        structure_put_escaped(t->b, t->o->style, name, strlen(name), "<>");
        text_buffer_putc(t->b, '>');
}

static void put_pid(const CallText *t, int32_t pid) {
        const char *name = !t->strace && pid > 0 && t->c->thread_name ? t->c->thread_name(t->c->userdata, (uint32_t) pid) : NULL;

        text_buffer_format(t->b, "%" PRId32, pid);
        if (!name)
                return;
        text_buffer_puts(t->b, " (");
        structure_put_escaped(t->b, t->o->style, name, strlen(name), "()");
        text_buffer_putc(t->b, ')');
}

/* Numbers that a set does not have are explained by the beginning of its names. */
static void put_unknown(const CallText *t, ConstantSet set) {
        if (t->strace && *constant_prefix(set) && set != CONSTANTS_FUTEX_BITSET)
                text_buffer_format(t->b, " /* %s??? */", constant_prefix(set));
}

static void put_enum(const CallText *t, ConstantSet set, uint32_t value) {
        const char *name = constant_name(set, value) ?: constant_name(set, (uint64_t) (int64_t) (int32_t) value);

        if (name)
                text_buffer_puts(t->b, t->strace ? name : constant_short_name(set, name));
        else if (t->strace) {
                put_hex(t, value);
                put_unknown(t, set);
        } else
                text_buffer_format(t->b, "%" PRId32, (int32_t) value);
}

/* The flags of open(2) whose values ARM has exchanged: O_DIRECTORY with O_DIRECT, and O_NOFOLLOW with O_LARGEFILE. Returns the
 * value as the machine that shows it has them. */
static uint64_t local_flags(const CallText *t, ConstantSet set, uint64_t value) {
#ifdef __aarch64__
        bool same = t->c->abi == SYSCALL_AARCH64;
#else
        bool same = t->c->abi != SYSCALL_AARCH64;
#endif
        uint64_t low = value & 0xc000, high = value & 0x30000;

        if (same || (set != CONSTANTS_OPEN && set != CONSTANTS_OPEN_CREATED))
                return value;
        return (value & ~UINT64_C(0x3c000)) | low << 2 | high >> 2;
}

static void put_flags(const CallText *t, ConstantSet set, uint64_t value) {
        if (!constant_put_flags(t->b, set, local_flags(t, set, value), !t->strace) && value != 0)
                put_unknown(t, set);
}

/* strace has a name for a command and the private flag together. */
static void put_futex_operation(const CallText *t, uint32_t value) {
        uint64_t private = 0;
        const char *name;

        (void) constant_value(CONSTANTS_FUTEX, "FUTEX_PRIVATE_FLAG", &private);
        name = constant_name(CONSTANTS_FUTEX, value & 0x7f);
        if (!t->strace || !name || !(value & private)) {
                put_flags(t, CONSTANTS_FUTEX, value);
                return;
        }
        text_buffer_format(t->b, "%s_PRIVATE", name);
        value &= ~(uint32_t) private & ~0x7fu;
        if (value != 0) {
                text_buffer_putc(t->b, '|');
                (void) constant_put_flags(t->b, CONSTANTS_FUTEX_FLAGS, value, false);
        }
}

/* R_OK|W_OK|X_OK, or RWX. */
static void put_access(const CallText *t, uint32_t mode) {
        const char *separator = "";

        if (mode == 0 || mode > 7) {
                put_flags(t, CONSTANTS_ACCESS, mode);
                return;
        }
        for (unsigned i = 0; i < 3; i++)
                if (mode & 4u >> i) {
                        text_buffer_format(t->b, t->strace ? "%s%c_OK" : "%s%c", separator, "RWX"[i]);
                        separator = t->strace ? "|" : "";
                }
}

static void put_clone_flags(const CallText *t, uint32_t value) {
        uint32_t number = value & 0xff, flags = value & ~0xffu;

        if (flags != 0)
                put_flags(t, CONSTANTS_CLONE, flags);
        if (flags != 0 && number != 0)
                text_buffer_putc(t->b, '|');
        if (number != 0)
                structure_put_signal(t->b, t->o->style, number);
        else if (flags == 0)
                text_buffer_putc(t->b, '0');
}

/* A command without a name is put in its parts: _IOC() of <asm/ioctl.h>. */
static void put_ioctl(const CallText *t, uint32_t command) {
        static const char *const ways[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
        static const char *const short_ways[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
        const char *name = constant_name(CONSTANTS_IOCTL, command);

        if (name)
                text_buffer_puts(t->b, name);
        else
                text_buffer_format(t->b, "%s(%s, %#" PRIx32 ", %#" PRIx32 ", %#" PRIx32 ")", t->strace ? "_IOC" : "",
                                   (t->strace ? ways : short_ways)[command >> 30], command >> 8 & 0xff, command & 0xff,
                                   command >> 16 & 0x3fff);
}

static bool put_buffer(const CallText *t, const SyscallArgument *a, const SyscallMemory *m) {
        uint64_t n = argument_value(t, a->length);

        if (a->kind != ARGUMENT_BUFFER)
                n = (uint64_t) t->c->result < n ? (uint64_t) t->c->result : n;
        if (a->kind == ARGUMENT_TEXT_OUT && n > 0)
                n--;
        /* A text is the name of a folder. */
        structure_put_string(t->b, t->o->style, m->bytes, n < m->size ? n : m->size,
                             a->kind == ARGUMENT_TEXT_OUT ? SIZE_MAX : string_limit(t), n > m->size);
        return true;
}

static bool put_strings(const CallText *t, const SyscallMemory *m) {
        const char *p = (const char *) m->bytes, *end = p + m->size;

        text_buffer_putc(t->b, '[');
        while (p < end) {
                size_t n = strnlen(p, (size_t) (end - p));

                structure_put_string(t->b, t->o->style, p, n, string_limit(t), p + n == end);
                p += n + 1;
                if (p < end || m->cut)
                        text_buffer_puts(t->b, ", ");
        }
        text_buffer_puts(t->b, m->cut ? "...]" : "]");
        return true;
}

static int read_int(const uint8_t *p) {
        return (int) ((uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24);
}

static bool put_integers(const CallText *t, const SyscallArgument *a, const SyscallMemory *m) {
        if (m->size < (a->kind == ARGUMENT_FD_PAIR_OUT ? 8u : 4u))
                return false;
        text_buffer_putc(t->b, '[');
        if (a->kind != ARGUMENT_FD_PAIR_OUT)
                text_buffer_format(t->b, "%d", read_int(m->bytes));
        else {
                put_descriptor(t, read_int(m->bytes), false);
                text_buffer_puts(t->b, ", ");
                put_descriptor(t, read_int(m->bytes + 4), false);
        }
        text_buffer_putc(t->b, ']');
        return true;
}

static const SyscallMemory *find_memory(const CallText *t, unsigned argument) {
        for (size_t i = 0; i < t->c->n_memory; i++)
                if (t->c->memory[i].argument == argument)
                        return &t->c->memory[i];
        return NULL;
}

static bool put_structure(const CallText *t, const SyscallSignature *s, const SyscallArgument *a, const SyscallMemory *m) {
        StructureText text = { t->b, t->o->style, t->c->abi, syscall_signature_is_wide(s, t->c->abi) };
        MemoryView view = { m->bytes, m->size };
        uint64_t length = argument_value(t, a->length);

        const SyscallMemory *written = a->kind == ARGUMENT_SOCKADDR_OUT ? find_memory(t, a->length) : NULL;

        if (written && written->size >= 4)
                length = (uint32_t) read_int(written->bytes);
        if ((a->kind == ARGUMENT_SOCKADDR || written) && length < view.size)
                view.size = (size_t) length;
        if (a->kind == ARGUMENT_EPOLL_EVENTS_OUT || a->kind == ARGUMENT_IDS_OUT)
                length = (uint64_t) t->c->result;
        if (a->kind == ARGUMENT_CPUS && length < view.size)
                view.size = (size_t) length;
        return structure_put(&text, a->kind, view, length);
}

/* Puts what an argument points to. Returns false if that is not known, or not yet. */
static bool put_memory(const CallText *t, const SyscallSignature *s, unsigned i) {
        const SyscallArgument *a = &s->arguments[i];
        const SyscallMemory *m = find_memory(t, i), none = { .bytes = (const uint8_t *) "" };
        size_t n;

        if (argument_value(t, i) == 0 || (argument_kind_is_written(a->kind) && (!t->c->returned || t->c->result < 0)))
                return false;
        if (a->kind == ARGUMENT_BUFFER ? argument_value(t, a->length) == 0 :
            t->c->result == 0 && (a->kind == ARGUMENT_BUFFER_OUT || a->kind == ARGUMENT_EPOLL_EVENTS_OUT ||
                                  a->kind == ARGUMENT_IDS_OUT))
                m = m ?: t->o->memory ? &none : NULL;
        if (!m || (a->kind == ARGUMENT_STATUS_OUT && t->c->result == 0))
                return false;
        switch (a->kind) {
        case ARGUMENT_PATH:
        case ARGUMENT_STRING:
                /* Names of files are not cut, as long as the memory has their end. */
                n = strnlen((const char *) m->bytes, m->size);
                structure_put_string(t->b, t->o->style, m->bytes, n, a->kind == ARGUMENT_PATH ? SIZE_MAX : string_limit(t),
                                     n == m->size && m->cut);
                return true;
        case ARGUMENT_BUFFER:
        case ARGUMENT_BUFFER_OUT:
        case ARGUMENT_TEXT_OUT:
                return put_buffer(t, a, m);
        case ARGUMENT_STRINGS:
                return put_strings(t, m);
        case ARGUMENT_FD_PAIR_OUT:
        case ARGUMENT_INT:
        case ARGUMENT_INT_OUT:
                return put_integers(t, a, m);
        default:
                return put_structure(t, s, a, m);
        }
}

static void put_number(const CallText *t, ArgumentKind kind, uint64_t value) {
        switch (kind) {
        case ARGUMENT_NUMBER:
                text_buffer_format(t->b, "%" PRId32, (int32_t) value);
                return;
        case ARGUMENT_ID:
                text_buffer_format(t->b, (uint32_t) value == UINT32_MAX ? "-1" : "%" PRIu32, (uint32_t) value);
                return;
        case ARGUMENT_UNSIGNED:
                text_buffer_format(t->b, "%" PRIu32, (uint32_t) value);
                return;
        case ARGUMENT_OFFSET:
                text_buffer_format(t->b, "%" PRId64, t->c->abi == SYSCALL_I386 ? (int32_t) value : (int64_t) value);
                return;
        case ARGUMENT_SIZE:
                text_buffer_format(t->b, "%" PRIu64, value);
                return;
        default:
                put_hex(t, value);
                return;
        }
}

static void put_argument(const CallText *t, const SyscallSignature *s, unsigned i) {
        const SyscallArgument *a = &s->arguments[i];
        uint64_t value = argument_value(t, i);

        switch (a->kind) {
        case ARGUMENT_NUMBER:
        case ARGUMENT_UNSIGNED:
        case ARGUMENT_OFFSET:
        case ARGUMENT_SIZE:
        case ARGUMENT_HEX:
        case ARGUMENT_ID:
                put_number(t, a->kind, value);
                return;
        case ARGUMENT_FD:
        case ARGUMENT_DIRFD:
                put_descriptor(t, (int) value, a->kind == ARGUMENT_DIRFD);
                return;
        case ARGUMENT_FLAGS:
                if (a->set == CONSTANTS_FUTEX)
                        put_futex_operation(t, (uint32_t) value);
                else
                        put_flags(t, a->set, (uint32_t) value);
                return;
        case ARGUMENT_ENUM:
                put_enum(t, a->set, (uint32_t) value);
                return;
        case ARGUMENT_ACCESS:
                put_access(t, (uint32_t) value);
                return;
        case ARGUMENT_CLONE:
                put_clone_flags(t, (uint32_t) value);
                return;
        case ARGUMENT_IPC_FLAGS:
                if (value & ~UINT64_C(0777)) {
                        put_flags(t, a->set, (uint32_t) value & ~0777u);
                        text_buffer_putc(t->b, '|');
                }
                structure_put_mode(t->b, SYSCALL_STYLE_STRACE, value & 0777, false);
                return;
        case ARGUMENT_IOCTL:
                put_ioctl(t, (uint32_t) value);
                return;
        case ARGUMENT_MODE:
        case ARGUMENT_FILE_MODE:
                structure_put_mode(t->b, t->o->style, (uint32_t) value, a->kind == ARGUMENT_FILE_MODE);
                return;
        case ARGUMENT_DEVICE:
                text_buffer_format(t->b, "makedev(%#" PRIx32 ", %#" PRIx32 ")", (uint32_t) value >> 8 & 0xfff,
                                   ((uint32_t) value & 0xff) | ((uint32_t) value >> 12 & 0xfff00)); /* as in the kernel's 32 bits */
                return;
        case ARGUMENT_SIGNAL:
                structure_put_signal(t->b, t->o->style, (uint32_t) value);
                return;
        case ARGUMENT_PID:
                put_pid(t, (int32_t) value);
                return;
        default:
                if (!put_memory(t, s, i))
                        put_pointer(t, value);
        }
}

/* perf trace leaves out arguments that are 0, unless that has a name, and the descriptor and the offset of memory without a
 * file. */
static bool is_left_out(const CallText *t, const SyscallSignature *s, unsigned i) {
        const SyscallArgument *a = &s->arguments[i];
        uint64_t anonymous;

        if (a->kind == ARGUMENT_HIDDEN)
                return true;
        if (t->strace && streq(a->name, "pos_h")) /* it is a part of the offset before it, and 0 with 64 bits */
                return t->c->abi != SYSCALL_I386;
        if (t->strace || t->o->zeros)
                return false;
        if (i >= 4 && startswith(s->name, "mmap") && constant_value(CONSTANTS_MAP, "MAP_ANONYMOUS", &anonymous) == 0 &&
            argument_value(t, 3) & anonymous)
                return true;
        if (argument_value(t, i) != 0)
                return false;
        return (a->kind != ARGUMENT_FLAGS && a->kind != ARGUMENT_ENUM) || !constant_name(a->set, 0);
}

static void put_unknown_arguments(const CallText *t) {
        const char *separator = "";

        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS && t->o->part != SYSCALL_PART_END; i++) {
                uint64_t value = argument_value(t, i);

                if (value == 0 && !t->strace && !t->o->zeros)
                        continue;
                text_buffer_puts(t->b, separator);
                if (!t->strace)
                        text_buffer_format(t->b, "arg%u: ", i + 1);
                put_hex(t, value);
                separator = ", ";
        }
}

/* strace names the arguments of clone(2), whose order the ABIs don't share, and puts the stack first. */
static void put_clone(const CallText *t, const SyscallSignature *s) {
        static const struct {
                const char *argument, *name, *flag, *other_flag;
        } wanted[] = {
                { "parent_tidptr", "parent_tid", "CLONE_PARENT_SETTID", "CLONE_PIDFD" },
                { "tls", "tls", "CLONE_SETTLS", "CLONE_SETTLS" },
                { "child_tidptr", "child_tidptr", "CLONE_CHILD_SETTID", "CLONE_CHILD_CLEARTID" },
        };
        uint64_t flags = argument_value(t, 0), flag, other_flag;

        if (t->o->part != SYSCALL_PART_END) {
                text_buffer_puts(t->b, "child_stack=");
                put_pointer(t, argument_value(t, 1));
                text_buffer_puts(t->b, ", flags=");
                put_clone_flags(t, (uint32_t) flags);
        }
        for (size_t k = 0; k < ELEMENTSOF(wanted) && t->o->part != SYSCALL_PART_BEGIN; k++) {
                if (constant_value(CONSTANTS_CLONE, wanted[k].flag, &flag) < 0 ||
                    constant_value(CONSTANTS_CLONE, wanted[k].other_flag, &other_flag) < 0 || !(flags & (flag | other_flag)))
                        continue;
                for (unsigned i = 2; i < 5; i++)
                        if (streq(s->arguments[i].name, wanted[k].argument)) {
                                text_buffer_format(t->b, ", %s=", wanted[k].name);
                                put_argument(t, s, i);
                        }
        }
}

/* Returns the first argument that strace shows when the call returns; SYSCALL_MAX_ARGUMENTS: there is none. */
static unsigned end_part(const SyscallSignature *s) {
        unsigned i = 0;

        if (streq(s->name, "clone") || streq(s->name, "clone3"))
                return 1;
        while (i < SYSCALL_MAX_ARGUMENTS && !argument_kind_is_written(s->arguments[i].kind))
                i++;
        return i;
}

bool syscall_has_end_part(const SyscallCall *c) {
        const SyscallSignature *known = syscall_signature(c->abi, c->number);
        SyscallSignature s;

        if (!known)
                return false;
        s = *known;
        syscall_signature_adapt(&s, c->arguments);
        return end_part(&s) < SYSCALL_MAX_ARGUMENTS;
}

void syscall_put_name(TextBuffer *b, SyscallAbi abi, uint32_t number) {
        const char *name = syscall_name(abi, number);

        (void) syscall_abi_of(abi, &number);
        if (name)
                text_buffer_puts(b, name);
        else
                text_buffer_format(b, "syscall_%#" PRIx32, number);
}

void syscall_put_arguments(TextBuffer *b, const SyscallCall *c, const SyscallTextOptions *o) {
        CallText t = { b, c, o, o->style == SYSCALL_STYLE_STRACE };
        const SyscallSignature *known = syscall_signature(c->abi, c->number);
        const char *separator = "";
        unsigned end = SYSCALL_MAX_ARGUMENTS;
        SyscallSignature s;

        if (!known) {
                put_unknown_arguments(&t);
                return;
        }
        s = *known;
        syscall_signature_adapt(&s, c->arguments);
        if (t.strace && s.arguments[0].kind == ARGUMENT_CLONE) {
                put_clone(&t, &s);
                return;
        }
        if (t.strace && streq(s.name, "restart_syscall")) {
                text_buffer_format(b, "<... resuming interrupted %s ...>", c->interrupted ?: "system call");
                return;
        }
        if (t.strace && o->part != SYSCALL_PART_ALL)
                end = end_part(&s);
        for (unsigned i = 0; i < SYSCALL_MAX_ARGUMENTS && s.arguments[i].kind != ARGUMENT_END; i++) {
                if (o->part == SYSCALL_PART_BEGIN && i == end) {
                        text_buffer_puts(b, streq(s.name, "clone3") ? "" : separator);
                        return;
                }
                if (o->part == SYSCALL_PART_END && i < end) {
                        separator = streq(s.name, "clone3") ? ", " : "";
                        continue;
                }
                if (is_left_out(&t, &s, i))
                        continue;
                text_buffer_puts(b, separator);
                if (!t.strace)
                        text_buffer_format(b, "%s: ", s.arguments[i].name);
                put_argument(&t, &s, i);
                separator = ", ";
        }
}

/* Errors of the kernel that restart the call, which no program sees: include/linux/errno.h. */
static const struct {
        int error;
        const char *text;
} restarts[] = {
        { 512, "ERESTARTSYS (To be restarted if SA_RESTART is set)" },
        { 513, "ERESTARTNOINTR (To be restarted)" },
        { 514, "ERESTARTNOHAND (To be restarted if no handler)" },
        { 516, "ERESTART_RESTARTBLOCK (Interrupted by signal)" },
};

static void put_error(TextBuffer *b, int error) {
        const char *name = constant_name(CONSTANTS_ERRNO, (uint64_t) error);

        for (size_t i = 0; i < ELEMENTSOF(restarts); i++)
                if (restarts[i].error == error) {
                        text_buffer_format(b, "? %s", restarts[i].text);
                        return;
                }
        if (name)
                text_buffer_format(b, "-1 %s (%s)", name, strerror(error));
        else
                text_buffer_format(b, "-1 (errno %d)", error);
}

/* F_GETFL and F_GETFD. */
static void put_result_flags(const CallText *t, ConstantSet set, uint64_t value) {
        if (t->strace && (value == 0 && set == CONSTANTS_FD))
                text_buffer_putc(t->b, '0');
        else if (t->strace)
                text_buffer_format(t->b, "%#" PRIx64 " (flags ", value);
        if (!t->strace || value != 0 || set == CONSTANTS_OPEN)
                put_flags(t, set, value);
        if (t->strace && (value != 0 || set == CONSTANTS_OPEN))
                text_buffer_putc(t->b, ')');
}

static void put_success(const CallText *t, ResultKind kind, int64_t result) {
        switch (kind) {
        case RESULT_FD:
                if (t->strace)
                        put_descriptor(t, (int) result, false);
                else
                        text_buffer_format(t->b, "%d", (int) result);
                return;
        case RESULT_PID:
                put_pid(t, (int32_t) result);
                return;
        case RESULT_POINTER:
                put_hex(t, (uint64_t) result);
                return;
        case RESULT_OPEN_FLAGS:
        case RESULT_FD_FLAGS:
                put_result_flags(t, kind == RESULT_FD_FLAGS ? CONSTANTS_FD : CONSTANTS_OPEN, (uint32_t) result);
                return;
        case RESULT_MODE:
                if (t->strace)
                        structure_put_mode(t->b, t->o->style, (uint32_t) result, false);
                else
                        text_buffer_format(t->b, "%" PRId64, result);
                return;
        default:
                text_buffer_format(t->b, kind == RESULT_TIMEOUT && result == 0 ? "%" PRId64 " (Timeout)" : "%" PRId64, result);
                return;
        }
}

void syscall_put_result(TextBuffer *b, const SyscallCall *c, const SyscallTextOptions *o) {
        CallText t = { b, c, o, o->style == SYSCALL_STYLE_STRACE };
        const SyscallSignature *known = syscall_signature(c->abi, c->number);
        ResultKind kind = RESULT_NUMBER;
        int64_t result = c->result;

        if (c->abi == SYSCALL_I386 && (int32_t) result < 0 && (int32_t) result >= -4095)
                result = (int32_t) result;
        if (known) {
                SyscallSignature s = *known;

                syscall_signature_adapt(&s, c->arguments);
                kind = s.result;
        }
        if (!c->returned || kind == RESULT_NONE)
                text_buffer_putc(b, '?');
        else if (result < 0 && result >= -4095)
                put_error(b, (int) -result);
        else
                put_success(&t, kind, result);
}
