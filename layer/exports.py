#!/usr/bin/env python3
"""Writes the version script of libgpusan.so from the rows of the .def files.

usage: exports.py OUTPUT ROWS.def... -- NAME...

The first argument of every row whose macro is in ROW_MACROS is an exported name, as are its suffixed siblings where a
row names suffixes (GPUSAN_CL_HANDLED(clCreateX, KHR, INTEL) also exports clCreateXKHR and clCreateXINTEL).
"""
import re
import sys

ROW_MACROS = ("GPUSAN_HOST", "GPUSAN_PROCESS", "GPUSAN_CL_HANDLED", "GPUSAN_CU_EXPORT", "GPUSAN_LIBRARY", "GPUSAN_LIBRARY_AFTER",
              "GPUSAN_LIBRARY_OF_HOST", "GPUSAN_LIBRARY_OF_REQUEST", "GPUSAN_LIBRARY_OF_REQUESTS")
SUFFIXED = ("GPUSAN_CL_HANDLED",)


def rows(path):
    with open(path, encoding="utf-8") as source:
        text = re.sub(r"//[^\n]*", "", source.read())
    for match in re.finditer(r"\b(GPUSAN_\w+)\s*\(\s*(\w+)([^()]*)", text):
        macro, name, rest = match.groups()
        if macro not in ROW_MACROS:
            continue
        yield name
        if macro in SUFFIXED:
            for suffix in re.findall(r"\b[A-Z][A-Za-z0-9]*\b", rest):
                yield name + suffix


def main(arguments):
    split = arguments.index("--")
    output, sources, names = arguments[0], arguments[1:split], arguments[split + 1:]
    exported = sorted({name for path in sources for name in rows(path)} | set(names))
    script = "{\n  global:\n" + "".join(f"    {name};\n" for name in exported) + "  local:\n    *;\n};\n"
    with open(output, "w", encoding="utf-8") as target:
        target.write(script)


if __name__ == "__main__":
    main(sys.argv[1:])
