/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl daemon: the command line of "perf daemon", perf-daemon(1), for scripts that use it: its subcommands, options and
 * output, and its way to name a daemon by the base directory in --base= or in a perfconfig file. The daemon is always the
 * service; "start" restarts it with that base and the file's sessions (perf-daemon-run.c) unless it already records. As with
 * perf, users other than root have a daemon of their own: the user's service. */

#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "child-process.h"
#include "array.h"
#include "fd-file.h"
#include "import-perfconfig.h"
#include "load.h"
#include "perf-daemon.h"
#include "perf-daemon-run.h"
#include "strv.h"
#include "verbs.h"

#define SYSTEM_PERFCONFIG "/etc/perfconfig"

typedef struct DaemonLine DaemonLine;
typedef struct DaemonPlace DaemonPlace;
typedef int (*DaemonCommand)(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p);

struct DaemonLine {
        const char *command; /* the subcommand; NULL: list */
        const char *config, *base, *separator, *session; /* as given, or NULL */
        bool verbose, foreground;
};

/* The files of the command line, as absolute paths without links. */
struct DaemonPlace {
        char *config; /* NULL: none was given, and perf's default files do not exist */
        char *base;   /* NULL: neither the command line nor the file has one */
};

static void daemon_place_done(DaemonPlace *p) {
        free(p->config);
        free(p->base);
}

static int daemon_verb_fail(const char *format, ...) _printf_(1, 2);
static int daemon_verb_fail(const char *format, ...) {
        va_list ap;

        (void) fflush(stdout);
        (void) fputs("failed: ", stderr);
        va_start(ap, format);
        (void) vfprintf(stderr, format, ap);
        va_end(ap);
        (void) fputc('\n', stderr);
        return -EINVAL;
}

static void daemon_verb_print_help(void) {
        (void) puts("perfctl daemon [start|stop|signal|ping] [OPTIONS...]\n\n"
                    "The command line of perf daemon. Without a command, lists the sessions.\n\n"
                    "Options:\n"
                    "     --config=FILE        The perfconfig file with [daemon] and [session-NAME]\n"
                    "     --base=DIRECTORY     The base directory, instead of the file's base=\n"
                    "     --session=NAME       Signal or ping this session only\n"
                    "  -x --field-separator[=SEP]  List fields, separated by SEP or a comma\n"
                    "  -v --verbose            List more\n"
                    "  -f --foreground         With start: stay, show messages, stop with SIGINT or SIGTERM\n\n"
                    "See perfctl(1).");
}

/* 1: run the command; 0: done; otherwise a negative errno, and the reason has been printed. */
static int daemon_verb_parse(DaemonLine *l, char **arguments) {
        enum { OPTION_CONFIG = 0x100, OPTION_BASE, OPTION_SESSION_NAME };
        static const struct option longs[] = {
                { "help", no_argument, NULL, 'h' },
                { "config", required_argument, NULL, OPTION_CONFIG },
                { "base", required_argument, NULL, OPTION_BASE },
                { "session", required_argument, NULL, OPTION_SESSION_NAME },
                { "field-separator", optional_argument, NULL, 'x' },
                { "verbose", no_argument, NULL, 'v' },
                { "foreground", no_argument, NULL, 'f' },
                {},
        };
        int c, n = (int) strv_length(arguments) + 1;
        _cleanup_free_ char **words = calloc((size_t) n + 1, sizeof(char *)); /* a copy, because getopt sorts them */

        if (!words)
                return daemon_verb_fail("%s", strerror(ENOMEM));
        words[0] = (char *) "perfctl daemon";
        for (int i = 1; i < n; i++)
                words[i] = arguments[i - 1];
        optind = 0;
        while ((c = getopt_long(n, words, "hx::vf", longs, NULL)) >= 0)
                switch (c) {
                case 'h':
                        daemon_verb_print_help();
                        return 0;
                case OPTION_CONFIG:
                        l->config = optarg;
                        break;
                case OPTION_BASE:
                        l->base = optarg;
                        break;
                case OPTION_SESSION_NAME:
                        l->session = optarg;
                        break;
                case 'x':
                        l->separator = optarg ? optarg : ",";
                        break;
                case 'v':
                        l->verbose = true;
                        break;
                case 'f':
                        l->foreground = true;
                        break;
                default:
                        return -EINVAL;
                }
        if (n - optind > 1)
                return daemon_verb_fail("too many arguments; see 'perfctl daemon --help'");
        l->command = words[optind];
        return 1;
}

/* Finds the perfconfig file: the given one, otherwise the first that perf would read. 0 and NULL if there is none. */
static int daemon_place_find_config(const DaemonLine *l, char **ret) {
        const char *home = getenv("HOME");
        _cleanup_free_ char *own = home ? path_join(home, ".perfconfig") : NULL;
        const char *path = l->config;

        if (!path && access(SYSTEM_PERFCONFIG, R_OK) >= 0)
                path = SYSTEM_PERFCONFIG;
        else if (!path && own && access(own, R_OK) >= 0)
                path = own;
        if (!path)
                return 0;
        *ret = realpath(path, NULL);
        return *ret ? 0 : daemon_verb_fail("%s: %s", path, strerror(errno));
}

static int daemon_place_check_base(const char *base, char **ret) {
        struct stat st;

        *ret = realpath(base, NULL);
        if (!*ret)
                return errno == EACCES ? daemon_verb_fail("permission denied for '%s' base", base) :
                        errno == ENOENT ? daemon_verb_fail("base '%s' does not exist", base) :
                        daemon_verb_fail("can't access base '%s': %s", base, strerror(errno));
        if (stat(*ret, &st) < 0 || !S_ISDIR(st.st_mode))
                return daemon_verb_fail("base '%s' is not a directory", base);
        return 0;
}

/* warn: prints warnings about the file. p is zero-initialised; the caller frees it even after an error. */
static int daemon_place_find(const DaemonLine *l, bool warn, DaemonPlace *p) {
        _cleanup_(perfconfig_import_done) PerfconfigImport import = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *said = NULL;
        int r;

        r = daemon_place_find_config(l, &p->config);
        if (r < 0)
                return r;
        if (p->config && perfconfig_import_file(p->config, &import, &d) < 0) {
                said = diagnosis_format(&d);
                return daemon_verb_fail("%s", said ? said : strerror(ENOMEM));
        }
        STRV_FOREACH(w, import.warnings)
                if (warn)
                        (void) fprintf(stderr, "%s\n", *w);
        if (l->base || import.base)
                r = daemon_place_check_base(l->base ? l->base : import.base, &p->base);
        return r < 0 ? r : 0;
}

/* The service and its sessions. */
typedef struct DaemonService {
        BusClient *client;
        json_object *manager;
        SessionList sessions;
        PerfDaemon daemon; /* pid 0: the service does not run */
} DaemonService;

static void daemon_service_done(DaemonService *s) {
        session_list_done(&s->sessions);
        json_object_put(s->manager);
        bus_client_free(s->client);
}

static int daemon_service_ask(const ClientOptions *o, DaemonService *s) {
        int r = bus_client_open(o, &s->client);

        if (r < 0)
                return r;
        r = perf_daemon_ask(s->client, &s->manager, &s->daemon);
        if (r < 0 && bus_client_status(s->client) == STATUS_NOT_RUNNING)
                return 0;
        if (r >= 0)
                r = session_list_load(s->client, &s->sessions);
        if (r < 0)
                (void) bus_client_fail(s->client, "ask perf-recorderd");
        return r;
}

/* True if the service is the daemon of that place: it has the same base, or the same perfconfig file in PerfConfig=. */
static bool daemon_service_serves(const ClientOptions *o, const DaemonService *s, const DaemonPlace *p) {
        _cleanup_(daemon_settings_done) DaemonSettings settings = {};
        _cleanup_free_ char *base = realpath(s->daemon.base, NULL), *config = NULL;

        if (!p->base || streq(s->daemon.base, p->base) || streq_ptr(base, p->base))
                return true;
        if (!p->config || daemon_settings_load(o->user, &settings, NULL) < 0 || !settings.perf_config)
                return false;
        config = realpath(settings.perf_config, NULL);
        return streq_ptr(config, p->config);
}

static int daemon_service_find(const ClientOptions *o, const DaemonPlace *p, DaemonService *s) {
        int r = daemon_service_ask(o, s);

        if (r < 0)
                return r;
        if (s->daemon.pid == 0)
                return daemon_verb_fail("perf-recorderd is not running; 'perfctl daemon start' starts it");
        if (!daemon_service_serves(o, s, p))
                return daemon_verb_fail("no daemon has the base %s: perf-recorderd (pid %i) has %s", p->base, (int) s->daemon.pid,
                                        s->daemon.base);
        return 0;
}

static int daemon_verb_list(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p) {
        _cleanup_(daemon_service_done) DaemonService s = {};

        if (daemon_service_find(o, p, &s) < 0)
                return STATUS_FAILED;
        if (l->separator)
                perf_daemon_print_fields(stdout, &s.daemon, &s.sessions, l->separator);
        else
                perf_daemon_print_lines(stdout, &s.daemon, &s.sessions, l->verbose);
        return STATUS_OK;
}

/* Like perf, returns success if the daemon could be asked; scripts read the words. */
static int daemon_verb_ping(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p) {
        char *names[] = { (char *) l->session, NULL };
        _cleanup_(daemon_service_done) DaemonService s = {};

        if (daemon_service_find(o, p, &s) < 0)
                return STATUS_FAILED;
        if (l->session && !ANY_OF(s.sessions.n, i, streq(json_get_string(s.sessions.sessions[i], "Name"), l->session)))
                (void) printf("FAIL %s (not found)\n", l->session);
        else
                (void) verb_ping(o, l->session ? names : NULL);
        return STATUS_OK;
}

static int daemon_verb_signal(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p) {
        char *names[] = { (char *) l->session, NULL };
        _cleanup_(daemon_service_done) DaemonService s = {};

        if (daemon_service_find(o, p, &s) < 0)
                return STATUS_FAILED;
        return verb_signal(o, l->session ? names : NULL);
}

static int daemon_verb_stop(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p) {
        _cleanup_(daemon_service_done) DaemonService s = {};
        int status;

        if (daemon_service_find(o, p, &s) < 0)
                return STATUS_FAILED;
        status = verb_stop(o, NULL);
        return status == STATUS_OK ? perf_daemon_run_end(o) : status;
}

/* Fails if a restart of the service would end recordings. */
static int daemon_verb_check_free(const ClientOptions *o, const DaemonPlace *p) {
        _cleanup_(daemon_service_done) DaemonService s = {};
        size_t n;

        if (daemon_service_ask(o, &s) < 0)
                return -EIO;
        if (s.daemon.pid == 0)
                return 0;
        if (daemon_service_serves(o, &s, p))
                return daemon_verb_fail("another perf daemon (pid %i) owns %s", (int) s.daemon.pid, s.daemon.base);
        n = session_list_count_running(&s.sessions);
        if (n > 0)
                return daemon_verb_fail("perf-recorderd (pid %i) records %zu sessions in %s: 'perfctl stop' ends them; PerfConfig= "
                                        "in perf-recorderd.conf(5) has both", (int) s.daemon.pid, n, s.daemon.base);
        return 0;
}

typedef struct JournalFollow {
        bool user;
        const sigset_t *blocked;
} JournalFollow;

static void daemon_verb_follow_journal(void *userdata) {
        const JournalFollow *follow = userdata;

        (void) sigprocmask(SIG_UNBLOCK, follow->blocked, NULL);
        (void) execlp("journalctl", "journalctl", "--follow", "--output=cat", "--lines=0",
                      follow->user ? "--user-unit=perf-recorderd.service" : "--unit=perf-recorderd.service", (char *) NULL);
}

/* Waits until the daemon exits, and stops it on SIGINT or SIGTERM. */
static int daemon_verb_stay(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p, pid_t pid) {
        _cleanup_close_ int pidfd = pidfd_open(pid, 0), signal_fd = -EBADF;
        pid_t journal;
        sigset_t mask;

        (void) sigemptyset(&mask);
        (void) sigaddset(&mask, SIGINT);
        (void) sigaddset(&mask, SIGTERM);
        if (pidfd < 0 || sigprocmask(SIG_BLOCK, &mask, NULL) < 0)
                return verb_fail("wait for perf-recorderd", -errno);
        signal_fd = signalfd(-1, &mask, SFD_CLOEXEC);
        if (signal_fd < 0)
                return verb_fail("wait for signals", -errno);
        journal = child_start(daemon_verb_follow_journal, &(JournalFollow) { .user = o->user, .blocked = &mask });
        for (;;) {
                struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN }, { .fd = signal_fd, .events = POLLIN } };
                int n = poll(fds, ELEMENTSOF(fds), -1);

                if (n > 0 || errno != EINTR) {
                        int status = n > 0 && !fds[0].revents ? daemon_verb_stop(o, l, p) : perf_daemon_run_end(o);

                        if (journal > 0) {
                                (void) kill(journal, SIGTERM);
                                (void) child_wait(journal, NULL);
                        }
                        return status;
                }
        }
}

static int daemon_verb_start(const ClientOptions *o, const DaemonLine *l, const DaemonPlace *p) {
        _cleanup_(daemon_service_done) DaemonService s = {};
        int status;

        if (!p->config)
                daemon_verb_fail("config not found");
        else if (!p->base)
                daemon_verb_fail("base not defined");
        if (!p->config || !p->base || daemon_verb_check_free(o, p) < 0)
                return STATUS_FAILED;
        status = perf_daemon_run_begin(o, p->config, p->base);
        if (status != STATUS_OK)
                return status;
        if (daemon_service_find(o, p, &s) < 0)
                return STATUS_FAILED;
        return l->foreground ? daemon_verb_stay(o, l, p, s.daemon.pid) : STATUS_OK;
}

static DaemonCommand daemon_verb_find_command(const char *word) {
        static const struct {
                const char *word;
                DaemonCommand run;
        } commands[] = {
                { "start", daemon_verb_start },
                { "stop", daemon_verb_stop },
                { "signal", daemon_verb_signal },
                { "ping", daemon_verb_ping },
        };

        if (!word)
                return daemon_verb_list;
        for (size_t i = 0; i < ELEMENTSOF(commands); i++)
                if (streq(commands[i].word, word))
                        return commands[i].run;
        return NULL;
}

int verb_daemon(const ClientOptions *global, char **arguments) {
        _cleanup_(daemon_place_done) DaemonPlace place = {};
        ClientOptions o = *global;
        DaemonLine line = {};
        DaemonCommand run;
        int r;

        if (o.host || o.machine) {
                (void) daemon_verb_fail("'daemon' works on this machine only: run perfctl there");
                return STATUS_FAILED;
        }
        o.user = o.user || geteuid() != 0;
        r = daemon_verb_parse(&line, arguments);
        if (r <= 0)
                return r < 0 ? STATUS_FAILED : STATUS_OK;
        run = daemon_verb_find_command(line.command);
        if (!run)
                (void) daemon_verb_fail("unknown command '%s'", line.command);
        if (!run || daemon_place_find(&line, run == daemon_verb_start, &place) < 0)
                return STATUS_FAILED;
        return run(&o, &line, &place);
}
