/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program traces commands whose system calls are known. */

#include <elf.h>
#include <regex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cgroup.h"
#include "check-main.h"
#include "format-text.h"
#include "program.h"
#include "scratch.h"
#include "skip.h"

#define OUTPUT_MAX ((size_t) 1 << 20)
#define TRACEPOINT "/sys/kernel/tracing/events/raw_syscalls/sys_enter/id"

static void expect(const char *command, int status, const char *pattern) {
        _cleanup_free_ char *text = NULL;
        char *argv[] = { (char *) "sh", (char *) "-c", (char *) command, NULL };
        int r = program_run(&(ProgramRun) { .argv = argv, .timeout = 60 * USEC_PER_SEC, .output_max = OUTPUT_MAX }, &text);
        regex_t regex;

        ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
        ck_assert_msg(r == status && regexec(&regex, text, 0, NULL, 0) == 0, "%s: status %d:\n%s", command, r, text);
        regfree(&regex);
}

static bool may_trace(void) {
        return geteuid() == 0 && access(TRACEPOINT, R_OK) >= 0;
}

START_TEST(lines) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -e exit_group -- sh -c 'exit 7' 2>&1", 7,
               "^ +0\\.000 \\( {9}\\): sh/[0-9]+ exit_group\\(error_code: 7\\) += \\?\n$");
        expect("exec " METER " trace --strace -e chdir -- sh -c 'cd /; cd /nonexistent 2>/dev/null' 2>&1", 2,
               "^chdir\\(\"/\"\\) += 0\nchdir\\(\"/nonexistent\"\\) += -1 ENOENT \\(No such file or directory\\)\n"
               "\\+\\+\\+ exited with 2 \\+\\+\\+\n$");
        expect("exec " METER " trace --strace -e execve,exit_group -- sh -c 'sh -c \"exit 3\"; kill $$' 2>&1", 143,
               "^execve\\(.*\\) = 0\n\\[pid +[0-9]+\\] execve\\(.*\n\\[pid +[0-9]+\\] exit_group\\(3\\) +=.*\n"
               "\\[pid +[0-9]+\\] \\+\\+\\+ exited with 3 \\+\\+\\+\n(\\[pid.*)?--- SIGCHLD .*CLD_EXITED, si_pid=[0-9]+, si_status=3, .*\n"
               "--- SIGTERM .*SI_USER, si_pid=[0-9]+, .*\n\\+\\+\\+ killed by SIGTERM \\+\\+\\+\n");
        expect("exec " METER " trace -e chdir --failure --json -- sh -c 'cd /; cd /nonexistent 2>/dev/null' 2>&1", 2,
               "^\\{\"time_nsec\":[0-9]+,\"duration_nsec\":[0-9]+,\"comm\":\"sh\",.*\"result\":-2,\"errno\":\"ENOENT\"\\}\n$");
}
END_TEST

/* Memory is read, and open files have names, in children too. */
START_TEST(memory) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace --strace -y -e execve,openat,read -- sh -c 'read x </etc/debian_version' 2>&1", 0,
               "execve\\(\"/[a-z/]*bin/sh\", \\[\"sh\", \"-c\", \"read x </etc/debian_version\"\\], 0x[0-9a-f]+\\) = 0\n"
               ".*openat\\(AT_FDCWD</[^>]*>, \"/etc/debian_version\", O_RDONLY\\) = [0-9]+</etc/debian_version>\n"
               ".*read\\(0</etc/debian_version>, \"[0-9a-z]");
        expect("exec " METER " trace --strace -y -e @desc -- sh -c 'echo word | (read x)' 2>&1", 0,
               "pipe2?\\(\\[[0-9]+<pipe(:\\[[0-9]+\\])?>, [0-9]+<pipe(:\\[[0-9]+\\])?>\\](, 0)?\\) += 0\n"
               ".*read\\(0<pipe[^>]*>, \"[ord]\", 1\\) += 1\n");
        expect("exec " METER " trace -e newfstatat,statx -- stat -L /proc/self/exe 2>&1", 0, "S_IFREG\\|0755, \\.stx?_size: [0-9]+, ");
}
END_TEST

/* Calls of children count, unless --no-inherit leaves them out. */
START_TEST(sums) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -s --summary-mode total -e chdir -- sh -c 'cd /; cd /; cd /nonexistent; true' 2>&1", 0,
               " total, 6 events\n\n.*\n   chdir +3 +1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+%\n");
        expect("exec " METER " trace -S --summary-mode total -e chdir -- sh -c 'cd /; cd /; cd /nonexistent; true' 2>&1", 0,
               " total, 6 events\n\n.*\n   chdir +3 +1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+%\n");
        expect("exec " METER " trace -s --errno-summary -- sh -c 'cd /nonexistent; (cat /dev/null); true' 2>&1", 0,
               " sh \\([0-9]+\\), .*\n   chdir +1 +1 .*\n\t+ENOENT: 1\n.* cat \\([0-9]+\\), [0-9]+ events, .*\n   execve +[12] ");
        expect("exec " METER " trace -s --summary-mode total -e chdir -- sh -c '(cd /); (cd /); sh -c \"cd /; true\"' 2>&1", 0,
               " total, 6 events\n\n.*\n   chdir +3 +0 ");
        expect("exec " METER " trace -s --summary-mode total --no-inherit -e chdir -- sh -c 'cd /; (cd /); true' 2>&1", 0,
               " total, 2 events\n\n.*\n   chdir +1 +0 ");
}
END_TEST

/* The group of a unit, which its slice holds, has the calls of the process that goes into it. */
START_TEST(groups) {
        _cleanup_free_ char *root = NULL, *made = NULL, *slice = NULL, *unit = NULL, *both = NULL, *pattern = NULL, *removed = NULL, *gone = NULL;
        const pid_t id = getpid();

        if (!may_trace() || cgroup_find_root(NULL, &root) < 0)
                SKIP("needs root, control groups and the tracepoints of system calls");
        made = format_text("mkdir -p %s/tracetest%d.slice/tracetest-%d.service", root, id, id);
        if (system(made) != 0)
                SKIP("needs control groups that may be made");
#define TRACE "exec " METER " trace -s --summary-mode total -e chdir "
#define INSIDE "-- sh -c 'echo $$ >%s/tracetest%d.slice/tracetest-%d.service/cgroup.procs; cd /; sh -c \"cd /; true\"; true' 2>&1"
        slice = format_text(TRACE "-G /tracetest%d.slice " INSIDE, id, root, id, id);
        unit = format_text(TRACE "--unit tracetest-%d " INSIDE, id, root, id, id);
        both = format_text(TRACE "-G tracetest%d.slice/tracetest-%d.service,tracetest%d.slice " INSIDE, id, id, id, root, id, id);
        pattern = format_text(TRACE "--unit 'tracetest*%d.s*' " INSIDE, id, root, id, id);
        removed = format_text("rmdir %s/tracetest%d.slice/tracetest-%d.service %s/tracetest%d.slice", root, id, id, root, id);
        expect(slice, 0, " total, 4 events\n");
        expect(unit, 0, " total, 4 events\n");
        expect(both, 0, " total, 4 events\n");
        expect(pattern, 0, " total, 4 events\n");
        ck_assert_int_eq(system(removed), 0);
        gone = format_text("g=%s/tracetest%d.slice; mkdir $g; sleep 30 & p=$!; echo $p >$g/cgroup.procs; "
                           "(sleep 0.5; kill $p; sleep 0.2; rmdir $g) & " METER " trace -e read -G tracetest%d.slice 2>&1", root, id, id);
        expect(gone, 0, "^The control groups that were traced are gone\n$");
}
END_TEST

/* Tracepoints among the calls, and alone. */
START_TEST(tracepoints) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -e chdir,sched:sched_process_exec -- sh -c 'cd /; exec true' 2>&1", 0,
               "^ +0\\.000 \\( {9}\\): sh/[0-9]+ sched:sched_process_exec\\(filename: \"[a-z/]+/sh\", pid: [0-9]+ \\(sh\\), old_pid: "
               "[0-9]+ \\(sh\\)\\)\n +[0-9.]+ \\( *[0-9.]+ ms\\): sh/[0-9]+ chdir\\(.*= 0\n"
               " +[0-9.]+ \\( {9}\\): true/[0-9]+ sched:sched_process_exec\\(.*\n$");
        expect("exec " METER " trace -e 'sched:sched_process_ex*' --json --max-events 1 -- sh -c 'true; exit 0' 2>&1", 0,
               "^\\{\"time_nsec\":[0-9]+,\"comm\":\"sh\",\"pid\":[0-9]+,\"tid\":[0-9]+,\"event\":\"sched:sched_process_exec\",\"fields\":"
               "\\{\"");
        expect("exec " METER " trace -e 'sched:sched_process_exit' -- sh -c 'sh -c \"exit 0\"; exit 3' 2>&1", 3,
               "^ +0\\.000 sh/[0-9]+ sched:sched_process_exit\\(.*\n +[0-9.]+ sh/[0-9]+ sched:sched_process_exit\\(.*\n$");
        expect("exec " METER " trace -e sched:sched_process_exec -e sched:sched_process_exit,task:task_rename --filter 'pid > 0' "
               "--filter 'pid < 0' -- sh -c 'exec true' 2>&1", 0,
               "^ +0\\.000 sh/[0-9]+ sched:sched_process_exec\\(.*\n +[0-9.]+ true/[0-9]+ sched:sched_process_exec\\(.*\n$");
        expect("exec " METER " trace -e sched:sched_process_exec --filter nosuch==1 true 2>&1", 1, "nosuch==1.* it has .*, filename, pid, old_pid");
        expect("exec " METER " trace -e task:nosuch true 2>&1", 1, "^There is no tracepoint task:nosuch");
        expect("exec " METER " trace -e cpu-clock:u true 2>&1", 1, "^cpu-clock:u is not a tracepoint\n$");
}
END_TEST

START_TEST(groups_of_sums) {
        if (!may_trace() || access("/proc/self/ns/cgroup", F_OK) < 0)
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -s --summary-mode=cgroup -e chdir -- sh -c 'cd /; (cd /nonexistent); true' 2>&1", 0,
               "\n /.*, 4 events, 100\\.0%\n\n.*\n   chdir +2 +1 ");
        expect("exec " METER " trace -s --no-bpf-summary -e chdir -- sh -c 'cd /; true' 2>&1", 0, "\n   chdir +1 +0 ");
}
END_TEST

/* Process ids are others than a program in the kernel sees. */
START_TEST(container) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec unshare --pid --fork --mount-proc " METER " trace -s --summary-mode total -e chdir -- sh -c 'cd /; (cd /); true' 2>&1", 0,
               " total, 4 events\n\n.*\n   chdir +2 +0 ");
        expect("exec unshare --pid --fork --mount-proc " METER " trace -e chdir -- sh -c 'cd /' 2>&1", 0,
               "^Pointers are shown instead of strings: process ids are those of a container .*chdir\\(filename: 0x[0-9a-f]+\\) += 0\n$");
}
END_TEST

/* Makes a program that changes into the directory "/" and exits with 3, by calls of i386. */
static void write_32_bit_program(const char *path) {
        static const uint32_t base = 0x8048000;
        struct __attribute__((packed)) {
                Elf32_Ehdr head;
                Elf32_Phdr segment;
                uint8_t code[24];
                char directory[2];
        } program = {
                .head = {
                        .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_EXEC,
                        .e_machine = EM_386, .e_version = EV_CURRENT, .e_entry = base + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
                        .e_phoff = sizeof(Elf32_Ehdr), .e_ehsize = sizeof(Elf32_Ehdr), .e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 1,
                },
                .segment = {
                        .p_type = PT_LOAD, .p_vaddr = base, .p_filesz = sizeof(program), .p_memsz = sizeof(program),
                        .p_flags = PF_R | PF_X, .p_align = 4096,
                },
                /* movl $12, %eax; movl $directory, %ebx; int $0x80; movl $252, %eax; movl $3, %ebx; int $0x80 */
                .code = { 0xb8, 12, 0, 0, 0, 0xbb, 0, 0, 0, 0, 0xcd, 0x80, 0xb8, 252, 0, 0, 0, 0xbb, 3, 0, 0, 0, 0xcd, 0x80 },
                .directory = "/",
        };
        const uint32_t directory = base + (uint32_t) offsetof(__typeof__(program), directory);
        _cleanup_fclose_ FILE *f = fopen(path, "we");

        memcpy(program.code + 6, &directory, sizeof(directory));
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(&program, sizeof(program), 1, f), 1);
        ck_assert_int_eq(fchmod(fileno(f), 0755), 0);
}

/* Numbers of 32-bit programs are those of i386, of which 12 is brk for x86-64, also in sums and in the kernel's filter. */
START_TEST(program_of_32_bits) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_free_ char *path = format_text("%s/program", root), *all = NULL, *some = NULL, *summed = NULL, *other = NULL;

        write_32_bit_program(path);
        if (!may_trace() || WEXITSTATUS(system(path)) != 3)
                SKIP("needs root, the tracepoints of system calls and a kernel that runs 32-bit programs");
        all = format_text("exec " METER " trace %s 2>&1", path);
        expect(all, 3,
               "^ +0\\.000 \\( *[0-9.]+ ms\\): program/[0-9]+ execve\\(.* = 0\n +[0-9.]+ \\( *[0-9.]+ ms\\): program/[0-9]+ chdir\\(filename: "
               "0x8048[0-9a-f]+\\) += 0\n +[0-9.]+ \\( {9}\\): program/[0-9]+ exit_group\\(error_code: 3\\) += \\?\n$");
        some = format_text("exec " METER " trace --strace -e chdir %s 2>&1", path);
        expect(some, 3, "^chdir\\(0x8048[0-9a-f]+\\) += 0\n");
        summed = format_text("exec " METER " trace -s %s 2>&1", path);
        expect(summed, 3, "   chdir +1 +0 ");
        other = format_text("exec " METER " trace -s -e brk %s 2>&1", path);
        expect(other, 3, "^\n Summary of events:\n\n$");
}
END_TEST

/* The first program begins in the trace, the second one was there before. */
START_TEST(page_faults) {
        _cleanup_free_ char *command = NULL;
        pid_t child;

        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -F all -- sh -c 'exit 4' 2>&1", 4,
               "sh/[0-9]+ m(in|aj)fault \\[_start\\+0x[0-9a-f]+\\] => /[^ ]*ld-linux[^ ]*@0x[0-9a-f]+ \\(d\\.\\)\n");
        child = fork();
        while (child == 0) {
                char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

                *page = 1;
                (void) munmap(page, 4096);
        }
        command = format_text("exec " METER " trace -F min -p %d --max-events 20 2>&1", child);
        /* The page of the first ones may have been mapped between the reading of its maps and the begin of the trace. */
        expect(command, 0, "^( +[0-9.]+ \\( 0\\.000 ms\\): test-[^ ]+/[0-9]+ minfault \\[[^ ]+\\] => (//anon@)?0x[0-9a-f]+ \\([d?]\\.\\)\n){19}"
               ".* => //anon@0x[0-9a-f]+ \\(d\\.\\)\n$");
        (void) kill(child, SIGKILL);
        (void) waitpid(child, NULL, 0);
        expect("exec " METER " trace -F all -s -- true 2>&1", 0, " true \\([0-9]+\\), [0-9]+ events, 100\\.0%.*, [0-9]+ minfaults\n");
        expect("exec " METER " trace -F most true 2>&1", 1, "^--pf: not one of all, maj, min: 'most'\n$");
}
END_TEST

START_TEST(left_out) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        /* Others may change their directories, too. */
        expect("sh -c 'while cd / && cd /usr; do :; done' & other=$!; " METER " trace -a -e chdir --filter-pids=$other -- "
               "sh -c 'cd /bin; sleep 0.2' 2>&1 | awk -v other=\"/$other \" 'index($0, other) { wrong++ } "
               "/chdir\\(filename: \"\\/bin\"\\)/ { n++ } END { print wrong + 0, (n > 0) }'; kill $other", 0, "^0 1\n$");
        expect("sh -c 'echo $$; exec " METER " trace -a -e read,write,ppoll sleep 0.3' 2>&1 | "
               "awk 'NR == 1 { own = \"perf-recorder-m/\" $1 \" \" } index($0, own) { n++ } END { print n + 0, (NR > 1) }'", 0, "^0 1\n$");
        expect("exec " METER " trace -D 300 -e chdir -- sh -c 'cd /; sleep 0.8; cd /' 2>&1", 0, "^ +0\\.000 .* = 0\n$");
        expect("exec " METER " trace -D 60000 -e chdir -- sh -c 'cd /' 2>&1", 0, "^$");
}
END_TEST

/* The command's end by a signal is seen in the status; a full disk, too. What was read and written is for its owner only. */
START_TEST(ends) {
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace -e kill -o /dev/null -- sh -c 'kill -KILL $$' 2>&1", 137, "^sh: Killed\n$");
        expect("exec " METER " trace -s -o /dev/full -- true 2>&1", 1, "^Failed to write to /dev/full: No space left on device\n$");
        expect("f=$(mktemp -u); umask 022; " METER " trace -e exit_group -o $f -- true; stat -c %a $f; rm $f", 0, "^600\n$");
}
END_TEST

START_TEST(refused) {
        expect("exec " METER " trace 2>&1", 1, "^Nothing to trace: give a command, or -a, -C, -G, -p, -t, -u or --unit\n$");
        expect("exec " METER " trace -e nosuchcall true 2>&1", 1, "^--event: not a value of this option: 'nosuchcall'\n$");
        expect("exec " METER " trace -p x true 2>&1", 1, "^--pid: .*'x'");
        expect("exec " METER " trace -G nosuchgroup true 2>&1", 1, "^no access to cgroup nosuchgroup: ");
        expect("exec " METER " trace --unit nosuchunit true 2>&1", 1, "^--unit: no such unit runs: 'nosuchunit'\n$");
        expect("exec " METER " trace -G / -p 1 2>&1", 1, "^Control groups are traced on CPUs");
        expect("exec " METER " trace -e sched:sched_switch -e chdir --filter 'pid > 0' true 2>&1", 1,
               "^--filter: it must follow the tracepoints \\(-e\\) that it is for: 'pid > 0'\n$");
        expect("exec " METER " trace -D x true 2>&1", 1, "^--delay: not a number: 'x'\n$");
        if (!may_trace())
                SKIP("needs root and the tracepoints of system calls");
        expect("exec " METER " trace --filter-pids=4194303 true 2>&1", 1, "there is no 4194303");
        expect("exec " METER " trace /nonexistent/program 2>&1", 255, "No such file");
}
END_TEST

CHECK_MAIN("verb-trace-live", lines, memory, sums, groups, tracepoints, page_faults, groups_of_sums, program_of_32_bits, container, left_out,
           ends, refused);
