#!/usr/bin/env python3
"""Keeps the tables of README.md in step with tracker/rules.def and report/options/options.def.

usage: readme.py [--write]     without --write: exit 1 and the difference if the README is not as it would be written
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(path, macro):
    text = re.sub(r"//[^\n]*", "", (ROOT / path).read_text(encoding="utf-8"))
    text = re.sub(r'"\s*\n\s*"', "", text)
    return re.findall(rf"{macro}\((.*?)\)\s*(?=\n|$)", text, re.S)


def checks():
    lines = ["| check | severity | what it says |", "|---|---|---|"]
    group = None
    for row in rows("tracker/rules.def", "GPUSAN_RULE"):
        _, rule, severity, of_group, text = re.match(
            rf"\s*(\w+),\s*{STRING},\s*k(\w+),\s*{STRING},\s*{STRING}", row, re.S).groups()
        if of_group != group:
            lines.append(f"| *{of_group}* | | |")
            group = of_group
        lines.append(f"| `{rule}` | {severity.lower()} | {text} |")
    return lines


def options():
    lines = ["| option | default | where | what it does |", "|---|---|---|---|"]
    for row in rows("report/options/options.def", "\nGPUSAN_OPTION"):
        kind, name, default, text = re.match(
            rf"\s*(\w+),\s*(\w+),\s*(.*?),\s*kProcess,\s*{STRING}", row, re.S).groups()
        default = default.strip('"') or "none"
        lines.append(f"| `{name}` | `{default}` | process, run | {text} |")
    for macro, where in (("\nGPUSAN_SHARED_OPTION", "process, "), ("\nGPUSAN_COMMAND_OPTION", "")):
        for row in rows("report/options/options.def", macro):
            kind, name, default, commands, text = re.match(
                rf"\s*(\w+),\s*(\w+),\s*(.*?),\s*{STRING},\s*{STRING}", row, re.S).groups()
            default = default.strip('"') or "none"
            lines.append(f"| `{name}` | `{default}` | {where}{commands.replace(' ', ', ')} | {text} |")
    return lines


def main(arguments):
    path = ROOT / "README.md"
    old = path.read_text(encoding="utf-8")
    new = old
    for name, table in (("checks", checks()), ("options", options())):
        begin = f"<!-- {name}: written by tests/readme.py -->"
        pattern = re.compile(re.escape(begin) + r"\n.*?<!-- end -->", re.S)
        body = begin + "\n" + "\n".join(table) + "\n<!-- end -->"
        if not pattern.search(new):
            sys.exit(f"README.md: the line '{begin}' or its end is missing")
        new = pattern.sub(lambda _: body, new, count=1)
    if arguments == ["--write"]:
        path.write_text(new, encoding="utf-8")
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "README.md", "expected"))
        sys.exit("README.md is not in step: run tests/readme.py --write")


if __name__ == "__main__":
    main(sys.argv[1:])
