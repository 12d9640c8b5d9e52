/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel that was recorded, that of a made-up machine, and files of kernels on it. */

#include "elf-image.h"
#include "fd-file.h"
#include "made-program.h"
#include "symbol-file.h"
#include "symbols.h"

#define TEXT   UINT64_C(0xffffffff81000000)
#define LOADED UINT64_C(0xffffffff9a400000) /* where the recorded kernel was */
#define RELEASE "6.1.0-x"

static const char list[] = "ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81000100 T one\nffffffff81000200 t two\n"
                           "ffffffff81001000 T _etext\nffffffffc0001000 t of_module\t[m]\n";
static const DsoHit kernel = { .path = "[kernel.kallsyms]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };

static BuildId id_of(uint8_t byte) {
        BuildId id = { .size = 20 };

        memset(id.bytes, byte, id.size);
        return id;
}

static void write_below(const char *root, const char *file, const void *data, size_t size) {
        _cleanup_free_ char *path = path_join(root, file), *parent = strdup(path);

        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        test_write_file(path, data, size);
}

static void write_notes(const char *root, const BuildId *id) {
        struct {
                uint32_t name_size, size, type;
                char name[4];
                uint8_t id[20];
        } note = { .name_size = 4, .size = 20, .type = 3, .name = "GNU" };

        memcpy(note.id, id->bytes, sizeof(note.id));
        write_below(root, "sys/kernel/notes", &note, sizeof(note));
}

/* A machine that runs the kernel of that list. */
static char *made_machine(const char *name, const char *kallsyms, BuildId id) {
        char *root = test_path(name);

        write_below(root, "proc/kallsyms", kallsyms, strlen(kallsyms));
        write_notes(root, &id);
        return root;
}

static void put_vmlinux(const char *root, const char *file, const char *symbols, BuildId id) {
        _cleanup_free_ char *path = path_join(root, file), *parent = strdup(path);
        _cleanup_close_ int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = -EBADF;
        ElfImage like = ELF_IMAGE_EMPTY;
        uint64_t size;

        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ck_assert_int_ge(fd, 0);
        ck_assert_ok(elf_image_open(&like, self));
        ck_assert_ok(symbol_file_write_kernel(symbols, strlen(symbols), &id, &like, fd, 1 << 20, &size));
        elf_image_done(&like);
}

typedef struct Missed {
        unsigned n;
        KernelTrouble trouble;
        BuildId present;
} Missed;

static void miss(void *userdata, KernelTrouble trouble, const char *release, const BuildId *recorded, const BuildId *present) {
        Missed *m = userdata;

        *m = (Missed) { .n = m->n + 1, .trouble = trouble, .present = *present };
}

/* vmlinux, kallsyms: files that the user named; 0: none. */
static Symbols *symbols_with(const char *directory, const char *root, const RecordedKernel *recorded, BuildId id, Missed *missed,
                             int vmlinux, int kallsyms) {
        const SymbolHelpers helpers = { .miss_kernel = miss, .userdata = missed };
        const SymbolSources sources = {
                .directory = directory, .root = root, .frames = true, .vmlinux = vmlinux, .kallsyms = kallsyms, .helpers = &helpers,
        };
        Symbols *s = NULL;

        *missed = (Missed) {};
        ck_assert_ok(symbols_new(&sources, &s));
        symbols_set_kernel(s, recorded);
        ck_assert_ok(symbols_set_kernel_identity(s, &id, RELEASE));
        return s;
}

static Symbols *symbols_of(const char *directory, const char *root, const RecordedKernel *recorded, BuildId id, Missed *missed) {
        return symbols_with(directory, root, recorded, id, missed, 0, 0);
}

static const char *name_at(Symbols *s, const DsoHit *dso, uint64_t address) {
        Symbol symbol;
        int r = symbols_resolve(s, dso, address, &symbol);

        ck_assert_ok(r);
        ck_assert(r == 0 || (address >= symbol.start && address < symbol.end));
        return r > 0 ? symbol.name : "";
}

static const RecordedKernel moved = { .symbol = "_text", .reference = LOADED }, same = { .symbol = "_stext", .reference = TEXT };

START_TEST(another_kernel) {
        _cleanup_free_ char *root = made_machine("another", list, id_of(1));
        _cleanup_symbols_free_ Symbols *s = NULL, *own = NULL;
        BuildId id = id_of(1);
        Missed missed;

        s = symbols_of(NULL, root, &same, id_of(2), &missed);
        ck_assert_str_eq(name_at(s, &kernel, TEXT + 0x104), "");
        ck_assert_str_eq(name_at(s, &kernel, TEXT + 0x204), "");
        ck_assert_uint_eq(missed.n, 1);
        ck_assert_int_eq(missed.trouble, KERNEL_OTHER);
        ck_assert(build_id_equal(&missed.present, &id));
        own = symbols_of(NULL, root, &same, id, &missed);
        ck_assert_str_eq(name_at(own, &kernel, TEXT + 0x104), "one");
        ck_assert_str_eq(name_at(own, &kernel, UINT64_C(0xffffffffc0001004)), "of_module");
        ck_assert_uint_eq(missed.n, 0);
}
END_TEST

/* The map's own build id counts before that of the table. */
START_TEST(the_id_of_the_map) {
        _cleanup_free_ char *root = made_machine("mapped", list, id_of(1));
        RecordedKernel mapped = same;
        _cleanup_symbols_free_ Symbols *s = NULL;
        Missed missed;

        mapped.id = id_of(3);
        s = symbols_of(NULL, root, &mapped, id_of(1), &missed);
        ck_assert_str_eq(name_at(s, &kernel, TEXT + 0x104), "");
        ck_assert_int_eq(missed.trouble, KERNEL_OTHER);
}
END_TEST

START_TEST(after_a_reboot) {
        _cleanup_free_ char *root = made_machine("rebooted", list, id_of(1));
        _cleanup_symbols_free_ Symbols *s = NULL, *unknown = NULL, *nowhere = NULL;
        Missed missed;

        s = symbols_of(NULL, root, &moved, id_of(1), &missed);
        ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x104), "one");
        ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x200), "two");
        ck_assert_str_eq(name_at(s, &kernel, TEXT + 0x104), "");
        ck_assert_str_eq(name_at(s, &kernel, UINT64_C(0xffffffffc0001004)), "");
        ck_assert_uint_eq(missed.n, 0);
        unknown = symbols_of(NULL, root, &moved, (BuildId) {}, &missed);
        ck_assert_str_eq(name_at(unknown, &kernel, LOADED + 0x104), "");
        ck_assert_int_eq(missed.trouble, KERNEL_MOVED);
        nowhere = symbols_of(NULL, root, &(RecordedKernel) {}, id_of(1), &missed);
        ck_assert_str_eq(name_at(nowhere, &kernel, TEXT + 0x104), "");
        ck_assert_uint_eq(missed.n, 1);
        ck_assert_int_eq(missed.trouble, KERNEL_MOVED);
}
END_TEST

START_TEST(hidden) {
        _cleanup_free_ char *root = made_machine("hidden", "0000000000000000 T _text\n0000000000000000 T one\n", id_of(1));
        _cleanup_symbols_free_ Symbols *s = NULL, *other = NULL;
        Missed missed;

        s = symbols_of(NULL, root, &moved, id_of(1), &missed);
        ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x104), "");
        ck_assert_int_eq(missed.trouble, KERNEL_HIDDEN);
        put_vmlinux(root, "boot/vmlinux-" RELEASE, list, id_of(1));
        other = symbols_of(NULL, root, &moved, id_of(1), &missed);
        ck_assert_str_eq(name_at(other, &kernel, LOADED + 0x104), "one");
        ck_assert_uint_eq(missed.n, 0);
}
END_TEST

START_TEST(a_vmlinux) {
        static const char *const places[] = {
                "usr/lib/debug/.build-id/02/02020202020202020202020202020202020202.debug", "usr/lib/debug/boot/vmlinux-" RELEASE,
                "usr/lib/debug/lib/modules/" RELEASE "/vmlinux", "lib/modules/" RELEASE "/build/vmlinux", "boot/vmlinux-" RELEASE,
        };

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *name = test_command("printf vmlinux-%zu", i), *root = made_machine(name, list, id_of(1));
                _cleanup_symbols_free_ Symbols *s = NULL, *wrong = NULL, *text = NULL;
                Missed missed;

                put_vmlinux(root, places[i], list, id_of(3));
                wrong = symbols_of(NULL, root, &moved, id_of(2), &missed);
                ck_assert_str_eq(name_at(wrong, &kernel, LOADED + 0x104), "");
                ck_assert_int_eq(missed.trouble, KERNEL_OTHER);
                put_vmlinux(root, places[i], list, id_of(2));
                s = symbols_of(NULL, root, &moved, id_of(2), &missed);
                ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x104), "one");
                ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x210), "two");
                ck_assert_str_eq(name_at(s, &kernel, TEXT + 0x104), "");
                ck_assert_uint_eq(missed.n, 0);
                text = symbols_of(NULL, root, &(RecordedKernel) {}, id_of(2), &missed);
                ck_assert_str_eq(name_at(text, &kernel, TEXT + 0x104), "");
                ck_assert_int_eq(missed.trouble, KERNEL_MOVED);
        }
}
END_TEST

START_TEST(beside_the_recording) {
        _cleanup_free_ char *root = made_machine("runs", list, id_of(1)), *kept = test_path("kept");
        _cleanup_symbols_free_ Symbols *s = NULL;
        static const char then[] = "ffffffff9a400000 T _text\nffffffff9a400100 T then\nffffffffc0002000 t then_module\t[m]\n";
        Missed missed;

        write_below(kept, "proc/kallsyms", then, strlen(then));
        s = symbols_of(kept, root, &moved, id_of(2), &missed);
        ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x104), "then");
        ck_assert_str_eq(name_at(s, &kernel, UINT64_C(0xffffffffc0002004)), "then_module");
        ck_assert_uint_eq(missed.n, 0);
}
END_TEST

static int open_below(const char *root, const char *file) {
        _cleanup_free_ char *path = path_join(root, file);
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return fd;
}

START_TEST(named_files) {
        _cleanup_free_ char *root = made_machine("named", list, id_of(1));
        _cleanup_close_ int right = -EBADF, wrong = -EBADF, broken = -EBADF, copy = -EBADF;
        _cleanup_symbols_free_ Symbols *s = NULL, *other = NULL, *not = NULL, *text = NULL;
        Missed missed;

        put_vmlinux(root, "right", list, id_of(2));
        put_vmlinux(root, "wrong", list, id_of(3));
        write_below(root, "broken", "text", 4);
        write_below(root, "copy", list, strlen(list));
        right = open_below(root, "right");
        wrong = open_below(root, "wrong");
        broken = open_below(root, "broken");
        copy = open_below(root, "copy");
        s = symbols_with(NULL, root, &moved, id_of(2), &missed, right, 0);
        ck_assert_str_eq(name_at(s, &kernel, LOADED + 0x104), "one");
        ck_assert_uint_eq(missed.n, 0);
        other = symbols_with(NULL, root, &moved, id_of(2), &missed, wrong, 0);
        ck_assert_str_eq(name_at(other, &kernel, LOADED + 0x104), "");
        ck_assert_int_eq(missed.trouble, KERNEL_NAMED_OTHER);
        not = symbols_with(NULL, root, &same, id_of(1), &missed, 0, broken);
        ck_assert_str_eq(name_at(not, &kernel, TEXT + 0x104), "one");
        ck_assert_int_eq(missed.trouble, KERNEL_NAMED_BROKEN);
        text = symbols_with(NULL, root, &moved, id_of(2), &missed, 0, copy);
        ck_assert_str_eq(name_at(text, &kernel, LOADED + 0x104), "one");
        ck_assert_str_eq(name_at(text, &kernel, UINT64_C(0xffffffffc0001004)), "");
        ck_assert_uint_eq(missed.n, 0);
}
END_TEST

TEST_RUN("kernel-symbols", another_kernel, the_id_of_the_map, after_a_reboot, hidden, a_vmlinux, beside_the_recording, named_files);
