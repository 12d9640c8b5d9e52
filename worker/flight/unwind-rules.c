/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thread asks the process (perf-recorder-view rules), because to open a binary may take any time, on a network's file system
 * for one. The loop puts a question, waits for the answer as long as it can afford to, and asks again later otherwise:
 * it then takes the answer that has come in the meantime. There is one question at a time of each binary, and they take turns. The
 * loop waits once in a round for a binary, and not for all of the round, so that one which is slow costs others little; for a
 * process that is being started it waits as long as it can.
 *
 * The process may be killed, or be broken by what it reads. Another one is started, and asked the same; if that ends too,
 * or does not answer, the binary has no rules from then on. Processes that end soon, one after the other, are started with a
 * delay. */

#include "unwind-rules.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "array.h"
#include "descriptor-set.h"
#include "dso-source.h"
#include "quiet-thread.h"
#include "rule-message.h"
#include "vdso-image.h"

extern char **environ;

#define ANSWER_MSEC 5000          /* for reading the largest tables of a binary */
#define LIFE_USEC (10 * USEC_PER_SEC) /* of a process that was worth its start */
#define SHORT_LIVES_MAX 4u        /* processes that were not, until … */
#define DELAY_USEC (10 * USEC_PER_SEC) /* … the next one has to wait */
#define BAD_MAX 4096u
#define QUESTIONS_MAX 16u

typedef enum QuestionState {
        QUESTION_NONE,
        QUESTION_ASKED,
        QUESTION_TAKEN, /* the thread has it */
        QUESTION_ANSWERED,
} QuestionState;

typedef struct Question {
        QuestionState state;
        bool late;  /* the loop waited for it in this round already */
        DsoHit hit;
        char *path; /* of hit */
        uint32_t dso;
        uint64_t address;
        int error;
        UnwindRule rule;
        UnwindFrame frame;
} Question;

typedef struct RuleProcess {
        pid_t pid; /* 0: there is none */
        int fd;
        usec_t started;
        unsigned short_lives;
} RuleProcess;

struct UnwindRules {
        pthread_t thread;
        bool has_thread;
        pthread_mutex_t lock;      /* for the next ones */
        pthread_cond_t asked, answered;
        Question questions[QUESTIONS_MAX]; /* of the thread while it has one, otherwise of the loop; each of another binary */
        size_t turn;               /* the one that the thread had last */
        bool stop, forget;
        int wake_fd;               /* of the process, to be shut down; -EBADF: none */
        bool ready;                /* the process has answered */
        usec_t time;               /* that may be waited in this round; the loop's */
        const char *root;          /* from here on the thread's */
        RuleProcess process;
        uint32_t number;           /* of questions */
        uint32_t *bad;             /* binaries that processes ended of */
        size_t n_bad;
        RuleAnswer answer;
};

static void process_end(UnwindRules *u) {
        RuleProcess *p = &u->process;
        int status;

        if (p->pid == 0)
                return;
        (void) pthread_mutex_lock(&u->lock);
        u->wake_fd = -EBADF;
        u->ready = false;
        (void) pthread_mutex_unlock(&u->lock);
        p->fd = safe_close(p->fd);
        (void) kill(p->pid, SIGKILL);
        (void) TEMP_FAILURE_RETRY(waitpid(p->pid, &status, 0));
        p->pid = 0;
        if (now_usec(CLOCK_MONOTONIC) - p->started >= LIFE_USEC)
                p->short_lives = 0;
        else
                p->short_lives++;
}

/* The worker's blocked signals, its scheduling and its output are not for this one. */
static int process_spawn(int fd, pid_t *ret) {
        const char *program = secure_getenv("PERF_RECORDER_VIEW") ?: PR_LIBEXECDIR "/perf-recorder-view";
        char *const argv[] = { (char *) program, (char *) "rules", NULL };
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        sigset_t none, all;
        int r = posix_spawn_file_actions_init(&actions);

        if (r != 0)
                return -r;
        r = posix_spawnattr_init(&attributes);
        if (r != 0) {
                (void) posix_spawn_file_actions_destroy(&actions);
                return -r;
        }
        (void) sigemptyset(&none);
        (void) sigfillset(&all);
        (void) posix_spawnattr_setsigmask(&attributes, &none);
        (void) posix_spawnattr_setsigdefault(&attributes, &all);
        (void) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        r = posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
        if (r == 0)
                r = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (r == 0)
                r = posix_spawn(ret, program, &actions, &attributes, argv, environ);
        (void) posix_spawn_file_actions_destroy(&actions);
        (void) posix_spawnattr_destroy(&attributes);
        return -r;
}

/* -EAGAIN: it is too early. */
static int process_begin(UnwindRules *u) {
        RuleProcess *p = &u->process;
        _cleanup_close_ int own = -EBADF, its = -EBADF;
        usec_t now = now_usec(CLOCK_MONOTONIC);
        int pair[2], r;

        if (p->pid > 0)
                return 0;
        if (p->short_lives >= SHORT_LIVES_MAX && now - p->started < DELAY_USEC)
                return -EAGAIN;
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
                return -errno;
        own = pair[0];
        its = pair[1];
        p->started = now;
        r = process_spawn(its, &p->pid);
        if (r < 0) {
                p->pid = 0;
                p->short_lives = SHORT_LIVES_MAX;
                return r == -ENOMEM ? r : -EAGAIN;
        }
        p->fd = steal_fd(&own);
        (void) pthread_mutex_lock(&u->lock);
        u->wake_fd = p->fd;
        (void) pthread_mutex_unlock(&u->lock);
        return 0;
}

static int send_question(const UnwindRules *u, const RuleQuestion *q, int file) {
        union {
                struct cmsghdr header;
                uint8_t bytes[CMSG_SPACE(sizeof(int))];
        } control = {};
        struct iovec v = { (void *) q, sizeof(*q) };
        struct msghdr mh = { .msg_iov = &v, .msg_iovlen = 1 };

        if (file >= 0)
                descriptors_to_message(&mh, &control, &file, 1);
        return sendmsg(u->process.fd, &mh, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* -EPIPE: the process ended, did not answer, or answered nonsense. */
static int process_ask(UnwindRules *u, Question *q, int file, RuleStatus *ret) {
        const RuleQuestion question = { .address = q->address, .dso = q->dso, .number = ++u->number };
        struct pollfd p = { .fd = u->process.fd, .events = POLLIN };
        ssize_t n;
        int r;

        if (send_question(u, &question, file) < 0 || TEMP_FAILURE_RETRY(poll(&p, 1, ANSWER_MSEC)) <= 0)
                return -EPIPE;
        n = recv(u->process.fd, &u->answer, sizeof(u->answer), MSG_DONTWAIT);
        if (n <= 0)
                return -EPIPE;
        r = rule_answer_take(&u->answer, (size_t) n, question.number, ret, &q->rule, &q->frame);
        return r == -ENOMEM ? r : r < 0 ? -EPIPE : 0;
}

static int open_binary(const UnwindRules *u, const DsoHit *hit) {
        DsoSearch search;
        int fd;

        if (streq(hit->path, "[vdso]"))
                return vdso_image_open(NULL); /* all processes have the same one */
        dso_search_init(&search, u->root, NULL);
        fd = dso_source_open(&search, hit, NULL);
        dso_search_done(&search);
        return fd;
}

static int ask_once(UnwindRules *u, Question *q) {
        RuleStatus status = RULE_FOUND;
        _cleanup_close_ int file = -EBADF;
        int r = process_begin(u);

        if (r >= 0)
                r = process_ask(u, q, -EBADF, &status);
        if (r < 0 || status == RULE_FOUND)
                return r;
        file = open_binary(u, &q->hit);
        if (file < 0) {
                q->rule = (UnwindRule) { .start = q->address, .end = q->address + 1 };
                return 0;
        }
        r = process_ask(u, q, file, &status);
        return r >= 0 && status != RULE_FOUND ? -EPIPE : r;
}

static int note_bad(UnwindRules *u, uint32_t dso) {
        if (u->n_bad >= BAD_MAX)
                return 0;
        if (ARRAY_RESERVE_NEXT(u->bad, u->n_bad) < 0)
                return -ENOMEM;
        u->bad[u->n_bad++] = dso;
        return 0;
}

static int ask(UnwindRules *u, Question *q) {
        int r = -EPIPE;

        if (ANY_OF(u->n_bad, i, u->bad[i] == q->dso)) {
                q->rule = (UnwindRule) { .end = UINT64_MAX };
                return 0;
        }
        for (unsigned i = 0; i < 2 && r == -EPIPE; i++) {
                r = ask_once(u, q);
                if (r == -EPIPE)
                        process_end(u);
        }
        return r == -EPIPE ? note_bad(u, q->dso) : r;
}

static void forget(UnwindRules *u) {
        process_end(u);
        u->process.short_lives = 0;
        u->n_bad = 0;
        free(steal_ptr(u->bad));
}

/* Returns the next one after that which was answered last. */
static Question *next_question(UnwindRules *u) {
        for (size_t i = 1; i <= QUESTIONS_MAX; i++) {
                size_t number = (u->turn + i) % QUESTIONS_MAX;

                if (u->questions[number].state == QUESTION_ASKED) {
                        u->turn = number;
                        return u->questions + number;
                }
        }
        return NULL;
}

static void *run(void *userdata) {
        UnwindRules *u = userdata;

        (void) pthread_mutex_lock(&u->lock);
        while (!u->stop) {
                Question *q = next_question(u);
                bool fresh = u->forget;
                int r;

                if (!q) {
                        (void) pthread_cond_wait(&u->asked, &u->lock);
                        continue;
                }
                q->state = QUESTION_TAKEN;
                u->forget = false;
                (void) pthread_mutex_unlock(&u->lock);
                if (fresh)
                        forget(u);
                r = ask(u, q);
                (void) pthread_mutex_lock(&u->lock);
                q->error = r;
                q->state = u->forget ? QUESTION_NONE : QUESTION_ANSWERED;
                u->ready = u->process.pid > 0;
                (void) pthread_cond_signal(&u->answered);
        }
        (void) pthread_mutex_unlock(&u->lock);
        return NULL;
}

static void question_done(Question *q) {
        free(q->path);
        free(q->frame.operations);
        *q = (Question) {};
}

UnwindRules *unwind_rules_free(UnwindRules *u) {
        if (!u)
                return NULL;
        (void) pthread_mutex_lock(&u->lock);
        u->stop = true;
        if (u->wake_fd >= 0)
                (void) shutdown(u->wake_fd, SHUT_RDWR);
        (void) pthread_cond_signal(&u->asked);
        (void) pthread_mutex_unlock(&u->lock);
        if (u->has_thread)
                (void) pthread_join(u->thread, NULL);
        forget(u);
        for (size_t i = 0; i < QUESTIONS_MAX; i++)
                question_done(u->questions + i);
        (void) pthread_cond_destroy(&u->asked);
        (void) pthread_cond_destroy(&u->answered);
        (void) pthread_mutex_destroy(&u->lock);
        free(u);
        return NULL;
}

static int make_condition(pthread_cond_t *c) {
        pthread_condattr_t a;
        int r = pthread_condattr_init(&a);

        if (r != 0)
                return -r;
        (void) pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
        r = pthread_cond_init(c, &a);
        (void) pthread_condattr_destroy(&a);
        return -r;
}

int unwind_rules_new(const char *root, UnwindRules **ret) {
        _cleanup_(unwind_rules_freep) UnwindRules *u = calloc(1, sizeof(*u));
        int r;

        if (!u)
                return -ENOMEM;
        u->root = root;
        u->process.fd = u->wake_fd = -EBADF;
        (void) pthread_mutex_init(&u->lock, NULL);
        r = make_condition(&u->asked);
        if (r >= 0)
                r = make_condition(&u->answered);
        if (r >= 0)
                r = quiet_thread_start(&u->thread, run, u);
        if (r < 0)
                return r;
        u->has_thread = true;
        *ret = steal_ptr(u);
        return 0;
}

void unwind_rules_begin_round(UnwindRules *u, usec_t time) {
        u->time = time;
        for (size_t i = 0; i < QUESTIONS_MAX; i++)
                u->questions[i].late = false;
}

/* Waits for three quarters of the time that is left, so that something is left for others. False: it takes too long. */
static bool wait_answer(UnwindRules *u, Question *q) {
        usec_t begin = now_usec(CLOCK_MONOTONIC), time = u->ready ? u->time / 4 * 3 : u->time, end = begin + time;
        const struct timespec t = {
                .tv_sec = (time_t) (end / USEC_PER_SEC), .tv_nsec = (long) (end % USEC_PER_SEC * NSEC_PER_USEC),
        };

        while (q->state != QUESTION_ANSWERED)
                if (q->late || time == 0 || pthread_cond_timedwait(&u->answered, &u->lock, &t) != 0)
                        break;
        u->time -= MIN_OF(u->time, now_usec(CLOCK_MONOTONIC) - begin);
        q->late = q->state != QUESTION_ANSWERED;
        return !q->late;
}

/* Returns the place of a binary's question, or one for it. NULL: the thread has too many to answer. */
static Question *find_question(UnwindRules *u, uint32_t dso) {
        Question *room = NULL;

        for (Question *q = u->questions; q < u->questions + QUESTIONS_MAX; q++) {
                if (q->state != QUESTION_NONE && q->dso == dso)
                        return q;
                if ((q->state == QUESTION_NONE && (!room || room->state != QUESTION_NONE)) ||
                    (q->state == QUESTION_ANSWERED && !room))
                        room = q;
        }
        return room;
}

static int put_question(UnwindRules *u, Question *q, uint32_t dso, const DsoHit *hit, uint64_t address) {
        question_done(q); /* one whose answer was not wanted any more */
        q->path = strdup(hit->path);
        if (!q->path)
                return -ENOMEM;
        q->hit = *hit;
        q->hit.path = q->path;
        q->dso = dso;
        q->address = address;
        q->state = QUESTION_ASKED;
        (void) pthread_cond_signal(&u->asked);
        return 0;
}

static int find_locked(UnwindRules *u, uint32_t dso, const DsoHit *hit, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        Question *q = find_question(u, dso);
        int r = 0;

        if (!q)
                return -EAGAIN;
        if (q->dso == dso && (q->state == QUESTION_ASKED || q->state == QUESTION_TAKEN) && !wait_answer(u, q))
                return -EAGAIN;
        if (q->state != QUESTION_ANSWERED || q->dso != dso || q->address != address)
                r = put_question(u, q, dso, hit, address);
        if (r < 0)
                return r;
        if (!wait_answer(u, q))
                return -EAGAIN;
        r = q->error;
        if (r >= 0) {
                *ret = q->rule;
                *ret_frame = q->frame;
                q->frame = (UnwindFrame) {};
        }
        question_done(q);
        return r;
}

int unwind_rules_find(UnwindRules *u, uint32_t dso, const DsoHit *hit, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        int r;

        (void) pthread_mutex_lock(&u->lock);
        r = find_locked(u, dso, hit, address, ret, ret_frame);
        (void) pthread_mutex_unlock(&u->lock);
        return r;
}

void unwind_rules_forget(UnwindRules *u) {
        (void) pthread_mutex_lock(&u->lock);
        u->forget = true;
        for (size_t i = 0; i < QUESTIONS_MAX; i++)
                if (u->questions[i].state != QUESTION_TAKEN)
                        u->questions[i].state = QUESTION_NONE;
        (void) pthread_mutex_unlock(&u->lock);
}
