/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A caller that sends faster than it reads: "bus-flood CONNECTIONS CALLS" asks the service for all objects, CALLS times on each
 * connection, prints a line, and reads no answer until it is killed. */

#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static int ask(sd_bus *bus) {
        sd_bus_message *m = NULL;
        int r = sd_bus_message_new_method_call(bus, &m, "org.perfrecorder1", "/org/perfrecorder1",
                                               "org.freedesktop.DBus.ObjectManager", "GetManagedObjects");

        if (r >= 0)
                r = sd_bus_send(bus, m, &(uint64_t) { 0 }); /* with a cookie: an answer is expected */
        sd_bus_message_unref(m);
        return r;
}

int main(int argc, char **argv) {
        long n_connections = argc > 1 ? strtol(argv[1], NULL, 10) : 1, n_calls = argc > 2 ? strtol(argv[2], NULL, 10) : 1;

        for (long i = 0; i < n_connections; i++) {
                sd_bus *bus = NULL;
                int r = sd_bus_open_system(&bus);

                for (long k = 0; r >= 0 && k < n_calls; k++)
                        r = ask(bus);
                if (r >= 0)
                        r = sd_bus_flush(bus);
                if (r < 0)
                        return 1;
        }
        printf("sent\n");
        (void) fflush(stdout);
        (void) pause();
        return 0;
}
