#!/usr/bin/env python3
"""Every command of the Vulkan registry is watched or passed on with a reason.

usage: coverage.py --registry vk.xml [--list]     --list: print what is watched and what is passed on
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

ROWS = pathlib.Path(__file__).resolve().parent.parent.parent / "hooks" / "vulkan" / "entry_points"
# The layer itself: the loader calls them before there is a table to look them up in.
DOOR = {"vkCreateInstance", "vkGetInstanceProcAddr", "vkGetDeviceProcAddr"}
# Its commands may be younger than the registry.
NEWER = "newer_commands.def"


def commands(registry):
    """The commands of Vulkan itself; those of other APIs and of withdrawn extensions are left out."""
    tree = xml.parse(registry).getroot()
    wanted = set()
    for group in [*tree.iter("feature"), *tree.iter("extension")]:
        apis = (group.get("api") or group.get("supported") or "").split(",")
        if "vulkan" in apis:
            wanted |= {command.get("name") for command in group.iter("command")}
    return wanted


def rows():
    watched, passed, later, wrong = {}, {}, set(), []
    for path in sorted(ROWS.glob("*.def")):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        for name, handler in re.findall(r"GPUSAN_VK\(\s*(\w+)\s*,\s*(\w+)\s*\)", text):
            if name in watched:
                wrong.append(f"{path.name}: {name} has two rows")
            watched[name] = handler
            if path.name == NEWER:
                later.add(name)
        for name, reason in re.findall(r'GPUSAN_VK_PASS\(\s*(\w+)\s*,\s*"([^"]*)"\s*\)', text):
            if name in passed:
                wrong.append(f"{path.name}: {name} is passed on twice")
            if not reason:
                wrong.append(f"{path.name}: {name} has no reason")
            passed[name] = reason
    return watched, passed, later, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    known = commands(options.registry)
    watched, passed, later, wrong = rows()
    wrong += [f"{name} is neither watched nor passed on" for name in sorted(known - DOOR - set(watched) - set(passed))]
    wrong += [f"{name} is watched and passed on" for name in sorted(set(watched) & set(passed))]
    wrong += [f"{name} is no command of this registry" for name in sorted((set(watched) | set(passed)) - later - known)]
    if options.list:
        for name in sorted(known):
            print(f"{name}: " + ("the layer itself" if name in DOOR else
                                 f"watched by {watched[name]}" if name in watched else passed.get(name, "?")))
    for line in wrong:
        print(line)
    print(f"{len(known)} commands: {len(known & (set(watched) | DOOR))} watched, {len(known & set(passed))} passed on")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
