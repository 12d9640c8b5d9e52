/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* MESSAGE_ID= of the journal entries that are worth a search, as 128-bit ids in hexadecimal (sd-id128(3)). Each is
 * explained in catalog/perf-recorder.catalog. */

#define PR_MESSAGE_SESSION_STARTED "5c83dfba76414fb9b021596a82016beb"
#define PR_MESSAGE_SESSION_STOPPED "e57cb7fc9c7d4484b18ffc3539fdb4b2"
#define PR_MESSAGE_SESSION_FAILED "fa931a52d4b84208b5b2d1415f1c5ac8"
#define PR_MESSAGE_SESSION_RESTARTED "4cc2f18912ed4a9f85e0ef21ba36d1c4"
#define PR_MESSAGE_SESSION_WAITING "59fc8731bad94658a522fe0ba028585f"
#define PR_MESSAGE_KEEP_MISSED "a7ed6c3c60734f8d9baf1b3a8cb27b03"
#define PR_MESSAGE_OUTPUT_SWITCHED "16a37c2eb9034be2996bd730e8dc7d98"
#define PR_MESSAGE_SAMPLES_LOST "e804c455ac01473a8d211fb0c0f5628d"
#define PR_MESSAGE_BAD_SETTING "a0f399df7b444c8fbdcdc7a97b02b6b5"
#define PR_MESSAGE_NO_SPACE "932869221afc470cb6318e49a8aead0e"
#define PR_MESSAGE_DUMP_WRITTEN "aa305894c6414b959c16e2ffaa14cdc2"
#define PR_MESSAGE_DUMP_REMOVED "99d08f321b12433fa6ab1c95b7c65f15"
#define PR_MESSAGE_DUMP_REFUSED "f27b750e3ab646e7994f8e57df7684cd"
