#!/usr/bin/env python3
"""How long `gpusan merge` and each form of `gpusan report` take over many findings, and how much memory at most.

  GPUSAN=build/release/report/gpusan tests/reports/scale.py [--files 1000] [--findings 1000000] [--places 1000000]
                                                            [--forms text,json,...] [--folder FOLDER]

Writes that many record files with that many findings in all, at so many places (no two findings of a file at one), and
merges them; the forms are written of the merged file, the largest there is. Memory is the peak of Rss as the kernel has it;
findings a second are by the clock.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

from gpusan_test import COMMAND, end, finding, fingerprint, module, process

RULES = ["race", "leak", "host-race", "call-failed", "misleading-flag"]


def write_records(folder, options):
    each = options.findings // options.files
    number = 0
    for index in range(options.files):
        with (folder / f"{index:06}.jsonl").open("w", encoding="utf-8") as file:
            about = process(pid=index + 1, rank=str(index % 64), host=f"node{index // 64}", start_ns=10**18 + index)
            lines, counts = [about, module()], {}
            for _ in range(each):
                place = number % options.places
                rule = RULES[place % len(RULES)]
                lines.append(finding(place, rule))
                counts[fingerprint(rule, place)] = 1
                number += 1
            lines.append(end(counts))
            file.write("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return each * options.files


def measure(*words):
    """Seconds, those of a processor, MiB at the peak, exit code."""
    begin = time.monotonic()
    child = subprocess.Popen([COMMAND, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env=dict(os.environ, GPUSAN_OPTIONS=""))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--findings", type=int, default=1000000)
    parser.add_argument("--places", type=int, default=1000000)
    parser.add_argument("--forms", default="text,json,sarif,junit,html,trace,metrics")
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.folder is not None:
        pathlib.Path(options.folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gpusan-scale-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        (folder / "in").mkdir()
        count = write_records(folder / "in", options)
        size = sum(path.stat().st_size for path in (folder / "in").iterdir())
        print(f"{count} findings at {options.places} places in {options.files} files, {size / 2**20:.0f} MiB")
        print(f"{'what':10} {'seconds':>8} {'processor s':>11} {'findings/s':>11} {'peak MiB':>9} {'output MiB':>11}  code")
        merged = folder / "merged.jsonl"
        cases = [("merge", ["merge", "--quiet", "-o", merged, folder / "in"], merged)]
        for form in filter(None, options.forms.split(",")):
            cases.append((form, ["report", f"--format={form}", "-o", folder / form, merged], folder / form))
        for what, words, output in cases:
            took, busy, peak, code = measure(*words)
            print(f"{what:10} {took:8.1f} {busy:11.1f} {count / took:11.0f} {peak:9.0f} "
                  f"{output.stat().st_size / 2**20:11.0f}  {code}", flush=True)
            if what != "merge":
                output.unlink()


if __name__ == "__main__":
    main()
