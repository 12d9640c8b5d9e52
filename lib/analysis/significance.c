/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Both tests are exact for small and for large numbers: the number of samples of the second range, of n samples of a kind, is
 * distributed binomially, or with given totals hypergeometrically. The sum goes from what was seen away from the middle until
 * nothing is added any more, and counts twice for both sides.
 *
 * J. Przyborowski and H. Wilenski, Homogeneity of results in testing samples from Poisson series, 1940; R. A. Fisher, The logic of
 * inductive inference, 1935; Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, 1995. */

#include "significance.h"

#include <float.h>
#include <math.h>

/* The distribution of the number of samples of the second range, of n. */
typedef struct Chance {
        double n;
        double odds;         /* of being in the second range; 0: the next two count */
        double all_a, all_b; /* samples of any kind */
} Chance;

/* Returns how much more probable k + 1 is than k. */
static double chance_ratio(const Chance *c, double k) {
        return c->odds > 0 ? (c->n - k) / (k + 1) * c->odds : (c->n - k) * (c->all_b - k) / ((k + 1) * (c->all_a - c->n + k + 1));
}

/* lgamma(3) writes to a global variable. */
static double log_choose(double n, double k) {
        int sign;

        return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

/* Returns the probability of both sides, from k on. first: the logarithm of that of k. */
static double chance_sides(const Chance *c, double k, double mean, double first) {
        double sum = 1, term = 1, x = k;
        bool up = k >= mean;

        while (term > sum * 1e-17) {
                term = up ? term * chance_ratio(c, x) : x > 0 ? term / chance_ratio(c, x - 1) : 0;
                x += up ? 1 : -1;
                sum += term;
        }
        return MIN_OF(2 * sum * exp(first), 1.0);
}

double significance_of_rates(uint64_t a, uint64_t b, double part) {
        double within = MIN_OF(MAX_OF(part, DBL_MIN), 1 - DBL_EPSILON), k = (double) b; /* others have no logarithm */
        const Chance c = { .n = (double) a + k, .odds = within / (1 - within) };

        return chance_sides(&c, k, c.n * within, log_choose(c.n, k) + k * log(within) + (c.n - k) * log1p(-within));
}

double significance_of_shares(uint64_t a, uint64_t all_a, uint64_t b, uint64_t all_b) {
        const Chance c = { .n = (double) a + (double) b, .all_a = (double) all_a, .all_b = (double) all_b };
        double k = (double) b, all = c.all_a + c.all_b;

        if (all_a == 0 || all_b == 0)
                return 1;
        return chance_sides(&c, k, c.n * c.all_b / all,
                            log_choose(c.all_b, k) + log_choose(c.all_a, (double) a) - log_choose(all, c.n));
}

static int significance_compare(const void *a, const void *b) {
        const double *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

int significance_limit(const double *p, size_t n, double level, double *ret) {
        _cleanup_free_ double *sorted = calloc(n + 1, sizeof(*sorted));
        size_t found = n;

        if (!sorted)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                sorted[i] = p[i];
        qsort(sorted, n, sizeof(*sorted), significance_compare);
        while (found > 0 && sorted[found - 1] > level * (double) found / (double) n)
                found--;
        *ret = found > 0 ? sorted[found - 1] : -1;
        return 0;
}
