/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Checks the place of a probe before the kernel is asked: a uprobe writes a breakpoint into the code of all processes
 * that run the file, so an offset that is not code, or a return probe in the middle of a function, would break
 * programs, not the recording. The kernel checks the rest (such as instructions that can't be probed).
 *
 * Paths are below our own root: a program in a container is named by its path as seen from here. */

#include "probe.h"

#include <inttypes.h>
#include <sys/stat.h>
#include "elf-symbol.h"
#include "fd-file.h"
#include "fnv.h"
#include "near-name.h"
#include "string-table.h"

static const char *const probe_kind_table[] = { [PROBE_NONE] = "", [PROBE_USER] = "uprobe", [PROBE_KERNEL] = "kprobe" };
DEFINE_FROM_STRING(probe_kind, ProbeKind);

void probe_place_done(ProbePlace *p) {
        free(p->path);
        free(p->symbol);
        *p = (ProbePlace){};
}

ProbePlace *probe_place_free(ProbePlace *p) {
        if (p)
                probe_place_done(p);
        free(p);
        return NULL;
}

int probe_open_pmu(const char *root, ProbeKind kind, Pmu **ret, Diagnosis *d) {
        int r = pmu_open(root, probe_kind_table[kind], ret);

        if (r != -ENOENT)
                return r;
        if (kind == PROBE_USER)
                return diagnosis_set(d, r, "This kernel has no uprobes (a PMU of that name, if CONFIG_UPROBE_EVENTS is on)");
        return diagnosis_set(d, r, "This kernel has no kprobes (a PMU of that name, if CONFIG_KPROBE_EVENTS is on): its functions "
                             "can't be probed, tracepoints can be recorded (perfctl events tracepoint lists them)");
}

static int check_symbol_offset(const ProbePlace *p, const ElfFunction *f, Diagnosis *d) {
        if (p->is_return && p->offset > 0)
                return diagnosis_set(d, -EINVAL, "A return is probed at the function, without +%#" PRIx64, p->offset);
        if (f->size > 0 && p->offset >= f->size)
                return diagnosis_set(d, -EINVAL, "%s has %" PRIu64 " bytes: +%#" PRIx64 " is behind its end",
                                     p->symbol, f->size, p->offset);
        return 0;
}

/* The kernel replaces the return address on the stack, which is valid only at the first instruction of a function. */
static int check_return_offset(const ElfFile *f, uint64_t offset, Diagnosis *d) {
        _cleanup_free_ char *name = NULL;
        ElfFunction function;

        if (!elf_file_function_at(f, offset, &function, &name) || function.offset == offset)
                return 0;
        return diagnosis_set(d, -EINVAL, "%#" PRIx64 " is within %s: a return is probed at the begin of the function, %#" PRIx64,
                             offset, name, function.offset);
}

static int find_place(const ProbePlace *p, const ElfFile *f, uint64_t *ret, Diagnosis *d) {
        ElfFunction function = {};
        int r = 0;

        if (p->symbol)
                r = elf_file_find_function(f, p->symbol, &function, d);
        if (r >= 0 && p->symbol)
                r = check_symbol_offset(p, &function, d);
        if (r < 0)
                return r;
        *ret = function.offset + p->offset;
        if (!elf_file_is_code(f, *ret))
                return diagnosis_set(d, -EINVAL, "There is no code at the offset %#" PRIx64 " of %s", *ret, p->path);
        return p->is_return && !p->symbol ? check_return_offset(f, *ret, d) : 0;
}

/* The opener may have another working directory. Links are left to the kernel: those below /proc/PID/root lead into a
 * container, and their text leads to the wrong file. */
static int make_absolute(const char *path, char **ret) {
        _cleanup_free_ char *here = NULL;

        if (*path == '/')
                return free_and_strdup(ret, path);
        here = getcwd(NULL, 0);
        if (!here)
                return -errno;
        *ret = path_join(here, path);
        return *ret ? 0 : -ENOMEM;
}

static int resolve_user(const ProbePlace *p, char **ret_text, uint64_t *ret_config2, Diagnosis *d) {
        _cleanup_(elf_file_freep) ElfFile *f = NULL;
        _cleanup_free_ char *path = NULL;
        uint64_t offset;
        int r = elf_file_open(p->path, &f, d);

        if (r >= 0)
                r = find_place(p, f, &offset, d);
        if (r < 0)
                return r;
        if (p->is_return && elf_file_is_go(f))
                return diagnosis_set(d, -EOPNOTSUPP, "%s is a Go program, which moves its stacks: probing returns would crash it; "
                                     "probe the function, or the instructions where it returns (+OFFSET)", p->path);
        r = make_absolute(p->path, &path);
        if (r < 0)
                return r;
        *ret_text = steal_ptr(path);
        *ret_config2 = offset;
        return 0;
}

typedef struct KernelSearch {
        const char *symbol;
        uint64_t addresses[4];
        size_t n, n_symbols;
        bool data;
        NearNames near;
} KernelSearch;

/* "ffffffff81000000 T tcp_sendmsg\t[module]" */
static void search_line(KernelSearch *s, char *line) {
        char *end, *name;
        uint64_t address = strtoull(line, &end, 16);
        char type = *end ? end[1] : 0;

        if (!type || end[2] != ' ')
                return;
        name = end + 3;
        name[strcspn(name, " \t\n")] = 0;
        s->n_symbols++;
        if (!strchr("tTwW", type))
                s->data = s->data || streq(name, s->symbol);
        else if (!streq(name, s->symbol))
                near_names_offer(&s->near, name);
        else if (s->n < ELEMENTSOF(s->addresses))
                s->addresses[s->n++] = address;
}

static int search_kernel(KernelSearch *s, const char *path, Diagnosis *d) {
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        _cleanup_free_ char *line = NULL;
        size_t size = 0;

        if (!f)
                return diagnosis_set(d, -errno, "Functions of the kernel can't be looked up in %s: %s", path, strerror(errno));
        while (getline(&line, &size, f) > 0)
                search_line(s, line);
        return 0;
}

static int refuse_several_in_kernel(const KernelSearch *s, Diagnosis *d) {
        if (s->addresses[0] == 0)
                return diagnosis_set(d, -ENOTUNIQ, "The kernel has several functions %s; kernel.kptr_restrict hides their "
                                     "addresses, by which one could be named (kprobe:0x…): sysctl kernel.kptr_restrict=1",
                                     s->symbol);
        return diagnosis_set(d, -ENOTUNIQ, "The kernel has several functions %s, at %#" PRIx64 ", %#" PRIx64 "%s: name an "
                             "address instead (kprobe:%#" PRIx64 ")", s->symbol, s->addresses[0], s->addresses[1],
                             s->n > 2 ? ", …" : "", s->addresses[0]);
}

static int check_kernel(KernelSearch *s, const char *kallsyms, Diagnosis *d) {
        _cleanup_free_ char *near = NULL;
        int r = search_kernel(s, kallsyms, d);

        if (r < 0)
                return r;
        if (s->n_symbols == 0)
                return diagnosis_set(d, -ENOENT, "%s shows no symbols (the kernel has none, or hides them: kernel.kptr_restrict), "
                                     "so %s can't be found", kallsyms, s->symbol);
        if (s->n == 1)
                return 0;
        if (s->n > 1)
                return refuse_several_in_kernel(s, d);
        if (s->data)
                return diagnosis_set(d, -EOPNOTSUPP, "%s of the kernel is not a function", s->symbol);
        near = near_names_join(&s->near);
        return diagnosis_set(d, -ENOENT, "The kernel has no function %s (or it was made part of another by the compiler)%s%s",
                             s->symbol, near ? "; like it are " : "", near ?: "");
}

static int resolve_kernel(const ProbePlace *p, const char *kallsyms, char **ret_text, uint64_t *ret_config2, Diagnosis *d) {
        KernelSearch s = { .symbol = p->symbol, .near = { .wanted = p->symbol } };
        char *text = NULL;
        int r = 0;

        if (p->symbol && p->is_return && p->offset > 0)
                return diagnosis_set(d, -EINVAL, "A return is probed at the function, without +%#" PRIx64, p->offset);
        if (p->symbol)
                r = check_kernel(&s, kallsyms ?: "/proc/kallsyms", d);
        near_names_done(&s.near);
        if (r >= 0 && p->symbol)
                r = free_and_strdup(&text, p->symbol);
        if (r < 0)
                return r;
        *ret_text = text;
        *ret_config2 = p->offset;
        return 0;
}

int probe_resolve(const ProbePlace *p, const char *kallsyms, char **ret_text, uint64_t *ret_config2, Diagnosis *d) {
        return p->kind == PROBE_USER ? resolve_user(p, ret_text, ret_config2, d) :
                                       resolve_kernel(p, kallsyms, ret_text, ret_config2, d);
}

uint64_t probe_file(const char *path) {
        uint64_t h = FNV_BEGIN;
        struct stat st;

        if (stat(path, &st) < 0)
                return 0;
        h = fnv_mix(fnv_mix(h, st.st_dev), st.st_ino);
        return fnv_mix(fnv_mix(fnv_mix(h, (uint64_t) st.st_size), (uint64_t) st.st_mtim.tv_sec), (uint64_t) st.st_mtim.tv_nsec);
}

const char *probes_replaced(const EventSpecs *l, uint64_t *files) {
        const char *first = NULL;

        for (size_t i = 0; i < l->n_specs; i++) {
                const EventSpec *s = &l->specs[i];
                uint64_t file = s->probe_place ? probe_file(s->probe_text) : 0;

                *files = fnv_mix(*files, file);
                if (s->probe_place && file != s->probe_place->opened && !first)
                        first = s->probe_text;
        }
        return first;
}

static int renew(EventSpec *s, Diagnosis *d) {
        ProbePlace *p = s->probe_place;
        _cleanup_free_ char *text = NULL;
        uint64_t file = probe_file(p->path), config2;
        int r;

        if (file == p->file)
                return 0;
        if (!p->symbol && file != 0)
                return diagnosis_set(d, -ESTALE, "%s is another file now, in which %#" PRIx64 " may be within an instruction: name "
                                     "a function, or the offset in the new file", s->probe_text, p->offset);
        r = resolve_user(p, &text, &config2, d);
        if (r < 0)
                return r;
        s->attr.config2 = config2;
        p->file = file;
        return 0;
}

int probes_renew(EventSpecs *l, Diagnosis *d) {
        int r = 0;

        for (size_t i = 0; i < l->n_specs && r >= 0; i++)
                if (l->specs[i].probe_place)
                        r = renew(&l->specs[i], d);
        return r;
}

void probes_opened(EventSpecs *l) {
        for (size_t i = 0; i < l->n_specs; i++)
                if (l->specs[i].probe_place)
                        l->specs[i].probe_place->opened = l->specs[i].probe_place->file;
}

static int diagnose_user(Diagnosis *d, int error, const EventSpec *spec) {
        switch (error) {
        case -ENOENT:
                return diagnosis_set(d, error, "There is no file %s any more", spec->probe_text);
        case -EIO:
                return diagnosis_set(d, error, "%s lies on a file system that uprobes can't be set on", spec->probe_text);
        case -EINVAL:
        case -524: /* the kernel's own ENOTSUPP */
        case -EOPNOTSUPP:
                return diagnosis_set(d, error, "The kernel does not take the %s event: there is no instruction that it "
                                     "can probe at %#" PRIx64 " of %s",
                                     spec->name, (uint64_t) spec->attr.config2, spec->probe_text);
        default:
                return 0;
        }
}

static int diagnose_kernel(Diagnosis *d, int error, const EventSpec *spec) {
        switch (error) {
        case -ENOENT:
                return diagnosis_set(d, error, "The kernel has no function for the %s event", spec->name);
        case -EADDRNOTAVAIL:
                return diagnosis_set(d, error, "The kernel has several functions for the %s event: name an address (kprobe:0x…)",
                                     spec->name);
        case -EILSEQ:
                return diagnosis_set(d, error, "The %s event is not at the begin of an instruction", spec->name);
        case -EINVAL:
                return diagnosis_set(d, error, "The kernel does not let itself be probed at the %s event: it needs that code for "
                                     "probing (/sys/kernel/debug/kprobes/blacklist), or has it marked notrace", spec->name);
        default:
                return 0;
        }
}

/* Linux 5.8 let CAP_PERFMON set uprobes; since 2025 it needs CAP_SYS_ADMIN again, in -stable kernels too. */
static int diagnose_permission(Diagnosis *d, int error, const EventSpec *spec) {
        if (spec->probe_kind == PROBE_USER)
                return diagnosis_set(d, error, "No permission to open the %s event: uprobes are for root with CAP_SYS_ADMIN (some "
                                     "older kernels take CAP_PERFMON), whatever kernel.perf_event_paranoid says; Event= in "
                                     "perf-recorder.session(5) shows how the service gets it", spec->name);
        return diagnosis_set(d, error, "No permission to open the %s event: kprobes are for root, or CAP_PERFMON (before "
                             "Linux 5.8 CAP_SYS_ADMIN), whatever kernel.perf_event_paranoid says", spec->name);
}

int probe_diagnose_open(Diagnosis *d, int error, const EventSpec *spec, const struct perf_event_attr *attr) {
        if (error == -EACCES || error == -EPERM)
                return diagnose_permission(d, error, spec);
        if (error == -EOPNOTSUPP && (attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
                return diagnosis_set(d, error, "The %s event has no branch stacks: a probe is no counter of the CPU", spec->name);
        return spec->probe_kind == PROBE_USER ? diagnose_user(d, error, spec) : diagnose_kernel(d, error, spec);
}
