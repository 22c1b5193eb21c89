#!/usr/bin/env python3
"""What samples and the recording of commands cost: runs with and without, in turn.

  recording_cost.py --build build/release [--of soak] [--api opencl|vulkan] [--rounds 30] [--seconds 2] [--interval-ms 1000]
  recording_cost.py --build build/switch --of opencl_calls|vulkan_calls|own_cost|cuda_own_cost --switched [--rounds 10]
  recording_cost.py --build build/release --of opencl_calls|vulkan_calls|own_cost|cuda_own_cost [--rounds 15] [--case NAME]...

Of the soak programs: the clean one runs its cycles (create, write, launch, read, release) as fast as it can, and processor
time a cycle is compared, of the thread that makes the calls and of the whole process, the driver's and gpusan's own threads
included. Of the benches: processor time of the calling thread a call, over a real driver (*_calls) and over one whose
functions return at once (own). Other load on the machine is not in it, but disturbs caches. A round runs each setting once,
and each round begins with another one. Shown is the median of the rounds' ratios to the runs without, and its interval of
95 % confidence (order statistics of the median); `again` is a second run without, and tells what the machine can tell.

With --switched each process has batches without and with the timeline in turn, and the median is that of all pairs of
batches: processes of one program differ by more than what is looked for. That takes a build with
-DGPUSAN_TIMELINE_SWITCH=ON, whose library exports a function for it and is otherwise the same.
"""
import argparse
import json
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


def pairs(options, number):
    """Of each case the nanoseconds without and with a timeline, batch by batch."""
    build, name = options.build.resolve(), options.of
    with tempfile.TemporaryDirectory(prefix="gpusan-cost-") as folder:
        words, environment = command_of(build, name, options, number, f"record={folder}/%p.jsonl:print=0:leaks=0:timeline=4096", True)
        values = {}
        for case in options.case or [None]:
            chosen = [] if case is None else [case] if "own" in name else ["--case", case]
            done = subprocess.run(words + chosen, env=environment, capture_output=True, text=True, check=True)
            for line in done.stdout.splitlines():
                if line.startswith('{"case"'):
                    one = json.loads(line)
                    values[one["case"]] = one["values"]
    return {case: list(zip(values[case], values[case + ", timeline"])) for case in values if case + ", timeline" in values}


def command_of(build, name, options, number, text, switched):
    """Of a bench: the words that begin it, and its environment."""
    library = str(build / "layer" / "libgpusan.so")
    words, more = [build / "tests" / "bench" / name], {"LD_PRELOAD": "", "OPENCL_LAYERS": ""}
    if switched:
        words.append("--switch-timeline")
    if name == "own_cost":
        words += [library, str(options.calls)]
    elif name == "cuda_own_cost":
        words.append(str(options.calls))
        more.update(LD_PRELOAD=library, LD_LIBRARY_PATH=str(build / "tests" / "bench" / "instant"))
    else:
        words += ["--batches", str(options.batches)]
    if name == "opencl_calls":
        # One CPU a round, another one each: tests/bench/README.md says why.
        words += ["--cpu", str(number % os.cpu_count())]
        more.update(OPENCL_LAYERS=library)
    if name == "vulkan_calls":
        more.update(VK_ADD_LAYER_PATH=str(build / "layer"), VK_INSTANCE_LAYERS="VK_LAYER_GPUSAN_shadow")
    return words, dict(os.environ, GPUSAN_OPTIONS=text, **more)


def bench(options, setting, number):
    """Nanoseconds a call of each case: the median of a bench's batches, or what it prints as its best."""
    build, name = options.build.resolve(), options.of
    with tempfile.TemporaryDirectory(prefix="gpusan-cost-") as folder:
        text = f"record={folder}/%p.jsonl:print=0:leaks=0" + SETTINGS[setting].format(options.interval_ms)
        words, environment = command_of(build, name, options, number, text, False)
        took = {}
        for case in options.case or [None]:
            chosen = [] if case is None else [case] if "own" in name else ["--case", case]
            done = subprocess.run(words + chosen, env=environment, capture_output=True, text=True, check=True)
            for line in done.stdout.splitlines():
                if line.startswith('{"case"'):
                    one = json.loads(line)
                    took[one["case"]] = statistics.median(one["values"])
                elif found := re.match(r"(\S.*?) +([\d.]+) ns", line):
                    took[found[1]] = float(found[2])
    return took


def interval(values):
    """Of the median, at 95 % or more: the order statistics whose binomial tails are below 2.5 %."""
    values, count, below, low = sorted(values), len(values), 0, 0
    if count > 200:
        low = int(count / 2 - 0.98 * math.sqrt(count))
        return values[low], values[count - 1 - low]
    while (below + math.comb(count, low)) * 40 <= 2**count:
        below += math.comb(count, low)
        low += 1
    low = max(0, low - 1)
    return values[low], values[count - 1 - low]


def print_switched(options):
    all_pairs = {}
    for number in range(options.rounds):
        for case, of_case in pairs(options, number).items():
            all_pairs.setdefault(case, []).extend(of_case)
    print(f"{options.of}, ns a call, batches in turn in one process: {options.rounds} processes")
    for case, of_case in all_pairs.items():
        ratios = [on / off for off, on in of_case]
        low, high = interval(ratios)
        off = statistics.median(off for off, _ in of_case)
        print(f"{case:26}  {off:8.1f}  {(statistics.median(ratios) - 1) * 100:+.2f} % ({(low - 1) * 100:+.2f} to "
              f"{(high - 1) * 100:+.2f})  {(statistics.median(ratios) - 1) * off:+.2f} ns")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--api", choices=["opencl", "vulkan"], default="opencl")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--interval-ms", type=int, default=1000)
    parser.add_argument("--of", default="soak", choices=["soak", "opencl_calls", "vulkan_calls", "own_cost", "cuda_own_cost"])
    parser.add_argument("--case", action="append")
    parser.add_argument("--batches", type=int, default=40)
    parser.add_argument("--calls", type=int, default=1000000)
    parser.add_argument("--switched", action="store_true")
    options = parser.parse_args()
    if options.switched:
        return print_switched(options)
    order, took = list(SETTINGS), {name: [] for name in SETTINGS}
    for number in range(options.rounds):
        for name in order[number % len(order):] + order[:number % len(order)]:
            if options.of == "soak":
                took[name].append(dict(zip(("us a cycle of the thread", "us a cycle of the process"), run(options, name))))
            else:
                took[name].append(bench(options, name, number))
    print(f"{options.api + ' soak' if options.of == 'soak' else options.of + ', ns a call'}: {options.rounds} rounds")
    print(f"{'':26}  {'off':>8}  " + "  ".join(f"{'more with ' + name:>32}" for name in order[1:]))
    for case in took["off"][0]:
        cells = []
        for name in order[1:]:
            ratios = [one[case] / off[case] for one, off in zip(took[name], took["off"])]
            low, high = interval(ratios)
            cells.append(f"{(statistics.median(ratios) - 1) * 100:+.2f} % ({(low - 1) * 100:+.2f} to {(high - 1) * 100:+.2f})")
        print(f"{case:26}  {statistics.median(one[case] for one in took['off']):8.1f}  " +
              "  ".join(f"{cell:>32}" for cell in cells))


if __name__ == "__main__":
    main()
