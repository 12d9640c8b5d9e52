/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A dump is opened here, by the service or by its path, and read in the viewer, which gets descriptors and needs no right to open
 * what they lead to. */

#include "viewed-dump.h"

#include <fcntl.h>

#include "exit-status.h"
#include "strv.h"

void viewed_dump_done(ViewedDump *d) {
        json_object_put(d->dump);
        dump_symbols_done(&d->symbols);
        d->fd = safe_close(d->fd);
        d->dump = NULL;
}

int viewed_dump_open(ViewedDump *d, DumpSource *source, const char *word, bool symbols) {
        int status = dump_source_find_and_open(source, word, &d->dump, &d->fd);

        if (status == STATUS_OK && symbols)
                (void) dump_source_open_symbols(source, d->dump, &d->symbols);
        return status;
}

int viewed_dump_make(ViewedDump *d, DumpSource *source, const char *session, bool symbols) {
        int status = dump_source_make(source, session, &d->dump);

        if (status == STATUS_OK)
                status = dump_source_open(source, d->dump, &d->fd);
        if (status == STATUS_OK && symbols)
                (void) dump_source_open_symbols(source, d->dump, &d->symbols);
        return status;
}

int viewed_dump_add_words(const ViewedDump *d, int input, char ***words) {
        int r = input == STDIN_FILENO ? strv_extend(words, "--input=-") : strv_extendf(words, "--input=&%d", input);

        if (r >= 0)
                r = strv_extendf(words, "--input-name=%s", dump_name(d->dump));
        if (r >= 0 && d->symbols.path)
                r = strv_extendf(words, "--symfs=%s", d->symbols.path);
        if (r >= 0 && d->symbols.fd >= 0 && fcntl(d->symbols.fd, F_SETFD, 0) < 0)
                r = -errno;
        return r;
}
