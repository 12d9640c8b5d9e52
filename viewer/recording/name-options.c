/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each verb that names code looks for names in the same way, with the same options. */

#include "name-options.h"

#include <fcntl.h>
#include <limits.h>

#include "debug-data.h"
#include "demangle.h"
#include "utf8.h"

/* Remarks that a verb makes once: those that were made. */
static struct {
        bool refused, limited, kernel;
} reported;

/* The sandbox takes away the right to open it later. */
int name_options_take_file(void *fd, const ViewOption *option, const char *value) {
        _cleanup_close_ int opened = open(value, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        int above = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), *to = fd;

        if (above < 0)
                return option_fail(option->name, value, strerror(errno));
        if (*to > 0)
                (void) close(*to);
        *to = above;
        return 0;
}

void name_options_done(NameOptions *o) {
        if (o->vmlinux > 0)
                (void) close(o->vmlinux);
        if (o->kallsyms > 0)
                (void) close(o->kallsyms);
        debuginfod_process_free(o->debuginfod);
        *o = (NameOptions) {};
}

int name_options_begin(NameOptions *o) {
        int r = o->fetch ? debuginfod_process_new(&o->debuginfod) : 0;

        reported.refused = reported.limited = reported.kernel = false;
        if (r == -ENOKEY)
                (void) fprintf(stderr, "--debuginfod: the environment variable DEBUGINFOD_URLS does not name a server\n");
        else if (r == -EOPNOTSUPP)
                (void) fprintf(stderr, "--debuginfod needs the library libdebuginfod.so.1, which is not installed "
                               "(Debian's package libdebuginfod1)\n");
        else if (r < 0)
                (void) fprintf(stderr, "--debuginfod: failed to start the process that fetches files: %s\n", strerror(-r));
        return r;
}

static int names_expand(void *userdata, const void *data, size_t size) {
        static uint64_t left = DEBUG_DATA_MAX;

        return debug_data_expand(data, size, &left);
}

static int fetch(void *userdata, const BuildId *id, bool binary) {
        const NameOptions *o = userdata;

        return debuginfod_process_fetch(o->debuginfod, id, binary ? DEBUGINFOD_BINARY : DEBUGINFOD_SYMBOLS);
}

static const char *id_text(const BuildId *id, char text[static BUILD_ID_TEXT_SIZE]) {
        if (id->size == 0)
                return "none";
        build_id_format(id, text);
        return text;
}

static void print_refused(const char *path, const BuildId *recorded, const BuildId *present, const char *more) {
        char was[BUILD_ID_TEXT_SIZE], is[BUILD_ID_TEXT_SIZE];
        _cleanup_free_ char *name = utf8_line(path, SIZE_MAX, PATH_MAX);

        if (recorded->size == 0)
                (void) fprintf(stderr, "%s may not be the file that was recorded, and is not used: the recording has neither a "
                               "build id of it nor its present inode; --symfs=/ uses the files that are here%s\n",
                               name ?: "A file", more);
        else
                (void) fprintf(stderr, "%s is not the file that was recorded, and is not used: its build id is %s, that of the "
                               "recording %s%s\n", name ?: "A file", id_text(present, is), id_text(recorded, was), more);
}

static void refuse_all(void *userdata, const char *path, const BuildId *recorded, const BuildId *present) {
        print_refused(path, recorded, present, "");
}

/* Reports the first one only: the files of a machine that was upgraded are all others. */
static void refuse_first(void *userdata, const char *path, const BuildId *recorded, const BuildId *present) {
        if (!reported.refused)
                print_refused(path, recorded, present, " (--verbose shows all such files)");
        reported.refused = true;
}

static void limit_all(void *userdata, const char *path) {
        _cleanup_free_ char *name = utf8_line(path, SIZE_MAX, PATH_MAX);

        (void) fprintf(stderr, "%s has symbols, or a separate file of them, above the limits: some functions have no names\n",
                       name ?: "A file");
}

static void limit_first(void *userdata, const char *path) {
        if (!reported.limited)
                limit_all(userdata, path);
        reported.limited = true;
}

static const char *kernel_trouble(KernelTrouble trouble) {
        switch (trouble) {
        case KERNEL_MOVED:
                return "it is not known where in memory it was";
        case KERNEL_HIDDEN:
                return "this kernel hides its addresses from this user (sysctl kernel.kptr_restrict)";
        case KERNEL_NAMED_BROKEN:
                return "a file that was named has no symbols of a kernel";
        case KERNEL_NAMED_OTHER:
                return "the file that was named is another kernel's";
        default:
                return "another kernel runs here, and no vmlinux of the recorded one is found (see --vmlinux)";
        }
}

static void miss_kernel(void *userdata, KernelTrouble trouble, const char *release, const BuildId *recorded,
                        const BuildId *present) {
        _cleanup_free_ char *name = release ? utf8_line(release, SIZE_MAX, NAME_MAX) : NULL;
        char was[BUILD_ID_TEXT_SIZE], is[BUILD_ID_TEXT_SIZE];

        if (reported.kernel)
                return;
        reported.kernel = true;
        (void) fprintf(stderr, trouble >= KERNEL_NAMED_BROKEN ? "A file of %s%s (build id %s) is not used: %s" :
                       "Functions of %s%s (build id %s) have no names: %s", name ? "kernel " : "the recorded kernel", name ?: "",
                       id_text(recorded, was), kernel_trouble(trouble));
        if (trouble == KERNEL_OTHER)
                (void) fprintf(stderr, "; the build id of this one is %s", id_text(present, is));
        (void) fputc('\n', stderr);
}

SymbolHelpers name_options_helpers(const NameOptions *o, bool verbose) {
        return (SymbolHelpers) {
                .expand = names_expand, .refuse = o->quiet ? NULL : verbose ? refuse_all : refuse_first,
                .limit = o->quiet ? NULL : verbose ? limit_all : limit_first,
                .miss_kernel = o->quiet ? NULL : miss_kernel,
                .fetch = o->debuginfod ? fetch : NULL, .userdata = (void *) o,
        };
}

/* perf-record(1) keeps the files of its recordings there, and perf-archive(1) packs them for another machine's. NULL: not known. */
static const char *find_cache(void) {
        static char path[PATH_MAX];
        const char *home = getenv("HOME");

        if (!home || *home != '/' || snprintf(path, sizeof(path), "%s/.debug", home) >= (int) sizeof(path))
                return NULL;
        return path;
}

SymbolSources name_options_sources(const RecordingInput *in, const SymbolHelpers *helpers) {
        return (SymbolSources) {
                .directory = in->symbols, .named = in->symfs, .root = "", .cache = find_cache(), .helpers = helpers,
        };
}

int name_options_symbols(const NameOptions *o, bool verbose, const RecordingInput *in, Symbols **ret) {
        const SymbolHelpers helpers = name_options_helpers(o, verbose);
        SymbolSources sources = name_options_sources(in, &helpers);
        int r;

        sources.frames = !o->plain_addresses;
        sources.vmlinux = o->vmlinux;
        sources.kallsyms = o->kallsyms;
        demangle_set_raw(o->raw);
        r = symbols_new(&sources, ret);
        return r < 0 ? r : symbols_identify_kernel(*ret, in->reader);
}
