"""Checks which accesses of the kernels of loops.cu are sure: a thread makes them if the conditions hold.

usage: check_sure.py KERNEL_ACCESS_DUMP LOOPS.CU (CUBIN|PTX)...

"// sure: ACCESS" in front of a kernel names an access that is sure (or several, with " | ", one of
which is), "// not sure: KIND" a kind of which none is,
"// not known: KIND" a kind of which none is sure at bytes that are known, "// first thread: KIND..." kinds of accesses that
are sure for the first thread of the first block, "// first thread at: KIND..." kinds of which this is so at known bytes.
"""
import re
import subprocess
import sys


def expected(path):
    """By name of the kernel: what is sure, kinds of which nothing is, and kinds for the first thread."""
    text = open(path, encoding="utf-8").read()
    for lines, name in re.findall(r"((?://.*\n)+)__global__ void (\w+)", text):
        def kinds(text, lines=lines):
            line = re.search(rf"// {text}: (.*)\n", lines)
            return line[1].split() if line else []
        yield name, (re.findall(r"// sure: (.*)\n", lines), kinds("not sure"), kinds("not known"), kinds("first thread"),
                     kinds("first thread at"))


def found(tool, path):
    """By name of the kernel: its sure accesses."""
    kernels, current = {}, None
    for line in subprocess.run([tool, "summary", path], capture_output=True, text=True, check=True).stdout.splitlines():
        kernel = re.match(r"(\w+) \(", line)
        if kernel:
            current = kernels.setdefault(kernel[1], set())
        access = re.match(r"    [0-9a-f]+: (.*)", line)
        if access and not access[1].endswith(" and ?"):
            current.add(access[1])
    return kernels


bad = 0
want = dict(expected(sys.argv[2]))
for file in sys.argv[3:]:
    kernels = found(sys.argv[1], file)
    for name, (sure, not_sure, not_known, first, first_at) in want.items():
        have = kernels.get(name, set())
        wrong = [f"has not: {one}" for one in sure if have.isdisjoint(one.split(" | "))]
        wrong += [f"has: {one}" for one in have if one[0] in not_sure]
        wrong += [f"has known bytes: {one}" for one in have if one[0] in not_known and "?" not in one]
        wrong += [f"has not of the first thread: {kind}" for kind in first
                  if not any(one[0] == kind and "tid.x == 0" in one for one in have)]
        wrong += [f"has not of the first thread at known bytes: {kind}" for kind in first_at
                  if not any(one[0] == kind and "tid.x == 0" in one and "?" not in one for one in have)]
        bad += len(wrong)
        for text in wrong:
            print(f"{file}: {name} {text}")
print(f"{len(want)} kernels in {len(sys.argv) - 3} files, {bad} differences")
sys.exit(1 if bad or not want else 0)
