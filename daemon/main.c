/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorderd: options, then the manager, the adoption of running recorders, the bus, and the event loop.
 * manager.c and its neighbours do the work, bus.c and its neighbours serve D-Bus. */

#include <fcntl.h>
#include <getopt.h>
#include <signal.h>

#include "bus.h"
#include "journal.h"
#include "manager.h"

typedef struct Daemon {
        sd_event *event;
        Manager *manager;
        Bus *bus;
        bool user;
} Daemon;

static void show_help(void) {
        puts("perf-recorderd [OPTION…]\n\n"
             "Runs recording sessions and serves them on D-Bus.\n\n"
             "  -h --help       Show this help\n"
             "     --version    Show the version\n"
             "     --user       Serve the user's sessions on the user's bus\n"
             "     --base=PATH  Keep everything below PATH instead of BaseDirectory=\n\n"
             "See perf-recorderd(8).");
}

/* Returns 1 to go on, 0 if there is nothing more to do, or a negative errno. */
static int parse_options(int argc, char **argv, ManagerOptions *o) {
        enum { OPTION_VERSION = 0x100, OPTION_USER, OPTION_BASE };
        static const struct option options[] = {
                { "help", no_argument, NULL, 'h' },
                { "version", no_argument, NULL, OPTION_VERSION },
                { "user", no_argument, NULL, OPTION_USER },
                { "base", required_argument, NULL, OPTION_BASE },
                {},
        };
        int c;

        while ((c = getopt_long(argc, argv, "h", options, NULL)) >= 0)
                switch (c) {
                case 'h':
                        show_help();
                        return 0;
                case OPTION_VERSION:
                        puts("perf-recorder " PR_VERSION);
                        return 0;
                case OPTION_USER:
                        o->user = true;
                        break;
                case OPTION_BASE:
                        o->base_directory = optarg;
                        break;
                default:
                        return -EINVAL;
                }
        if (optind < argc) {
                fprintf(stderr, "%s: it takes no arguments, only options\n", argv[0]);
                return -EINVAL;
        }
        if (o->base_directory && *o->base_directory != '/') {
                fprintf(stderr, "%s: --base= takes an absolute path\n", argv[0]);
                return -EINVAL;
        }
        return 1;
}

/* The bus is served once all running sessions are known, so that nobody can start a second recorder for one. */
static void on_adopted(int error, void *userdata) {
        Daemon *d = userdata;
        int r = error;

        if (r >= 0) {
                r = bus_new(d->event, d->manager, d->user, &d->bus);
                if (r == -EEXIST)
                        journal_log(LOG_ERR, "Another perf-recorderd has the name on the bus. Stop it first");
                else if (r < 0)
                        journal_log(LOG_ERR, "Cannot serve the bus: %s", strerror(-r));
        }
        if (r >= 0)
                r = manager_begin(d->manager);
        if (r < 0)
                (void) sd_event_exit(d->event, r);
}

static int run(Daemon *d, const ManagerOptions *o) {
        int r;

        d->user = o->user;
        journal_init(o->user);
        r = sd_event_default(&d->event);
        if (r >= 0)
                r = manager_new(d->event, o, &d->manager);
        if (r >= 0)
                r = manager_adopt_from_scopes(d->manager, on_adopted, d);
        return r < 0 ? r : sd_event_loop(d->event);
}

/* Opens descriptors 0 to 2 if they are closed, so that no other file gets their numbers. */
static void open_standard_descriptors(void) {
        int fd;

        do
                fd = open("/dev/null", O_RDWR);
        while (fd >= 0 && fd <= STDERR_FILENO);
        safe_close(fd);
}

int main(int argc, char **argv) {
        ManagerOptions options = {};
        Daemon d = {};
        int r;

        open_standard_descriptors();
        r = parse_options(argc, argv, &options);
        if (r > 0) {
                (void) signal(SIGPIPE, SIG_IGN);
                r = run(&d, &options);
                bus_free(d.bus);
                manager_free(d.manager);
                sd_event_unref(d.event);
        }
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
