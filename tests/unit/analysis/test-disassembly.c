/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Instructions in objdump's words. The code of these cases was assembled, and their text is what objdump -d 2.40 shows. */

#include <elf.h>

#include "check-main.h"
#include "disassembly.h"

typedef struct Case {
        const char *code; /* in hexadecimal digits */
        const char *text;
        InstructionType type;
        uint64_t target, reference;
} Case;

static const Case cases[] = {
        { "55", "push %rbp" },
        { "4154", "push %r12" },
        { "89fb", "mov %edi,%ebx" },
        { "c7042400000000", "movl $0x0,(%rsp)" },
        { "83c501", "add $0x1,%ebp" },
        { "4883e4f0", "and $0xfffffffffffffff0,%rsp" },
        { "c1e00d", "shl $0xd,%eax" },
        { "d1e8", "shr %eax" },
        { "8b442410", "mov 0x10(%rsp),%eax" },
        { "488d4424f8", "lea -0x8(%rsp),%rax" },
        { "42890c8b", "mov %ecx,(%rbx,%r9,4)" },
        { "64488b042528000000", "mov %fs:0x28,%rax" },
        { "0fb6c0", "movzbl %al,%eax" },
        { "0f4cc2", "cmovl %edx,%eax" },
        { "0f9fc0", "setg %al" },
        { "66480f6ec0", "movq %rax,%xmm0" },
        { "f20f1000", "movsd (%rax),%xmm0" },
        { "f00fb10d00010000", "lock cmpxchg %ecx,0x100(%rip)", .reference = 0x1108 },
        { "488d3df9000000", "lea 0xf9(%rip),%rdi", .reference = 0x1100 },
        { "eb06", "jmp ", INSTRUCTION_JUMP, .target = 0x1008 },
        { "0f84fa0f0000", "je ", INSTRUCTION_JUMP, .target = 0x2000 },
        { "ffe0", "jmp *%rax", INSTRUCTION_JUMP },
        { "e8fb0f0000", "call ", INSTRUCTION_CALL, .target = 0x2000 },
        { "ff15f80f0000", "call *0xff8(%rip)", INSTRUCTION_CALL, .reference = 0x1ffe },
        { "c3", "ret ", INSTRUCTION_RETURN },
        { "90", "nop ", INSTRUCTION_NOTHING },
        { "6690", "xchg %ax,%ax" },
        { "0f1f440000", "nopl 0x0(%rax,%rax,1)", INSTRUCTION_NOTHING },
        { "662e0f1f840000000000", "cs nopw 0x0(%rax,%rax,1)", INSTRUCTION_NOTHING },
        { "66662e0f1f840000000000", "data16 cs nopw 0x0(%rax,%rax,1)", INSTRUCTION_NOTHING },
};

static size_t bytes_of(const char *digits, uint8_t *code) {
        size_t n = 0;

        for (; digits[2 * n]; n++) {
                unsigned byte;

                ck_assert_int_eq(sscanf(digits + 2 * n, "%2x", &byte), 1);
                code[n] = (uint8_t) byte;
        }
        return n;
}

START_TEST(words) {
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_(disassembly_done) Disassembly d = {};
                uint8_t code[16];
                char text[192];
                size_t n = bytes_of(cases[i].code, code);

                ck_assert_int_eq(disassembly_init(&d, EM_X86_64, DISASSEMBLY_ATT, code, n, 0x1000), 0);
                ck_assert_uint_eq(d.n, 1);
                ck_assert_uint_eq(d.instructions[0].size, n);
                (void) snprintf(text, sizeof(text), "%s %s", d.instructions[0].mnemonic, d.instructions[0].operands);
                ck_assert_str_eq(text, cases[i].text);
                ck_assert_int_eq(d.instructions[0].type, cases[i].type);
                ck_assert_uint_eq(d.instructions[0].target, cases[i].target);
                ck_assert_uint_eq(d.instructions[0].reference, cases[i].reference);
        }
}
END_TEST

START_TEST(words_of_intel) {
        static const struct {
                const char *code, *text;
        } intel[] = {
                { "488b4708", "mov rax,QWORD PTR [rdi+0x8]" },
                { "488b448ff0", "mov rax,QWORD PTR [rdi+rcx*4-0x10]" },
                { "83e801", "sub eax,0x1" },
                { "488d0510000000", "lea rax,[rip+0x10]" },
                { "eb10", "jmp " },
                { "ffe0", "jmp rax" },
                { "c3", "ret " },
                { "0f1007", "movups xmm0,XMMWORD PTR [rdi]" },
        };

        for (size_t i = 0; i < ELEMENTSOF(intel); i++) {
                _cleanup_(disassembly_done) Disassembly d = {};
                uint8_t code[16];
                char text[192];
                size_t n = bytes_of(intel[i].code, code);

                ck_assert_int_eq(disassembly_init(&d, EM_X86_64, DISASSEMBLY_INTEL, code, n, 0x1000), 0);
                ck_assert_uint_eq(d.n, 1);
                (void) snprintf(text, sizeof(text), "%s %s", d.instructions[0].mnemonic, d.instructions[0].operands);
                ck_assert_str_eq(text, intel[i].text);
        }
}
END_TEST

/* Instructions that the library does not know have their length, so that the next one is found. */
START_TEST(unknown_instructions) {
        static const uint8_t code[] = { 0x62, 0xf3, 0x7d, 0x20, 0x3f, 0x06, 0x00, /* vpcmpeqb (%rsi),%ymm16,%k0 */ 0xc3 };
        _cleanup_(disassembly_done) Disassembly d = {};

        ck_assert_int_eq(disassembly_init(&d, EM_X86_64, DISASSEMBLY_ATT, code, sizeof(code), 0x1000), 0);
        ck_assert_uint_eq(d.n, 2);
        ck_assert_uint_eq(d.instructions[0].size, 7);
        ck_assert_int_eq(d.instructions[1].type, INSTRUCTION_RETURN);
}
END_TEST

/* Any bytes are covered without gaps. */
START_TEST(noise) {
        uint8_t code[4096];
        uint64_t state = 1, address = 0x1000;
        _cleanup_(disassembly_done) Disassembly d = {};

        for (size_t i = 0; i < sizeof(code); i++) {
                state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
                code[i] = (uint8_t) (state >> 56);
        }
        ck_assert_int_eq(disassembly_init(&d, EM_X86_64, DISASSEMBLY_ATT, code, sizeof(code), 0x1000), 0);
        for (size_t i = 0; i < d.n; i++) {
                ck_assert_uint_eq(d.instructions[i].address, address);
                ck_assert_uint_gt(d.instructions[i].size, 0);
                address += d.instructions[i].size;
        }
        ck_assert_uint_eq(address, 0x1000 + sizeof(code));
}
END_TEST

START_TEST(other_machines) {
        static const uint8_t code[] = { 0x02, 0x00, 0x00, 0x14, 0xc0, 0x03, 0x5f, 0xd6 }; /* b .+8; ret */
        _cleanup_(disassembly_done) Disassembly d = {}, none = {};

        ck_assert_int_eq(disassembly_init(&d, EM_AARCH64, DISASSEMBLY_ATT, code, sizeof(code), 0x1000), 0);
        ck_assert_uint_eq(d.n, 2);
        ck_assert_str_eq(d.instructions[0].mnemonic, "b");
        ck_assert_uint_eq(d.instructions[0].target, 0x1008);
        ck_assert_str_eq(d.instructions[0].operands, "");
        ck_assert_int_eq(d.instructions[1].type, INSTRUCTION_RETURN);
        ck_assert_int_eq(disassembly_init(&none, EM_S390, DISASSEMBLY_ATT, code, sizeof(code), 0), -EOPNOTSUPP);
        ck_assert_int_eq(disassembly_init(&none, EM_X86_64, DISASSEMBLY_ATT, code, DISASSEMBLY_CODE_MAX + 1, 0), -EFBIG);
}
END_TEST

CHECK_MAIN("disassembly", words, words_of_intel, unknown_instructions, noise, other_machines);
