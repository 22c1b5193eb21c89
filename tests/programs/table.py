#!/usr/bin/env python3
"""Runs every CUDA program of a pack against the fake driver and against the real one, every Vulkan program against the
real one, and prints what came of it.

  table.py PACK [--bare] [--jobs N] [PATTERN]

A line a program: what its source expects, and whether the runs against the fake and against the real driver did so ('same'),
did not ('DIFFERS'), or could not be made on this machine ('skipped'). The differences follow the table. Exit code 0:
nothing differs. With --bare, programs run without gpusan and must merely work.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

import run

TIMEOUT_S = 60
WORDS = {0: "same", run.SKIP_EXIT: "skipped"}


def expected(source):
    """What a program expects, in a few words."""
    return ", ".join(f"{e.severity} {e.rule}" for e in source.expectations) or "silent"


def source_of(name):
    """The run.Source of a program: CHECK/bad|good/CASE or correct/CASE."""
    path, defect = run.source_of(pathlib.Path(run.__file__).resolve().parent / name.parts[0], name.name)
    return run.Source(path, name.parts[1] == "good", defect)


def try_one(options, source, program, fake):
    """(word, text) of one program against one driver."""
    command = [sys.executable, run.__file__]
    attach = "vulkan" if source.path.name.startswith("vulkan") else "cuda"
    command += ["bare"] if options.bare else ["program", "--gpusan", options.pack / "gpusan", "--attach", attach]
    command += ["--source", source.path] + (["--fixed"] if source.fixed else ["--defect", source.defect] if source.defect else [])
    command += (["--fake", options.pack / "fake", "--orders", "fifo"] if fake else []) + [program]
    environment = dict(os.environ, LD_LIBRARY_PATH=str(options.pack / "cudart"),
                       PATH=f"{options.pack}:{os.environ['PATH']}")
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return "DIFFERS", f"{source.path}: more than {TIMEOUT_S} s"
    return WORDS.get(done.returncode, "DIFFERS"), done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=pathlib.Path)
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    options.pack = options.pack.resolve()
    cases = []
    programs = options.pack / "programs"
    for program in sorted([*programs.glob("**/cuda*"), *programs.glob("**/vulkan*")]):
        name = program.relative_to(options.pack / "programs")
        if options.pattern in str(name):
            cases.append((name, source_of(name), program))
    drivers = ["fake", "real"] if (options.pack / "fake").is_dir() else ["real"]
    counts, texts = {driver: collections.Counter() for driver in drivers}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [[pool.submit(try_one, options, source, program, driver == "fake")
                    if driver == "real" or source.path.name.startswith("cuda") else None for driver in drivers]
                   for _, source, program in cases]
        for (name, source, _), tries in zip(cases, futures):
            words = []
            for driver, future in zip(drivers, tries):
                word, text = future.result() if future else ("-", "")
                words.append(word)
                counts[driver][word] += 1
                if word == "DIFFERS":
                    texts.append(f"-- {driver}: {text}")
            print(f"{str(name):65} {expected(source):30} " + " ".join(f"{word:7}" for word in words), flush=True)
    print("\n" + "\n".join(texts))
    for driver in drivers:
        print(f"{driver}: " + ", ".join(f"{count} {word}" for word, count in sorted(counts[driver].items())))
    return 0 if cases and not texts else 1


if __name__ == "__main__":
    sys.exit(main())
