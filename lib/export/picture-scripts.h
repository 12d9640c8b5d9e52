/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* The files of lib/export/pictures, which are parts of pictures. */
extern const char picture_flame_diff_js[];
extern const size_t picture_flame_diff_js_size;
extern const char picture_flame_scale_js[];
extern const size_t picture_flame_scale_js_size;
extern const char picture_heat_html[];
extern const size_t picture_heat_html_size;
extern const char picture_heat_js[];
extern const size_t picture_heat_js_size;
extern const char picture_flame_html[];
extern const size_t picture_flame_html_size;
extern const char picture_flame_svg_js[];
extern const size_t picture_flame_svg_js_size;
