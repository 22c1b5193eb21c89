"""Checks the access summaries of the kernels of kernels.cu.

usage: check_summaries.py KERNEL_ACCESS_DUMP KERNELS.CU (CUBIN|PTX)...
"""
import re
import subprocess
import sys


def expected(path):
    """The summary of each kernel in machine code, and in PTX; None: its PTX may be unknown."""
    text = open(path, encoding="utf-8").read()
    for summary, ptx, name in re.findall(r"// summary: (.*?)(?:; PTX: (.*))?\n__global__ void (\w+)", text):
        yield name, (parts_of(summary), None if ptx == "unknown" else parts_of(ptx or summary))


def parts_of(summary):
    return dict(part.split() for part in summary.split(", "))


def found(tool, path):
    kernels, current = {}, None
    for line in subprocess.run([tool, "summary", path], capture_output=True, text=True, check=True).stdout.splitlines():
        kernel = re.match(r"(\w+) \(", line)
        if kernel:
            current = kernels.setdefault(kernel[1], {})
        part = re.match(r"  (param@(\d+)|unknown addresses|globals|unknown): (.*)", line)
        if line.startswith("  unknown: "):
            current["unknown"] = "kernel"
        elif part:
            current[part[2] or part[1].split()[0]] = part[3]
    return kernels


bad = 0
want = dict(expected(sys.argv[2]))
for cubin in sys.argv[3:]:
    kernels = found(sys.argv[1], cubin)
    for name, (summary, of_ptx) in want.items():
        if cubin.endswith(".ptx"):
            if of_ptx is None and "unknown" in kernels.get(name, {}):
                continue
            summary = of_ptx or summary
        if kernels.get(name) != summary:
            bad += 1
            print(f"{cubin}: {name} has {kernels.get(name)}, not {summary}")
print(f"{len(want)} kernels in {len(sys.argv) - 3} files, {bad} differences")
sys.exit(1 if bad or not want else 0)
