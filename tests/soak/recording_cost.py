#!/usr/bin/env python3
"""What samples and the recording of commands cost the soak programs: pairs of runs, with and without, in turn.

  recording_cost.py --build build/release [--api opencl|vulkan] [--rounds 30] [--seconds 2] [--interval-ms 1000]

The clean program runs its cycles (create, write, launch, read, release) as fast as it can. Compared is processor time a
cycle, of the thread that makes the calls and of the whole process, the driver's and gpusan's own threads included: other
load on the machine is not in it, but disturbs caches. A round runs each setting once, and each round begins with another
one. Shown is the median of the rounds' ratios to the runs without, and its interval of 95 % confidence (order statistics
of the median).
"""
import argparse
import math
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

SETTINGS = {"off": "", "again": "", "samples": ":sample_interval={}", "samples, timeline": ":sample_interval={}:timeline=4096"}


def run(options, setting):
    """Microseconds a cycle: of the thread, of the process."""
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="gpusan-cost-") as folder:
        text = f"record={folder}/%p.jsonl:print=0" + SETTINGS[setting].format(options.interval_ms)
        words = [build / "report" / "gpusan", "run", "--quiet", "--", build / "tests" / "soak" / f"{options.api}_soak", "clean",
                 str(options.seconds), "1e9"]
        done = subprocess.run(words, env=dict(os.environ, GPUSAN_OPTIONS=text, LD_PRELOAD="", OPENCL_LAYERS=""),
                              capture_output=True, text=True, check=True)
    return tuple(map(float, re.search(r"cycles, ([\d.]+) us a cycle of the main thread, ([\d.]+) us", done.stdout).groups()))


def interval(values):
    """Of the median, at 95 % or more: the order statistics whose binomial tails are below 2.5 %."""
    values, count, below, low = sorted(values), len(values), 0.0, 0
    while below + math.comb(count, low) / 2**count <= 0.025:
        below += math.comb(count, low) / 2**count
        low += 1
    low = max(0, low - 1)
    return values[low], values[count - 1 - low]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--api", choices=["opencl", "vulkan"], default="opencl")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--interval-ms", type=int, default=1000)
    options = parser.parse_args()
    order, took = list(SETTINGS), {name: [] for name in SETTINGS}
    for number in range(options.rounds):
        for name in order[number % len(order):] + order[:number % len(order)]:
            took[name].append(run(options, name))
    print(f"{options.api}: {options.rounds} rounds of {options.seconds} s")
    print(f"{'setting':18}  {'us a cycle: thread':>18}  {'more than off':>30}  {'process':>8}  {'more than off':>30}")
    for name in order:
        cells = []
        for part in (0, 1):
            ratios = [one[part] / off[part] for one, off in zip(took[name], took["off"])]
            low, high = interval(ratios)
            cells += [f"{statistics.median(one[part] for one in took[name]):.2f}",
                      "-" if name == "off" else f"{(statistics.median(ratios) - 1) * 100:+.2f} % "
                      f"({(low - 1) * 100:+.2f} to {(high - 1) * 100:+.2f})"]
        print(f"{name:18}  {cells[0]:>18}  {cells[1]:>30}  {cells[2]:>8}  {cells[3]:>30}")


if __name__ == "__main__":
    main()
