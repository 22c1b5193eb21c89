"""Checks from the include lines that dependencies between folders point down and that no files include each other in a circle.

usage: floors.py [--list]

Exits with 1 and one line per violation; --list prints the floors with their number of files.
"""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Each folder with sub-folders, and its floors from bottom to top. A file may include files of its own floor and of those
# before it. "" stands for the files of the folder itself. Lists (*.def) of a folder itself are below all of its floors.
FLOORS = {
    "layer": ["runtime", "process", "attach", ""],
    "hooks/common": ["base", "sites", "spirv", ""],
    "tracker": ["base", "model", "memory", "order", "objects", "calls", "scopes", "rules", "host", "state", ""],
    "report": ["base", "options", "text", "record", "ir", "kernels", "findings", "formats", "processes", "command"],
    "hooks/opencl": ["words", "call", "guards", "programs", "objects", "kernels", "commands", "dispatch"],
    "hooks/cuda": ["analysis", "machine_code", "ptx", "types", "call", "images", "deferral", "streams", "guards", "memory",
                   "arrays", "summaries", "kernels", "libraries", "graphs", "explain", "dispatch"],
    "hooks/vulkan": ["words", "spirv", "call", "objects", "memory", "shaders", "mapped", "recorder", "recording",
                     "transfers", "commands", "submission", "waits", "dispatch"],
}
# What files of a folder may include outside of that folder; the longest name that fits counts.
BELOW = {
    "tracker": [],
    "report": ["tracker/apis.def", "tracker/base/text_util.h", "tracker/model/apis.h", "tracker/model/control_flow.h",
               "tracker/model/finding.h", "tracker/model/ids.h", "tracker/model/kernel_summary.h",
               "tracker/model/repeated_findings.h", "tracker/model/rule_ids.h", "tracker/model/summary_formulas.h",
               "tracker/model/texel_access.h"],
    "hooks/glibc": [],
    "hooks/common": ["hooks/glibc", "tracker"],
    "hooks/host": ["hooks/common", "tracker"],
    "hooks/opencl": ["hooks/host", "hooks/common", "tracker"],
    "hooks/cuda": ["hooks/host", "hooks/common", "tracker"],
    "hooks/vulkan": ["hooks/host", "hooks/common", "tracker"],
    "layer": ["hooks", "report", "tracker"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def product_files():
    for top in ("tracker", "report", "hooks", "layer"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".h", ".cc", ".def", ".inc")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def folder_of(path):
    """The longest folder of BELOW that holds `path`."""
    return max((folder for folder in BELOW if path.startswith(folder + "/")), key=len)


def floor_of(path):
    """(folder, number of the floor, name of the floor), or None where the folder has no floors."""
    folder = folder_of(path)
    if folder not in FLOORS:
        return None
    rest = path[len(folder) + 1:]
    if path.endswith(".def") and "/" not in rest:
        return folder, -1, "lists"
    name = rest.split("/")[0] if "/" in rest else ""
    if name == "entry_points":  # the rows name the handlers for the tables of dispatch
        name = "dispatch"
    if name not in FLOORS[folder]:
        return folder, None, name
    return folder, FLOORS[folder].index(name), name


def circles(includes):
    """The strongly connected components of more than one file (Tarjan, without recursion)."""
    number, low, on_stack, stack, found = {}, {}, set(), [], []
    for start in includes:
        if start in number:
            continue
        work = [(start, iter(includes[start]))]
        number[start] = low[start] = len(number)
        stack.append(start)
        on_stack.add(start)
        while work:
            file, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(includes[other])))
                    break
                if other in on_stack:
                    low[file] = min(low[file], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[file])
                if low[file] == number[file]:
                    component = []
                    while True:
                        other = stack.pop()
                        on_stack.discard(other)
                        component.append(other)
                        if other == file:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return found


def violations():
    files = sorted(product_files())
    known = set(files)
    includes = {}
    for path in files:
        with open(os.path.join(ROOT, path), encoding="utf-8") as source:
            found = set(INCLUDE.findall(source.read()))
        for missing in sorted(found - known):
            if missing.split("/")[0] in ("tracker", "report", "hooks", "layer"):
                yield f"{path} includes {missing}, which does not exist"
        includes[path] = sorted(found & known)
        own = floor_of(path)
        if own is not None and own[1] is None:
            yield f"{path}: '{own[2]}' is no floor of {own[0]}; add it to FLOORS in tests/structure/floors.py"
            continue
        for included in includes[path]:
            folder, other_folder = folder_of(path), folder_of(included)
            if folder != other_folder:
                if not any(included == below or included.startswith(below + "/") for below in BELOW[folder]):
                    yield f"{path} includes {included}: {folder} may not use {other_folder}"
                continue
            other = floor_of(included)
            if own is not None and other[1] is not None and other[1] > own[1]:
                yield (f"{path} includes {included}: floor '{own[2] or folder}' is below floor "
                       f"'{other[2] or folder}'; move the declaration down or the use up")
    for circle in circles(includes):
        yield "files include each other in a circle: " + " ".join(circle)


def print_floors():
    count = collections.Counter()
    for path in product_files():
        floor = floor_of(path)
        if floor is not None:
            count[floor[0], floor[2]] += 1
    for folder, floors in FLOORS.items():
        print(f"{folder}, top to bottom:")
        for floor in reversed(floors):
            print(f"  {floor or '(the folder itself)':<22}{count[folder, floor]:>4} files")


if sys.argv[1:] == ["--list"]:
    print_floors()
    sys.exit(0)
if len(sys.argv) > 1:
    sys.exit(f"floors.py: unknown argument '{sys.argv[1]}'; usage: floors.py [--list]")
lines = list(violations())
print("\n".join(lines) if lines else "all includes point down, no circles")
sys.exit(1 if lines else 0)
