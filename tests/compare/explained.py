# SPDX-License-Identifier: LGPL-2.1-or-later
"""The differences that are meant, each with its reason. Whatever is not in here is a failure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cases import Case
from judge import Difference


@dataclass(frozen=True)
class Explanation:
    aspect: str                 # of the difference
    what: str                   # regular expressions, searched for
    why: str
    theirs: str = ""
    ours: str = ""
    line: str = ""              # of the case
    perf: str = ""              # its version

    def covers(self, case: Case, difference: Difference, version: str) -> bool:
        return (self.aspect == difference.aspect and all(
            re.search(pattern, text) for pattern, text in (
                (self.what, difference.what), (self.theirs, difference.theirs), (self.ours, difference.ours),
                (self.line, case.line), (self.perf, version))))


EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "feature", "^BUILD_ID$", ours="has it", line="--switch-output",
        why="perf leaves the build ids out of files that --switch-output makes, unless it is told --no-no-buildid; ours have them, "
            "because such a file is read elsewhere"),
    Explanation(
        "exit status", "^$", theirs="^143 ", ours="^130 ",
        why="interrupted, perf ends its command by SIGTERM and dies of that itself; we die of the SIGINT that we got, so that a shell's "
            "loop ends too"),
)


def explain(case: Case, difference: Difference, version: str) -> Explanation | None:
    return next((explanation for explanation in EXPLANATIONS if explanation.covers(case, difference, version)), None)
