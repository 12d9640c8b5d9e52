/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdarg.h>
#include "cleanup.h"

/* As sprintf(3), to a new string that free(3) takes; NULL without memory. */
char *format_text(const char *format, ...) _printf_(1, 2);
char *format_text_va(const char *format, va_list ap) _printf_(1, 0);
