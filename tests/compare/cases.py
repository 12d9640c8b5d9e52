# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is recorded: cases, one a line of the *.cases files beside this one.

    same [WORD...]: LINE            perf and we record alike
    refused [WORD...]: LINE => RE   we refuse, in words that the regular expression finds, and leave no file
    session [WORD...]: KEY=VALUE ; KEY=VALUE == LINE
                                    the words that [Record] with these keys means record as LINE does

LINE has the options of perf record. In it stand
    BUSY, FAULTS, SLEEP, NAP, TRUE, FAIL
                                    commands: computes, faults pages in, sleeps shortly or longer, nothing, fails; a LINE
                                    without one is interrupted
    PID, TID, USER, CGROUP          the steady load: its process, a thread of it, its user's name, its control group
    LIBC                            the C library
WORDs:
    stop       is interrupted though it has a command
    count      a command of the line's own: as many samples as perf finds, with the same symbols
    quick      is among the few that every build runs
    perf6.1    newer ones refuse it: left out with them
    counters, lbr, kprobes, cgroups, or a system of tracepoints: what the machine must have; where it lacks it the case is
               skipped. With "refused" it is refused there, and recorded alike elsewhere
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

COMMANDS = ("BUSY", "FAULTS", "SLEEP", "NAP", "TRUE", "FAIL")

# The kernel shares one record among the software events of a moment, ids included (6.2 to 6.18 at least: do_perf_sw_event()
# goes from event to event without a reset of the sample's flags). Two recorders of the same event spoil each other's files.
SHARED_EVENTS = re.compile(r"\b(cs|context-switches|cgroup-switches|(cpu-)?migrations|(page-|minor-|major-|alignment-|emulation-)?faults)\b"
                           r"|FAULTS")


@dataclass(frozen=True)
class Case:
    file: str                   # of the cases, without suffix
    expectation: str            # same, refused or session
    tags: frozenset[str]
    line: str
    refusal: str = ""           # regular expression
    keys: tuple[str, ...] = field(default=())  # of a session

    @property
    def name(self) -> str:
        if self.keys:
            return f"{self.file}: {' ; '.join(self.keys)}"
        return f"{self.file}: {self.line}"

    @property
    def interrupted(self) -> bool:
        """Whether it records until it is told to stop."""
        return "stop" in self.tags or not any(re.search(rf"\b{command}\b", self.line) for command in COMMANDS)

    @property
    def alone(self) -> bool:
        """Whether no other recorder of any event may be at work. The kernel marks the maps of all events as those with build ids if
        one event has them (5.12 to 6.18 at least: perf_event_mmap_output() does not take its mark back), and perf dies of that."""
        return "--buildid-mmap" in self.line

    @property
    def exclusive(self) -> bool:
        """Whether no other recorder of a software event may be at work."""
        return bool(SHARED_EVENTS.search(self.line))


def parse_case(file: str, text: str) -> Case:
    head, colon, line = text.partition(":")
    expectation, *tags = head.split()
    if not colon or expectation not in ("same", "refused", "session"):
        raise ValueError(f"{file}: not a case: {text}")

    refusal = ""
    keys: tuple[str, ...] = ()
    if expectation == "refused":
        line, arrow, refusal = line.rpartition(" => ")
        if not arrow:
            raise ValueError(f"{file}: no words of refusal: {text}")
    if expectation == "session":
        text_of_keys, equals, line = line.rpartition(" == -") # filters have it too
        line = "-" + line
        if not equals:
            raise ValueError(f"{file}: no line that is meant: {text}")
        keys = tuple(key.strip() for key in text_of_keys.split(" ; "))
    return Case(file, expectation, frozenset(tags), line.strip(), refusal.strip(), keys)


def read_cases(folder: Path) -> list[Case]:
    cases = []
    for path in sorted(folder.glob("*.cases")):
        for text in path.read_text().splitlines():
            if text.strip() and not text.startswith("#"):
                cases.append(parse_case(path.stem, text))
    return cases
