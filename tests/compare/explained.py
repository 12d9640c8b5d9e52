# SPDX-License-Identifier: LGPL-2.1-or-later
"""The differences that are meant, each with its reason. Whatever is not in here is a failure."""

from __future__ import annotations

import re
from collections.abc import Callable
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
    also: Callable[[str, str], bool] | None = None  # of theirs and ours

    def covers(self, case: Case, difference: Difference, version: str) -> bool:
        return (self.aspect == difference.aspect and all(
            re.search(pattern, text) for pattern, text in (
                (self.what, difference.what), (self.theirs, difference.theirs), (self.ours, difference.ours),
                (self.line, case.line), (self.perf, version)))
            and (self.also is None or self.also(difference.theirs, difference.ours)))


def other_ids(theirs: str, ours: str) -> bool:
    """Sample types that differ in nothing but how the event is told."""
    return set(theirs.split("|")) ^ set(ours.split("|")) <= {"ID", "IDENTIFIER"}


def fewer_fields(theirs: str, ours: str) -> bool:
    return set(theirs.split("|")) - {"ID", "IDENTIFIER"} <= set(ours.split("|"))


NEWER = r"^6\.(?!1\.)"

COMPRESSED = r"(^| )(-z\d*|--compression-level\S*) "

OVERWRITE = r"--overwrite|Mode=overwrite"

TASK_CLOCK = "without a counter for cycles, perf 6.12 records a command by task-clock, perf 6.1 and we by cpu-clock"

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "feature", "^BUILD_ID$", ours="has it", line="--switch-output",
        why="perf leaves the build ids out of files that --switch-output makes, unless it is told --no-no-buildid; ours have them, "
            "because such a file is read elsewhere"),
    Explanation(
        "feature", "^BUILD_ID$", ours="has it", line=COMPRESSED,
        why="perf leaves the build ids out of compressed files; ours have them"),
    Explanation(
        "words", "^$", ours=r"N samples\), compressed", line=COMPRESSED,
        why="perf does not know how many samples it compressed"),
    Explanation(
        "header", "", theirs="compressed : Zstd", line=COMPRESSED,
        why="the side band is compressed too, and more at once, so that the ratio is better than perf's"),
    Explanation(
        "header", "", ours="compressed : Zstd", line=COMPRESSED,
        why="the side band is compressed too, and more at once, so that the ratio is better than perf's"),
    Explanation(
        "exit status", "^$", theirs="^143 .*perf size limit reached", ours="^0 .*perf size limit reached",
        why="at its size limit, perf dies of the SIGTERM that it ends its command with; for us the recording ended well"),
    Explanation(
        "exit status", "^$", theirs="^143 ", ours="^130 ",
        why="interrupted, perf ends its command by SIGTERM and dies of that itself; we die of the SIGINT that we got, so that a shell's "
            "loop ends too"),
    Explanation(
        "attribute", "^dummy:(HG|u) write_backward$", theirs="^1$", line=OVERWRITE,
        why="the side band is followed in rings that are not overwritten, so that a dump has what its samples need"),
    Explanation(
        "events", "names", ours="dummy:HG$", line=OVERWRITE,
        why="the side band of what is overwritten comes by an event of its own"),
    Explanation(
        "kinds of records", "^FORK$", line=OVERWRITE,
        why="the side band of a dump comes from a table of processes, which begins with whose child each is"),
    Explanation(
        "complaint", "", ours="^Check IO/CPU overload! / Processed N events and lost N chunks!( / Warning:)?$", line="ext4:",
        why="perf's writing makes millions of the file system's events in a second (ours hundreds), which perf takes with it as it writes "
            "them, and which may be too many for us"),

    Explanation(
        "attribute", "^cpu-clock:ppp exclude_guest$", theirs="^1$", perf=r"^6\.1\.",
        why="perf 6.1 leaves guests out of its default event, but not on AMD's CPUs; newer ones and ours do so nowhere"),

    # What perf of Debian 13 does otherwise than that of Debian 12, which is ours to follow.
    Explanation(
        "attribute", " size$", theirs="^136$", ours="^128$", perf=NEWER,
        why="perf 6.12 knows a longer perf_event_attr, whose last field nobody asks for"),
    Explanation(
        "events", "names", theirs="dummy:u", ours="dummy:HG", perf=NEWER,
        why="perf 6.12 follows the side band by an event of user space alone, which yields the same records"),
    Explanation(
        "attribute", "^dummy:uH? exclude_", theirs="^1$", perf=NEWER,
        why="perf 6.12 follows the side band by an event of user space alone, which yields the same records"),
    Explanation(
        "attribute", "^dummy:uH? sample_type$", perf=NEWER, also=fewer_fields,
        why="perf 6.12 asks of the side band's event for no stacks, registers or data, which it never has; perf 6.1 and we do"),
    Explanation(
        "attribute", "^dummy:uH? (exclude_callchain_user|sample_(regs|stack)_user|sample_regs_intr|branch_sample_type)$", theirs="^$", perf=NEWER,
        why="perf 6.12 asks of the side band's event for no stacks, registers or data, which it never has; perf 6.1 and we do"),
    Explanation(
        "attribute", " sample_type$", perf=NEWER, also=other_ids,
        why="perf 6.12 has events that differ in their fields, and therefore the id where all have it; ours are alike"),
    Explanation(
        "BPF programs", "^$", theirs="^$", ours="bpf_prog_info", line="-o - |--per-thread",
        why="perf writes no descriptions of BPF programs into a pipe, nor with --per-thread; samples can be in them all the same"),
    Explanation(
        "kinds of records", "^MMAP$", ours="has it", line=":u", perf=NEWER,
        why="perf 6.12 leaves the kernel's map out where only user space is recorded"),
    Explanation(
        "feature", "^CPU_PMU_CAPS$", theirs="has it", perf=NEWER,
        why="perf 6.12 writes the capabilities of a CPU PMU that is not there"),
    Explanation(
        "header", "", theirs="cpu pmu capabilities: not available", perf=NEWER,
        why="perf 6.12 writes the capabilities of a CPU PMU that is not there"),
    Explanation(
        "header", "", "perf 6.12 lists a CPU PMU that is not there", theirs="pmu mappings: .*cpu = 4", perf=NEWER),
    Explanation(
        "header", "", "perf 6.12 lists a CPU PMU that is not there", ours="pmu mappings: ", perf=NEWER),
    Explanation(
        "events", "names", theirs="task-clock:ppp", ours="cpu-clock:ppp", perf=NEWER, why=TASK_CLOCK),
    Explanation(
        "attribute", "^task-clock:ppp config$", ours="CPU_CLOCK", perf=NEWER, why=TASK_CLOCK),
    Explanation(
        "count", "^(task|cpu)-clock:ppp", perf=NEWER, why=TASK_CLOCK),
    Explanation(
        "share", "^task-clock:ppp", ours="^0 %$", perf=NEWER, why=TASK_CLOCK),
)


def explain(case: Case, difference: Difference, version: str) -> Explanation | None:
    return next((explanation for explanation in EXPLANATIONS if explanation.covers(case, difference, version)), None)
