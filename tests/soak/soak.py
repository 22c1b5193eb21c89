#!/usr/bin/env python3
"""A soak of programs that leak, fill a cache and do neither, bare and under gpusan at the same time, and a table of it.

  soak.py --build build/release [--api opencl|vulkan|mixed] [--minutes 30] [--driven] [--programs leak-whole,leak,plateau,clean]
          [--speed 1] [--rate 50] [--interval-ms 1000] [--twins 2] [--keep FOLDER] [--check]

For each program: when and where growth was found, and how the memory of its processes went on after the first third of
the time: a Theil-Sen slope of Rss (smaps_rollup), of the program under gpusan, of its bare twins, and the difference to their
mean, which is gpusan's own; how far the twins are apart tells what the machine can tell. Memory that gpusan keeps for each
block that the program leaks is part of that; the table says how much it is a block. All of them take blocks of 32 KiB and more
from the system each by itself (MALLOC_MMAP_THRESHOLD_): in the heap, the gaps that a driver's large blocks leave come and go by
chance, which made twins of the Vulkan program that fills its cache differ by 0.5 MiB/h. Of programs that leak, Rss also has
what a driver's small blocks take of a heap's holes, so that the table has a second slope, of what is in use (memory.h; all of
malloc's heap is one, MALLOC_ARENA_MAX=1), and gpusan's own by that. With --driven a program's time is what it sleeps, so that hours take minutes and each run is the same. With
--check the exit code is 1 unless growth was found in the leaking programs alone, at its place, and within ten minutes.
"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

FOUND_WITHIN_S = 600


IN_USE_EVERY_S = 5


def rss(pid):
    """Bytes; None when the process is gone."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def child(pid):
    """The program that a `gpusan run` started."""
    try:
        words = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        words = []
    return int(words[0]) if words else None


def slope(points):
    """MiB an hour, by Theil-Sen."""
    points = points[::max(1, len(points) // 300)]
    slopes = [(b - a) / (t - s) for i, (s, a) in enumerate(points) for t, b in points[i + 1:] if t > s]
    return statistics.median(slopes) * 3600 / 2**20 if slopes else float("nan")


def program_of(arguments):
    name = arguments.api + "_soak" + ("_driven" if arguments.driven else "")
    return (arguments.program or arguments.build / "tests" / "soak" / name).resolve()


def build_kernels(arguments):
    """Fills the driver's cache: processes that compile into an empty one at the same time can fail."""
    words = [program_of(arguments), arguments.programs[0], "0", str(arguments.rate), str(arguments.speed)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SOAK_")}
    subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


class Run:
    def __init__(self, arguments, mode, variant, folder):
        self.mode, self.variant, self.points, self.command_points = mode, variant, [], []
        self.driven, self.memory, self.in_use = arguments.driven, folder / f"{mode}.{variant}.memory", []
        words = [program_of(arguments), mode, str(arguments.minutes * 60), str(arguments.rate), str(arguments.speed)]
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("LD_PRELOAD", "OPENCL_LAYERS", "GPUSAN_OPTIONS")}
        environment.update(MALLOC_MMAP_THRESHOLD_="32768", MALLOC_TOP_PAD_="0", MALLOC_ARENA_MAX="1", SOAK_MEMORY=str(self.memory))
        if arguments.driven:
            environment.update(SOAK_SAMPLE_MS=str(arguments.interval_ms))
        else:
            environment.update(SOAK_MEMORY_S=str(IN_USE_EVERY_S))
        if variant == "gpusan":
            flags = [f"--output={folder / mode}", "--leaks=0", "--fail-on=never",
                     "--sample-signal" if arguments.driven else f"--sample-interval={arguments.interval_ms}"]
            if arguments.growth_after is not None:
                flags.append(f"--growth-after={arguments.growth_after}")
            words = [arguments.build.resolve() / "report" / "gpusan", "run", *flags, "--", *words]
        with open(folder / f"{mode}.{variant}.txt", "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def look(self, now):
        pid = self.process.pid
        if self.variant == "gpusan":
            size = rss(pid)
            if size:
                self.command_points.append((now, size))
            pid = child(pid)
        size = rss(pid) if pid else None
        if size:
            self.points.append((now, size))

    def end(self):
        told = [tuple(map(float, line.split())) for line in self.memory.read_text().splitlines()]
        self.in_use = [(now, size) for now, _, size in told]
        if self.driven:
            self.points = [(now, size) for now, size, _ in told]


def growth_found(command, folder):
    """Seconds until it was first found, the places of all of it, and blocks that are live at the end."""
    found, begin, first, live = [], None, None, 0
    for path in folder.glob("*.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record["type"] == "process":
                begin = record["start_ns"]
            if record["type"] == "finding" and record["rule"] == "leak-growth" and not record.get("refresh") and not first:
                first = (record["time_ns"] - begin) / 1e9
            if record["type"] == "sample":
                live = max([live] + [site["live_count"] for site in record.get("sites", [])])
    report = subprocess.run([command, "report", "--format=json", "--fail-on=never", "--quiet", folder],
                            capture_output=True, text=True, check=False)
    findings = json.loads(report.stdout)["findings"]
    for finding in findings:
        if finding["rule"] == "leak-growth":
            found.append((finding["severity"], finding["location"], finding["facts"].get("bytes_per_hour")))
    others = sorted({finding["rule"] for finding in findings} - {"leak-growth"})
    return first, found, others, live


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--api", choices=["opencl", "vulkan", "mixed"], default="opencl")
    parser.add_argument("--program", type=pathlib.Path, help="of another build")
    parser.add_argument("--programs", default="leak-whole,leak,plateau,clean", type=lambda text: text.split(","))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--driven", action="store_true")
    parser.add_argument("--speed", type=float, default=1)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--interval-ms", type=int, default=1000)
    parser.add_argument("--growth-after", type=int)
    parser.add_argument("--twins", type=int, default=2, help="bare runs of each program")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gpusan-soak.") as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        build_kernels(arguments)
        runs = [Run(arguments, mode, variant, folder) for mode in arguments.programs
                for variant in [f"bare{number}" for number in range(1, arguments.twins + 1)] + ["gpusan"]]
        stop = []
        signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
        begin = time.monotonic()
        while any(run.process.poll() is None for run in runs):
            now = time.monotonic() - begin
            for run in runs if not arguments.driven else []:
                run.look(now)
            time.sleep(0.2 if arguments.driven else max(0.2, min(5, arguments.minutes * 60 / 100)))
            if stop:
                for run in runs:
                    run.process.terminate()
                stop.clear()
        for run in runs:
            run.end()
        ok = report(arguments, folder, runs)
        failed = [f"{run.mode} {run.variant} ended with {run.process.returncode}" for run in runs if run.process.returncode]
        print("\n".join(failed))
        return 0 if not arguments.check or (ok and not failed) else 1


def report(arguments, folder, runs):
    source = pathlib.Path(__file__).parent / f"{'vulkan' if arguments.api == 'vulkan' else 'opencl'}_cycles.h"
    line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if text.endswith("// the leak"))
    warm = arguments.minutes * 60 / 3
    ok = True
    rows = [["program", "growth found", "place, bytes an hour", "Rss MiB/h", "bare MiB/h", "twins apart", "gpusan's own MiB/h",
             "of it B a leaked block", "in use, bare MiB/h", "twins apart", "gpusan's own MiB/h", "B a block", "Rss - bare MiB", "command MiB/h", "other findings"]]
    for mode in arguments.programs:
        first, found, others, live = growth_found(arguments.build.resolve() / "report" / "gpusan", folder / mode)
        late = {run.variant: [point for point in run.points if point[0] > warm] for run in runs if run.mode == mode}
        commands = [point for run in runs if run.mode == mode for point in run.command_points if point[0] > warm]
        slopes = {variant: slope(points) for variant, points in late.items()}
        levels = {variant: points[-1][1] / 2**20 for variant, points in late.items() if points}
        bare = [slopes[variant] for variant in slopes if variant != "gpusan"]
        own, leaks = slopes["gpusan"] - statistics.mean(bare), mode.startswith("leak")
        in_use = {run.variant: slope([point for point in run.in_use if point[0] > warm]) for run in runs if run.mode == mode}
        bare_in_use = [in_use[variant] for variant in in_use if variant != "gpusan"]
        own_in_use = in_use["gpusan"] - statistics.mean(bare_in_use)
        blocks_an_hour = live / arguments.minutes * 60 if leaks else 0
        rows.append([mode, f"{first:.0f} s" if first else "-",
                     "; ".join(f"{severity} {place} {rate}" for severity, place, rate in found) or "-",
                     f"{slopes['gpusan']:.3f}", f"{statistics.mean(bare):.3f}", f"{max(bare) - min(bare):.3f}", f"{own:.3f}",
                     f"{own * 2**20 / blocks_an_hour:.0f}" if blocks_an_hour else "-",
                     f"{statistics.mean(bare_in_use):.4f}", f"{max(bare_in_use) - min(bare_in_use):.4f}", f"{own_in_use:.4f}",
                     f"{own_in_use * 2**20 / blocks_an_hour:.0f}" if blocks_an_hour else "-",
                     f"{levels.get('gpusan', 0) - levels.get('bare1', 0):.1f}", f"{slope(commands):.3f}",
                     ", ".join(others) or "-"])
        wanted = [f"{source.name}:{line}"] if leaks else []
        ok = ok and [place for _, place, _ in found] == wanted and not others
        ok = ok and (not leaks or first <= FOUND_WITHIN_S)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    return ok


if __name__ == "__main__":
    sys.exit(main())
