/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A walk calls its user, so that several ones at once need a stack each: they are threads, of which all but one wait. A walk that
 * has not shown anything yet comes first, since it is not known of which time its first line is.
 *
 * Invariant: only the runner is not waiting, and it is one that has not ended as long as there is one. The others hold no lock and
 * neither begin nor exit beside it, so that it can fork. */

#include "recording-turns.h"

#include <pthread.h>

#include "array.h"

typedef struct Turn {
        RecordingTurns *turns;
        size_t number;
        pthread_t thread;
        pthread_cond_t come;
        uint64_t time;
        bool ended;
        int result;
} Turn;

struct RecordingTurns {
        pthread_mutex_t lock;
        pthread_cond_t changed; /* all threads wait for their turn; all have ended */
        Turn *turns;
        size_t n, n_started, n_waiting;
        size_t runner; /* n: none does */
        bool cancelled;
        RecordingTurnsUser *user;
        void *userdata;
};

/* Under the lock. Equal times come in the order of the recordings. */
static void choose_runner(RecordingTurns *t) {
        size_t next = t->n;

        for (size_t i = 0; i < t->n; i++)
                if (!t->turns[i].ended && (next == t->n || t->turns[i].time < t->turns[next].time))
                        next = i;
        if (next == t->runner)
                return;
        t->runner = next;
        (void) pthread_cond_broadcast(next == t->n ? &t->changed : &t->turns[next].come);
}

/* Under the lock. */
static void await_turn(RecordingTurns *t, size_t number) {
        while (t->runner != number)
                (void) pthread_cond_wait(&t->turns[number].come, &t->lock);
}

int recording_turns_wait(RecordingTurns *t, size_t number, uint64_t time) {
        bool cancelled;

        if (t->n == 1)
                return 0;
        (void) pthread_mutex_lock(&t->lock);
        t->turns[number].time = time;
        choose_runner(t);
        await_turn(t, number);
        cancelled = t->cancelled;
        (void) pthread_mutex_unlock(&t->lock);
        return cancelled ? -ECANCELED : 0;
}

void recording_turns_cancel(RecordingTurns *t) {
        (void) pthread_mutex_lock(&t->lock);
        t->cancelled = true;
        (void) pthread_mutex_unlock(&t->lock);
}

static void *run_turn(void *userdata) {
        Turn *turn = userdata;
        RecordingTurns *t = turn->turns;
        bool cancelled;

        (void) pthread_mutex_lock(&t->lock);
        t->n_waiting++;
        (void) pthread_cond_signal(&t->changed);
        await_turn(t, turn->number);
        cancelled = t->cancelled;
        (void) pthread_mutex_unlock(&t->lock);
        if (!cancelled)
                turn->result = t->user(t->userdata, turn->number, t);
        (void) pthread_mutex_lock(&t->lock);
        turn->ended = true;
        choose_runner(t);
        while (t->runner < t->n)
                (void) pthread_cond_wait(&t->changed, &t->lock);
        (void) pthread_mutex_unlock(&t->lock);
        return NULL;
}

/* Walks that were not started have ended. */
static int start_all(RecordingTurns *t) {
        int r = 0;

        (void) pthread_mutex_lock(&t->lock);
        for (size_t i = 0; i < t->n; i++) {
                Turn *turn = t->turns + i;

                *turn = (Turn) { .turns = t, .number = i, .ended = r != 0 };
                (void) pthread_cond_init(&turn->come, NULL);
                if (r == 0)
                        r = pthread_create(&turn->thread, NULL, run_turn, turn);
                turn->ended = r != 0;
                t->n_started += r == 0;
        }
        t->cancelled = r != 0;
        while (t->n_waiting < t->n_started)
                (void) pthread_cond_wait(&t->changed, &t->lock);
        choose_runner(t);
        (void) pthread_mutex_unlock(&t->lock);
        return -r;
}

int recording_turns_run(size_t n, RecordingTurnsUser *user, void *userdata) {
        RecordingTurns t = {
                .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .n = n, .runner = n, .user = user,
                .userdata = userdata,
        };
        int r;

        if (n == 1)
                return user(userdata, 0, &t);
        t.turns = calloc(n + 1, sizeof(*t.turns));
        if (!t.turns)
                return -ENOMEM;
        r = start_all(&t);
        for (size_t i = 0; i < n; i++) {
                if (i < t.n_started) {
                        (void) pthread_join(t.turns[i].thread, NULL);
                        if (r >= 0)
                                r |= t.turns[i].result;
                }
                (void) pthread_cond_destroy(&t.turns[i].come);
        }
        free(t.turns);
        return r;
}
