/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Lists whose elements have a field next, and whose head is a pointer of their owner. */

/* Takes an element out; nothing happens if it is not in the list. */
#define LIST_REMOVE(head, element)                                      \
        do {                                                            \
                __typeof__(head) *_p = &(head);                         \
                                                                        \
                while (*_p && *_p != (element))                         \
                        _p = &(*_p)->next;                              \
                if (*_p)                                                \
                        *_p = (*_p)->next;                              \
        } while (0)
