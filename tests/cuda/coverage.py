#!/usr/bin/env python3
"""Every function that the driver exports is watched, or passed on with its reason.

usage: coverage.py GENERATE META NAMES ROWS.def... [--list]

GENERATE is the generator of the wrappers, which this asks what it makes of the rows; META is the toolkit's
generated_cuda_meta.h, NAMES the list of its exports, one a line. Fails on a function without a row, on one with two, on a
row whose function the toolkit does not have (a misspelt name, or one that only others have), on a reason that says nothing,
and on a watched function whose arguments the toolkit does not tell. Functions that take device pointers of 32 bits have no
wrapper, whatever the row of their kin: no program of 64 bits can call them.
"""
import importlib.util
import re
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(arguments):
    listing = "--list" in arguments
    generate_path, meta, names_path, *rows = [argument for argument in arguments if argument != "--list"]
    generate = load(generate_path)
    root_of, structs = generate.root_of, generate.read_structs(meta)
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
    watched, through, narrow = [], [], []
    for name in names:
        key = next((key for key in (name, root_of(name)) if key in handled or key in passed), None)
        if key is None:
            wrong.append(f"{name} has no row: watch it, or pass it on with the reason")
        elif key in handled and name not in structs:
            wrong.append(f"{name} is to be watched, and {meta} does not tell its arguments")
        elif key in handled and structs[name] is not None and structs[name][1]:
            narrow.append(name)
            if listing:
                print(f"{name}: device pointers of 32 bits")
        elif key in handled:
            watched.append(name)
        else:
            through.append(name)
            if listing:
                print(f"{name}: {passed[key]}")
    known = set(names) | {root_of(name) for name in names}
    for name in [*handled, *passed]:
        if name not in known:
            wrong.append(f"the row of {name} names no function of this toolkit")
    for line in wrong:
        print(line)
    print(f"{len(names)} functions: {len(watched)} watched, {len(through)} passed on, "
          f"{len(narrow)} of 32 bits, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
