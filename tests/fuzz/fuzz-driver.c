/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Runs a fuzzer's samples without libFuzzer, so that each of them is an ordinary test with any compiler:
 * fuzz-NAME FOLDER. A folder without samples is a failure, since nothing would have been tested. */

#include "fd-file.h"
#include "fuzz.h"
#include "strv.h"

#define SAMPLES_MAX 10000
#define SAMPLE_SIZE_MAX (4 * 1024 * 1024) /* bytes */

/* A copy of exactly that size, so that the sanitizer sees a read beyond its end. */
static int run_sample(const char *path) {
        _cleanup_free_ char *text = NULL;
        _cleanup_free_ uint8_t *data = NULL;
        size_t size;
        int r;

        r = read_file(path, SAMPLE_SIZE_MAX, &text, &size);
        if (r < 0)
                return r;
        data = malloc(size > 0 ? size : 1);
        if (!data)
                return -ENOMEM;
        memcpy(data, text, size);

        fprintf(stderr, "%s\n", path);
        return LLVMFuzzerTestOneInput(data, size);
}

static int run_folder(const char *folder) {
        _cleanup_strv_free_ char **names = NULL;
        int r;

        r = list_directory(folder, SAMPLES_MAX, &names);
        if (r < 0)
                return r;
        if (!names)
                return -ENODATA;

        STRV_FOREACH(name, names) {
                _cleanup_free_ char *path = path_join(folder, *name);

                r = path ? run_sample(path) : -ENOMEM;
                if (r < 0)
                        return r;
        }
        return 0;
}

int main(int argc, char *argv[]) {
        int r;

        if (argc != 2) {
                fprintf(stderr, "Usage: %s FOLDER\n", argv[0]);
                return EXIT_FAILURE;
        }

        r = run_folder(argv[1]);
        if (r < 0)
                fprintf(stderr, "%s: %s\n", argv[1], strerror(-r));
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
