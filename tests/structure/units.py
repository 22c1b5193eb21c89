"""Groups sources that can be compiled together, as includes of one unit: most of the time of a source goes into headers.

usage: units.py FILE

Each line of FILE is a target and its sources, absolute paths, separated by semicolons. Prints a line for each unit of several
sources, in the same form. A source that several targets have is left alone: of their archives, one program links each object once.
tests/structure/tidy.py uses the functions.
"""
import collections
import re
import sys

LARGEST = 8
# Names that a source defines at the start of a line: types, functions, macros, constants and variables.
DEFINED = re.compile(r"^(?:(?:struct|class|union|enum(?: class)?|using|#define) (\w+)|[\w:][\w:<>,*& ]*[ *&](\w+)\(|"
                     r"[^\s/#].*?\b(g_\w+|k[A-Z]\w*)\b)", re.MULTILINE)
# Variables of other names, and the beginnings of names that a macro makes.
VARIABLE = re.compile(r"^\S.*\bconstinit [\w:<>,*& ]*[ *&](\w+)|^constinit [\w:<>,*& ]*[ *&](\w+)|\b(\w+)##", re.MULTILINE)


def names(path):
    with open(path, encoding="utf-8") as source:
        text = source.read()
    return {name for pattern in (DEFINED, VARIABLE) for match in pattern.findall(text) for name in match if name}


def units(paths):
    """Lists of at most LARGEST sources that define no name twice."""
    found = []
    for path in paths:
        defined = names(path)
        for unit in found:
            if len(unit[0]) < LARGEST and not defined & unit[1]:
                unit[0].append(path)
                unit[1].update(defined)
                break
        else:
            found.append(([path], defined))
    return [unit for unit, _ in found]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as lines:
        targets = [line.rstrip("\n").split(";") for line in lines]
    uses = collections.Counter(path for _, *paths in targets for path in paths)
    for target, *paths in targets:
        for unit in units([path for path in paths if uses[path] == 1]):
            if len(unit) > 1:
                print(";".join([target, *unit]))


if __name__ == "__main__":
    main()
