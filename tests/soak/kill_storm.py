#!/usr/bin/env python3
"""Kills a program that gpusan finds something in all the time, at random moments, and looks at what is left.

  kill_storm.py --gpusan GPUSAN --library LIBRARY --program PROGRAM [--shots N] [--minutes M] [--seed S] [--jobs J]

Every file must be readable up to its last complete record: its lines are records, the first of them that of the process,
and only the last may lack its end. It must hold every finding that was shown on stderr, and `gpusan report` must count the
same, call the run incomplete and never clean. Shots stop at --shots or after --minutes. The same seed aims alike.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time


class Storm:
    def __init__(self, options):
        self.options, self.random, self.lock = options, random.Random(options.seed), threading.Lock()
        self.counts, self.wrong = collections.Counter(), []
        self.end = time.monotonic() + options.minutes * 60
        self.longest_s = 1.0

    def environment(self, folder):
        environment = {key: value for key, value in os.environ.items() if key != "OPENCL_LAYERS"}
        environment["LD_PRELOAD"] = str(self.options.library)
        environment["GPUSAN_OPTIONS"] = (f"record={folder}/%p.jsonl:max_per_fingerprint=1000000:sample_interval=1:"
                                         "sample_signal=1")
        return environment

    def aim(self):
        """The number of the next shot and where in the victim's life it falls, 0 to 1; None when it is over.

        One shot in four falls anywhere from the start on, the others behind the first record, however slow the machine is.
        """
        with self.lock:
            if self.counts["shots"] >= self.options.shots or time.monotonic() > self.end or self.wrong:
                return None
            self.counts["shots"] += 1
            return self.counts["shots"], self.random.random()

    def measure(self):
        """How long a life is: until well after the first finding was shown."""
        with tempfile.TemporaryDirectory(prefix="gpusan-storm-") as folder:
            begin = time.monotonic()
            with open(f"{folder}/err", "wb") as err, \
                    subprocess.Popen([self.options.program], env=self.environment(folder), stderr=err) as victim:
                while b"SUMMARY" not in pathlib.Path(folder, "err").read_bytes():
                    if victim.poll() is not None:
                        sys.exit(f"the victim ended with {victim.returncode}: "
                                 + pathlib.Path(folder, "err").read_text(errors="replace"))
                    time.sleep(0.005)
                victim.kill()
            self.longest_s = 1.5 * (time.monotonic() - begin)

    def shoot(self):
        while (shot := self.aim()) is not None:
            number, moment = shot
            if number % 50 == 0:
                self.measure()  # the machine may be busier by now
            with tempfile.TemporaryDirectory(prefix="gpusan-storm-") as folder:
                with open(f"{folder}/err", "wb") as err:
                    victim = subprocess.Popen([self.options.program], env=self.environment(folder),
                                              stdin=subprocess.DEVNULL, stderr=err)
                    if number % 4 != 0:
                        while victim.poll() is None and not any(pathlib.Path(folder).glob("*.jsonl")):
                            time.sleep(0.001)
                    time.sleep(moment * self.longest_s / (1 if number % 4 == 0 else 4))
                    victim.kill()
                    victim.wait()
                try:
                    self.judge(number, victim.returncode, pathlib.Path(folder))
                except Exception as error:  # pylint: disable=broad-except
                    with self.lock:
                        self.wrong.append(f"shot {number}: {error!r}")

    def judge(self, number, code, folder):
        def check(fine, what):
            if not fine:
                raise AssertionError(what)

        check(code == -signal.SIGKILL, f"the victim ended with {code}: {(folder / 'err').read_text(errors='replace')[-500:]}")
        shown = (folder / "err").read_bytes().count(b"\nSUMMARY: gpusan:")
        files = list(folder.glob("*.jsonl"))
        check(len(files) <= 1, f"{len(files)} files")
        findings, truncated = 0, False
        if files:
            *lines, rest = files[0].read_bytes().split(b"\n")
            truncated = bool(rest)
            records = [json.loads(line) for line in lines]
            check(not records or records[0]["type"] == "process", "the first record is not that of the process")
            numbers = [record["seq"] for record in records if record["type"] == "finding"]
            findings = len(numbers)
            check(numbers == list(range(1, findings + 1)), "findings are not numbered one by one")
        check(shown <= findings, f"{shown} findings were shown, {findings} are in the file")
        if files and (number % self.options.report_every == 0 or truncated):
            done = subprocess.run([self.options.gpusan, "report", "--format=json", "--fail-on=error", files[0]], capture_output=True,
                                  text=True, check=False)
            said = json.loads(done.stdout)
            check(sum(one["count"] for one in said["findings"]) == findings, "the report counts other findings")
            check(done.returncode == (66 if findings else 70), f"the report ended with {done.returncode}")
            with self.lock:
                self.counts["reports"] += 1
        with self.lock:
            self.counts["findings in files"] += findings
            self.counts["findings shown"] += shown
            self.counts["files with a truncated record"] += truncated
            self.counts["without a file yet"] += not files
            self.counts["with findings"] += findings > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpusan", required=True, type=pathlib.Path)
    parser.add_argument("--library", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--program", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--shots", type=int, default=10000)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report-every", type=int, default=20)
    storm = Storm(parser.parse_args())
    storm.measure()
    threads = [threading.Thread(target=storm.shoot) for _ in range(storm.options.jobs)]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{storm.counts['shots']} shots in {time.monotonic() - begin:.0f} s, each within {storm.longest_s:.2f} s:",
          ", ".join(f"{count} {what}" for what, count in storm.counts.items() if what != "shots"))
    print("\n".join(storm.wrong) or "every file readable, nothing lost that was shown")
    return 1 if storm.wrong or storm.counts["with findings"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
