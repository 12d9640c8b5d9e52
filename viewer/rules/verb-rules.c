/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recorder that unwinds stacks does not read the binaries of those it records itself, since it may have root's rights and anyone
 * can write a binary. It starts this process, which has no rights, opens no file, and is given descriptors. All that it
 * says is checked by the recorder, which can do without it and starts another one if it ends. So it does end at anything that
 * is not in order, also when its memory is used up: the next one begins with no file.
 *
 * A number of a binary stands for one file as long as the process lives. Few binaries have most samples: of those that are
 * open, the one that was not asked for the longest gives way. */

#include "verb-rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "descriptor-set.h"
#include "file-rules.h"
#include "process-limits.h"
#include "process-rights.h"
#include "rule-message.h"
#include "sandbox.h"

#define FILES_MAX 256u
#define MEMORY_MAX (UINT64_C(512) << 20) /* bytes of data */
#define DESCRIPTORS 16u

typedef struct RuleFile {
        uint32_t dso;
        uint64_t used; /* the turn in which it was asked for last; 0: this one is free */
        FileRules rules;
} RuleFile;

typedef struct RuleServer {
        RuleFile files[FILES_MAX];
        uint64_t turn;
        RuleAnswer answer;
} RuleServer;

static RuleFile *server_find(RuleServer *s, uint32_t dso) {
        for (size_t i = 0; i < FILES_MAX; i++)
                if (s->files[i].used > 0 && s->files[i].dso == dso)
                        return s->files + i;
        return NULL;
}

static RuleFile *server_make_room(RuleServer *s) {
        RuleFile *oldest = s->files;

        for (size_t i = 1; i < FILES_MAX; i++)
                if (s->files[i].used < oldest->used)
                        oldest = s->files + i;
        file_rules_done(&oldest->rules);
        oldest->used = 0;
        return oldest;
}

/* A file without rules is one, too. */
static int server_open(RuleServer *s, uint32_t dso, int fd) {
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY;
        RuleFile *file = server_find(s, dso) ?: server_make_room(s);
        int r = elf_image_open(&e, fd);

        file_rules_done(&file->rules);
        if (r >= 0)
                r = file_rules_take(&file->rules, &e, NULL);
        file->dso = dso;
        file->used = s->turn;
        return r == -ENOMEM ? r : 0;
}

static int server_answer(RuleServer *s, const RuleQuestion *q, int fd) {
        RuleFile *file = server_find(s, q->dso);
        UnwindRule rule = {};
        UnwindFrame frame = {};
        size_t size;
        ssize_t n;
        int r = 0;

        if (file) {
                file->used = s->turn;
                r = file_rules_find(&file->rules, q->address, &rule, &frame);
        }
        if (r < 0)
                return r;
        size = rule_answer_make(&s->answer, q->number, file ? RULE_FOUND : RULE_NEEDS_FILE, &rule, &frame);
        free(frame.operations);
        n = send(fd, &s->answer, size, MSG_NOSIGNAL);
        return n < 0 ? -errno : 0;
}

/* 1; 0: the recorder has gone; a negative errno. */
static int server_turn(RuleServer *s, int fd) {
        union {
                struct cmsghdr header;
                uint8_t bytes[CMSG_SPACE(sizeof(int))];
        } control;
        RuleQuestion q;
        struct iovec v = { &q, sizeof(q) };
        struct msghdr mh = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
        ssize_t n = TEMP_FAILURE_RETRY(recvmsg(fd, &mh, MSG_CMSG_CLOEXEC));
        int file = -EBADF, r = 0;

        if (n <= 0)
                return n < 0 ? -errno : 0;
        s->turn++;
        if (descriptors_of_message(&mh, &file, 1) > 0) {
                r = n == sizeof(q) ? server_open(s, q.dso, file) : 0;
                (void) close(file);
        }
        if (r >= 0 && n != sizeof(q))
                r = -EBADMSG;
        if (r >= 0)
                r = server_answer(s, &q, fd);
        return r < 0 ? r : 1;
}

/* The service's sandbox keeps root from becoming somebody else and from lowering capabilities, and so may a user namespace.
 * So user, groups and capabilities are given up where that is allowed, and it is the filter of system calls that must be
 * there: rights are of use only to a process that can name something to use them on, a file, a process or an address, and no
 * call that does is left. What remains is the socket to the recorder, which checks what comes, and binaries to read. */
int verb_rules(int argc, char **argv) {
        _cleanup_free_ RuleServer *s = calloc(1, sizeof(*s));
        uint64_t used = process_data_size();
        int r;

        if (argc > 1 || !s)
                return EXIT_FAILURE;
        process_limit_memory(used + MEMORY_MAX);
        (void) process_give_up_rights(0);
        (void) setrlimit(RLIMIT_NOFILE, &(struct rlimit) { DESCRIPTORS, DESCRIPTORS });
        r = close_range(STDERR_FILENO + 1, ~0u, 0) < 0 ? -errno : sandbox_close();
        if (r < 0) {
                (void) fprintf(stderr, "The process that reads rules can't be restricted: %s\n", strerror(-r));
                return EXIT_FAILURE;
        }
        while ((r = server_turn(s, STDIN_FILENO)) > 0)
                ;
        for (size_t i = 0; i < FILES_MAX; i++)
                file_rules_done(&s->files[i].rules);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
