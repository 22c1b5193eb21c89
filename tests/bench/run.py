"""Measures what gpusan costs: bare, empty-layer and gpusan runs in alternation, and one table.

Not a test: figures never make it fail. It fails (1) only when a program of the bench does not run
or a variant does not attach, and with 2 on wrong usage. README.md says how to read the table.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import budgets

COMMAND = "run"  # started by the command; only then does a launch know what its kernel accesses
VARIANTS = ["bare", "empty", "layer", "preload", COMMAND]
FLOOR = {"bare": [], "empty": ["libempty_layer.so"]}  # variants without gpusan: what they map


class Bench:
    """The programs of one build folder, and what they printed.

    samples[case][variant] = [(round, median, min, max)], one entry a process.
    """

    def __init__(self, build, variants):
        self.build = pathlib.Path(build).resolve()
        self.programs = self.build / "tests" / "bench"
        self.library = self.build / "layer" / "libgpusan.so"
        self.command = self.build / "report" / "gpusan"
        self.samples = collections.defaultdict(lambda: collections.defaultdict(list))
        self.units = {}
        self.notes = []
        self.device = ""
        self.failed = False
        self.variants = [variant for variant in variants if self.usable(variant)]

    def usable(self, variant):
        needed = [] if variant in FLOOR else [self.library, self.command] if variant == COMMAND else [self.library]
        for file in needed:
            if not file.exists():
                self.note(f"{variant}: left out, {file.name} is not built")
                return False
        return True

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def environment(self, variant, folder):
        """The process environment of a variant; gpusan's records go into `folder`."""
        env = {key: value for key, value in os.environ.items()
               if key not in ("LD_PRELOAD", "OPENCL_LAYERS", "GPUSAN_OPTIONS")}
        if variant == "empty":
            env["OPENCL_LAYERS"] = str(self.programs / "libempty_layer.so")
        elif variant not in ("bare", COMMAND):
            # Without the cache, these variants do not know what an earlier `gpusan run` has learned.
            env["GPUSAN_OPTIONS"] = f"record={folder}/%p.jsonl:print=0:kernel_cache=0"
            env["OPENCL_LAYERS" if variant == "layer" else "LD_PRELOAD"] = str(self.library)
        return env

    def run(self, variant, program, arguments, round_number, rename="{}"):
        """Runs a program through a variant and keeps what it prints, cases named by `rename`."""
        with tempfile.TemporaryDirectory(prefix="gpusan-bench.") as folder:
            command = [str(self.programs / program), *arguments]
            if variant == COMMAND:
                command = [str(self.command), "run", "--quiet", f"--output={folder}", "--", *command]
            done = subprocess.run(command,
                                  env=self.environment(variant, folder), stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                self.failed = True
                lines = done.stderr.strip().splitlines() or ["no message"]
                self.note(f"{variant}: {program} ended with {done.returncode}: {lines[-1]}")
                return
            for line in done.stdout.splitlines():
                self.keep(variant, json.loads(line), round_number, rename)
            if variant not in FLOOR and program == "opencl_calls":
                self.check_records(variant, pathlib.Path(folder))

    def keep(self, variant, line, round_number, rename):
        if "case" in line:
            name = rename.format(line["case"])
            self.units[name] = line["unit"]
            values = line["values"]
            self.add(name, variant, round_number, values)
        elif "device" in line:
            self.device = f'{line["device"]}, {line["platform"].split("  ")[0]}'
        elif "attached" in line:
            expected = FLOOR.get(variant, [self.library.name])
            if sorted({name.split(".so")[0] + ".so" for name in line["attached"]}) != expected:
                self.failed = True
                self.note(f'{variant}: not attached as it should be: {line["attached"]}')

    def add(self, name, variant, round_number, values):
        sample = (round_number, statistics.median(values), min(values), max(values))
        self.samples[name][variant].append(sample)

    def check_records(self, variant, folder):
        """Notes what makes the figures of a variant doubtful: calls not counted, findings, drops."""
        calls, findings, dropped = 0, collections.Counter(), collections.Counter()
        for path in folder.glob("*.jsonl"):
            for text in path.read_text(errors="replace").splitlines():
                with contextlib.suppress(ValueError):
                    record = json.loads(text)
                    if record.get("type") == "finding":
                        findings[record.get("rule", "?")] += 1
                    elif record.get("type") == "end":
                        calls += sum(record.get("calls", {}).values())
                        dropped.update(record.get("dropped", {}))
        if calls == 0:
            self.note(f"{variant}: the record file counts no call; is the variant attached?")
        if findings:
            self.note(f"{variant}: findings in the bench itself: {dict(findings)}")
        if any(dropped.values()):
            self.note(f"{variant}: dropped: {dict(dropped)}")

    def rounds(self, count, batches, live):
        """The call cases through every variant in turn; each round begins with another variant.

        Calls are timed on one CPU, a driver's threads included: memory that a thread on another
        core has last touched would double the figures of some processes and not of others.
        """
        groups = ["--case", "calls", "--case", "live", "--case", "host"]
        ungated = ["--ungated", "--case", "write_64", "--case", "ndrange_4"]
        cpus = sorted(os.sched_getaffinity(0))
        common = ["--batches", str(batches), "--live", str(live)]
        for number in range(count):
            progress(f"calls, round {number + 1} of {count}")
            cpu = ["--cpu", str(cpus[number % len(cpus)])]
            for variant in rotated(self.variants, number):
                self.run(variant, "opencl_calls", [*common, *cpu, *groups], number)
                self.run(variant, "opencl_calls", [*common, "--case", "threads"], number)
                self.run(variant, "opencl_calls", [*common, *ungated], number, "{}_open")
                if variant in ("bare", "preload"):  # no layer is loaded where no GPU API is used
                    self.run(variant, "host_calls", [*common, *cpu], number, "host/{}")

    def memory(self, count, live, cycles):
        """The memory cases, each in a process of its own."""
        common = ["--live", str(live), "--cycles", str(cycles)]
        for number in range(count):
            progress(f"memory, round {number + 1} of {count}")
            for variant in rotated(self.variants, number):
                for case in ("live_bytes", "growth_buffers", "growth_events"):
                    self.run(variant, "opencl_calls", [*common, "--case", case], number)

    def starts(self, count):
        """Wall ms of processes that do nothing, bare and with gpusan in turn."""
        if not self.library.exists() or count == 0:
            return
        true, bash = shutil.which("true"), shutil.which("bash")
        loop = 20
        with tempfile.TemporaryDirectory(prefix="gpusan-bench.") as folder:
            bare = self.environment("bare", folder)
            preload = self.environment("preload", folder)
            cases = [("start_true", "preload", 1, [true], preload, [true])]
            if bash:
                script = [bash, "-c", f"for ((i = 0; i < {loop}; i++)); do {true}; done"]
                cases.append(("start_bash", "preload", loop + 1, script, preload, script))
            if self.command.exists():
                run = [str(self.command), "run", "--", true]
                cases.insert(0, ("start_command", COMMAND, 1, [true], bare, run))
            else:
                self.note("start_command: left out, the gpusan command is not built")
            for name, gpusan, processes, without, env, command in cases:
                progress(f"{name}, {count} times")
                self.units[name] = "ms"
                for number in range(count):
                    pair = [("bare", without, bare), (gpusan, command, env)]
                    for variant, arguments, environment in rotated(pair, number):
                        elapsed, code = wall_ms(arguments, environment)
                        if code != 0:
                            self.failed = True
                            self.note(f"{name}: {arguments[0]} ended with {code}")
                        self.add(name, variant, number, [elapsed / processes])
            if any(pathlib.Path(folder).iterdir()):
                self.note("start: a process that used no GPU API wrote a record file")


def rotated(items, by):
    by %= len(items)
    return items[by:] + items[:by]


def wall_ms(arguments, environment):
    """Wall ms and exit code of a process whose output goes nowhere."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawn(arguments[0], arguments, environment, file_actions=quiet)
    _, status = os.waitpid(pid, 0)
    return (time.perf_counter() - begin) * 1e3, os.waitstatus_to_exitcode(status)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def paired(samples, variant):
    """Median difference and ratio to bare, round by round, so that slow drift cancels."""
    bare = {number: value for number, value, _, _ in samples["bare"]}
    pairs = [(value, bare[number]) for number, value, _, _ in samples[variant] if number in bare]
    if not pairs:
        return None
    return (statistics.median(value - base for value, base in pairs),
            statistics.median(value / base if base else float("nan") for value, base in pairs))


def rows(bench, live, cycles):
    """The table as lists of texts, the header first."""
    yield ["case", "variant", "median", "min..max", "ratio", "difference", "budget", ""]
    medians = {name: {variant: statistics.median(s[1] for s in taken) for variant, taken in variants.items()}
               for name, variants in bench.samples.items()}
    for case in budgets.CASES:
        samples = bench.samples.get(case.name)
        if not samples:
            continue
        unit = bench.units[case.name]
        text = case.text.format(live=f"{live:,}", cycles=f"{cycles:,}")
        for variant in VARIANTS:
            if variant not in samples:
                continue
            median = medians[case.name][variant]
            row = [text, variant, figure(median, unit), spread(samples[variant], unit), "", "", "", ""]
            text = ""
            own = paired(samples, variant) if variant != "bare" else None
            if own is not None:
                row[4] = f"{own[1]:.2f}x" if own[1] == own[1] else ""
                row[5] = figure(own[0], unit, sign=True)
            if case.budget and variant not in FLOOR and own is not None:
                base = medians.get(case.to, {}).get(variant)
                row[6] = case.budget
                if base:
                    row[6] += f" ({median / base:.2f}x)"
                bare = medians[case.name].get("bare", 0.0)
                row[7] = budgets.verdict(case, median, bare, own, base)
            yield row


def figure(value, unit, sign=False):
    if unit == "B" and abs(value) >= 10_000:
        return f"{value / 1024:+,.0f} KiB" if sign else f"{value / 1024:,.0f} KiB"
    digits = {"ns": 1, "ms": 2, "x": 2, "B": 0}[unit]
    number = f"{value:+,.{digits}f}" if sign else f"{value:,.{digits}f}"
    return f"{number} {unit}" if unit != "x" else f"{number}x"


def spread(taken, unit):
    low, high = min(s[1] for s in taken), max(s[1] for s in taken)
    return f"{figure(low, unit)} .. {figure(high, unit)}"


def print_table(lines):
    lines = list(lines)
    left = (0, 1, 6, 7)
    widths = [max(2, *(len(line[i]) for line in lines)) for i in range(len(lines[0]))]
    rule = ["-" * width if i in left else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    for line in [lines[0], rule, *lines[1:]]:
        cells = [text.ljust(width) if i in left else text.rjust(width)
                 for i, (text, width) in enumerate(zip(line, widths))]
        print("| " + " | ".join(cells) + " |")


def cpu_model():
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def print_conditions(bench, options, load_before):
    cores = len(os.sched_getaffinity(0))
    print(f"machine: {cpu_model()}, {cores} cores, Linux {platform.release()}")
    print(f"device: {bench.device}")
    print(f"load average: {load_before:.2f} before, {os.getloadavg()[0]:.2f} after; "
          "the bench itself adds up to 2")
    print(f"build: {bench.build.name}; {options.rounds} rounds of {options.batches} batches, "
          f"{options.memory_rounds} memory rounds, {options.starts} starts")


def profile(bench, case, variant):
    """Replaces this process by perf recording the calling thread of one case."""
    perf = shutil.which("perf")
    if perf is None:
        sys.exit("run.py: perf is not installed (Debian package linux-perf)")
    folder = tempfile.mkdtemp(prefix="gpusan-bench.")
    env = bench.environment(variant, folder)
    keys = ("OPENCL_LAYERS", "LD_PRELOAD", "GPUSAN_OPTIONS")
    settings = [f"{key}={env[key]}" for key in keys if key in env]
    data = f"{folder}/perf.data"
    print(f"perf report -i {data} --no-children", flush=True)
    os.execv(perf, [perf, "record", "--no-inherit", "-e", "cpu-clock:u", "-F", "10000",
                    "--call-graph", "dwarf,4096", "-o", data, "--", "env", *settings,
                    str(bench.programs / "opencl_calls"), "--case", case, "--batches", "2000"])


def parse_arguments():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(
        description="Measures what gpusan costs; see tests/bench/README.md.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = parser.add_argument
    add("--build", default=str(root / "build" / "release"), help="build folder")
    add("--variants", default=",".join(VARIANTS), help="variants to measure, separated by commas")
    add("--rounds", type=int, default=20, help="rounds of the call cases")
    add("--batches", type=int, default=40, help="batches a case in a round")
    add("--memory-rounds", type=int, default=3, help="rounds of the memory cases; 0: none")
    add("--live", type=int, default=100_000, help="live buffers")
    add("--cycles", type=int, default=3_000_000, help="cycles of the growth cases")
    add("--starts", type=int, default=100, help="starts of each process that does nothing; 0: none")
    add("--json", help="also write every sample to this file")
    add("--smoke", action="store_true", help="tiny counts: everything runs, nothing is measured")
    add("--profile", nargs=2, metavar=("CASE", "VARIANT"), help="perf-record one case instead")
    options = parser.parse_args()
    if options.smoke:
        options.rounds, options.batches, options.memory_rounds = 1, 2, 1
        options.live, options.cycles, options.starts = 500, 2000, 2
    unknown = set(options.variants.split(",")) - set(VARIANTS)
    if unknown or min(options.rounds, options.batches, options.live, options.cycles) < 1:
        parser.error(f"unknown variants {sorted(unknown)}" if unknown else "counts are at least 1")
    return options


def main():
    options = parse_arguments()
    variants = [variant for variant in VARIANTS if variant == "bare" or variant in options.variants.split(",")]
    bench = Bench(options.build, variants)
    if options.profile:
        profile(bench, *options.profile)
    load_before = os.getloadavg()[0]
    bench.rounds(options.rounds, options.batches, options.live)
    bench.memory(options.memory_rounds, options.live, options.cycles)
    bench.starts(options.starts)
    if options.smoke:
        bench.note("smoke run: the counts are too small for the figures to mean anything")
    progress("")
    print_conditions(bench, options, load_before)
    print()
    print_table(rows(bench, options.live, options.cycles))
    if bench.notes:
        print()
    for note in bench.notes:
        print(f"note: {note}")
    if options.json:
        samples = json.dumps({"units": bench.units, "samples": bench.samples})
        pathlib.Path(options.json).write_text(samples + "\n")
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
