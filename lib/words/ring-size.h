/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The limit of a ring buffer: data pages. 64G with pages of 4K. */
#define RING_PAGES_MAX (UINT64_C(1) << 24)
