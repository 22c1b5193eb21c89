#!/usr/bin/env python3
"""What gpusan costs CUDA calls, bare and watched in turn, on a machine with a GPU.

usage: cuda.py --gpusan COMMAND --bench cuda_calls [--rounds N] [--variants preload,cupti] [--live N] [--streams N]
               [--training SCRIPT] [--training-rounds N]

Prints the table: bare ns, what each variant adds, the budget. Of the rounds' medians the least counts: what else a virtual
machine's host does makes whole processes slower by half, and none faster. Many short rounds (--rounds 9 --batches 12) tell
more than a few long ones. No figure makes it fail.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

# ns over bare, with nothing else live.
BUDGETS = {"launch": 150, "memcpy_async": 150, "memset_async": 150, "event_record": 40, "event_query": 40,
           "malloc_free": 200, "malloc_async_free_async": 200}


def once(options, variant, extra):
    command = [options.bench, *extra]
    if variant != "bare":
        command = [options.gpusan, "run", f"--cuda-attach={variant}", "--fail-on=never", "--quiet", "--", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-800:]}")
    if "finding" in done.stderr or "error:" in done.stderr:
        print(f"note: {variant} printed: {done.stderr[-400:]}")
    return {case["case"]: case["median_ns"] for case in map(json.loads, done.stdout.splitlines())}


def table(options, extra, title):
    variants = ["bare", *options.variants.split(",")]
    samples = {variant: [] for variant in variants}
    for number in range(options.rounds):
        for variant in variants[number % len(variants):] + variants[:number % len(variants)]:
            samples[variant].append(once(options, variant, extra))
    print(f"== {title}")
    print(f"{'call':26}{'bare ns':>9}" + "".join(f"{variant + ' +ns':>13}{'ratio':>7}" for variant in variants[1:]) + f"{'budget':>9}")
    for case in samples["bare"][0]:
        bare = min(sample[case] for sample in samples["bare"])
        line = f"{case:26}{bare:9.0f}"
        for variant in variants[1:]:
            watched = min(sample[case] for sample in samples[variant])
            line += f"{watched - bare:13.0f}{watched / bare:7.2f}"
        print(line + f"{BUDGETS.get(case, 0) or '':>9}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpusan", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=40)
    parser.add_argument("--variants", default="preload,cupti")
    parser.add_argument("--live", type=int, default=100000)
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--training", help="a script that prints one figure, its ns a step")
    parser.add_argument("--training-rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.rounds} rounds of {options.batches} batches")
    batches = ["--batches", str(options.batches)]
    table(options, batches, "nothing else live, one stream")
    if options.live:
        options.variants = "preload"
        table(options, [*batches, "--live", str(options.live), "--streams", str(options.streams)],
              f"{options.live} live allocations, {options.streams} streams")
    if options.training:
        steps = {"bare": [], "preload": []}
        # What is hashed is laid out alike in all of them.
        environment = dict(os.environ, PYTHONHASHSEED="0")
        for number in range(options.training_rounds):
            for variant, figures in sorted(steps.items(), reverse=number % 2 == 0):
                command = [sys.executable, options.training]
                if variant != "bare":
                    command = [options.gpusan, "run", "--cuda-attach=preload", "--fail-on=never", "--quiet", "--", *command]
                done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
                figures.append(float(done.stdout.split()[-1]))
        ratios = sorted(w / b for w, b in zip(steps["preload"], steps["bare"]))
        least = {variant: min(figures) for variant, figures in steps.items()}
        print(f"training step: bare {least['bare'] / 1e6:.3f} to {max(steps['bare']) / 1e6:.3f} ms, preload "
              f"{least['preload'] / least['bare']:.3f}x of the least, pair by pair {statistics.median(ratios):.3f}x "
              f"({ratios[0]:.3f} to {ratios[-1]:.3f}), budget 1.02x")


if __name__ == "__main__":
    main()
