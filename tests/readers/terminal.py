# SPDX-License-Identifier: LGPL-2.1-or-later
"""A terminal of any size, which a test types at and looks at.

It is a pane of a tmux of its own, with a shell that has job control and no line editor, so that the settings of the terminal are what
programs leave. Each command line runs in the foreground; the prompt of the shell says how it ended. Nothing sleeps for the sake of time:
wait() and its like look until it is so, and only a broken program reaches their limit.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

WAIT_SEC = 30
LOOK_SEC = 0.02
PROMPT = r"^\[(\d+)\]\$$"
CONFIGURATION = """set -g status off
set -s escape-time 0
set -g default-terminal tmux-256color
set -g default-shell /bin/sh
set -g remain-on-exit off
"""
# What a program may change besides the settings that stty(1) shows: tmux's names.
FLAGS = ("alternate_on", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag", "mouse_any_flag", "mouse_sgr_flag", "origin_flag",
         "wrap_flag", "scroll_region_upper", "pane_title")


class Missed(Exception):
    """What was waited for did not come: the reason, and the screen."""


def columns(text: str) -> int:
    """The columns that text takes."""
    return sum(0 if unicodedata.combining(c) or c == "\u200b" else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def family(pid: int) -> list[int]:
    """A process, its children and theirs."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(child) for child in task.read_text(encoding="ascii").split()]
    return found


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def lives(pid: int) -> bool:
    """A process that is dead, but that nobody has waited for, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


class Terminal:
    """One terminal; use it in a with statement."""

    def __init__(self, width: int = 80, height: int = 24, env: dict[str, str] | None = None, folder: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="terminal-"))
        (self.folder / "conf").write_text(CONFIGURATION, encoding="ascii")
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", **(env or {})}
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(folder or Path.cwd()),
                   *[word for name, value in {**environment, "PS1": r"[$?]$ "}.items() for word in ("-e", f"{name}={value}")],
                   "exec env " + ("TERM=" + environment["TERM"] + " " if "TERM" in environment else "") + "bash --norc --noprofile --noediting -i",
                   env=environment)
        try:
            self.shell = int(self._show("pane_pid")[0])
            self.wait(PROMPT)
            self.before = self.settings()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def _tmux(self, *words: str, env: dict[str, str] | None = None) -> str:
        done = subprocess.run(["tmux", "-u", "-S", str(self.folder / "socket"), "-f", str(self.folder / "conf"), *words], env=env, check=False,
                              capture_output=True, encoding="utf-8", errors="replace")
        if done.returncode != 0:
            raise Missed(f"tmux {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def _show(self, *names: str) -> list[str]:
        return self._tmux("display-message", "-p", "\t".join(f"#{{{name}}}" for name in names)).rstrip("\n").split("\t")

    # --- what is typed and done ---

    def start(self, command: str) -> None:
        """Runs a command line, on an empty screen: what is waited for then is this one's, or stands in it."""
        self._tmux("send-keys", "-R")
        self.text(command)
        self.keys("Enter")

    def keys(self, *names: str) -> None:
        """By tmux's names: Up, PPage, F1, C-c, or a single letter."""
        self._tmux("send-keys", *names)

    def text(self, text: str) -> None:
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def program(self) -> int:
        """The leader of the foreground's processes; 0: the shell itself is there."""
        group = int(Path(f"/proc/{self.shell}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[5])
        return 0 if group == self.shell else group

    def await_program(self) -> int:
        self.await_that("a program runs", lambda: self.program() > 0)
        return self.program()

    def signal(self, number: signal.Signals) -> None:
        """To the program, or as Ctrl-C does, to all processes in the foreground."""
        (os.killpg if number == signal.SIGINT else os.kill)(self.await_program(), number)

    def hang_up(self) -> None:
        """The window is closed."""
        self._tmux("kill-session")

    # --- what is seen ---

    def screen(self) -> list[str]:
        """The lines, without blanks at their ends."""
        return self._tmux("capture-pane", "-p").split("\n")[:-1]

    def colored(self) -> str:
        """The screen with the escape sequences of its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def cursor(self) -> tuple[int, int]:
        x, y = self._show("cursor_x", "cursor_y")
        return int(x), int(y)

    def settings(self) -> str:
        """All that a program must leave as it was, but for the size."""
        tty, height, lower, *flags = self._show("pane_tty", "pane_height", "scroll_region_lower", *FLAGS)
        stty = subprocess.run(["stty", "-a", "-F", tty], check=True, capture_output=True, encoding="ascii").stdout
        region = f"scroll_region_lower={int(lower) - int(height)} from the bottom"
        return re.sub("rows [0-9]+; columns [0-9]+; ", "", stty) + " ".join(f"{n}={v}" for n, v in zip(FLAGS, flags)) + " " + region

    def await_that(self, what: str, true: Callable[[], object], seconds: float = WAIT_SEC, screen: bool = True) -> None:
        """screen: it is shown if that does not come; the terminal lives then."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise Missed(f"not in {seconds} s: {what}\n" + "\n".join("  |" + line for line in (self.screen() if screen else [])))
            time.sleep(LOOK_SEC)

    def wait(self, pattern: str, seconds: float = WAIT_SEC) -> re.Match[str]:
        """Until the lines of the screen have it; ^ and $ are those of a line."""
        found: list[re.Match[str]] = []
        regex = re.compile(pattern, re.MULTILINE)

        def looked() -> bool:
            found[:] = list(regex.finditer("\n".join(self.screen())))[-1:]
            return bool(found)

        self.await_that(f"/{pattern}/", looked, seconds)
        return found[0]

    def await_end(self, seconds: float = WAIT_SEC) -> int:
        """Until the shell is back; the exit status of the command."""
        self.await_that("the program ends", lambda: self.program() == 0, seconds)
        status: list[int] = []

        def prompted() -> bool:
            lines = [line for line in self.screen() if line]
            found = re.search(PROMPT, lines[-1]) if lines else None
            status[:] = [int(found[1])] if found else []
            return bool(found)

        self.await_that("a prompt is there", prompted)
        return status[0]

    def close(self) -> None:
        """Hangs up; whatever still runs gets SIGHUP."""
        try:
            self._tmux("kill-server")
        except Missed:
            pass # it is gone already
        shutil.rmtree(self.folder, ignore_errors=True)
