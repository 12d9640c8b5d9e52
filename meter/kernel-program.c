/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libbpf reads the object, fits it to the structures of the kernel that runs, and attaches its functions. */

#include "kernel-program.h"

#include <sys/stat.h>

/* The inode of the namespace in which programs see process ids (include/linux/proc_ns.h of the kernel). */
#define OUTERMOST_PIDS 0xEFFFFFFCu

void kernel_program_done(KernelProgram *p) {
        for (size_t i = 0; i < p->n_links; i++)
                (void) p->bpf.link_destroy(p->links[i]);
        if (p->object)
                p->bpf.object_close(p->object);
        bpf_library_unload(&p->bpf);
        *p = (KernelProgram) {};
}

int kernel_program_refuse(Diagnosis *d, int r, const char *what) {
        const char *warning = bpf_library_take_warning();

        if (r == -EPERM || r == -EACCES)
                return diagnosis_set(d, r, "this takes the capabilities CAP_BPF and CAP_PERFMON");
        return diagnosis_set(d, r, "%s: %s%s%s", what, strerror(-r), *warning ? ": " : "", warning);
}

int kernel_program_load(KernelProgram *p, const uint8_t *bytes, const uint8_t *end, Diagnosis *d) {
        struct stat pids;
        int r;

        if (stat("/proc/self/ns/pid", &pids) >= 0 && pids.st_ino != OUTERMOST_PIDS)
                return diagnosis_set(d, -EOPNOTSUPP, "process ids are those of a container here, which a program in the kernel "
                                     "does not see");
        r = bpf_library_load(&p->bpf, NULL, NULL, d);
        if (r < 0)
                return r;
        (void) bpf_library_take_warning();
        p->object = p->bpf.object_open_memory(bytes, (size_t) (end - bytes), NULL);
        if (!p->object)
                return kernel_program_refuse(d, -errno, "the program for the kernel can't be read");
        r = p->bpf.object_load(p->object);
        return r < 0 ? kernel_program_refuse(d, r, "the kernel refuses the program") : 0;
}

int kernel_program_table(const KernelProgram *p, const char *name) {
        const struct bpf_map *map = NULL;

        while ((map = p->bpf.next_map(p->object, map)))
                if (streq(p->bpf.map_name(map), name))
                        return p->bpf.map_fd(map);
        return -EBADF;
}

int kernel_program_set(const KernelProgram *p, const char *table, uint32_t key, const void *value) {
        int r = p->bpf.map_update(kernel_program_table(p, table), &key, value, BPF_ANY);

        return r < 0 ? r : 0;
}

int kernel_program_attach(KernelProgram *p, const char *without) {
        struct bpf_program *program = NULL;

        while (p->n_links < KERNEL_PROGRAM_LINKS && (program = p->bpf.next_program(p->object, program))) {
                if (without && streq(p->bpf.program_name(program), without))
                        continue;
                p->links[p->n_links] = p->bpf.program_attach(program);
                if (!p->links[p->n_links])
                        return -errno;
                p->n_links++;
        }
        return 0;
}
