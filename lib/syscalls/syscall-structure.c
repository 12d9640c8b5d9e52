/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The memory is that of another program, and may have changed since: each number is read within its bounds. All ABIs here are
 * little-endian, which the machine that shows them need not be. */

#include "syscall-structure.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "utf8.h"

#define MAX_ELEMENTS 32u /* of arrays; strace's limit, too */

static size_t least(size_t a, size_t b) {
        return a < b ? a : b;
}

static uint64_t read_number(MemoryView m, size_t offset, size_t size) {
        uint64_t number = 0;

        for (size_t i = 0; i < size && offset + i < m.size; i++)
                number |= (uint64_t) m.bytes[offset + i] << (8 * i);
        return number;
}

/* The same, in network byte order. */
static uint64_t read_network_number(MemoryView m, size_t offset, size_t size) {
        uint64_t number = 0;

        for (size_t i = 0; i < size; i++)
                number = number << 8 | read_number(m, offset + i, 1);
        return number;
}

static size_t word_size(const StructureText *t) {
        return t->wide ? 8 : 4;
}

/* The i-th word. */
static uint64_t read_word(const StructureText *t, MemoryView m, unsigned i) {
        return read_number(m, i * word_size(t), word_size(t));
}

static int64_t read_signed_word(const StructureText *t, MemoryView m, unsigned i) {
        uint64_t word = read_word(t, m, i);

        return t->wide ? (int64_t) word : (int32_t) word;
}

static bool is_strace(const StructureText *t) {
        return t->style == SYSCALL_STYLE_STRACE;
}

static void put_open(const StructureText *t) {
        text_buffer_puts(t->b, is_strace(t) ? "{" : "{ ");
}

static void put_close(const StructureText *t) {
        text_buffer_puts(t->b, is_strace(t) ? "}" : " }");
}

static void put_field(const StructureText *t, const char *separator, const char *name) {
        text_buffer_format(t->b, is_strace(t) ? "%s%s=" : "%s.%s: ", separator, name);
}

static void put_flags(const StructureText *t, ConstantSet set, uint64_t value) {
        (void) constant_put_flags(t->b, set, value, !is_strace(t));
}

static void put_pointer(const StructureText *t, uint64_t pointer) {
        if (pointer == 0)
                text_buffer_puts(t->b, "NULL");
        else
                text_buffer_format(t->b, "0x%" PRIx64, pointer);
}

/* Puts one byte as an escape. Octal ones are as short as the next byte allows. */
static void put_escape(TextBuffer *b, unsigned char c, bool digit_follows) {
        static const char letters[] = "\tt\nn\vv\ff\rr\"\"\\\\";

        for (size_t i = 0; i + 1 < sizeof(letters); i += 2)
                if ((unsigned char) letters[i] == c) {
                        text_buffer_putc(b, '\\');
                        text_buffer_putc(b, letters[i + 1]);
                        return;
                }
        text_buffer_format(b, digit_follows ? "\\%03o" : "\\%o", c);
}

void structure_put_escaped(TextBuffer *b, SyscallStyle style, const void *bytes, size_t size, const char *further) {
        const unsigned char *p = bytes;

        for (size_t i = 0, n; i < size; i += n) {
                bool plain = p[i] >= ' ' && p[i] < 0x7f && p[i] != '"' && p[i] != '\\' && !strchr(further, p[i]);
                uint32_t c;

                n = 1;
                if (!plain && p[i] >= 0x80 && style == SYSCALL_STYLE_PERF) {
                        n = utf8_decode((const char *) p + i, size - i, &c);
                        plain = n > 0 && !utf8_is_control(c);
                        n = plain ? n : 1;
                }
                if (plain)
                        text_buffer_put(b, (const char *) p + i, n);
                else
                        put_escape(b, p[i], i + 1 < size && p[i + 1] >= '0' && p[i + 1] <= '9');
        }
}

void structure_put_string(TextBuffer *b, SyscallStyle style, const void *bytes, size_t size, size_t limit, bool cut) {
        text_buffer_putc(b, '"');
        structure_put_escaped(b, style, bytes, least(size, limit), "");
        text_buffer_puts(b, cut || size > limit ? "\"..." : "\"");
}

void structure_put_signal(TextBuffer *b, SyscallStyle style, uint32_t number) {
        const char *name = constant_name(CONSTANTS_SIGNAL, number);

        if (name)
                text_buffer_puts(b, style == SYSCALL_STYLE_STRACE ? name : constant_short_name(CONSTANTS_SIGNAL, name));
        else if (number < 32 || number > 64)
                text_buffer_decimal(b, number, 0);
        else if (style == SYSCALL_STYLE_PERF)
                text_buffer_format(b, "0x%" PRIx32, number);
        else if (number == 32)
                text_buffer_puts(b, "SIGRTMIN");
        else
                text_buffer_format(b, "SIGRT_%" PRIu32, number - 32);
}

/* Permissions in the kernel's words, the first of which that fit count. */
static const struct {
        const char *name;
        uint32_t bits;
} mode_words[] = {
        { "IALLUGO", 07777 }, { "IRWXUGO", 0777 }, { "IRUGO", 0444 },   { "IWUGO", 0222 },   { "IXUGO", 0111 },
        { "IFSOCK", 0140000 }, { "IFLNK", 0120000 }, { "IFREG", 0100000 }, { "IFBLK", 060000 }, { "IFDIR", 040000 },
        { "IFCHR", 020000 },  { "IFIFO", 010000 }, { "ISUID", 04000 },  { "ISGID", 02000 },  { "ISVTX", 01000 },
        { "IRWXU", 0700 },    { "IRUSR", 0400 },   { "IWUSR", 0200 },   { "IXUSR", 0100 },   { "IRWXG", 070 },
        { "IRGRP", 040 },     { "IWGRP", 020 },    { "IXGRP", 010 },    { "IRWXO", 07 },     { "IROTH", 04 },
        { "IWOTH", 02 },      { "IXOTH", 01 },
};

static void put_mode_words(TextBuffer *b, uint32_t mode) {
        const char *separator = "";

        for (size_t i = 0; i < ELEMENTSOF(mode_words); i++)
                if ((mode & mode_words[i].bits) == mode_words[i].bits) {
                        text_buffer_format(b, "%s%s", separator, mode_words[i].name);
                        mode &= ~mode_words[i].bits;
                        separator = "|";
                }
        if (mode != 0 || *separator == '\0')
                text_buffer_format(b, "%s0x%" PRIx32, separator, mode);
}

void structure_put_mode(TextBuffer *b, SyscallStyle style, uint32_t mode, bool type) {
        static const char *const bits[] = { "S_ISUID", "S_ISGID", "S_ISVTX" };
        const char *name = type ? constant_name(CONSTANTS_MODE, mode & 0170000) : NULL;

        if (style == SYSCALL_STYLE_PERF)
                put_mode_words(b, mode);
        else if (name) {
                text_buffer_puts(b, name);
                for (size_t i = 0; i < ELEMENTSOF(bits); i++)
                        if (mode & 04000u >> i)
                                text_buffer_format(b, "|%s", bits[i]);
                text_buffer_format(b, "|%#03" PRIo32, mode & ~0177000u);
        } else
                text_buffer_format(b, mode == 0 ? "000" : "%#03" PRIo32, mode);
}

static void put_time(const StructureText *t, MemoryView m, unsigned word, const char *fraction) {
        put_open(t);
        put_field(t, "", "tv_sec");
        text_buffer_format(t->b, "%" PRId64, read_signed_word(t, m, word));
        put_field(t, ", ", fraction);
        text_buffer_format(t->b, "%" PRId64, read_signed_word(t, m, word + 1));
        put_close(t);
}

/* Puts a time as strace explains it, in the zone of the machine that shows it. */
static void put_date(const StructureText *t, int64_t seconds, int64_t nsec) {
        time_t time = (time_t) seconds;
        char date[32], zone[8];
        struct tm tm;

        if ((seconds == 0 && nsec == 0) || nsec < 0 || nsec > 999999999 || !localtime_r(&time, &tm) ||
            strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) == 0 || strftime(zone, sizeof(zone), "%z", &tm) == 0)
                return;
        text_buffer_format(t->b, " /* %s", date);
        if (nsec > 0)
                text_buffer_format(t->b, ".%09" PRId64, nsec);
        text_buffer_format(t->b, "%s */", zone);
}

/* The times of a file: utimensat(2) has two numbers of nanoseconds with a meaning. */
static void put_file_time(const StructureText *t, MemoryView m, unsigned word, const char *fraction) {
        int64_t nsec = read_signed_word(t, m, word + 1);

        if (streq(fraction, "tv_nsec") && (nsec == 0x3fffffff || nsec == 0x3ffffffe))
                text_buffer_puts(t->b, nsec == 0x3fffffff ? "UTIME_NOW" : "UTIME_OMIT");
        else
                put_time(t, m, word, fraction);
        if (is_strace(t))
                put_date(t, read_signed_word(t, m, word), streq(fraction, "tv_nsec") ? nsec : nsec * 1000);
}

static void put_file_times(const StructureText *t, MemoryView m, const char *fraction) {
        text_buffer_putc(t->b, '[');
        put_file_time(t, m, 0, fraction);
        text_buffer_puts(t->b, ", ");
        put_file_time(t, m, 2, fraction);
        text_buffer_putc(t->b, ']');
}

static void put_timer(const StructureText *t, MemoryView m, const char *fraction) {
        put_open(t);
        put_field(t, "", "it_interval");
        put_time(t, m, 0, fraction);
        put_field(t, ", ", "it_value");
        put_time(t, m, 2, fraction);
        put_close(t);
}

static void put_inet(const StructureText *t, MemoryView m) {
        struct in_addr address = { 0 };
        char text[INET_ADDRSTRLEN];

        memcpy(&address, m.bytes + 4, sizeof(address));
        (void) inet_ntop(AF_INET, &address, text, sizeof(text));
        text_buffer_format(t->b, is_strace(t) ? ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")" : ", port: %u, addr: %s",
                           (unsigned) read_network_number(m, 2, 2), text);
}

static void put_inet6(const StructureText *t, MemoryView m) {
        struct in6_addr address;
        char text[INET6_ADDRSTRLEN];
        unsigned port = (unsigned) read_network_number(m, 2, 2);

        memcpy(&address, m.bytes + 8, sizeof(address));
        (void) inet_ntop(AF_INET6, &address, text, sizeof(text));
        if (!is_strace(t)) {
                text_buffer_format(t->b, ", port: %u, addr: %s", port, text);
                return;
        }
        text_buffer_format(t->b, ", sin6_port=htons(%u), sin6_flowinfo=htonl(%" PRIu64 "), ", port, read_network_number(m, 4, 4));
        text_buffer_format(t->b, "inet_pton(AF_INET6, \"%s\", &sin6_addr), ", text);
        text_buffer_format(t->b, "sin6_scope_id=%" PRIu64, read_number(m, 24, 4));
}

/* The name of a socket ends in NUL, or where the structure ends; an abstract one (unix(7)) begins with NUL. */
static void put_unix(const StructureText *t, MemoryView m) {
        const uint8_t *path = m.bytes + 2;
        size_t size = m.size - 2;
        bool abstract = size > 1 && *path == '\0';

        if (abstract) {
                path++;
                size--;
        } else
                size = strnlen((const char *) path, size);
        text_buffer_puts(t->b, is_strace(t) ? ", sun_path=" : ", path: ");
        text_buffer_puts(t->b, abstract ? "@" : "");
        structure_put_string(t->b, t->style, path, size, SIZE_MAX, false);
}

static bool put_sockaddr(const StructureText *t, MemoryView m) {
        uint64_t family = read_number(m, 0, 2);
        const char *name = constant_name(CONSTANTS_FAMILY, family);

        if (m.size < 2)
                return false;
        put_open(t);
        text_buffer_puts(t->b, is_strace(t) ? "sa_family=" : ".family: ");
        if (name)
                text_buffer_puts(t->b, is_strace(t) ? name : constant_short_name(CONSTANTS_FAMILY, name));
        else
                text_buffer_format(t->b, "%#" PRIx64, family);
        if (family == AF_INET && m.size >= 8)
                put_inet(t, m);
        else if (family == AF_INET6 && m.size >= 28)
                put_inet6(t, m);
        else if (family == AF_UNIX && m.size > 2)
                put_unix(t, m);
        else if (family == AF_NETLINK && m.size >= 12)
                text_buffer_format(t->b, is_strace(t) ? ", nl_pid=%u, nl_groups=%08x" : ", pid: %u, groups: %08x",
                                   (unsigned) read_number(m, 4, 4), (unsigned) read_number(m, 8, 4));
        else if (m.size > 2) {
                text_buffer_puts(t->b, is_strace(t) ? ", sa_data=" : ", data: ");
                structure_put_string(t->b, t->style, m.bytes + 2, m.size - 2, SIZE_MAX, false);
        }
        put_close(t);
        return true;
}

static bool has_signal(MemoryView m, unsigned number) {
        return read_number(m, (number - 1) / 8, 1) & 1u << (number - 1) % 8;
}

/* [INT TERM RT_2]; those that are missing if these are fewer than a third: ~[KILL STOP]. */
static bool put_signals(const StructureText *t, MemoryView m) {
        unsigned n = 0, last = (unsigned) least(m.size, 8) * 8;
        const char *separator = "";
        bool inverted;

        for (unsigned i = 1; i <= last; i++)
                n += has_signal(m, i);
        inverted = last > 0 && n >= last * 2 / 3;
        text_buffer_puts(t->b, inverted ? "~[" : "[");
        for (unsigned i = 1; i <= last; i++) {
                const char *name = constant_name(CONSTANTS_SIGNAL, i);

                if (has_signal(m, i) == inverted)
                        continue;
                text_buffer_puts(t->b, separator);
                if (name)
                        text_buffer_puts(t->b, constant_short_name(CONSTANTS_SIGNAL, name));
                else
                        text_buffer_format(t->b, i == 32 ? "RTMIN" : "RT_%u", i - 32);
                separator = " ";
        }
        text_buffer_putc(t->b, ']');
        return true;
}

/* struct sigaction of rt_sigaction(2): handler, flags, restorer, mask. */
static bool put_sigaction(const StructureText *t, MemoryView m) {
        uint64_t handler = read_word(t, m, 0), flags = read_word(t, m, 1);
        MemoryView mask = { m.bytes + 3 * word_size(t), 8 };
        uint64_t restorer = 0;

        if (m.size < 3 * word_size(t) + 8)
                return false;
        (void) constant_value(CONSTANTS_SA, "SA_RESTORER", &restorer);
        put_open(t);
        put_field(t, "", "sa_handler");
        if (handler <= 1)
                text_buffer_puts(t->b, handler == 0 ? "SIG_DFL" : "SIG_IGN");
        else
                put_pointer(t, handler);
        put_field(t, ", ", "sa_mask");
        (void) put_signals(t, mask);
        put_field(t, ", ", "sa_flags");
        put_flags(t, CONSTANTS_SA, flags);
        if (flags & restorer) {
                put_field(t, ", ", "sa_restorer");
                put_pointer(t, read_word(t, m, 2));
        }
        put_close(t);
        return true;
}

/* Multiples of 1024 are put as strace does: 8192*1024. */
static void put_limit(const StructureText *t, uint64_t limit) {
        if (limit == (t->wide ? UINT64_MAX : UINT32_MAX))
                text_buffer_puts(t->b, t->wide && is_strace(t) ? "RLIM64_INFINITY" : "RLIM_INFINITY");
        else if (limit > 1024 && limit % 1024 == 0)
                text_buffer_format(t->b, "%" PRIu64 "*1024", limit / 1024);
        else
                text_buffer_format(t->b, "%" PRIu64, limit);
}

static void put_limits(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "rlim_cur");
        put_limit(t, read_word(t, m, 0));
        put_field(t, ", ", "rlim_max");
        put_limit(t, read_word(t, m, 1));
        put_close(t);
}

static void put_iovec(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "iov_base");
        put_pointer(t, read_word(t, m, 0));
        put_field(t, ", ", "iov_len");
        text_buffer_format(t->b, "%" PRIu64, read_word(t, m, 1));
        put_close(t);
}

static void put_pollfd(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "fd");
        text_buffer_format(t->b, "%" PRId32, (int32_t) read_number(m, 0, 4));
        put_field(t, ", ", "events");
        put_flags(t, CONSTANTS_POLL, read_number(m, 4, 2));
        put_close(t);
}

/* It is packed in x86-64, and ends in a number that is aligned elsewhere. */
static void put_epoll_event(const StructureText *t, MemoryView m) {
        uint64_t data = read_number(m, t->abi == SYSCALL_AARCH64 ? 8 : 4, 8);

        put_open(t);
        put_field(t, "", "events");
        put_flags(t, CONSTANTS_EPOLL, read_number(m, 0, 4));
        put_field(t, ", ", "data");
        text_buffer_format(t->b, is_strace(t) ? "{u32=%" PRIu32 ", u64=%" PRIu64 "}" : "{ .u32: %" PRIu32 ", .u64: %" PRIu64 " }",
                           (uint32_t) data, data);
        put_close(t);
}

static bool put_elements(const StructureText *t, MemoryView m, size_t count, size_t size,
                         void (*put)(const StructureText *, MemoryView)) {
        text_buffer_putc(t->b, '[');
        for (size_t i = 0; i < count; i++) {
                if (i > 0)
                        text_buffer_puts(t->b, ", ");
                if (i == MAX_ELEMENTS || (i + 1) * size > m.size) {
                        text_buffer_puts(t->b, "...");
                        break;
                }
                put(t, (MemoryView) { m.bytes + i * size, size });
        }
        text_buffer_putc(t->b, ']');
        return true;
}

static void put_open_how(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "flags");
        put_flags(t, CONSTANTS_OPEN, read_number(m, 0, 8));
        if (read_number(m, 8, 8) != 0) {
                put_field(t, ", ", "mode");
                structure_put_mode(t->b, t->style, (uint32_t) read_number(m, 8, 8), false);
        }
        put_field(t, ", ", "resolve");
        put_flags(t, CONSTANTS_RESOLVE, read_number(m, 16, 8));
        put_close(t);
}

/* Puts what strace does: the type and the permissions, and the size, or a device's numbers. */
static void put_file(const StructureText *t, const char *prefix, uint32_t mode, uint64_t device, uint64_t size) {
        const char *type = constant_name(CONSTANTS_MODE, mode & 0170000);
        bool is_device = type && (streq(type, "S_IFCHR") || streq(type, "S_IFBLK"));
        char name[16];

        (void) snprintf(name, sizeof(name), "%s_mode", prefix);
        put_field(t, "", name);
        structure_put_mode(t->b, SYSCALL_STYLE_STRACE, mode, true);
        (void) snprintf(name, sizeof(name), "%s_%s", prefix, is_device ? "rdev" : "size");
        put_field(t, ", ", name);
        if (is_device)
                text_buffer_format(t->b, "makedev(%#" PRIx32 ", %#" PRIx32 ")", (uint32_t) device >> 8 & 0xfff,
                                   ((uint32_t) device & 0xff) | ((uint32_t) device >> 12 & 0xfff00));
        else
                text_buffer_format(t->b, "%" PRIu64, size);
        text_buffer_puts(t->b, ", ...");
}

/* Offsets of st_mode, st_rdev and st_size: arch/x86/include/uapi/asm/stat.h (of i386: struct stat64),
 * include/uapi/asm-generic/stat.h. */
static void put_stat(const StructureText *t, MemoryView m) {
        static const uint8_t offsets[][3] = {
                [SYSCALL_X86_64] = { 24, 40, 48 }, [SYSCALL_I386] = { 16, 32, 44 }, [SYSCALL_AARCH64] = { 16, 32, 48 },
        };
        const uint8_t *o = offsets[t->abi];

        put_open(t);
        put_file(t, "st", (uint32_t) read_number(m, o[0], 4), read_number(m, o[1], 8), read_number(m, o[2], 8));
        put_close(t);
}

/* Devices lie behind what is read, see include/uapi/linux/stat.h. */
static void put_statx(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "stx_mask");
        put_flags(t, CONSTANTS_STATX, read_number(m, 0, 4));
        put_field(t, ", ", "stx_attributes");
        text_buffer_format(t->b, "%#" PRIx64, read_number(m, 8, 8));
        put_field(t, ", ", "stx_mode");
        structure_put_mode(t->b, SYSCALL_STYLE_STRACE, (uint32_t) read_number(m, 28, 2), true);
        put_field(t, ", ", "stx_size");
        text_buffer_format(t->b, "%" PRIu64 ", ...", read_number(m, 40, 8));
        put_close(t);
}

static void put_number_field(const StructureText *t, const char *separator, const char *name, uint64_t number) {
        put_field(t, separator, name);
        text_buffer_format(t->b, "%" PRIu64, number);
}

/* The conditions of wait(2) that are true. */
static void put_status(const StructureText *t, MemoryView m) {
        uint32_t status = (uint32_t) read_number(m, 0, 4);
        const char *kind = WIFEXITED(status) ? "EXITED" : WIFSIGNALED(status) ? "SIGNALED" : WIFSTOPPED(status) ? "STOPPED" : NULL;

        if (WIFCONTINUED(status))
                text_buffer_puts(t->b, "[{WIFCONTINUED(s)}]");
        else if (!kind)
                text_buffer_format(t->b, "[%" PRId32 "]", (int32_t) status);
        else {
                text_buffer_format(t->b, "[{WIF%s(s) && W%s(s) == ", kind,
                                   WIFEXITED(status) ? "EXITSTATUS" : WIFSIGNALED(status) ? "TERMSIG" : "STOPSIG");
                if (WIFEXITED(status))
                        text_buffer_format(t->b, "%d", WEXITSTATUS(status));
                else
                        structure_put_signal(t->b, t->style, WIFSIGNALED(status) ? WTERMSIG(status) : WSTOPSIG(status));
                text_buffer_puts(t->b, WIFSIGNALED(status) && WCOREDUMP(status) ? " && WCOREDUMP(s)}]" : "}]");
        }
}

/* The first two of its texts, of 65 bytes each, as far as they were read. */
static void put_utsname(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "sysname");
        structure_put_string(t->b, t->style, m.bytes, strnlen((const char *) m.bytes, 65), SIZE_MAX, false);
        put_field(t, ", ", "nodename");
        structure_put_string(t->b, t->style, m.bytes + 65, strnlen((const char *) m.bytes + 65, m.size - 65), SIZE_MAX, false);
        text_buffer_puts(t->b, ", ...");
        put_close(t);
}

static void put_sysinfo(const StructureText *t, MemoryView m) {
        static const struct {
                const char *name;
                uint8_t word;
        } fields[] = {
                { "totalram", 4 }, { "freeram", 5 }, { "sharedram", 6 },  { "bufferram", 7 }, { "totalswap", 8 },
                { "freeswap", 9 }, { "procs", 10 },  { "totalhigh", 11 }, { "freehigh", 12 }, { "mem_unit", 13 },
        };

        put_open(t);
        put_number_field(t, "", "uptime", read_word(t, m, 0));
        put_field(t, ", ", "loads");
        text_buffer_format(t->b, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", read_word(t, m, 1), read_word(t, m, 2),
                           read_word(t, m, 3));
        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                size_t size = streq(fields[i].name, "procs") ? 2 : streq(fields[i].name, "mem_unit") ? 4 : word_size(t);

                put_number_field(t, ", ", fields[i].name, read_number(m, fields[i].word * word_size(t), size));
        }
        put_close(t);
}

static void put_stack(const StructureText *t, MemoryView m) {
        put_open(t);
        put_field(t, "", "ss_sp");
        put_pointer(t, read_word(t, m, 0));
        put_field(t, ", ", "ss_flags");
        put_flags(t, CONSTANTS_SS, read_number(m, word_size(t), 4));
        put_number_field(t, ", ", "ss_size", read_word(t, m, 2));
        put_close(t);
}

/* struct clone_args: include/uapi/linux/sched.h. A field is put if a flag says that it counts. */
static void put_clone_args(const StructureText *t, MemoryView m) {
        static const struct {
                const char *name, *flag, *other_flag;
                uint8_t offset;
        } fields[] = {
                { "pidfd", "CLONE_PIDFD", "CLONE_PIDFD", 8 },
                { "child_tid", "CLONE_CHILD_SETTID", "CLONE_CHILD_CLEARTID", 16 },
                { "parent_tid", "CLONE_PARENT_SETTID", "CLONE_PARENT_SETTID", 24 },
        };
        uint64_t flags = read_number(m, 0, 8), flag, other_flag, number = read_number(m, 32, 8);

        put_open(t);
        put_field(t, "", "flags");
        put_flags(t, CONSTANTS_CLONE, flags);
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                if (constant_value(CONSTANTS_CLONE, fields[i].flag, &flag) >= 0 &&
                    constant_value(CONSTANTS_CLONE, fields[i].other_flag, &other_flag) >= 0 && flags & (flag | other_flag)) {
                        put_field(t, ", ", fields[i].name);
                        put_pointer(t, read_number(m, fields[i].offset, 8));
                }
        put_field(t, ", ", "exit_signal");
        if (number == 0)
                text_buffer_putc(t->b, '0');
        else
                structure_put_signal(t->b, t->style, (uint32_t) number);
        put_field(t, ", ", "stack");
        put_pointer(t, read_number(m, 40, 8));
        put_field(t, ", ", "stack_size");
        text_buffer_format(t->b, "%#" PRIx64, read_number(m, 48, 8));
        if (constant_value(CONSTANTS_CLONE, "CLONE_SETTLS", &flag) >= 0 && flags & flag) {
                put_field(t, ", ", "tls");
                put_pointer(t, read_number(m, 56, 8));
        }
        put_close(t);
}

/* struct flock of a program with 64-bit words. */
static void put_lock(const StructureText *t, MemoryView m) {
        const char *type = constant_name(CONSTANTS_FILE_LOCK, read_number(m, 0, 2));
        const char *whence = constant_name(CONSTANTS_SEEK, read_number(m, 2, 2));

        put_open(t);
        put_field(t, "", "l_type");
        text_buffer_puts(t->b, type ?: "?");
        put_field(t, ", ", "l_whence");
        text_buffer_puts(t->b, whence ?: "?");
        put_field(t, ", ", "l_start");
        text_buffer_format(t->b, "%" PRId64, (int64_t) read_number(m, 8, 8));
        put_field(t, ", ", "l_len");
        text_buffer_format(t->b, "%" PRId64, (int64_t) read_number(m, 16, 8));
        put_close(t);
}

static void put_id(const StructureText *t, MemoryView m) {
        text_buffer_format(t->b, "%" PRIu64, read_number(m, 0, 4));
}

/* The numbers of the bits that are set, of a mask of CPUs. */
static bool put_cpus(const StructureText *t, MemoryView m) {
        const char *separator = "";

        text_buffer_putc(t->b, '[');
        for (size_t i = 0; i < m.size * 8; i++)
                if (m.bytes[i / 8] & 1u << i % 8) {
                        text_buffer_format(t->b, "%s%zu", separator, i);
                        separator = " ";
                }
        text_buffer_putc(t->b, ']');
        return true;
}

/* Structures of a fixed size. */
static const struct {
        uint8_t words;   /* of the ABI, … */
        uint8_t bytes;   /* … or bytes */
        const char *fraction;
        void (*put)(const StructureText *, MemoryView);
        void (*put_times)(const StructureText *, MemoryView, const char *fraction);
} structures[ARGUMENT_KIND_MAX] = {
        [ARGUMENT_TIMESPECS] = { 4, 0, "tv_nsec", NULL, put_file_times },
        [ARGUMENT_TIMEVALS] = { 4, 0, "tv_usec", NULL, put_file_times },
        [ARGUMENT_ITIMERSPEC] = { 4, 0, "tv_nsec", NULL, put_timer },
        [ARGUMENT_ITIMERSPEC_OUT] = { 4, 0, "tv_nsec", NULL, put_timer },
        [ARGUMENT_ITIMERVAL] = { 4, 0, "tv_usec", NULL, put_timer },
        [ARGUMENT_ITIMERVAL_OUT] = { 4, 0, "tv_usec", NULL, put_timer },
        [ARGUMENT_RLIMIT] = { 2, 0, NULL, put_limits, NULL },
        [ARGUMENT_RLIMIT_OUT] = { 2, 0, NULL, put_limits, NULL },
        [ARGUMENT_OPEN_HOW] = { 0, 24, NULL, put_open_how, NULL },
        [ARGUMENT_STAT_OUT] = { 0, 56, NULL, put_stat, NULL },
        [ARGUMENT_STATX_OUT] = { 0, 48, NULL, put_statx, NULL },
        [ARGUMENT_STATUS_OUT] = { 0, 4, NULL, put_status, NULL },
        [ARGUMENT_UTSNAME_OUT] = { 0, 128, NULL, put_utsname, NULL },
        [ARGUMENT_SYSINFO_OUT] = { 14, 0, NULL, put_sysinfo, NULL },
        [ARGUMENT_LOCK] = { 0, 24, NULL, put_lock, NULL },
        [ARGUMENT_STACK] = { 3, 0, NULL, put_stack, NULL },
        [ARGUMENT_STACK_OUT] = { 3, 0, NULL, put_stack, NULL },
        [ARGUMENT_CLONE_ARGS] = { 0, 64, NULL, put_clone_args, NULL },
};

static bool put_fixed(const StructureText *t, ArgumentKind kind, MemoryView m) {
        size_t size = structures[kind].words * word_size(t) + structures[kind].bytes;

        if (size == 0 || m.size < size)
                return false;
        if (structures[kind].put)
                structures[kind].put(t, m);
        else
                structures[kind].put_times(t, m, structures[kind].fraction);
        return true;
}

bool structure_put(const StructureText *t, ArgumentKind kind, MemoryView m, size_t count) {
        size_t event_size = t->abi == SYSCALL_AARCH64 ? 16 : 12;

        switch (kind) {
        case ARGUMENT_TIMESPEC:
        case ARGUMENT_TIMESPEC_OUT:
        case ARGUMENT_TIMEVAL:
        case ARGUMENT_TIMEVAL_OUT:
                if (m.size < 2 * word_size(t))
                        return false;
                put_time(t, m, 0, kind == ARGUMENT_TIMESPEC || kind == ARGUMENT_TIMESPEC_OUT ? "tv_nsec" : "tv_usec");
                return true;
        case ARGUMENT_SOCKADDR:
        case ARGUMENT_SOCKADDR_OUT:
                return put_sockaddr(t, m);
        case ARGUMENT_SIGSET:
        case ARGUMENT_SIGSET_OUT:
                return m.size >= 8 && put_signals(t, m);
        case ARGUMENT_SIGACTION:
        case ARGUMENT_SIGACTION_OUT:
                return put_sigaction(t, m);
        case ARGUMENT_CPUS:
        case ARGUMENT_CPUS_OUT:
                return put_cpus(t, m);
        case ARGUMENT_IDS_OUT:
                return put_elements(t, m, count, 4, put_id);
        case ARGUMENT_IOVEC:
                return put_elements(t, m, count, 2 * word_size(t), put_iovec);
        case ARGUMENT_POLLFD:
                return put_elements(t, m, count, 8, put_pollfd);
        case ARGUMENT_EPOLL_EVENTS_OUT:
                return put_elements(t, m, count, event_size, put_epoll_event);
        case ARGUMENT_EPOLL_EVENT:
                if (m.size < event_size)
                        return false;
                put_epoll_event(t, m);
                return true;
        default:
                return put_fixed(t, kind, m);
        }
}
