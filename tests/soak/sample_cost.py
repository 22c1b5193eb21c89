#!/usr/bin/env python3
"""What samples cost: the processor time of the thread that takes them, as a share of the program's run time.

  sample_cost.py --gpusan GPUSAN --program opencl_soak [--seconds 20] [--intervals 1000,100]

That is all that sampling adds to a program whose other threads find a core: calls themselves do nothing more. The figure
is of /proc/PID/task/TID/schedstat, so that other load on the machine is not in it.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time


def child(pid):
    while True:
        words = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if words:
            return int(words[0])
        time.sleep(0.01)


def sampler_ns(pid):
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().strip() == "gpusan-sample":
            return int((task / "schedstat").read_text().split()[0])
    return None


def measure(options, mode, interval):
    with tempfile.TemporaryDirectory(prefix="gpusan-cost-") as folder:
        words = [options.gpusan, "run", "--quiet", f"--output={folder}", f"--sample-interval={interval}", "--leaks=0",
                 options.program, mode, str(options.seconds + 600), "20"]
        environment = dict(os.environ, GPUSAN_OPTIONS="", OPENCL_LAYERS="", LD_PRELOAD="")
        with subprocess.Popen(words, env=environment) as run:
            pid = child(run.pid)

            def count():
                return sum(path.read_bytes().count(b'\n{"type":"sample"') for path in pathlib.Path(folder).glob("*.jsonl"))
            while count() < 3:
                time.sleep(0.1)
            time.sleep(2)  # the program has set itself up
            begin, before, samples = time.monotonic(), sampler_ns(pid), count()
            time.sleep(options.seconds)
            took, spent, taken = time.monotonic() - begin, sampler_ns(pid) - before, count() - samples
            size = sum(path.stat().st_size for path in pathlib.Path(folder).glob("*.jsonl"))
            run.terminate()
        return spent / 1e9 / took, spent / 1e3 / max(1, taken), taken, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpusan", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--intervals", default="1000,100")
    options = parser.parse_args()
    print("live buffers  interval ms  share of one core  us a sample  samples")
    for mode, live in (("clean", 1), ("hold", 100000)):
        for interval in map(int, options.intervals.split(",")):
            share, each, taken, _ = measure(options, mode, interval)
            print(f"{live:12}  {interval:11}  {share * 100:15.3f} %  {each:11.0f}  {taken:7}")


if __name__ == "__main__":
    main()
