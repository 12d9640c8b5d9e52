/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The functions that tests probe, with all kinds of entries in a symbol table. It is compiled several times: as a
 * program at a fixed address, as a position-independent one, as a library. */

int probed_data = 1;
int probed(int n);
int probed_assembler(int n);
int probed_chosen(int n);
int puts(const char *s);

/* Another function of this name is in probed-twice.c. */
__attribute__((noinline, used)) static int probed_twice(int n) {
        return n * 2 + probed_data;
}

__attribute__((noinline)) int probed(int n) {
        return probed_twice(n) + 1;
}

static int probed_first(int n) {
        return n + 1;
}

static void *choose(void) {
        return (void *) probed_first;
}

int probed_chosen(int n) __attribute__((ifunc("choose")));

/* This function has no type, as code in assembler may. */
__asm__(".text\n.globl probed_assembler\nprobed_assembler:\n\tnop\n\tret\n");

#ifdef PROBED_LIBRARY
int probed_old(int n);
int probed_new(int n);
int probed_new_chosen(int n);

int probed_old(int n) {
        return n;
}

int probed_new(int n) {
        return n + 1;
}

/* As with the C library's memcpy, the old version is a function, the new one is chosen at run time. */
int probed_new_chosen(int n) __attribute__((ifunc("choose")));
__asm__(".symver probed_old,probed_copy@PROBED_1");
__asm__(".symver probed_new_chosen,probed_copy@@PROBED_2");
__asm__(".symver probed_old,probed_versioned@PROBED_1");
__asm__(".symver probed_new,probed_versioned@@PROBED_2");
#else
int main(int argc, char *argv[]) {
        for (int i = 0; i < 10; i++)
                probed_data += probed(i);
        (void) puts(argv[0]);
        return 0;
}
#endif
