"""Runs clang-tidy over the product's sources, one process a core.

usage: tidy.py BUILD_FOLDER [FILE...]

Takes the compile commands of BUILD_FOLDER without the options that only GCC knows. Prints what clang-tidy finds, each
finding once, and exits with 1 if there is any.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRODUCT = tuple(os.path.join(ROOT, folder) + os.sep for folder in ("layer", "hooks", "tracker", "report"))
GCC_ONLY = re.compile(r" (-flto\S*|-ffat-lto-objects|-fno-plt|-mmem\w+-strategy=\S+|-Wno-maybe-uninitialized|-Wno-tsan)(?= )")


def database(build, wanted):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as source:
        commands = json.load(source)
    chosen = {}
    for command in commands:
        path = os.path.normpath(os.path.join(command["directory"], command["file"]))
        if not path.startswith(PRODUCT) or not path.endswith(".cc") or (wanted and path not in wanted):
            continue
        command["command"] = GCC_ONLY.sub("", re.sub(r"^\S*ccache ", "", command["command"]))
        chosen.setdefault(path, command)
    return chosen


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = database(sys.argv[1], {os.path.abspath(path) for path in sys.argv[2:]})
    if not chosen:
        sys.exit("tidy.py: no compile command of the product found; build first")
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
            json.dump(list(chosen.values()), out)

        def check(path):
            command = ["clang-tidy", "-p", folder, "--quiet", path]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            return result.returncode, result.stdout

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for code, text in pool.map(check, chosen):
                if code != 0 and text not in findings:
                    findings.append(text)
    lines = dict.fromkeys("".join(findings).splitlines())
    print("\n".join(lines) if lines else f"{len(chosen)} sources")
    sys.exit(1 if findings else 0)


main()
