#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The tables of "Walks, counted" in docs/ARCHITECTURE.md, which has the rules: each file that a line names defines the functions
# behind it; what a line lists is called by the line itself or by a single earlier one, on whose way down the line lies; and the
# stated counts are those of the table and within their limits. Run in the top folder of the sources.
#
# A function is called where its name stands in a body, be it called there or handed over. A callback that was handed over before
# is stored in its own file or an earlier one, and is called through a pointer: of a field that it is assigned to by name, or of
# any; or by sd-bus and sd-event, which it is handed to.
set -euo pipefail

awk '
function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; failures++ }

# The text without comments and strings.
function code_of(line) {
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        if (in_comment && !sub(/^.*\*\//, "", line)) return ""
        in_comment = 0
        gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
        if (sub(/\/\*.*$/, "", line)) in_comment = 1
        return line
}

# Fills body[file, function] and code[file]. A function begins in the first column and ends with a bracket there.
function load(file,    line, name, head, text) {
        if (file in code) return 1
        in_comment = 0; name = head = text = ""
        while ((getline line < file) > 0) {
                line = code_of(line)
                text = text line "\n"
                if (name != "" && line ~ /^[}]/) name = ""
                else if (name != "") body[file, name] = body[file, name] line "\n"
                else if (head == "" && line ~ /^[A-Za-z_][^=;]*\(/) head = line
                else if (head != "") head = head " " line
                if (head ~ /; *$/ || line ~ /^[}]/) head = ""
                if (head ~ /[{] *$/) {
                        name = head
                        sub(/\(.*$/, "", name); sub(/^.*[ *]/, "", name)
                        body[file, name] = " "; head = ""
                }
        }
        close(file)
        if (text == "") return 0
        code[file] = text
        return 1
}

function has(text, pattern) { return match(text, pattern) > 0 }
function names(text, name) { return has(text, "(^|[^A-Za-z0-9_.>])" name "([^A-Za-z0-9_]|$)") }

# Whether code hands the function over: as a value, not as a call or a definition. field: what it is assigned to.
function stores(text, name,    m) {
        field = ""
        if (has(text, "\\.[a-z_]+ = " name "[^A-Za-z0-9_(]")) {
                m = substr(text, RSTART + 1, RLENGTH)
                sub(/ .*$/, "", m)
                field = m
                return 1
        }
        return has(text, "[,({=] *" name " *[,)};]")
}

# In its own file, or in that of an earlier line.
function is_stored(file, name,    i) {
        if (stores(code[file], name)) return 1
        for (i = 1; i < n_lines; i++)
                if (stores(code[file_of[i]], name)) return 1
        return 0
}

# Whether a function of that line calls the function, which is in file.
function calls(line, file, name,    i) {
        for (i = first[line]; i < first[line] + count[line]; i++) {
                if (names(body[file_of[line], fn[i]], name)) return 1
        }
        if (!is_stored(file, name)) return 0
        if (field == "" && has(code[file], "sd_(bus|event)_[a-z_]+\\([^;]*[ ,]" name "[,)]")) return 1
        for (i = first[line]; i < first[line] + count[line]; i++)
                if (has(body[file_of[line], fn[i]], "(->|\\.)" (field == "" ? "[a-z_]+" : field) "\\(")) return 1
        return 0
}

function fits(line, above,    i) {
        for (i = first[line]; i < first[line] + count[line]; i++)
                if (!calls(above, file_of[line], fn[i]) && !called_within(line, i)) return 0
        return 1
}

# By another function of the line: a first one is not called by itself.
function called_within(line, at,    i) {
        for (i = first[line]; i < at; i++)
                if (names(body[file_of[line], fn[i]], fn[at])) return 1
        return 0
}

function end_walk() {
        if (title == "") return
        walks++
        if (!stated) complain(title ": no counts are stated")
        else if (files != said_files || returns != said_returns)
                complain(title ": " files " files and " returns " returns, not " said_files " and " said_returns)
        else if (files > max_files || returns > max_returns) complain(title ": more than its limits")
        title = ""
}

function begin_walk() {
        n_lines = n_functions = files = returns = stated = 0
        split("", entered); split("", listed)
}

/^## / { end_walk(); inside = $0 == "## Walks, counted"; next }
!inside { next }
/^### / { end_walk(); title = substr($0, 5); begin_walk(); next }
/^[0-9]+ files of at most [0-9]+, [0-9]+ returns? of at most [0-9]+\.$/ {
        stated = 1; said_files = $1; max_files = $6 + 0; said_returns = $7; max_returns = $12 + 0
        next
}
/^\| `/ {
        line = ++n_lines
        split($0, cells, "|")
        file = cells[2]; gsub(/[` ]/, "", file)
        file_of[line] = file; first[line] = n_functions + 1
        if (!load(file)) { complain("there is no file " file); next }
        if (file in entered) returns++
        else files++
        entered[file] = 1
        gsub(/[`(),]/, " ", cells[3])
        count[line] = n = split(cells[3], list, " ")
        if (n == 0) complain(file " without a function")
        for (i = 1; i <= n; i++) {
                fn[++n_functions] = list[i]
                if (!((file, list[i]) in body)) complain(file " has no function " list[i] "()")
                if ((file, list[i]) in listed) complain(list[i] "() is listed twice")
                listed[file, list[i]] = 1
        }
        if (line == 1) {
                parent[1] = 0
                for (i = 2; i <= n; i++)
                        if (!calls(1, file, fn[i])) complain("nothing on its line calls " fn[i] "()")
                next
        }
        for (above = line - 1; above > 0 && !fits(line, above); above = parent[above]);
        parent[line] = above ? above : line - 1
        if (above == 0) complain("no line on the way to it calls all of " file cells[3])
}
END {
        end_walk()
        if (walks == 0) complain("there are no walks")
        exit failures > 0
}' docs/ARCHITECTURE.md >&2
