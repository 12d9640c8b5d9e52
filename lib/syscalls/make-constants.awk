# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Reads constant-sets.h, then (with "-v list=headers") puts the #includes of the headers that are of the kernel (or, with
# "-v libc=1", of the C library: both at once do not compile), or else reads what cc -E -dD makes of these, and puts the constants
# of every set as C. The values are left to the compiler.

BEGIN {
        print "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif"
        if (list == "")
                print "#include \"constant-rows.h\"\n"
}

function is_kernel(header) {
        return header ~ /^(linux|asm)\//
}

function add_set(line, columns, headers, name, i) {
        split(line, columns, "\"")
        split(columns[4], headers, " ")
        if (is_kernel(headers[1]) == (libc != ""))
                return
        name = columns[1]
        gsub(/^CONSTANTS\(|,.*/, "", name)
        n_sets++
        set_name[n_sets] = name
        wanted[n_sets] = columns[6]
        unwanted[n_sets] = columns[8]
        for (i = 1; i in headers; i++)
                if (!(headers[i] in seen)) {
                        seen[headers[i]] = 1
                        includes = includes "#if __has_include(<" headers[i] ">)\n#include <" headers[i] ">\n#endif\n"
                }
}

# A set can go over several lines, and its strings, too.
FILENAME ~ /constant-sets\.h$/ {
        if ($0 ~ /^CONSTANTS\(/)
                row = $0
        else if (row != "") {
                gsub(/^ +/, "")
                row = row ~ /"$/ && $0 ~ /^"/ ? substr(row, 1, length(row) - 1) substr($0, 2) : row " " $0
        }
        if (row ~ /\)$/) {
                add_set(row)
                row = ""
        }
        next
}

function found(constant) {
        if (!(constant in known)) {
                known[constant] = 1
                constants[++n_constants] = constant
        }
}

# #define NAME VALUE, without arguments.
/^#[ \t]*define[ \t]/ {
        split($0, words, /[ \t]+/)
        if (words[1] == "#") {
                words[2] = words[3]
                words[3] = words[4]
        }
        if (words[2] !~ /[(]/ && words[3] != "")
                found(words[2])
        next
}
/^#/ { next }

# What stands in the braces of an enum, over any number of lines.
{
        line = $0
        while (line != "") {
                if (!inside) {
                        if (!match(line, /(^|[^A-Za-z0-9_])enum([^A-Za-z0-9_]|$)/))
                                break
                        line = substr(line, RSTART + RLENGTH)
                        inside = 1
                }
                if (inside == 1) {
                        open_brace = index(line, "{")
                        semicolon = match(line, /[;,()=*]/)
                        if (semicolon && (!open_brace || semicolon < open_brace)) {
                                inside = 0
                                continue
                        }
                        if (!open_brace)
                                break
                        line = substr(line, open_brace + 1)
                        inside = 2
                        expected = 1
                }
                close_brace = index(line, "}")
                part = close_brace ? substr(line, 1, close_brace - 1) : line
                while (match(part, /[A-Za-z_][A-Za-z0-9_]*|,/)) {
                        token = substr(part, RSTART, RLENGTH)
                        part = substr(part, RSTART + RLENGTH)
                        if (token == ",")
                                expected = 1
                        else if (expected) {
                                found(token)
                                expected = 0
                        }
                }
                if (!close_brace)
                        break
                line = substr(line, close_brace + 1)
                inside = 0
        }
}

END {
        if (list != "") {
                printf "%s", includes
                exit
        }
        printf "%s\n", includes
        for (s = 1; s <= n_sets; s++) {
                printf "const ConstantRow constant_rows_%s[] = {\n", set_name[s]
                for (i = 1; i <= n_constants; i++)
                        if (constants[i] ~ wanted[s] && constants[i] !~ unwanted[s])
                                printf "        { \"%s\", (unsigned long long) (%s) },\n", constants[i], constants[i]
                printf "        { 0, 0 },\n};\n\n"
        }
}
