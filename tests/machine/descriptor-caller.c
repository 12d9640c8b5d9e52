/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Calls the service with as many descriptors attached as the argument says: "descriptor-caller NUMBER". Prints the error's name. */

#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

int main(int argc, char **argv) {
        sd_bus_error e = SD_BUS_ERROR_NULL;
        sd_bus_message *m = NULL;
        sd_bus *bus = NULL;
        int r = sd_bus_open_system(&bus);

        if (r >= 0)
                r = sd_bus_message_new_method_call(bus, &m, "org.perfrecorder1", "/org/perfrecorder1", "org.freedesktop.DBus.Peer",
                                                   "Ping");
        for (long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1; r >= 0 && n > 0; n--)
                r = sd_bus_message_append(m, "h", 0);
        if (r >= 0)
                r = sd_bus_call(bus, m, 0, &e, NULL);
        if (r < 0)
                printf("%s\n", e.name ? e.name : "no answer");
        sd_bus_error_free(&e);
        sd_bus_message_unref(m);
        sd_bus_flush_close_unref(bus);
        return r < 0;
}
