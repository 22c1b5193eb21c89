"""Checks that each product source and unit test includes the headers of the standard library, of abseil and of the tracker that it uses,
by itself or by a header that it includes. Compilers do not, since precompiled headers (precompiled.cmake) are in front of each source.

usage: standard_includes.py

Exits with 1 and a line for each missing include.
"""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The names that stand for each header. <utility> is missing, since most others include it.
NAMES = {
    "algorithm": r"std::(any_of|all_of|none_of|clamp|copy|copy_n|count_if|equal|fill|fill_n|find|find_if|lower_bound|max|max_element|"
                 r"min|min_element|remove_if|reverse|sort|stable_sort|transform|unique|upper_bound)",
    "atomic": r"std::(atomic\w*|memory_order\w*)",
    "cstdint": r"u?int(8|16|32|64|ptr)_t",
    "cstring": r"std::(mem(chr|cmp|cpy|move|set)|str(chr|cmp|len|ncmp|rchr|str))",
    "functional": r"std::(function|greater)",
    "map": r"std::(multi)?map",
    "memory": r"std::(make_shared|make_unique|shared_ptr|unique_ptr|weak_ptr)",
    "mutex": r"std::(adopt_lock|call_once|lock_guard|mutex|once_flag|scoped_lock|unique_lock)",
    "optional": r"std::(in_place|nullopt|optional)",
    "string": r"std::(string|to_string)",
    "string_view": r"std::string_view",
    "vector": r"std::vector",
    "absl/container/btree_map.h": r"absl::btree_(map|multimap)",
    "absl/container/inlined_vector.h": r"absl::InlinedVector",
    "absl/strings/str_cat.h": r"absl::(AlphaNum|Hex|StrAppend|StrCat)",
    "absl/types/span.h": r"absl::(MakeConstSpan|MakeSpan|Span)",
}
USES = {header: re.compile(rf"\b{names}\b") for header, names in NAMES.items()}
# The product's own precompiled header, and the types that it and the headers below it define or declare.
OWN = "tracker/tracker.h"
TYPE = re.compile(r"^(?:class|struct|enum class|enum) (\w+)(;?)", re.M)
USE = re.compile(r"(?<![\w:.>])[A-Z]\w+(?=[&*>,:]| [*&]?\w)")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)', re.M)


def reached(path, includes, seen):
    """All headers that `path` includes, directly or not."""
    for header in includes.get(path, ()):
        if header not in seen:
            seen.add(header)
            reached(header, includes, seen)
    return seen


def own_types(text, includes):
    """The types that OWN and the headers below it define, and no header of another folder does: the headers that define or declare each."""
    headers, definitions = collections.defaultdict(set), collections.defaultdict(set)
    for path, one in text.items():
        for name, end in TYPE.findall(one) if path.endswith(".h") else ():
            headers[name].add(path)
            if end != ";":
                definitions[name].add(path)
    below = reached(OWN, includes, {OWN})
    return {name: headers[name] for name, paths in definitions.items() if paths & below and all(path.startswith("tracker/") for path in paths)}


def main():
    text = {}
    for top in ("hooks", "tracker", "report", "layer", "tests/unit"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".h", ".cc", ".def", ".inc")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as source:
                        text[os.path.relpath(path, ROOT)] = source.read()
    includes = {path: INCLUDE.findall(one) for path, one in text.items()}
    types = own_types(text, includes)
    missing = []
    for path, one in sorted(text.items()):
        if not path.endswith((".h", ".cc")):
            continue
        code = re.sub(r"//[^\n]*", "", one)
        have = reached(path, includes, set())
        if "stdint.h" in have:
            have.add("cstdint")
        missing += [f"{path}: include <{header}> for {found.group(0)}" for header, use in USES.items()
                    if header not in have and (found := use.search(code))]
        if path.startswith(("hooks/cuda/", "hooks/opencl/", "hooks/vulkan/")):
            missing += [f"{path}: include {max(types[name])} for {name}" for name in sorted(set(USE.findall(code)))
                        if name in types and not types[name] & have and not re.search(rf"\b(class|struct|enum|using) {name}\b", code)]
    print("\n".join(missing) if missing else "each source includes what it uses of the precompiled headers")
    return 1 if missing else 0


sys.exit(main())
