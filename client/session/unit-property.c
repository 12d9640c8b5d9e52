/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Properties of systemd units. Runs systemctl, which also works if perfctl's bus is not the service manager's. */

#include "unit-property.h"

#include "program.h"

#define OUTPUT_MAX 4096
#define TIMEOUT_USEC USEC_PER_MINUTE

int unit_property(const char *unit, const char *property, bool user, char **ret) {
        char *argv[] = { (char *) "systemctl", (char *) (user ? "--user" : "--system"), (char *) "show", (char *) "-P",
                         (char *) property, (char *) "--", (char *) unit, NULL };
        _cleanup_free_ char *output = NULL, *errors = NULL;
        const ProgramRun run = { .argv = argv, .timeout = TIMEOUT_USEC, .output_max = OUTPUT_MAX, .errors = &errors };
        int r = program_run(&run, &output);

        if (r < 0)
                return r;
        output[strcspn(output, "\n")] = '\0';
        if (r > 0 || !*output)
                return -ESRCH;
        *ret = steal_ptr(output);
        return 0;
}
