/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The words of perf record's control protocol, and some of our own, as text and as numbers. perf takes "enablefoo" for a
 * malformed "enable"; here it is no word, and as with perf it is not acknowledged. */

#include "control-port.h"

static const char *const words[_CONTROL_WORD_MAX] = {
        [CONTROL_ENABLE] = PR_CONTROL_ENABLE,
        [CONTROL_DISABLE] = PR_CONTROL_DISABLE,
        [CONTROL_EVLIST] = PR_CONTROL_EVLIST,
        [CONTROL_SNAPSHOT] = PR_CONTROL_SNAPSHOT,
        [CONTROL_WITHDRAW] = PR_CONTROL_WITHDRAW,
        [CONTROL_PING] = PR_CONTROL_PING,
        [CONTROL_STOP] = PR_CONTROL_STOP,
        [CONTROL_HAND_OVER] = PR_CONTROL_HAND_OVER,
        [CONTROL_REASON] = PR_CONTROL_REASON,
};

const char *control_word_to_string(ControlWord w) {
        return w >= 0 && w < _CONTROL_WORD_MAX ? words[w] : NULL;
}

int control_line_parse(const char *line, ControlWord *ret_word, const char **ret_argument) {
        for (ControlWord w = 0; w < _CONTROL_WORD_MAX; w++) {
                const char *rest = startswith(line, words[w]);

                if (!rest || (*rest && *rest != ' '))
                        continue;
                rest += strspn(rest, " ");
                *ret_word = w;
                *ret_argument = *rest ? rest : NULL;
                return 0;
        }
        return -EINVAL;
}
