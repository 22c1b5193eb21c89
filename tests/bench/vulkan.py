#!/usr/bin/env python3
"""What gpusan costs Vulkan calls: bare, an empty layer, gpusan and Khronos validation in turn.

usage: vulkan.py --build FOLDER [--rounds N] [--variants empty,gpusan,core,sync] [--live N] [--case NAME|GROUP]...

Prints a table: bare ns of the calling thread (of the process where a row says so), and for each layer what it adds and its
ratio (medians over the rounds, paired round by round). No figure makes it fail. README.md says how to read it.
"""
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

RATIO, PLUS = "x", "+"
# Name: (text, (kind, limit) over bare, or (case, ratio) of the same layer's figure there).
CASES = {
    "record_pair": ("record an image barrier and vkCmdCopyBufferToImage", (RATIO, 1.5)),
    "pair_submitted": ("the pair with its share of submit, CPU of the process", (RATIO, 1.5)),
    "bind_dispatch": ("vkCmdBindDescriptorSets + vkCmdDispatch", (RATIO, 1.5)),
    "bind_dispatch_submitted": ("bind and dispatch with their share of submit, CPU of the process", (RATIO, 1.5)),
    "push_constants": ("vkCmdPushConstants, 64 B", (PLUS, 10)),
    "dynamic_state": ("vkCmdSetViewport and vkCmdSetScissor", (PLUS, 20)),
    "update_sets": ("vkUpdateDescriptorSets, 2 buffers", (PLUS, 40)),
    "image_cycle": ("create, allocate, bind, destroy, free an image", (PLUS, 200)),
    "create_bind": ("create and bind an image beside 16,384 live ones in one memory object", (RATIO, 1.5)),
    "empty_submit": ("empty submit with a fence", (PLUS, 300)),
    "two_threads_pair": ("two threads recording, the pair", ("record_pair", 1.2)),
    "record_pair_live": ("the pair, {live} live images", ("record_pair", 1.3)),
    "pair_submitted_live": ("the pair with submit, {live} live images", ("pair_submitted", 1.3)),
    "image_cycle_live": ("the image cycle, {live} live images", ("image_cycle", 1.3)),
    "live_bytes": ("RSS of a live image, {live} of them in one memory object", (PLUS, 512)),
    "growth_frames": ("RSS after {cycles} more frames that signal a timeline without waits", (PLUS, 2 << 20)),
}
LAYERS = {
    "bare": "",
    "empty": "VK_LAYER_GPUSAN_bench_empty",
    "gpusan": "VK_LAYER_GPUSAN_shadow",
    "core": "VK_LAYER_KHRONOS_validation",
    "sync": "VK_LAYER_KHRONOS_validation",
}


def environment(options, variant, folder):
    build = pathlib.Path(options.build)
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(("VK_LAYER", "VK_INSTANCE_LAYERS", "GPUSAN_"))}
    env["VK_ADD_LAYER_PATH"] = f"{build}/tests/bench:{build}/layer"
    if LAYERS[variant]:
        env["VK_INSTANCE_LAYERS"] = LAYERS[variant]
    if variant == "gpusan":
        env["GPUSAN_OPTIONS"] = f"record={folder}/%p.jsonl:print=0" + options.gpusan_options
    if variant == "sync":
        env["VK_LAYER_ENABLES"] = "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"
    return env


def once(options, variant, arguments, notes):
    command = [f"{options.build}/tests/bench/vulkan_calls", "--batches", str(options.batches), "--live", str(options.live),
               "--cycles", str(options.cycles), *arguments]
    with tempfile.TemporaryDirectory(prefix="gpusan-bench.") as folder:
        done = subprocess.run(command, env=environment(options, variant, folder), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{variant}: {' '.join(command)} ended with {done.returncode}: {done.stderr[-800:]}")
        if variant in ("core", "sync") and "Validation" in done.stdout + done.stderr:
            notes.add(f"{variant} had something to say: {(done.stdout + done.stderr)[:600]}")
        records = [json.loads(line) for path in pathlib.Path(folder).glob("*.jsonl") for line in path.read_text().splitlines()]
        if variant == "gpusan":
            calls = sum(sum(record.get("calls", {}).values()) for record in records if record["type"] == "end")
            if calls == 0:
                notes.add("gpusan counts no call: is the layer attached?")
            notes.update(f"a finding in the bench itself: {record['rule']}: {record['what']}"
                         for record in records if record["type"] == "finding")
            notes.update(f"dropped: {record['dropped']}" for record in records if any(record.get("dropped", {}).values()))
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["case"]: statistics.median(line["values"]) for line in lines}


def verdict(budget, figures, medians, variant):
    kind, limit = budget
    if kind in CASES:
        if kind not in medians:
            return "", ""
        ratio = figures["median"] / medians[kind][variant]
        return f"<= {limit}x of {kind}", f"{'ok' if ratio <= limit else 'miss'} ({ratio:.2f}x)"
    text = f"<= {limit}x" if kind == RATIO else f"+{limit:,}"
    return text, "ok" if figures["ratio" if kind == RATIO else "more"] <= limit else "miss"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=40)
    parser.add_argument("--variants", default="empty,gpusan,core,sync")
    parser.add_argument("--case", action="append", help="a case or a group: calls, threads, bind, live, memory (default: all)")
    parser.add_argument("--live", type=int, default=100000)
    parser.add_argument("--cycles", type=int, default=20000)
    parser.add_argument("--peer-live", action="store_true",
                        help="the cases with live images through Khronos validation too, which takes long")
    parser.add_argument("--gpusan-options", default="", help="more of GPUSAN_OPTIONS, e.g. :stacks=0")
    options = parser.parse_args()
    if options.gpusan_options and not options.gpusan_options.startswith(":"):
        options.gpusan_options = ":" + options.gpusan_options
    variants = ["bare", *options.variants.split(",")]
    unknown = [variant for variant in variants if variant not in LAYERS]
    if unknown:
        parser.error(f"--variants: unknown {', '.join(unknown)}; known: {', '.join(LAYERS)}")
    groups = options.case or ["calls", "threads", "bind", "live", "memory"]
    samples, notes = collections.defaultdict(lambda: collections.defaultdict(list)), set()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.rounds} rounds of {options.batches} batches", flush=True)
    for group in groups:
        of_group = [variant for variant in variants if options.peer_live or variant not in ("core", "sync") or
                    not (group in ("live", "memory") or group.endswith("_live"))]
        for number in range(options.rounds if group != "memory" else 1):
            shift = number % len(of_group)
            for variant in of_group[shift:] + of_group[:shift]:
                for case, figure in once(options, variant, ["--case", group], notes).items():
                    samples[case][variant].append(figure)
    medians = {case: {variant: statistics.median(figures) for variant, figures in of.items()} for case, of in samples.items()}
    print("| call | bare | " + " | ".join(variants[1:]) + " | budget | gpusan |")
    print("|---" * (len(variants) + 3) + "|")
    for case, of in samples.items():
        text, budget = CASES[case]
        cells, answer = [], ("", "")
        for variant in variants[1:]:
            if variant not in of:
                cells.append("")
                continue
            pairs = list(zip(of[variant], of["bare"]))
            figures = {"median": medians[case][variant], "more": statistics.median(w - b for w, b in pairs),
                       "ratio": statistics.median(w / b if b else 0 for w, b in pairs)}
            cells.append(f"{figures['more']:+,.0f} ({figures['ratio']:.2f}x)")
            if variant == "gpusan":
                answer = verdict(budget, figures, medians, variant)
        row = text.format(live=f"{options.live:,}", cycles=f"{options.cycles:,}")
        print(f"| {row} | {medians[case]['bare']:,.0f} | " + " | ".join(cells) + f" | {answer[0]} | {answer[1]} |")
    for note in sorted(notes):
        print("note:", note)


if __name__ == "__main__":
    main()
