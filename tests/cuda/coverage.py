#!/usr/bin/env python3
"""Every function that the driver exports is watched, or passed on with its reason.

usage: coverage.py NAMES ROWS.def... [--list]

NAMES is the list of the toolkit's exports, one a line. Fails on a function without a row, on one with two, on a row whose
function no toolkit of this version has (a misspelt name), and on a reason that says nothing.
"""
import re
import sys

# Rows for functions that other versions of the toolkit have.
ELSEWHERE = set()


def root_of(name):
    return re.sub(r"_v\d+$", "", re.sub(r"(_ptds|_ptsz)$", "", name))


def main(arguments):
    listing = "--list" in arguments
    names_path, *rows = [argument for argument in arguments if argument != "--list"]
    with open(names_path, encoding="utf-8") as source:
        names = sorted({line.strip() for line in source if line.startswith("cu")})
    handled, passed, wrong = {}, {}, []
    for path in rows:
        with open(path, encoding="utf-8") as source:
            text = re.sub(r"^\s*//[^\n]*", "", source.read(), flags=re.M)
        for name, _ in re.findall(r"\bGPUSAN_CU\(\s*(\w+)\s*,\s*(\w+)\s*\)", text):
            if name in handled:
                wrong.append(f"{path}: {name} has two rows, the other in {handled[name]}")
            handled[name] = path
        for name, reason in re.findall(r'\bGPUSAN_CU_PASS\(\s*(\w+)\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', text):
            reason = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', reason))
            if name in passed or name in handled:
                wrong.append(f"{path}: {name} has two rows")
            if len(reason) < 5:
                wrong.append(f"{path}: {name} is passed on without a reason")
            passed[name] = reason
    watched, through = [], []
    for name in names:
        key = next((key for key in (name, root_of(name)) if key in handled or key in passed), None)
        if key is None:
            wrong.append(f"{name} has no row: watch it, or pass it on with the reason")
        elif key in handled:
            watched.append(name)
        else:
            through.append(name)
            if listing:
                print(f"{name}: {passed[key]}")
    known = set(names) | {root_of(name) for name in names}
    for name in [*handled, *passed]:
        if name not in known and name not in ELSEWHERE:
            wrong.append(f"the row of {name} names no function of this toolkit")
    for line in wrong:
        print(line)
    print(f"{len(names)} functions: {len(watched)} watched, {len(through)} passed on, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
