/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Made rules and stacks, and the stack of this process itself, of which glibc's backtrace(3) makes the same chain. */

#include <execinfo.h>
#include <fcntl.h>
#include <ucontext.h>

#include "call-frames.h"
#include "perfdata-test.h"
#include "unwinder.h"

#define STACK UINT64_C(0x7ffc00001000)

/* The rules of a binary that has one for each page: 1 plain, 2 signal, 3 last, 4 whose stack does not shrink. */
static int find_made(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        unsigned *asked = userdata;

        (*asked)++;
        ck_assert_uint_eq(dso, 5);
        switch (address >> 12) {
        case 1:
        case 2:
                *ret = (UnwindRule) { .kind = UNWIND_PLAIN, .signal = address >> 12 == 2, .cfa_register = UNWIND_RSP, .cfa_offset = 8 };
                break;
        case 3:
                ret->kind = UNWIND_LAST;
                break;
        case 4:
                *ret = (UnwindRule) { .kind = UNWIND_PLAIN, .cfa_register = UNWIND_RSP, .cfa_offset = 0 };
                break;
        }
        return 0;
}

typedef struct Chain {
        uint64_t addresses[UNWIND_ADDRESSES_MAX];
        size_t n;
        UnwindEnd end;
        unsigned asked;
} Chain;

static Chain made_chain(uint64_t pc, const uint64_t *words, size_t n) {
        Chain c = {};
        Unwinder u = { .source = { .find = find_made, .userdata = &c.asked } };
        MapList maps = {};
        UnwindStack s = {
                .registers = { [UNWIND_RSP] = STACK, [UNWIND_RBP] = STACK + 16, [UNWIND_RIP] = pc }, .known = UINT32_MAX >> 15,
                .start = STACK, .bytes = words, .size = n * sizeof(*words),
        };

        ck_assert_ok(map_list_insert(&maps, 0x400000, 0x410000, 5));
        ck_assert_ok(unwinder_run(&u, &maps, &s, c.addresses, &c.n, &c.end));
        unwinder_done(&u);
        map_list_done(&maps);
        return c;
}

START_TEST(callers) {
        const uint64_t words[] = { 0x401010, 0x402000 + 1, 0x401010, 0x403008 };
        Chain c = made_chain(0x401000, words, ELEMENTSOF(words));

        ck_assert_int_eq(c.end, UNWIND_WHOLE);
        ck_assert_uint_eq(c.n, 5);
        ck_assert_uint_eq(c.addresses[0], 0x401000);
        ck_assert_uint_eq(c.addresses[1], 0x40100f); /* in the call */
        ck_assert_uint_eq(c.addresses[2], 0x402001); /* was not called … */
        ck_assert_uint_eq(c.addresses[3], 0x401010); /* … and this did not call */
        ck_assert_uint_eq(c.addresses[4], 0x403007);
        ck_assert_uint_eq(c.asked, 5);
}
END_TEST

START_TEST(ends) {
        uint64_t words[200] = { 0x401010 };

        ck_assert_int_eq(made_chain(0x401000, words, 1).end, UNWIND_CUT);
        ck_assert_uint_eq(made_chain(0x401000, words, 1).n, 2);
        ck_assert_int_eq(made_chain(0x401000, words, 2).end, UNWIND_WHOLE); /* it returns to 0 */
        ck_assert_int_eq(made_chain(0x404000, words, 2).end, UNWIND_LOST);
        ck_assert_int_eq(made_chain(0x401000, (const uint64_t[]) { 1, 0x401010 }, 2).end, UNWIND_LOST); /* no code is at 0 */
        ck_assert_uint_eq(made_chain(0x401000, (const uint64_t[]) { 1, 0x401010 }, 2).n, 1);
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                words[i] = 0x401010;
        ck_assert_int_eq(made_chain(0x401000, words, ELEMENTSOF(words)).end, UNWIND_DEEP);
        ck_assert_uint_eq(made_chain(0x401000, words, ELEMENTSOF(words)).n, UNWIND_ADDRESSES_MAX);
        ck_assert_uint_eq(made_chain(0x401000, words, ELEMENTSOF(words)).asked, 2);
}
END_TEST

/* One rule for a page of code is asked for once; a range that does not have the address is of no use, and does no harm. */
static int find_range(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        unsigned *asked = userdata;

        (*asked)++;
        *ret = (UnwindRule) { .kind = UNWIND_PLAIN, .cfa_register = UNWIND_RSP, .cfa_offset = 8, .start = address, .end = address };
        if (address >> 12 == 1) {
                ret->start = 0x1000;
                ret->end = 0x2000;
        }
        return 0;
}

static bool end_after(void *userdata) {
        unsigned *left = userdata;

        return *left > 0 && (*left)-- > 0;
}

static void run_made(Unwinder *u, const uint64_t *words, size_t n, UnwindEnd *ret, size_t *ret_n) {
        uint64_t addresses[UNWIND_ADDRESSES_MAX];
        MapList maps = {};
        UnwindStack s = {
                .registers = { [UNWIND_RSP] = STACK, [UNWIND_RIP] = 0x401000 }, .known = UINT32_MAX >> 15, .start = STACK,
                .bytes = words, .size = n * sizeof(*words),
        };

        ck_assert_ok(map_list_insert(&maps, 0x400000, 0x410000, 5));
        ck_assert_ok(unwinder_run(u, &maps, &s, addresses, ret_n, ret));
        map_list_done(&maps);
}

START_TEST(ranges) {
        const uint64_t words[] = { 0x401010, 0x401800, 0x402000, 0x403008, 0x403008, 0 };
        unsigned asked = 0, left = 1;
        Unwinder u = { .source = { .find = find_range, .userdata = &asked } };
        UnwindEnd end;
        size_t n;

        run_made(&u, words, ELEMENTSOF(words), &end, &n);
        ck_assert_int_eq(end, UNWIND_WHOLE);
        ck_assert_uint_eq(n, 6);
        ck_assert_uint_eq(asked, 2); /* page 1, which 0x401fff belongs to, and once for 0x403007 */
        unwinder_done(&u);

        u = (Unwinder) { .source = { .find = find_range, .userdata = &asked }, .watcher = { end_after, &left } };
        run_made(&u, words, ELEMENTSOF(words), &end, &n);
        ck_assert_int_eq(end, UNWIND_LOST);
        ck_assert_uint_eq(n, 5); /* what is known already needs no question */
        run_made(&u, words, ELEMENTSOF(words), &end, &n);
        ck_assert_uint_eq(n, 5);
        ck_assert_uint_eq(asked, 3);
        unwinder_done(&u);
}
END_TEST

/* Page 0 of the binary has no rules. */
START_TEST(frame_pointers) {
        const uint64_t words[] = { 0, 0, STACK + 32, 0x400010, 0, 0x403008 };
        const uint64_t unmapped[] = { 0, 0, STACK + 32, 0x999999, 0, 0x403008 };
        Chain c = made_chain(0x400000, words, ELEMENTSOF(words));

        ck_assert_int_eq(c.end, UNWIND_WHOLE);
        ck_assert_uint_eq(c.n, 3);
        ck_assert_uint_eq(c.addresses[1], 0x40000f);
        ck_assert_uint_eq(c.addresses[2], 0x403007);
        c = made_chain(0x400000, unmapped, ELEMENTSOF(unmapped));
        ck_assert_int_eq(c.end, UNWIND_LOST);
        ck_assert_uint_eq(c.n, 1);
}
END_TEST

#ifdef __x86_64__
typedef struct Program {
        CallFrames *frames;
        uint64_t start;
} Program;

extern const char __executable_start[] __attribute__((visibility("hidden"))); /* the linker's */

/* The addresses of the program's own segments, which are mapped in the order of their addresses. */
static void load_program(Program *p, MapList *maps) {
        _cleanup_close_ int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        uint64_t start = (uintptr_t) __executable_start;
        ElfImage e;

        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_ok(call_frames_new(&e, &p->frames));
        p->start = start;
        ck_assert_ok(map_list_insert(maps, start, start + e.loads[e.n_loads - 1].p_vaddr + e.loads[e.n_loads - 1].p_memsz, 0));
        elf_image_done(&e);
}

/* A function that finds its caller's stack by rbx, and one that leaves rbx as it was. */
__asm__(".pushsection .text\n"
        ".type by_rbx, @function\nby_rbx:\n"
        "       .cfi_startproc\n"
        "       push %rbx\n       .cfi_def_cfa_offset 16\n       .cfi_offset rbx, -16\n"
        "       mov %rsp, %rbx\n       .cfi_def_cfa_register rbx\n"
        "by_rbx_inside:\n"
        "       and $-64, %rsp\n       mov %rbx, %rsp\n"
        "       .cfi_def_cfa_register rsp\n       pop %rbx\n       .cfi_def_cfa_offset 8\n       ret\n"
        "       .cfi_endproc\n"
        ".size by_rbx, . - by_rbx\n"
        ".type leaves_rbx, @function\nleaves_rbx:\n"
        "       .cfi_startproc\n       ret\n       .cfi_endproc\n"
        ".size leaves_rbx, . - leaves_rbx\n"
        ".popsection\n");
extern const char by_rbx_inside[] __attribute__((visibility("hidden")));
extern const char leaves_rbx[] __attribute__((visibility("hidden")));

static UnwindRule own_rule(const Program *p, const char *code) {
        UnwindRule rule = {};
        UnwindFrame frame = {};

        ck_assert_int_eq(call_frames_find(p->frames, (uintptr_t) code - p->start, &rule, &frame), 1);
        free(frame.operations);
        return rule;
}

/* Registers of which the tables say nothing are as they were. */
START_TEST(default_rules) {
        MapList maps = {};
        Program p = {};
        UnwindRule rule;

        load_program(&p, &maps);
        rule = own_rule(&p, leaves_rbx);
        ck_assert_int_eq(rule.kind, UNWIND_PLAIN);
        ck_assert_int_eq(rule.cfa_register, UNWIND_RSP);
        ck_assert_int_eq(rule.cfa_offset, 8);
        for (size_t i = 0; i < UNWIND_KEPT; i++)
                ck_assert_int_eq(rule.saved[i], 0);
        rule = own_rule(&p, by_rbx_inside);
        ck_assert_int_eq(rule.kind, UNWIND_PLAIN);
        ck_assert_int_eq(rule.cfa_register, UNWIND_RBX);
        ck_assert_int_eq(rule.cfa_offset, 16);
        ck_assert_int_eq(rule.saved[0], -2);
        call_frames_free(p.frames);
        map_list_done(&maps);
}
END_TEST
#else
START_TEST(default_rules) {
}
END_TEST
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc does */
#endif
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) /* which forbids to copy the stack */
static int find_own(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        const Program *p = userdata;

        return call_frames_find(p->frames, address, ret, ret_frame);
}

static void take_registers(UnwindStack *s, const ucontext_t *context) {
        static const uint8_t numbers[UNWIND_REGISTERS] = {
                REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12,
                REG_R13, REG_R14, REG_R15, REG_RIP,
        };

        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                s->registers[i] = (uint64_t) context->uc_mcontext.gregs[numbers[i]];
        s->known = (UINT32_C(1) << UNWIND_REGISTERS) - 1;
        s->start = s->registers[UNWIND_RSP];
        s->bytes = (const void *) s->start;
        s->size = 4096;
}

/* Each call has another frame, and its values in other places. */
__attribute__((noinline)) static void deep(int depth, MapList *maps, Program *p) {
        volatile char room[16];

        room[0] = (char) depth;
        if (depth > 0)
                deep(depth - 1, maps, p);
        else {
                Unwinder u = { .source = { .find = find_own, .userdata = p } };
                static uint64_t addresses[UNWIND_ADDRESSES_MAX]; /* not in the frame, which the copy of the stack must have */
                void *expected[8];
                UnwindStack s = {};
                static ucontext_t context;
                UnwindEnd end;
                size_t n;

                ck_assert_int_eq(backtrace(expected, ELEMENTSOF(expected)), ELEMENTSOF(expected));
                ck_assert_int_eq(getcontext(&context), 0);
                take_registers(&s, &context);
                ck_assert_ok(unwinder_run(&u, maps, &s, addresses, &n, &end));
                ck_assert_uint_ge(n, 4);
                for (size_t i = 1; i < 4; i++)
                        ck_assert_uint_eq(addresses[i] + 1, (uintptr_t) expected[i]);
                unwinder_done(&u);
        }
        room[1] = room[0];
}

START_TEST(own_stack) {
        MapList maps = {};
        Program p = {};

        load_program(&p, &maps);
        deep(6, &maps, &p);
        call_frames_free(p.frames);
        map_list_done(&maps);
}
END_TEST
#else
START_TEST(own_stack) {
}
END_TEST
#endif

/* A chain of frame pointers that the kernel's own part fills ends with the marker, too. */
START_TEST(marks) {
        uint64_t made[16] = { PERF_CONTEXT_KERNEL, 0x10, PERF_CONTEXT_USER, 0x20 },
                 of_kernel[] = { PERF_CONTEXT_KERNEL, 0x10, 0x11, PERF_CONTEXT_USER }, guest[] = { PERF_CONTEXT_USER };

        for (UnwindEnd i = UNWIND_WHOLE; i < UNWIND_END_MAX; i++) {
                size_t n = unwinder_mark(made, 4, i);

                ck_assert_uint_eq(n, 4 + (size_t) i);
                ck_assert_int_eq(unwinder_mark_of(made, n), i);
        }
        ck_assert_int_eq(unwinder_mark_of(of_kernel, 4), UNWIND_WHOLE);
        ck_assert_int_eq(unwinder_mark_of(guest, 1), UNWIND_WHOLE);
        ck_assert_int_eq(unwinder_mark_of(guest, 0), UNWIND_WHOLE);
}
END_TEST

TEST_RUN("unwinder", marks, callers, ends, ranges, frame_pointers, default_rules, own_stack);
