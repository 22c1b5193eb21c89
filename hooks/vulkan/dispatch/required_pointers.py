#!/usr/bin/env python3
"""Writes required_pointers.def: the pointers that intercepted Vulkan commands require, from the registry.

usage: required_pointers.py --registry vk.xml [--check]

Without --check it writes the file. With --check it compares the file with the registry and exits with 1 if they differ,
or with 77 if the file was written from another version of the registry.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE / "required_pointers.def"
ROWS = HERE.parent / "entry_points"
# The handlers of these commands check their arguments themselves.
OWN = {"vkCreateInstance", "vkDestroyInstance", "vkCreateDevice", "vkDestroyDevice"}
# Structures whose pointers depend on state outside of the structure: the handlers check them.
CONDITIONAL = {"VkGraphicsPipelineCreateInfo"}


class Registry:
    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.version = next(re.search(r"(\d+)\s*$", "".join(t.itertext())).group(1) for t in root.iter("type")
                            if t.findtext("name") == "VK_HEADER_VERSION")
        self.structs = {t.get("name"): [m for m in t.iter("member") if self.is_vulkan(m)]
                        for t in root.iter("type") if t.get("category") == "struct" and not t.get("alias")}
        self.struct_alias = {t.get("name"): t.get("alias") for t in root.iter("type")
                             if t.get("category") == "struct" and t.get("alias")}
        self.commands, self.aliases = {}, {}
        for command in root.iter("commands"):
            for one in command.iter("command"):
                if one.get("alias"):
                    self.aliases[one.get("name")] = one.get("alias")
                elif one.find("proto") is not None:
                    self.commands[one.findtext("proto/name")] = [p for p in one.findall("param") if self.is_vulkan(p)]

    @staticmethod
    def is_vulkan(element):
        return "vulkan" in (element.get("api") or "vulkan").split(",")


def pointers(element):
    return "".join(element.itertext()).split(element.findtext("name"))[0].count("*")


def optional(element):
    return (element.get("optional") or "").split(",")[0] == "true"


class Writer:
    def __init__(self, registry):
        self.registry = registry
        self.rows, self.known = [], {}  # rows of structures, in the order of their dependencies

    def struct(self, name):
        """Whether the structure has required pointers. Adds its row."""
        name = self.registry.struct_alias.get(name, name)
        if name in CONDITIONAL or name not in self.registry.structs:
            return False
        if name not in self.known:
            self.known[name] = False
            checks = self.checks(self.registry.structs[name], "at.")
            if checks:
                self.known[name] = True
                self.rows.append(f"GPUSAN_VK_MEMBERS({name},\n                  " + " &&\n                  ".join(checks) + ")")
        return self.known[name]

    def checks(self, elements, prefix):
        names = {e.findtext("name") for e in elements}
        checks = []
        for element in elements:
            name, kind, depth = element.findtext("name"), element.findtext("type"), pointers(element)
            if name == "pNext" or element.get("noautovalidity") or kind == "VkAllocationCallbacks":
                continue
            nested = depth < 2 and self.struct(kind)
            if depth == 0:
                if nested and "[" not in "".join(element.itertext()):
                    checks.append(f"NESTED({name})")
                continue
            length = (element.get("len") or "").split(",")[0]
            count = length if length in names else None
            if length and not count and length != "null-terminated" and "->" not in length and "/" not in (
                    element.get("altlen") or ""):
                continue
            # A count that is itself a pointer is written by the command.
            if count and pointers(next(e for e in elements if e.findtext("name") == count)):
                continue
            if optional(element):
                if nested and not count:
                    checks.append(f"OPTIONAL({name})")
                continue
            checks.append(f"ARRAY({name}, {prefix}{count})" if count else f"REQUIRED({name})")
        return checks

    def command(self, name, watched):
        elements = self.registry.commands[name]
        checks = self.checks(elements, "")
        if not checks:
            return None
        text = " ".join(checks)
        parameters = []
        for element in elements:
            one = re.sub(r"\s+", " ", "".join(element.itertext())).strip()
            own = element.findtext("name")
            comment = element.findtext("comment")
            if comment:
                one = one.replace(comment, "").strip()
            if not re.search(rf"\b{own}\b", text):
                one = re.sub(rf"\b{own}\b", "", one).strip()
            parameters.append(one)
        return (f"GPUSAN_VK_ARGUMENTS({watched}, {name},\n                    ({', '.join(parameters)}),\n"
                "                    " + " &&\n                    ".join(checks) + ")")


def watched():
    names = []
    for path in sorted(ROWS.rglob("*.def"), key=lambda path: path.name):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        # CmdUnseen reads no argument.
        names += [name for name, handler in re.findall(r"GPUSAN_VK\(\s*(\w+)\s*,\s*(\w+)", text) if handler != "CmdUnseen"]
    return sorted(set(names) - OWN)


def text_of(path):
    registry = Registry(path)
    writer = Writer(registry)
    commands = []
    written = {}
    for name in sorted(watched(), key=lambda name: (name in registry.aliases, name)):
        target = registry.aliases.get(name, name)
        if target in written:
            commands.append(f"GPUSAN_VK_SAME_ARGUMENTS({name}, {written[target]})")
        elif target in registry.commands and (row := writer.command(target, name)):
            written[target] = name
            commands.append(row)
    head = f"""// Written by required_pointers.py from version {registry.version} of the registry. Do not edit.
// The pointers that structures and intercepted commands require: those that the registry marks neither optional nor as
// dependent on other state.
//   GPUSAN_VK_MEMBERS(structure, checks)
//   GPUSAN_VK_ARGUMENTS(command, canonical name, (parameters), checks)
//   GPUSAN_VK_SAME_ARGUMENTS(command, command with the same arguments)
"""
    return registry.version, head + "\n".join(writer.rows) + "\n\n" + "\n".join(commands) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    version, text = text_of(options.registry)
    if not options.check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    written = TARGET.read_text(encoding="utf-8")
    if f"version {version} of" not in written.split("\n", 1)[0]:
        print(f"written from another version of the registry than {version}")
        return 77
    if written != text:
        print(f"{TARGET.name} does not fit the rows or the registry: run required_pointers.py without --check")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
