#!/usr/bin/env python3
"""Finds out which functions of libgpusan.so run in the calls that programs make most, and writes layer/call_order.txt.

usage: call_order.py --build BUILD [-o FILE]

BUILD is one without the list (cmake -DGPUSAN_CALL_ORDER=OFF): callgrind names no functions outside of .text.

Each bench of gpusan's own cost runs under callgrind; a function belongs to the list if it runs in one of eight calls of a case or
more. Functions of one case stand together. To be run again when the ways of calls have changed; needs valgrind, and the Vulkan
rows need a driver. Names are as the linker has them, without the suffixes of the optimiser's copies.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CUDA = ("launch training list scalar deep-61 copy set record query malloc+free pool heap-2k heap-64").split()
CALLS = 2000
# Where a timeline is kept, what the first command behind a wait or a beat runs, when caches hold little of it.
TIMELINE = """
_ZN6gpusan10CommandLog5BeginERNS_5QueueENS_5EpochERKNS_8CallInfoEj
_ZN6gpusan10CommandLog6EndRunERNS_5QueueEm
_ZN6gpusan10CommandLog3PutERKNS_8LogEntryEmRKNS0_5EndedE
_ZN6gpusan10CommandLog8HostWaitENS_5EpochE
""".split()
# Forms of launches that the benches do not use.
LAUNCHES = """
_ZN6gpusan4cuda12_GLOBAL__N_120Row_cuLaunchKernelEx5EnterEPK17CUlaunchConfig_stP9CUfunc_stPPvS9_
_ZN6gpusan4cuda12_GLOBAL__N_123Row_cuLaunchKernel_ptsz5EnterEP9CUfunc_stjjjjjjjP11CUstream_stPPvS8_
_ZN6gpusan4cuda12_GLOBAL__N_125Row_cuLaunchKernelEx_ptsz5EnterEPK17CUlaunchConfig_stP9CUfunc_stPPvS9_
""".split()
COPY = re.compile(r"\.(lto_priv|constprop|isra|part|cold)\b.*$|'\d+$")
HEADER = """\
# The functions of libgpusan.so that run in the most frequent calls. The linker places them next to each other, so that a
# call touches few pages and cache lines. tests/bench/call_order.py writes this file. A name without a function has no
# effect.
"""


def calls_of(path):
    """Calls of each function of libgpusan.so, from a file of callgrind's (format of callgrind_annotate's manual)."""
    names, objects, calls = {}, {}, collections.Counter()
    current = called = function = None

    def resolve(table, text):
        number, name = re.match(r"\((\d+)\)(?: (.*))?", text).groups()
        if name:
            table[number] = name
        return table[number]

    with open(path, encoding="utf-8") as lines:
        for line in lines:
            key, _, text = line.rstrip("\n").partition("=")
            if key == "ob":
                current = resolve(objects, text)
            elif key == "cob":
                called = resolve(objects, text)
            elif key == "fn":
                resolve(names, text)
            elif key == "cfn":
                function = resolve(names, text)
            elif key == "calls":
                if "libgpusan.so" in (called or current):
                    calls[COPY.sub("", function)] += int(text.split()[0])
                called = None
    return calls


def runs(build):
    """(name, command, environment, calls of the case)"""
    library = build / "layer/libgpusan.so"
    bench = build / "tests/bench"
    for case in CUDA:
        yield (case, [bench / "cuda_own_cost", CALLS, case],
               {"LD_LIBRARY_PATH": bench / "instant", "LD_PRELOAD": library}, CALLS)
    yield ("opencl", [bench / "own_cost", library, CALLS], {"LD_PRELOAD": library}, CALLS)
    yield ("vulkan", [bench / "vulkan_calls", "--case", "calls", "--batches", 2],
           {"VK_ADD_LAYER_PATH": build / "layer", "VK_INSTANCE_LAYERS": "VK_LAYER_GPUSAN_shadow"}, CALLS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="made with -DGPUSAN_CALL_ORDER=OFF")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "layer/call_order.txt")
    options = parser.parse_args()
    library = options.build / "layer/libgpusan.so"
    if b".text.calls" in library.read_bytes():
        sys.exit(f"call_order: {library} was made with the list; configure {options.build} with -DGPUSAN_CALL_ORDER=OFF")
    ordered = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, command, environment, calls in runs(options.build.resolve()):
            if not os.access(command[0], os.X_OK):
                print(f"call_order: {name} left out: there is no {command[0]}", file=sys.stderr)
                continue
            out = f"{folder}/{name}.out"
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}"] + [str(word) for word in command],
                env={**os.environ, **{key: str(value) for key, value in environment.items()},
                     "GPUSAN_OPTIONS": f"record={folder}/%p.jsonl:print=0:leaks=0"},
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"call_order: {name} failed with {done.returncode}: {done.stderr[-300:]}")
            for function, count in calls_of(out).most_common():
                if count * 8 >= calls and "gpusan" in function:
                    ordered.setdefault(function, name)
    ordered.update(dict.fromkeys(TIMELINE + LAUNCHES, ""))
    options.output.write_text(HEADER + "".join(f"{name}\n" for name in ordered), encoding="utf-8")
    print(f"{len(ordered)} functions")


if __name__ == "__main__":
    main()
