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
TYPES = ROWS.parent / "call" / "later_vulkan.h"


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
    watched, passed, later, wrong = {}, {}, {}, []
    for path in sorted(ROWS.rglob("*.def")):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        for name, handler in re.findall(r"GPUSAN_VK(?:_LATER)?\(\s*(\w+)\s*,\s*(\w+)(?:<[^>]*>)?\s*[,)]", text):
            if name in watched:
                wrong.append(f"{path.name}: {name} has two rows")
            watched[name] = handler
        for name, result, parameters in re.findall(r"GPUSAN_VK_LATER\((\w+), \w+(?:<[^>]*>)?, (\w+), \((.*)\)\)", text):
            later[name] = [result, *parameters.split(", ")]
        for name in re.findall(r"GPUSAN_VK_PASS_LATER\(\s*(\w+)", text):
            later[name] = None
        for name, reason in re.findall(r'GPUSAN_VK_PASS(?:_LATER)?\(\s*(\w+)\s*,\s*"([^"]*)"\s*\)', text):
            if name in passed:
                wrong.append(f"{path.name}: {name} is passed on twice")
            if not reason:
                wrong.append(f"{path.name}: {name} has no reason")
            passed[name] = reason
    return watched, passed, later, wrong


def differences(registry, later):
    """Where the rows of later commands and the structures of later_vulkan.h differ from a registry that has them."""
    root = xml.parse(registry).getroot()
    aliases = {c.get("name"): c.get("alias") for c in root.iter("command") if c.get("alias")}
    found = {}
    for command in root.iter("command"):
        if command.find("proto") is not None:
            parameters = [p for p in command.findall("param") if "vulkan" in (p.get("api") or "vulkan").split(",")]
            found[command.findtext("proto/name")] = [command.findtext("proto/type")] + [shape(p) for p in parameters]
    wrong = []
    for name, row in later.items():
        real = found.get(aliases.get(name, name))
        if row is None or real is None:
            continue
        mine = [row[0]] + [("const " in one, one.count("*"), one.replace("const", "").strip(" *")) for one in row[1:]]
        fits = len(mine) == len(real) and mine[0] == real[0] and all(
            a[1] == b[1] and a[2] in (b[2], "void", "uint32_t", "uint64_t", "int32_t") for a, b in zip(mine[1:], real[1:]))
        if not fits:
            wrong.append(f"{name}: the row says {row}, the registry {real}")
    structs = {t.get("name"): [m.findtext("name") for m in t.iter("member") if "vulkan" in (m.get("api") or "vulkan").split(",")]
               for t in root.iter("type") if t.get("category") == "struct" and not t.get("alias")}
    for name, body in re.findall(r"struct (Vk\w+) \{(.*?)\n\};", TYPES.read_text(encoding="utf-8"), re.S):
        members = re.findall(r"(\w+);", body)
        if structs.get(name, members) != members:
            wrong.append(f"{name} has the members {structs[name]}, not {members}")
    return wrong


def shape(parameter):
    text = "".join(parameter.itertext())
    before = text.split(parameter.findtext("name"))[0]
    return "const " in before, before.count("*"), parameter.findtext("type")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    known = commands(options.registry)
    watched, passed, later, wrong = rows()
    wrong += [f"{name} is neither watched nor passed on" for name in sorted(known - DOOR - set(watched) - set(passed))]
    wrong += [f"{name} is watched and passed on" for name in sorted(set(watched) & set(passed))]
    wrong += [f"{name} is no command of this registry" for name in sorted((set(watched) | set(passed)) - set(later) - known)]
    wrong += differences(options.registry, later)
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
