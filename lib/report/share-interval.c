/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927; samples of different weights count as
 * in L. Kish, Survey sampling, 1965. */

#include "share-interval.h"

#include <math.h>

#include "cleanup.h"

#define DEVIATIONS 1.959963984540054 /* of a normal distribution, which hold 95 % of it */

ShareInterval share_interval(double share, double n) {
        double z = DEVIATIONS, p = MIN_OF(MAX_OF(share, 0.0), 1.0), center, half;

        if (!(n > 0))
                return (ShareInterval) { .to = 1 };
        center = (p + z * z / (2 * n)) / (1 + z * z / n);
        half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
        return (ShareInterval) { .from = MAX_OF(center - half, 0.0), .to = MIN_OF(center + half, 1.0) };
}

double share_samples(double sum, double squares) {
        return squares > 0 ? sum * sum / squares : 0;
}
