/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Runs a fuzzer's samples without libFuzzer, so that each of them is an ordinary test with any compiler: fuzz-NAME
 * FOLDER, or fuzz-NAME FILE for a file that has a sample a line (see the script "samples"). Without a sample it fails,
 * since nothing was tested. */

#include <ctype.h>
#include <sys/stat.h>

#include "fd-file.h"
#include "fuzz.h"
#include "strv.h"

#define SAMPLES_MAX 10000
#define SAMPLE_SIZE_MAX (4 * 1024 * 1024) /* bytes */

/* Copies the sample, so that the sanitizer detects a read beyond its end. */
static int run_bytes(const void *bytes, size_t size) {
        _cleanup_free_ uint8_t *data = malloc(size > 0 ? size : 1);

        if (!data)
                return -ENOMEM;
        memcpy(data, bytes, size);
        return LLVMFuzzerTestOneInput(data, size);
}

static int run_sample(const char *path) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r;

        r = read_file(path, SAMPLE_SIZE_MAX, &text, &size);
        if (r < 0)
                return r;
        fprintf(stderr, "%s\n", path);
        return run_bytes(text, size);
}

/* Works in place. Returns the sample's size, or -EBADMSG for any escape except "\\" and "\xHH". */
static ssize_t unescape(char *line) {
        char *to = line;

        for (const char *p = line; *p; p++) {
                if (*p != '\\') {
                        *to++ = *p;
                } else if (p[1] == '\\') {
                        *to++ = *++p;
                } else if (p[1] == 'x' && isxdigit((unsigned char) p[2]) && isxdigit((unsigned char) p[3])) {
                        const char digits[] = { p[2], p[3], 0 };

                        *to++ = (char) strtoul(digits, NULL, 16);
                        p += 3;
                } else {
                        return -EBADMSG;
                }
        }
        return to - line;
}

static int run_lines(const char *path) {
        _cleanup_free_ char *text = NULL;
        unsigned n = 0;
        char *rest;
        int r;

        r = read_file(path, SAMPLE_SIZE_MAX, &text, NULL);
        if (r < 0)
                return r;
        rest = text;
        while (rest && *rest) {
                char *line = strsep(&rest, "\n");
                ssize_t size = unescape(line);

                fprintf(stderr, "%s:%u\n", path, ++n);
                r = size < 0 ? (int) size : run_bytes(line, (size_t) size);
                if (r < 0)
                        return r;
        }
        return n > 0 ? 0 : -ENODATA;
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
        struct stat st;
        int r;

        if (argc != 2) {
                fprintf(stderr, "Usage: %s FOLDER|FILE\n", argv[0]);
                return EXIT_FAILURE;
        }

        if (stat(argv[1], &st) < 0)
                r = -errno;
        else
                r = S_ISDIR(st.st_mode) ? run_folder(argv[1]) : run_lines(argv[1]);
        if (r < 0)
                fprintf(stderr, "%s: %s\n", argv[1], strerror(-r));
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
