#!/usr/bin/env python3
"""Opens the HTML report in headless Chromium with 10 and with 10,000 findings, and uses it as a reader would.

usage: GPUSAN=build/release/report/gpusan tests/reports/html_check.py [--pictures FOLDER]

Needs Debian's chromium and chromium-driver (packages.txt). --pictures writes what the page looks like at two widths, light and
dark.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from gpusan_test import COMMAND, end, finding, module, process
from timeline_test import commands, site

RULES = [("race", "error"), ("leak", "error"), ("host-race", "error"), ("misleading-flag", "note"),
         ("call-failed", "warning")]


class Browser:
    """A session of chromedriver, by its wire protocol (W3C WebDriver)."""

    def __init__(self, dark):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.split("port ")[1].split(".")[0].split()[0]
                break
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1400,1000", "--force-color-profile=srgb"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + answer["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.read().decode()[:600]}") from None

    def open(self, path):
        self.call("POST", self.session + "/url", {"url": path.as_uri()})

    def script(self, text):
        return self.call("POST", self.session + "/execute/sync", {"script": text, "args": []})

    def keys(self, text):
        presses = []
        for key in text:
            presses += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "k", "actions": presses}]})

    def devtools(self, command, **parameters):
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def width(self, pixels):
        self.devtools("Emulation.setDeviceMetricsOverride", width=pixels, height=1000, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", self.session + "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        self.call("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()


def write_records(path, count):
    with path.open("w", encoding="utf-8") as file:
        def write(record):
            file.write(json.dumps(record) + "\n")
        write(process(pid=7, rank="3"))
        write(module("/nonexistent/" + "long_name_of_an_" * 8 + "app"))
        write(site(1, 0x2001))
        write(site(2, 0x1001))
        write(commands(("command", 0, 1, 1, 0, 0, 1), ("command", 2, 2, 1, 1, 1, 2, [1, 1]), ("wait", 9000, [2, 1])))
        for i in range(900):
            live = 10**6 * (i % 300)
            write({"type": "sample", "time_ns": 10**18 + i * 10**9,
                   "ledger": {"opencl": {"live_bytes": live, "peak_bytes": 3 * 10**8, "pending_release_bytes": live // 9},
                              "cuda": {"live_bytes": live // 3, "peak_bytes": 10**8}},
                   "sites": [{"api": "opencl", "site": [[1, 4096 + j * 16]], "live_bytes": live // (j + 2),
                              "live_count": j + 1} for j in range(5)]})
        for i in range(count):
            rule, severity = RULES[i % len(RULES)]
            write(finding(i, rule, severity, label=f"tensor {i} </script><!-- é"))
        write(end({}))


def expect(what, wanted, got):
    if wanted != got:
        raise SystemExit(f"{what}: expected {wanted!r}, got {got!r}")


def check(browser, folder, count, pictures, name):
    records, page = folder / f"{count}.jsonl", folder / f"{count}.html"
    write_records(records, count)
    subprocess.run([COMMAND, "report", "--quiet", "--fail-on=never", "--format=html", "-o", page, records], check=True,
                   stderr=subprocess.DEVNULL)
    begin = time.monotonic()
    browser.open(page)
    took = time.monotonic() - begin
    expect("the page's script ran to its end", "1", browser.script("return document.documentElement.dataset.ready"))
    shown = lambda: browser.script("return document.getElementById('shown').textContent")
    rows = lambda: browser.script("return document.querySelectorAll('.row').length")
    chosen = lambda: browser.script("return document.querySelector('.row[aria-selected=true] b:nth-child(2)').textContent")
    details = lambda: browser.script("return document.getElementById('details').textContent")
    expect("findings", f"{count} of {count} findings", shown())
    if not 0 < rows() < 60:
        raise SystemExit(f"{rows()} rows are in the page, of which some 20 are to be seen")
    expect("most severe first", "leak", chosen())
    for text in ("what 1", "pending command", "the other <one>", "app+0x1001", "fix", "v1-"):
        if text not in details():
            raise SystemExit(f"the details lack {text!r}: {details()}")
    expect("commands around it", ["party", "finding"], browser.script(
        "return [...document.querySelectorAll('svg.timeline rect')].map((r) => r.getAttribute('class'))"))
    expect("nothing is wider than its panel", [], browser.script(
        "return [document.documentElement, ...document.querySelectorAll('#details, #list, section')]"
        ".filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.id || e.tagName)"))
    expect("lines on commands", 3, browser.script("return document.querySelectorAll('table.commands td:first-child').length"))
    expect("plots", 2, browser.script("return document.querySelectorAll('svg.plot').length"))
    expect("lines", 5, browser.script("return document.querySelectorAll('svg.plot path').length"))
    expect("lines are no points", True, browser.script(
        "return [...document.querySelectorAll('svg.plot path')].every((p) => p.getTotalLength() > 500)"))
    expect("sites", 6, browser.script("return document.querySelectorAll('#sites tr').length"))
    if pictures:
        browser.picture(pictures / f"{name}-{count}.png")
    check_run(browser)
    check_groups_and_links(browser, page, count)
    check_narrow(browser, pictures and pictures / f"{name}-{count}-narrow.png")
    # The keys.
    browser.script("document.getElementById('list').focus()")
    browser.keys("j")
    expect("j goes on", "row1", browser.script("return document.getElementById('list').getAttribute('aria-activedescendant')"))
    browser.keys("\ue010")  # End
    expect("End goes to the end", f"row{count - 1}",
           browser.script("return document.getElementById('list').getAttribute('aria-activedescendant')"))
    expect("the last row is in view", True, browser.script(
        "const r = document.querySelector('.row[aria-selected=true]').getBoundingClientRect(), "
        "l = document.getElementById('list').getBoundingClientRect(); return r.bottom <= l.bottom + 1 && r.top >= l.top"))
    browser.keys("\ue007")  # Enter
    expect("Enter goes to the details", "details", browser.script("return document.activeElement.id"))
    browser.keys("\ue00c")  # Escape
    expect("Escape goes back", "list", browser.script("return document.activeElement.id"))
    # The filters.
    browser.keys("/tensor 0x1007")
    if not 0 < int(shown().split(" ")[0]) < count:
        raise SystemExit(f"the search shows {shown()}")
    browser.script("const f = document.getElementById('filters'); f.search.value = ''; f.error.checked = false; "
                   "f.dispatchEvent(new Event('input'))")
    expect("without errors", f"{count * 2 // 5} of {count} findings", shown())
    browser.script("const f = document.getElementById('filters'); f.rule.value = 'call-failed'; "
                   "f.dispatchEvent(new Event('input'))")
    expect("one check", f"{count // 5} of {count} findings", shown())
    expect("the other check is gone", "call-failed", chosen())
    browser.script("const f = document.getElementById('filters'); f.state.value = 'suppressed'; "
                   "f.dispatchEvent(new Event('input'))")
    expect("none is left", f"0 of {count} findings", shown())
    colour = "return getComputedStyle(document.body).backgroundColor"
    before = browser.script(colour)
    browser.script("document.getElementById('theme').click()")
    if browser.script(colour) == before:
        raise SystemExit("the theme does not change")
    expect("console", [], browser.complaints())
    print(f"{name}, {count} findings: opened in {took:.1f} s, {page.stat().st_size >> 10} KiB")


def check_run(browser):
    """What is said of the run as a whole: its header, its commands, its allocations."""
    text = lambda what: browser.script(f"return document.querySelector({what!r}).textContent")
    for word in ("/opt/app", "node1", "2001-09-09 01:46:40 UTC", "duration", "opencl 5"):
        if word not in text("#run"):
            raise SystemExit(f"the header lacks {word!r}: {text('#run')}")
    expect("the queue has a lane", True, browser.script("return document.getElementById('lanes').clientHeight > 40"))
    spans = "return view.end - view.begin"
    whole = browser.script(spans)
    browser.script("document.getElementById('closer').click()")
    if not browser.script(spans) < whole * 0.6:
        raise SystemExit("the commands of the run do not zoom")
    browser.script("document.getElementById('lanes').dispatchEvent(new WheelEvent('wheel', {deltaY: -1, cancelable: true}))")
    browser.script("document.getElementById('allofit').click()")
    expect("the whole run again", whole, browser.script(spans))
    bars = "return [...document.querySelectorAll('#flame button')].map((one) => one.textContent)"
    names = browser.script(bars)
    expect("the flame graph has all and 5 sites", ("all", 6), (names[0], len(names)))
    browser.script("document.querySelectorAll('#flame button')[1].click()")
    expect("a part of it", 2, len(browser.script(bars)))
    browser.script("document.querySelectorAll('#flame button')[0].click()")
    expect("all of it again", names, browser.script(bars))
    before = text("#when")
    browser.script("const m = document.getElementById('moment'); m.value = 0; m.dispatchEvent(new Event('input'))")
    if text("#when") == before:
        raise SystemExit("the moment of the flame graph does not change")
    browser.script("const p = document.querySelector('svg.plot'), a = p.getBoundingClientRect(); p.dispatchEvent("
                   "new PointerEvent('pointermove', {clientX: a.left + a.width / 2, clientY: a.top + 50, bubbles: true}))")
    if "live " not in text(".value"):
        raise SystemExit(f"no values under the pointer: {text('.value')}")


def check_groups_and_links(browser, page, count):
    group = lambda by: browser.script("const f = document.getElementById('filters'); f.group.value = "
                                      f"{by!r}; f.dispatchEvent(new Event('input'))")
    heads = lambda: browser.script("return [...document.querySelectorAll('.row.group')].map((one) => one.textContent)")
    group("rule")
    expect("the first group", f"leak ({count // 5})", heads()[0])
    group("source")
    expect("groups of files", 1, len(heads()))
    group("process")
    expect("groups of processes", [f"app rank 3 (pid 7) on node1 ({count})"], heads())
    group("")
    expect("no groups", [], heads())
    link = browser.script("return document.querySelector('.tools a').getAttribute('href')")
    other = browser.script("return data.findings.at(-1).fingerprint")
    if not link.startswith("#v1-") or link == "#" + other:
        raise SystemExit(f"the link of the first finding is {link}")
    browser.script(f"location.hash = {'#' + other!r}; follow()")
    expect("the link leads to its finding", "#" + other, browser.script("return document.querySelector('.tools a').getAttribute('href')"))
    copied = browser.script("return document.querySelector('.tools [data-copies]').dataset.copies")
    if ":" not in copied or "\n" in copied:
        raise SystemExit(f"copied as a suppression: {copied!r}")
    browser.script("choose(0)")
    browser.script("dispatchEvent(new Event('beforeprint'))")
    expect("on paper", min(count, 200), browser.script("return document.querySelectorAll('#print article').length"))
    browser.script("document.getElementById('print').replaceChildren()")


def check_narrow(browser, picture):
    """400 px: nothing sticks out, and no column is so narrow that words fall into letters."""
    browser.width(400)
    browser.script("dispatchEvent(new Event('resize'))")
    expect("as wide as the screen", True, browser.script("return document.documentElement.scrollWidth <= innerWidth"))
    expect("no column of letters", [], browser.script(
        "return [...document.querySelectorAll('td, dd, #details div, header dd')].filter((e) => e.textContent.length > 12 && "
        "e.clientWidth < 120 && e.clientHeight > 80).map((e) => e.textContent)"))
    if picture:
        browser.picture(picture)
    browser.width(1400)
    browser.script("dispatchEvent(new Event('resize'))")


def check_source(browser, folder):
    """The lines of source with a caret, and what a page without samples says."""
    source, records, page = folder / "main.c", folder / "source.jsonl", folder / "source.html"
    source.write_text("int main() {\n  call(1);\n}\n")
    os.utime(source, (1000, 1000))
    one = finding(1, parties=[], seen_in=[], count=1, first_ns=10**18, last_ns=10**18) | {"fingerprint": "v1-" + "0" * 32}
    one["frames"] = [{"function": "main", "file": str(source), "line": 2, "column": 3, "module": "/app", "offset": 5}]
    del one["site"]
    merge = {"type": "merge", "version": 1, "gpusan": "0.1.0"}
    records.write_text("".join(json.dumps(record) + "\n" for record in (merge, one)))
    subprocess.run([COMMAND, "report", "--quiet", "--fail-on=never", "--format=html", "-o", page, f"--source-root={folder}", records],
                   check=True)
    browser.open(page)
    expect("source", "1 | int main() {\n2 |   call(1);\n  |   ^", browser.script(
        "return document.querySelector('pre.source').textContent"))
    expect("place", True, browser.script("return document.querySelector('#details h2').textContent.endsWith(' at main.c:2:3')"))
    said = browser.script("return document.body.innerText")
    for flag in ("--timeline=4096", "--sample-interval=1000"):
        if flag not in said:
            raise SystemExit(f"the empty plots do not name {flag}")
    expect("console", [], browser.complaints())


def check_growth(browser, folder):
    """The table of what grows: the steepest first, what has ended last."""
    records, page = folder / "growth.jsonl", folder / "growth.html"
    facts = {"figure": "live", "held_bytes": 5 << 20, "objects": 80}
    rates = {"bytes_per_hour": 3 << 20, "low_bytes_per_hour": 2 << 20, "high_bytes_per_hour": 4 << 20, "watched_ns": 6 * 10**11}
    found = [finding(1, "leak-growth", "note", facts=facts), finding(2, "leak-growth", "warning", facts=facts | rates),
             finding(3, "leak-growth", "warning", facts=facts | rates | {"bytes_per_hour": 4 << 20})]
    records.write_text("".join(json.dumps(record) + "\n" for record in [process(), module(), *found, end()]))
    subprocess.run([COMMAND, "report", "--quiet", "--fail-on=never", "--format=html", "-o", page, records], check=True)
    browser.open(page)
    cells = browser.script("return [...document.querySelectorAll('#growth tr')].map((row) => "
                           "[...row.children].map((cell) => cell.textContent))")
    expect("growth", [["4 MiB/h", "2 MiB/h to 4 MiB/h", "5 MiB", "80", "10 min", "live", "app+0x1003"],
                      ["3 MiB/h", "2 MiB/h to 4 MiB/h", "5 MiB", "80", "10 min", "live", "app+0x1002"],
                      ["levelled off", "", "5 MiB", "80", "", "live", "app+0x1001"]], cells[1:])
    expect("console", [], browser.complaints())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("chromedriver"):
        print("chromedriver is not there: apt-get install chromium chromium-driver")
        sys.exit(77)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpusan-html-") as folder:
        for name in ("light", "dark"):
            browser = Browser(name == "dark")
            try:
                for count in (10, 10000):
                    check(browser, pathlib.Path(folder), count, options.pictures, name)
                check_growth(browser, pathlib.Path(folder))
                check_source(browser, pathlib.Path(folder))
            finally:
                browser.close()


if __name__ == "__main__":
    main()
