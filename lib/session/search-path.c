/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The directories of configuration: the system's, or the user's by the XDG base directory specification before the vendors'.
 * Relative paths in the environment are ignored, as that specification says. */

#include "search-path.h"

#include "fd-file.h"
#include "load.h"

#define N_OWN_ROOTS 2 /* /etc and /run, or the user's own */

int user_directory(const char *variable, const char *fallback, char **ret) {
        const char *value = getenv(variable), *home = getenv("HOME");
        char *path;

        if (value && *value == '/')
                path = strdup(value);
        else if (home && *home == '/')
                path = path_join(home, fallback);
        else
                return -ENOENT;
        if (!path)
                return -ENOMEM;

        *ret = path;
        return 0;
}

static int user_roots(char ***roots) {
        _cleanup_free_ char *configuration = NULL;
        const char *runtime = getenv("XDG_RUNTIME_DIR");
        int r = user_directory("XDG_CONFIG_HOME", ".config", &configuration);

        if (r < 0)
                return r;
        r = strv_extendf(roots, "%s/perf-recorder", configuration);
        if (r < 0)
                return r;
        if (runtime && *runtime == '/')
                return strv_extendf(roots, "%s/perf-recorder", runtime);
        return strv_extendf(roots, "/run/user/%u/perf-recorder", (unsigned) getuid());
}

int search_path_roots(bool user, char ***ret) {
        _cleanup_strv_free_ char **roots = NULL;
        int r = user ? user_roots(&roots) : strv_extend(&roots, "/etc/perf-recorder");

        if (r >= 0 && !user)
                r = strv_extend(&roots, "/run/perf-recorder");
        if (r < 0)
                return r;
        r = strv_extend(&roots, "/usr/local/lib/perf-recorder");
        if (r < 0)
                return r;
        r = strv_extend(&roots, "/usr/lib/perf-recorder");
        if (r < 0)
                return r;

        *ret = steal_ptr(roots);
        return 0;
}

int search_path_from_environment(const char *variable, char ***ret) {
        _cleanup_strv_free_ char **elements = NULL;
        const char *value = getenv(variable);

        while (value && *value) {
                size_t n = strcspn(value, ":");
                int r = *value == '/' ? strv_consume(&elements, strndup(value, n)) : 0;

                if (r < 0)
                        return r;
                value += n + (value[n] == ':');
        }
        if (!elements)
                return 0;

        *ret = steal_ptr(elements);
        return 1;
}

int search_path_init(SearchPath *p, bool user) {
        _cleanup_strv_free_ char **directories = NULL, **roots = NULL;
        int r = search_path_from_environment("PERF_RECORDER_SESSION_PATH", &directories);

        if (r < 0)
                return r;
        if (r > 0) {
                size_t n = strv_length(directories);

                *p = (SearchPath) { .directories = steal_ptr(directories), .n_enabled = n };
                return 0;
        }

        r = search_path_roots(user, &roots);
        if (r < 0)
                return r;
        STRV_FOREACH(root, roots) {
                r = strv_extendf(&directories, "%s/sessions.d", *root);
                if (r < 0)
                        return r;
        }
        *p = (SearchPath) { .directories = steal_ptr(directories), .n_enabled = N_OWN_ROOTS };
        return 0;
}

void search_path_done(SearchPath *p) {
        p->directories = strv_free(p->directories);
        free(p->perf_config);
        p->perf_config = NULL;
}
