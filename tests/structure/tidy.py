"""Runs clang-tidy over the product's sources, one process a core.

usage: tidy.py BUILD_FOLDER [FILE...]

Takes the compile commands of BUILD_FOLDER without the options that only GCC knows. Prints what clang-tidy finds, each
finding once, and exits with 1 if there is any.

Most of the time goes into headers. Sources of one floor are therefore checked together, as includes of one unit, unless they
define the same name. When a unit has a finding or does not compile, its sources are checked one by one, and only that counts.
"""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from units import units

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRODUCT = tuple(os.path.join(ROOT, folder) + os.sep for folder in ("layer", "hooks", "tracker", "report"))
GCC_ONLY = re.compile(r" (-flto\S*|-ffat-lto-objects|-fno-plt|-mmem\w+-strategy=\S+|-Wno-maybe-uninitialized|-Wno-tsan|-Wno-stringop-\w+|"
                      r"-Wno-subobject-linkage|-Winvalid-pch|-include \S+cmake_pch.hxx)(?= )")


def database(build, wanted):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as source:
        commands = json.load(source)
    chosen = {}
    for command in commands:
        text = GCC_ONLY.sub("", re.sub(r"^\S*ccache ", "", command["command"]))
        for path in sources_of(os.path.normpath(os.path.join(command["directory"], command["file"]))):
            if path.startswith(PRODUCT) and path.endswith(".cc") and (not wanted or path in wanted):
                text = re.sub(r" -c \S+$", f" -c {path}", text)
                chosen.setdefault(path, {**command, "file": path, "command": text})
    return chosen


def sources_of(path):
    """The sources of a unit that CMake has made of several (units.cmake), or the one source."""
    if os.path.basename(os.path.dirname(path)) != "Unity":
        return [path]
    with open(path, encoding="utf-8") as unit:
        return re.findall(r'^#include "([^"]+)"', unit.read(), re.M)


def units_of(chosen):
    """Units of sources with equal compile commands."""
    floors = collections.defaultdict(list)
    for path, command in chosen.items():
        floors[re.sub(r" -o .*", "", command["command"])].append(path)
    return [unit for paths in floors.values() for unit in units(paths)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = database(sys.argv[1], {os.path.abspath(path) for path in sys.argv[2:]})
    if not chosen:
        sys.exit("tidy.py: no compile command of the product found; build first")
    findings = []
    with tempfile.TemporaryDirectory() as folder:

        def check(path):
            command = ["clang-tidy", "-p", folder, "--quiet", "--config-file", os.path.join(ROOT, ".clang-tidy"), path]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            return result.returncode, result.stdout

        def check_unit(unit):
            path, sources = unit
            if len(sources) > 1 and check(path)[0] == 0:
                return []
            return [check(source) for source in sources]

        work = []
        commands = list(chosen.values())
        for number, sources in enumerate(units_of(chosen)):
            path = os.path.join(folder, f"unit_{number}.cc")
            with open(path, "w", encoding="utf-8") as out:
                out.writelines(f'#include "{source}"\n' for source in sources)
            command = re.sub(r" -c \S+$", f" -c {path}", chosen[sources[0]]["command"])
            commands.append({**chosen[sources[0]], "file": path, "command": command})
            work.append((path, sources))
        with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
            json.dump(commands, out)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for results in pool.map(check_unit, work):
                findings += [text for code, text in results if code != 0 and text not in findings]
    lines = dict.fromkeys("".join(findings).splitlines())
    print("\n".join(lines) if lines else f"{len(chosen)} sources in {len(work)} units")
    sys.exit(1 if findings else 0)


main()
