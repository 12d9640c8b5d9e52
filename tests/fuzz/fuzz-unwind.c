/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as registers, a stack, and the rules that it is unwound by: those of a binary, or answers of the process that reads
 * them. An input is a Head, so many bytes of a binary (or, if it has none, an answer), and the copy of the stack, which may begin
 * at any address. No rule needs much memory. Chains have an end, rules of binaries are answers that are taken, and nothing outside of the
 * copy is read. */

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "fd-file.h"
#include "file-rules.h"
#include "fuzz.h"
#include "rule-message.h"
#include "unwinder.h"

#define BINARY_START UINT64_C(0x400000)
#define BINARY_SIZE UINT64_C(0x10000)

typedef struct __attribute__((packed)) Head {
        uint64_t registers[UNWIND_REGISTERS];
        uint32_t known;
        uint32_t size; /* of the binary */
} Head;

typedef struct Rules {
        FileRules file;
        RuleAnswer answer;
        size_t answer_size; /* 0: the file's */
} Rules;

/* In a build with sanitizers: what is beyond a limit of memory fails, as in any other. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
        return "allocator_may_return_null=1";
}

static void take_frame(const UnwindFrame *frame) {
        FUZZ_ASSERT(frame->n_operations <= UNWIND_OPERATIONS_MAX);
        FUZZ_ASSERT(frame->cfa.first + frame->cfa.n <= frame->n_operations);
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                FUZZ_ASSERT(frame->registers[i].first + frame->registers[i].n <= frame->n_operations);
}

/* A process takes what the other one sends as it was. */
static void send_rule(const UnwindRule *rule, const UnwindFrame *frame) {
        static RuleAnswer a;
        size_t size = rule_answer_make(&a, 7, RULE_FOUND, rule, frame);
        UnwindRule taken = {};
        UnwindFrame taken_frame = {};
        RuleStatus status;

        FUZZ_ASSERT(rule_answer_take(&a, size, 7, &status, &taken, &taken_frame) == 0 && status == RULE_FOUND);
        FUZZ_ASSERT(taken.kind == rule->kind && taken.cfa_offset == rule->cfa_offset);
        if (rule->kind == UNWIND_FRAME) {
                FUZZ_ASSERT(taken_frame.n_operations == frame->n_operations);
                take_frame(&taken_frame);
        }
        free(taken_frame.operations);
}

static int find_rule(void *userdata, uint32_t dso, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        const Rules *rules = userdata;
        RuleStatus status;
        int r;

        FUZZ_ASSERT(dso == 0 && address < BINARY_SIZE);
        if (rules->answer_size > 0) {
                r = rule_answer_take(&rules->answer, rules->answer_size, rules->answer.number, &status, ret, ret_frame);
                FUZZ_ASSERT(r == 0 || r == -EBADMSG);
                return 0;
        }
        r = file_rules_find(&rules->file, address, ret, ret_frame);
        FUZZ_ASSERT(r == 0 || r == 1);
        if (r == 1)
                send_rule(ret, ret_frame);
        return 0;
}

static void take_binary(Rules *rules, const uint8_t *data, size_t size) {
        _cleanup_close_ int fd = memfd_create("fuzz", MFD_CLOEXEC);
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY;

        FUZZ_ASSERT(fd >= 0 && write_all(fd, data, size) == 0);
        if (elf_image_open(&e, fd) >= 0)
                (void) file_rules_take(&rules->file, &e, NULL);
}

static void unwind(const Rules *rules, const Head *head, const uint8_t *stack, size_t size) {
        UnwindStack s = { .known = head->known & ((UINT32_C(1) << UNWIND_REGISTERS) - 1), .bytes = stack, .size = size };
        Unwinder u = { .source = { .find = find_rule, .userdata = (void *) rules } };
        uint64_t addresses[UNWIND_ADDRESSES_MAX + 1];
        MapList maps = {};
        UnwindEnd end;
        size_t n;

        memcpy(s.registers, head->registers, sizeof(s.registers));
        s.start = s.registers[UNWIND_RSP];
        addresses[UNWIND_ADDRESSES_MAX] = 1234567;
        FUZZ_ASSERT(map_list_insert(&maps, BINARY_START, BINARY_START + BINARY_SIZE, 0) >= 0);
        FUZZ_ASSERT(unwinder_run(&u, &maps, &s, addresses, &n, &end) == 0);
        FUZZ_ASSERT(n > 0 && n <= UNWIND_ADDRESSES_MAX && end < UNWIND_END_MAX);
        FUZZ_ASSERT(addresses[0] == head->registers[UNWIND_RIP] && addresses[UNWIND_ADDRESSES_MAX] == 1234567);
        unwinder_done(&u);
        map_list_done(&maps);
}

static size_t most_memory(void) {
        struct rusage u;

        FUZZ_ASSERT(getrusage(RUSAGE_SELF, &u) == 0);
        return (size_t) u.ru_maxrss * 1024;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static Rules rules;
        size_t n, before = most_memory();
        Head head;

        if (size < sizeof(head))
                return 0;
        memcpy(&head, data, sizeof(head));
        data += sizeof(head);
        size -= sizeof(head);
        rules = (Rules) {};
        if (head.size > 0) {
                n = MIN_OF(size, (size_t) head.size);
                take_binary(&rules, data, n);
        } else {
                n = MIN_OF(size, sizeof(rules.answer));
                memcpy(&rules.answer, data, n);
                if (n >= offsetof(RuleAnswer, operations)) {
                        rules.answer.n_operations = (uint32_t) MIN_OF(rules.answer.n_operations,
                                (n - offsetof(RuleAnswer, operations)) / sizeof(*rules.answer.operations));
                        n = offsetof(RuleAnswer, operations) + rules.answer.n_operations * sizeof(*rules.answer.operations);
                }
                rules.answer_size = MAX_OF(n, (size_t) 1);
        }
        unwind(&rules, &head, data + n, size - n);
        file_rules_done(&rules.file);
        FUZZ_ASSERT(most_memory() - before < ((size_t) 512 << 20));
        return 0;
}
