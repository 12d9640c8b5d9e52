/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Arrays that grow, and searches in sorted ones. An array is a pointer for free(3), NULL when it is empty; its owner
 * keeps the number of elements, and the number that it has room for. On failure nothing changes. */

#define ARRAY_FIRST_BYTES 64u

/* The elements to make room for when "need" are more than "allocated": twice as many, so that growing one by one is cheap. */
static inline size_t array_room(size_t allocated, size_t need, size_t element) {
        size_t room = MAX_OF(2 * allocated, ARRAY_FIRST_BYTES / element);

        return MAX_OF(need, room);
}

/* Makes room for exactly n elements; n must not be 0. 0 or -ENOMEM. */
#define ARRAY_RESIZE(array, n)                                                                       \
        ({                                                                                           \
                __typeof__(array) *_resized = &(array);                                              \
                __typeof__(array) _larger = reallocarray(*_resized, (n), sizeof(__typeof__(**_resized)));        \
                                                                                                     \
                if (_larger)                                                                         \
                        *_resized = _larger;                                                         \
                _larger ? 0 : -ENOMEM;                                                               \
        })

/* Makes room for at least "need" elements; allocated, a size_t of the owner, is the number that there is room for. 0,
 * and the array is not NULL even if need is 0; or -ENOMEM. */
#define ARRAY_RESERVE(array, allocated, need)                                                        \
        ({                                                                                           \
                size_t *_allocated = &(allocated), _need = (need), _room;                            \
                int _reserved = 0;                                                                   \
                                                                                                     \
                if (_need > *_allocated || !(array)) {                                               \
                        _room = array_room(*_allocated, MAX_OF(_need, (size_t) 1), sizeof(__typeof__(*(array))));    \
                        _reserved = ARRAY_RESIZE(array, _room);                                      \
                        if (_reserved == 0)                                                          \
                                *_allocated = _room;                                                 \
                }                                                                                    \
                _reserved;                                                                           \
        })

/* Makes room for one more than n elements, in an array that only grew by this: its room is the power of two that n has
 * reached. */
#define ARRAY_RESERVE_NEXT(array, n)                                                                 \
        ({                                                                                           \
                size_t _n = (n);                                                                     \
                                                                                                     \
                (_n & (_n - 1)) == 0 ? ARRAY_RESIZE(array, _n > 0 ? 2 * _n : 1) : 0;                 \
        })

/* True if the condition, an expression of i, holds for any i below n. */
#define ANY_OF(n, i, condition)                                                                      \
        ({                                                                                           \
                bool _any = false;                                                                   \
                                                                                                     \
                for (size_t i = 0, _n = (n); i < _n && !_any; i++)                                   \
                        _any = (condition);                                                          \
                _any;                                                                                \
        })

/* The first i below n for which is_before, an expression of i, is false; n: it is true for all. It must be true for
 * the elements up to some place and false for the others. */
#define LOWER_BOUND(n, i, is_before)                                                                 \
        ({                                                                                           \
                size_t _low = 0, _high = (n);                                                        \
                                                                                                     \
                while (_low < _high) {                                                               \
                        size_t i = _low + (_high - _low) / 2;                                        \
                                                                                                     \
                        if (is_before)                                                               \
                                _low = i + 1;                                                        \
                        else                                                                         \
                                _high = i;                                                           \
                }                                                                                    \
                _low;                                                                                \
        })
