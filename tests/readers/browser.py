# SPDX-License-Identifier: LGPL-2.1-or-later
"""The browser of perfctl report and perfctl top, as somebody sees it who types at it."""

from __future__ import annotations

import re
from collections.abc import Callable

from terminal import WAIT_SEC, Missed, Terminal

Check = Callable[[str, object, object], None]


class Browser:
    """The title is the first line, the status the last one; between them are the titles of columns and the rows."""

    def __init__(self, terminal: Terminal, command: str, name: str, check: Check) -> None:
        self.terminal = terminal
        self.name = name
        self._check = check
        self.pressed: set[str] = set()
        terminal.start(command)
        terminal.wait(r"\A .*\n[\s\S]*\n \d+/\d+ by .*\Z")

    def lines(self) -> list[str]:
        return self.terminal.screen()

    def title(self) -> str:
        return self.lines()[0]

    def status(self) -> str:
        return self.lines()[-1]

    def rows(self) -> list[str]:
        return [line for line in self.lines()[2:-1] if line]

    def row(self, pattern: str) -> int:
        """The number of the first row in sight that has it, from 0 on."""
        return next((i for i, row in enumerate(self.rows()) if re.search(pattern, row)), -1)

    def home(self) -> int:
        """Selects the first row, after which the status is the usual one again. Returns how many rows there are."""
        self.press("Home")
        return int(self.terminal.wait(r"^ 1/(\d+).* by .*\Z")[1])

    def group(self) -> str:
        """What rows are grouped by, once the status says that."""
        return self.terminal.wait(r"^ \d+/\d+.* by (.*?)   .*\Z")[1]

    def choose_group(self, name: str) -> None:
        self.home()
        for _ in range(15):
            before = self.group()
            if before == name:
                return
            self.press("g")
            self.terminal.await_that("another group", lambda b=before: self.group() != b)  # type: ignore[misc]
        raise Missed(f"no group {name}")

    def press(self, *keys: str) -> None:
        self.pressed.update(keys)
        self.terminal.keys(*keys)

    def check(self, what: str, ok: object, detail: object = "") -> None:
        self._check(f"{self.name}: {what}", ok, f"{detail}\n" + "\n".join("|" + line for line in self.lines()))

    def expect(self, what: str, pattern: str, *keys: str, typed: str = "") -> None:
        """Presses keys, types, and waits until the screen has the pattern."""
        self.expect_that(what, lambda: re.search(pattern, "\n".join(self.lines()), re.MULTILINE), *keys, typed=typed)

    def expect_that(self, what: str, true: Callable[[], object], *keys: str, typed: str = "") -> None:
        for key in keys: # one by one, so that each has its own screen
            self.press(key)
        if typed:
            self.terminal.text(typed)
        try:
            self.terminal.await_that(what, true, WAIT_SEC)
            self.check(what, True)
        except Missed:
            self.check(what, False, f"not in {WAIT_SEC} s after {' '.join(keys)} {typed}")

    def expect_count(self, what: str, true: Callable[[int, int], bool], *keys: str, typed: str = "") -> None:
        """The same of the selected row's number and that of all."""
        def fits() -> bool:
            found = re.match(r" (\d+)/(\d+)", self.status())
            return bool(found) and true(int(found[1]), int(found[2]))  # type: ignore[index]
        self.expect_that(what, fits, *keys, typed=typed)
