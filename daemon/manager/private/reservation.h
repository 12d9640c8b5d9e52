/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counter-proof.h"
#include "manager-parts.h"

/* Counters of one kind that a caller borrows from all sessions, for as long as it or its children hold a descriptor. */

typedef struct Reservation {
        Manager *manager;
        CounterKind kind;
        unsigned n; /* of each CPU */
        char *who, *why;
        Caller caller;
        usec_t since; /* µs since the epoch, when it was granted; 0: it is being asked for */

        int fd;       /* our end of the pipe; -EBADF until it is granted */
        int state_fd; /* the text in the descriptor store */
        sd_event_source *hangup;

        /* while it is being asked for */
        sd_event_source *timer; /* ends the wait for the sessions, then for the next proof */
        unsigned n_proofs;
        ReserveDone done;
        void *userdata;
} Reservation;

struct Reservations {
        Manager *manager;
        const CounterProofOps *proof;
        Reservation *all[_COUNTER_KIND_MAX]; /* granted or asked for; NULL: there is none */
        sd_event_source *look; /* at the sessions that are asked */
};

int reservation_new(Manager *m, const ReserveRequest *request, const Caller *caller, Reservation **ret);
Reservation *reservation_free(Reservation *r); /* says nothing to anybody; what is in the descriptor store stays */
DEFINE_CLEANUP(Reservation *, reservation_free);

/* Makes the pipe, and keeps our end and what is known of it in the descriptor store. *ret_fd is the caller's end. */
int reservation_grant(Reservation *r, int *ret_fd);

/* Calls the handler when nobody holds the other end any more. */
int reservation_watch(Reservation *r, sd_event_io_handler_t handler);

/* Restores one that a previous daemon granted, and takes the descriptors. */
int reservation_restore(Manager *m, CounterKind kind, int fd, int state_fd, Reservation **ret);
void reservation_forget(const Reservation *r); /* it is no longer for the next daemon */

#define RESERVATION_STORE_PREFIX "reservation-" /* a kind follows: its name in the descriptor store */

char *reservation_describe(const Reservation *r); /* "hardware:2", as it was claimed; NULL: no memory */
