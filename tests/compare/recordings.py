# SPDX-License-Identifier: LGPL-2.1-or-later
"""Comparisons of recordings that are made on the spot, with whatever else the machine does at that time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Callable, Sequence, TypeVar

# A caller is named by the address behind its call in perf, and by the call in ours. It is another function where the call is the last
# instruction of one: that is so in the starts of the dynamic linker and of the kernel.
CALLED_FROM = ((r"\b_dl_start_user\b", "_start"), (r"\b__pfx_clear_bss\b", "x86_64_start_reservations"))

RECORDINGS = 3 # of a load, at most

Case = TypeVar("Case")
Results = list[tuple[str, list[str]]]


def compare_repeatedly(compare: Callable[[Path], Results], path: Path, record: Callable[[], Path | None] | None) -> tuple[Results, bool]:
    """Which rows are equal, and what is in a recording, differs from one to the next. So what differs from perf in one is looked at in
    others of the same load: a difference is one that all of them have. True: some were not. record: None: there is but this one."""
    first = results = compare(path)
    for _ in range(1, RECORDINGS):
        another = record() if record and any(faults for _, faults in results) else None
        if another is None:
            break
        passed = {case for case, faults in compare(another) if not faults}
        results = [(case, [] if case in passed else faults) for case, faults in results]
    return results, results != first


def read_lines(path: Path, match: str) -> dict[str, str]:
    """The name of each recording in whose name that stands, and the words behind "perf record -q"."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    named = [(name.strip(), words.strip()) for name, _, words in (line.partition(":") for line in lines)]
    return {name: words for name, words in named if match in name}


def sampled(cases: Sequence[Case], number: int, each: int) -> list[Case]:
    """Each Nth case for a recording: those of as many recordings are all of them. number: the recording's."""
    return [case for i, case in enumerate(cases) if (i + number) % each == 0]


def name_callers(text: str) -> str:
    for theirs, ours in CALLED_FROM:
        text = re.sub(rf"\b{ours}\+0x[0-9a-f]+", ours, re.sub(theirs, ours, text))
    return text
