/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "list.h"

typedef struct Element Element;

struct Element {
        Element *next;
};

START_TEST(test_remove) {
        Element last = {}, middle = { &last }, first = { &middle }, other = {}, *head = &first;

        LIST_REMOVE(head, &other);
        ck_assert_ptr_eq(head->next->next, &last);
        LIST_REMOVE(head, &middle);
        ck_assert_ptr_eq(head->next, &last);
        LIST_REMOVE(head, &first);
        ck_assert_ptr_eq(head, &last);
        LIST_REMOVE(head, &last);
        ck_assert_ptr_null(head);
        LIST_REMOVE(head, &last);
        ck_assert_ptr_null(head);
}
END_TEST

CHECK_MAIN("list", test_remove);
