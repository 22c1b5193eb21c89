"""Checks what the first thread of a launch accesses by the execution of its code.

usage: check_executions.py KERNEL_ACCESS_DUMP EXECUTIONS.CU CUBIN...

"// launch GRID BLOCK ARGUMENT...: ACCESS..." in front of a kernel names a launch, as kernel_access_dump does, and all accesses
that are found: w4:0+8 writes 4 bytes, 8 bytes behind the pointer that is argument 0. "|" separates results of which one is
expected. "unwaited" instead of "launch" names the accesses in front of everything that can order accesses of threads.
"""
import collections
import re
import subprocess
import sys


def launches(path):
    """Kernel, mode, sizes and arguments, and the accesses expected."""
    text = open(path, encoding="utf-8").read()
    for lines, name in re.findall(r"((?://.*\n)+)__global__ void (\w+)", text):
        for kind, launch, accesses in re.findall(r"// (launch|unwaited) ([^:]*):(.*)\n", lines):
            yield name, "execute" + kind.removeprefix("launch").replace("un", "-un"), launch.split(), [sorted(one.split()) for one in accesses.split("|")]


def merged(lines):
    """Accesses side by side become one: the compiler chooses their widths."""
    parts = collections.defaultdict(set)
    for line in lines:
        kind, width, pointer, offset = re.fullmatch(r"([rw])(\d+) (\d+)([+-]\d+)", line).groups()
        parts[kind, pointer].update(range(int(offset), int(offset) + int(width)))
    for (kind, pointer), at in parts.items():
        for first in sorted(one for one in at if one - 1 not in at):
            last = first
            while last in at:
                last += 1
            yield f"{kind}{last - first}:{pointer}{first:+d}"


bad = count = 0
for file in sys.argv[3:]:
    for name, mode, launch, want in launches(sys.argv[2]):
        out = subprocess.run([sys.argv[1], mode, file, name, *launch], capture_output=True, text=True, check=True).stdout
        have = sorted(merged(out.splitlines()))
        count += 1
        if have not in want:
            bad += 1
            print(f"{file}: {name} {' '.join(launch)}: {' '.join(have)}, not {' or '.join(' '.join(one) for one in want)}")
print(f"{count} launches, {bad} differences")
sys.exit(1 if bad or not count else 0)
