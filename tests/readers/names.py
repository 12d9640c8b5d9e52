# SPDX-License-Identifier: LGPL-2.1-or-later
"""A recording whose names would harm a terminal, or do not fit into it: of functions, of the program's file, of its thread."""

from __future__ import annotations

import subprocess
from pathlib import Path

# What a function is called, and a part that is seen of that where there is room.
FUNCTIONS: list[tuple[bytes, str]] = [
    (b"long_" + b"x" * 10240 + b"_end", "long_xxx"),
    (("関数の名前" * 20).encode(), "関数の"),
    (("e\u0301\u0302" * 60).encode(), "e\u0301\u0302e"),
    (b"control\x01\x02\x07\x08\x7f\tend", "control"),
    (b"\x1b[2J\x1b[1;1H\x1b[31mred\x1b]0;title\x07\x1b[?25h\x1b[?1049l", "red"),
    ("\u009b2J\u009b31mcsi\u202ebidi\u200b".encode(), "csi"),
    (b"\xff\xfebad\xe2\x82", "bad"),
    (b"List<int, char>::of,", "List<int, char>"),
    (b"two\nlines\rback", "lines"),
]
PROGRAM = "日本,\x1b[2J\x1b]0;title\x07\x01".encode()
THREAD = "\x1b[31m日本,\x07".encode()

SOURCE = """
#include <stdlib.h>
#include <sys/prctl.h>
#define SPIN(f) \\
        __attribute__((noinline)) void f(unsigned n); \\
        __attribute__((noinline)) void f(unsigned n) { for (volatile unsigned i = 0; i < n; i++) ; }
%s
int main(int argc, char **argv) {
        (void) prctl(PR_SET_NAME, argv[1]);
        for (int n = atoi(argv[2]); n > 0; n--) {
                %s
        }
        return argc > 9;
}
"""


def record(worker: Path, folder: Path) -> Path:
    """Makes the program and records it with its call chains. All of its functions take as long."""
    n = range(len(FUNCTIONS))
    (folder / "names.c").write_text(SOURCE % ("\n".join(f"SPIN(f{i})" for i in n), " ".join(f"f{i}(100000);" for i in n)), encoding="ascii")
    subprocess.run(["cc", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-c", "names.c"], cwd=folder, check=True)
    renamed = [word for i in n for word in (b"--redefine-sym", b"f%d=" % i + FUNCTIONS[i][0])]
    subprocess.run([b"objcopy", *renamed, b"names.o"], cwd=folder, check=True)
    subprocess.run([b"cc", b"names.o", b"-o", PROGRAM], cwd=folder, check=True)
    subprocess.run([worker, "-e", "cpu-clock", "-F", "2000", "-g", "-o", "names.data", "--", b"./" + PROGRAM, THREAD, "3000"], cwd=folder,
                   check=True, capture_output=True)
    return folder / "names.data"
