# SPDX-License-Identifier: LGPL-2.1-or-later
"""Heat maps in Chromium: what pictures does with flame graphs, done with squares."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

Check = Callable[[str, bool, object], None]
HOT = "spin_long"  # of the program that is recorded


class Page:
    """The heat map of an open page, and what a reader does with it."""

    def __init__(self, browser: webdriver.Chrome, page: Path) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get(page.as_uri())

    def js(self, expression: str) -> object:
        return self.browser.execute_script(f"return {expression}")

    def number(self, expression: str) -> int:
        return int(str(self.js(expression)))

    def text(self, element: str) -> str:
        return str(self.browser.find_element(By.ID, element).text)

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def drag(self, begin: tuple[int, int], end: tuple[int, int], *keys: str) -> None:
        """Between squares, which are columns and rows."""
        canvas = self.browser.find_element(By.ID, "heatmap")
        places = []
        for column, row in (begin, end):
            x, y = self.js(f"[heat.x({column}) + heat.w / 2, heat.y({row}) + heat.h / 2]")
            places.append((int(x - canvas.size["width"] / 2), int(y - canvas.size["height"] / 2)))
        chain = ActionChains(self.browser)
        for key in keys:
            chain = chain.key_down(key)
        chain = chain.move_to_element_with_offset(canvas, *places[0]).click_and_hold().move_to_element_with_offset(canvas, *places[1]).release()
        for key in keys:
            chain = chain.key_up(key)
        chain.perform()


def make_maps(build: Path, folder: Path) -> None:
    view = build / "viewer/perf-recorder-view"
    for name, words in (("heat.html", []), ("heat.svg", []), ("heat-tid.html", ["--by=tid"]), ("heat-tid.svg", ["--by=tid"])):
        subprocess.run([view, "heatmap", "-i", folder / "perf.data", "-o", folder / name, *words], check=True, capture_output=True)


def times_of(build: Path, folder: Path) -> list[int]:
    """Of all samples, in nanoseconds since the first one."""
    text = subprocess.run([build / "viewer/perf-recorder-view", "script", "-i", folder / "perf.data", "-F", "time", "--ns"], check=True, capture_output=True, text=True).stdout
    times = sorted(int(s) * 10**9 + int(ns) for s, ns in re.findall(r"^\s*(\d+)\.(\d{9}):", text, re.MULTILINE))
    return [time - times[0] for time in times]


def check_selection(browser: webdriver.Chrome, folder: Path, times: list[int], check: Check) -> None:
    page = Page(browser, folder / "heat.html")
    check("heat map: it has all samples", page.number("heat.total(null)") == len(times), page.js("heat.total(null)"))
    check("heat map: squares have them, too", page.number("heat.counts.reduce((a, b) => a + b, 0)") == len(times), page.js("heat.counts.reduce((a, b) => a + b, 0)"))
    columns = page.number("heat.columns")
    page.drag((2, 10), (columns // 2, 40))
    since, until = page.number("heat.b.since"), page.number("heat.b.until")
    tick, first = page.number("heat.d.tick"), page.number("heat.d.first")
    expected = sum(1 for time in times if (since - first) * tick <= time < (until - first) * tick)
    check("heat map: the flame graph is that of the selection", abs(page.number("all.weight[0]") - expected) <= 2 and 0 < expected < len(times),
          [page.js("all.weight[0]"), expected])
    check("heat map: a line says what is selected", page.text("heatwhere").startswith("B: ") and "samples" in page.text("heatwhere"), page.text("heatwhere"))
    check("heat map: it is in the address", f"r={since}-{until}" in browser.current_url, browser.current_url)
    selected = page.number("all.weight[0]")
    page.drag((columns // 2 + 1, 0), (columns - 2, 49), Keys.CONTROL)
    check("heat map: Ctrl-drag compares", page.number("all.weight[0]") == selected and page.number("all.baseWeight[0]") > 0, page.js("all.baseWeight"))
    seconds = page.js("[all.seconds[1], (heat.b.until - heat.b.since) * heat.d.tick / 1e9]")
    check("heat map: in the time of both", isinstance(seconds, list) and abs(seconds[0] - seconds[1]) < 1e-6, seconds)
    check("heat map: the difference is explained", "takes more" in page.text("legend"), page.text("legend"))
    browser.save_screenshot(str(folder / "heat-compared.png"))
    browser.refresh()
    check("heat map: both come back with the address", page.number("all.weight[0]") == selected and page.js("!!all.base") is True, browser.current_url)
    browser.back()
    check("heat map: Back leaves the comparison", page.js("all.base") is None and page.number("all.weight[0]") == selected, browser.current_url)
    page.press("0")
    check("heat map: 0 shows all", page.number("all.weight[0]") == len(times) and page.js("heat.selects()") is False, page.js("all.weight[0]"))


def check_search(browser: webdriver.Chrome, folder: Path, matching: int, check: Check) -> None:
    page = Page(browser, folder / "heat.html")
    browser.find_element(By.ID, "search").send_keys(HOT)
    check("heat map: a search paints squares", page.number("heat.matches.reduce((a, b) => a + b, 0)") == matching, page.js("heat.matches.reduce((a, b) => a + b, 0)"))
    page.press(Keys.ESCAPE)
    check("heat map: Escape takes it back", page.number("heat.matches.reduce((a, b) => a + b, 0)") == 0, page.js("heat.matches.reduce((a, b) => a + b, 0)"))


def check_keys(browser: webdriver.Chrome, folder: Path, check: Check) -> None:
    page = Page(browser, folder / "heat.html")
    canvas = browser.find_element(By.ID, "heatmap")
    check("heat map: a screen reader knows it", canvas.get_attribute("role") == "application" and "Heat Map" in str(canvas.get_attribute("aria-label")) and
          canvas.get_attribute("aria-describedby") == "heatwhere", canvas.get_attribute("aria-label"))
    browser.execute_script("heat.canvas.focus()")
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    check("heat map: arrows go from square to square", page.js("[heat.cursor.column, heat.rows - 1 - heat.cursor.row]") == [1, 1], page.js("heat.cursor"))
    check("heat map: and say what is there", re.match(r"[\d,]+ samples, \d\d:\d\d:\d\d", page.text("heatwhere")), page.text("heatwhere"))
    ActionChains(browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    page.press(Keys.ENTER)
    ticks = page.js("[heat.b.until - heat.b.since, Math.ceil(3 * heat.step + heat.step / heat.rows)]")
    check("heat map: Shift-arrows and Enter select", isinstance(ticks, list) and abs(ticks[0] - ticks[1]) <= 1, ticks)
    page.press(Keys.ARROW_LEFT)
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    check("heat map: Ctrl-Enter is the comparison", page.js("!!heat.a && !!all.base") is True, page.js("heat.a"))
    was = page.number("heat.columns")
    page.press("+")
    check("heat map: + has shorter columns", page.number("heat.columns") > was and page.js("heat.scale >= 0") is True, [was, page.js("heat.columns")])
    page.press("-")
    check("heat map: - has longer ones", page.number("heat.columns") == was, [was, page.js("heat.columns")])


def check_groups(browser: webdriver.Chrome, folder: Path, check: Check) -> None:
    page = Page(browser, folder / "heat-tid.html")
    check("heat map: rows are threads", page.js("heat.mode") == "group" and re.fullmatch(r"busy-program-\d+/\d+", str(page.js("heat.groups[0]"))), page.js("heat.groups"))
    expected = page.number("all.weight[all.frame.findIndex(f => name(f) === heat.groups[0])]")
    canvas = browser.find_element(By.ID, "heatmap")
    y = page.number("heat.y(0)") + 8 - canvas.size["height"] / 2
    ActionChains(browser).move_to_element_with_offset(canvas, int(20 - canvas.size["width"] / 2), int(y)).click().perform()
    check("heat map: a click at the left selects a row", page.number("all.weight[0]") == expected, [page.js("all.weight[0]"), expected])
    browser.execute_script("heat.choose('offset')")
    check("heat map: and its rows can be offsets", page.number("heat.rows") == 50 and "w=offset" in browser.current_url, browser.current_url)


def check_narrow_map(browser: webdriver.Chrome, folder: Path, check: Check) -> None:
    for name in ("heat.html", "heat-tid.html"):
        page = Page(browser, folder / name)
        check(f"{name}: 400 pixels are enough", page.number("document.documentElement.scrollWidth") <= 400, page.js("document.documentElement.scrollWidth"))
        check(f"{name}: and the flame graph has room", page.number("view.clientHeight") > 150, page.js("view.clientHeight"))
        browser.save_screenshot(str(folder / f"narrow-{name}.png"))


def check_latencies(browser: webdriver.Chrome, build: Path, folder: Path, check: Check) -> None:
    """The page's latencies are those of the picture, to less than a percent: the least and the most of them are the ends of a single row."""
    data, view = folder / "sched.data", build / "viewer/perf-recorder-view"
    subprocess.run([build / "worker/perf-recorder-worker", "-a", "-g", "-k", "monotonic", "-e", "sched:sched_wakeup", "-e", "sched:sched_switch", "-o", data,
                    "--", "sleep", "1"], check=True, capture_output=True)
    for name, words in (("waits.html", []), ("waits.svg", ["--rows=1", "--maxcol=1", "--stepsec=1h"])):
        subprocess.run([view, "heatmap", "--latency=sched", "-i", data, "-o", folder / name, *words], check=True, capture_output=True)
    title = re.search(r"<title>([\d,]+) waits, .*, ([\d.]+ .?s) to ([\d.]+ .?s)</title>", (folder / "waits.svg").read_text())
    page = Page(browser, folder / "waits.html")
    check("latencies: the picture has them in its square", title is not None, "")
    if title:
        check("latencies: the page has as many", page.text("caption").find(f"{title[1]} waits") >= 0 and page.number("heat.total(null)") == int(title[1].replace(",", "")), title[1])
        nsec = [float(text.split()[0]) * {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}[text.split()[1]] for text in (title[2], title[3])]
        seen = page.js("[Math.min(...heat.latency), Math.max(...heat.latency)]")
        check("latencies: from the shortest to the longest", isinstance(seen, list) and all(abs(a - b) <= .015 * b for a, b in zip(seen, nsec)), [seen, nsec])
    check("latencies: rows are latencies, lines percentiles", page.js("heat.mode") == "latency" and page.number("heat.percentiles.filter(x => x).length") > 3, page.js("heat.mode"))
    page.drag((0, 25), (page.number("heat.columns") - 1, 49))
    expected = page.number("[...heat.latency.keys()].filter(i => heat.latency[i] >= heat.b.low && heat.latency[i] < heat.b.high).reduce((a, i) => a + heat.many[i], 0)")
    check("latencies: the slow ones are selected", page.number("all.weight[0]") == expected and 0 < expected < page.number("heat.total(null)"), [page.js("all.weight[0]"), expected])
    browser.refresh()
    check("latencies: which is in the address", page.number("all.weight[0]") == expected, browser.current_url)
    browser.find_element(By.ID, "heatlinear").click()
    check("latencies: rows can be equal times", page.js("heat.linear") is True and "l=1" in browser.current_url, browser.current_url)
    browser.save_screenshot(str(folder / "waits.png"))


def check_map_picture(folder: Path, samples: int, check: Check) -> None:
    for name in ("heat.svg", "heat-tid.svg"):
        picture = folder / name
        lint = subprocess.run(["xmllint", "--noout", "--huge", picture], capture_output=True, text=True, check=False)
        check(f"{name}: xmllint accepts it", lint.returncode == 0, lint.stderr)
        drawn = subprocess.run(["rsvg-convert", "-o", folder / f"{name}.png", picture], capture_output=True, text=True, check=False)
        check(f"{name}: rsvg-convert draws it", drawn.returncode == 0, drawn.stderr)
        count = sum(int(n.replace(",", "")) for n in re.findall(r"<title>([\d,]+) samples, ", picture.read_text()))
        check(f"{name}: its squares have all samples", count == samples, [count, samples])
