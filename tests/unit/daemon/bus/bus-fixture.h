/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/bus-names.h>

#include "bus.h"
#include "fake-manager.h"
#include "private-bus.h"

/* The service on a private bus above a manager in memory, and a client of it. */

typedef struct Fixture {
        PrivateBus bus;
        Manager *manager;
        Bus *service;
        sd_bus *client;
} Fixture;

extern Fixture fixture;

void fixture_setup_user(void);   /* as on the user's bus: no polkit */
void fixture_setup_system(void); /* as on the system bus */
void fixture_teardown(void);

/* Calls a method of the service: 0, or the errno that sd-bus returns; e has the error's name. types and the rest are
 * its arguments. */
int fixture_call(sd_bus_error *e, sd_bus_message **ret, const char *path, const char *interface, const char *member,
                 const char *types, ...);
/* Calls it too, and requires that it fails with that name. */
void fixture_call_fails(const char *error_name, const char *path, const char *interface, const char *member,
                        const char *types, ...);

#define MANAGER_CALL(e, ret, ...) fixture_call(e, ret, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, __VA_ARGS__)
#define MANAGER_FAILS(name, ...) fixture_call_fails(name, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, __VA_ARGS__)

/* Sets *flag at each of these signals of the service. */
void fixture_match(sd_bus_slot **slot, const char *path, const char *interface, const char *member, bool *flag);

/* Returns the interface's part of the reply to Introspect on path, or of a file, without comments and indentation: a
 * new string. */
char *fixture_introspect(const char *path, const char *interface);
char *fixture_read_interface(const char *file, const char *interface);
