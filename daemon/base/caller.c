/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A caller is described by what the kernel and /proc know of it. */

#include "caller.h"

#include "fd-file.h"
#include "parse-number.h"
#include "utf8.h"

static int read_of_process(pid_t pid, const char *name, char **ret) {
        char path[64];
        int r;

        snprintf(path, sizeof(path), "/proc/%d/%s", (int) pid, name);
        r = read_file(path, 256, ret, NULL);
        if (r >= 0)
                (*ret)[strcspn(*ret, "\n")] = '\0';
        return r;
}

void caller_init(Caller *c, uid_t uid, pid_t pid) {
        _cleanup_free_ char *comm = NULL, *login = NULL;
        char process[96] = "", login_text[48] = "";
        unsigned login_uid;

        *c = (Caller) { .uid = uid, .login_uid = UID_INVALID, .pid = pid };
        if (pid > 0 && read_of_process(pid, "comm", &comm) >= 0)
                (void) utf8_line_to(c->comm, sizeof(c->comm), comm);
        if (pid > 0 && read_of_process(pid, "loginuid", &login) >= 0 && parse_uint(login, &login_uid) >= 0)
                c->login_uid = (uid_t) login_uid;
        if (pid > 0)
                snprintf(process, sizeof(process), "%s[%d]", c->comm, (int) pid);
        if (c->login_uid != UID_INVALID && c->login_uid != uid)
                snprintf(login_text, sizeof(login_text), "%slogin uid %u", *process ? ", " : "", (unsigned) c->login_uid);
        snprintf(c->text, sizeof(c->text), "uid %u%s%s%s%s", (unsigned) uid, *process || *login_text ? " (" : "", process,
                 login_text, *process || *login_text ? ")" : "");
}
