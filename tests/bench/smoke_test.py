"""Test: the bench runs with tiny counts and prints a table with every case that the build can measure."""

import pathlib
import subprocess
import sys

import budgets


def main(build):
    run = pathlib.Path(__file__).with_name("run.py")
    done = subprocess.run([sys.executable, str(run), "--build", build, "--smoke"],
                          capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    table = [line.split("|") for line in done.stdout.splitlines() if line.startswith("|")]
    texts = {cells[1].strip() for cells in table}
    variants = {cells[2].strip() for cells in table}
    # The second thread may never get a core of its own on a busy machine; starts need gpusan itself.
    optional = ("threads_", "start_")
    missing = [case.name for case in budgets.CASES if not case.name.startswith(optional)
               and case.text.format(live="500", cycles="2,000") not in texts]
    expected = {"bare", "empty"}
    if (pathlib.Path(build) / "layer" / "libgpusan.so").exists():
        expected |= {"layer", "preload", "run"}
    if missing or not expected <= variants or done.returncode != 0:
        print(f"missing cases {missing}, variants {sorted(variants)}, exit code {done.returncode}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
