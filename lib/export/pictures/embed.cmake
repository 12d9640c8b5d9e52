# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Writes a C file with the contents of other files: cmake -D OUTPUT=FILE -D "INPUTS=FILE;…" -P embed.cmake. flame-svg.js is
# picture_flame_svg_js, of picture_flame_svg_js_size bytes.
set(text "/* Made of the files of viewer/pictures. */\n#include \"picture-scripts.h\"\n")
foreach(input ${INPUTS})
        get_filename_component(name ${input} NAME)
        string(REGEX REPLACE "[^a-z0-9]" "_" name ${name})
        file(READ ${input} hex HEX)
        string(LENGTH ${hex} size)
        math(EXPR size "${size} / 2")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes ${hex})
        string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes ${bytes})
        string(APPEND text "\nconst char picture_${name}[] = {\n${bytes}\n};\nconst size_t picture_${name}_size = ${size};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
