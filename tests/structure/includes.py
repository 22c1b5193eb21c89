"""Checks that each product source and unit test includes the headers of the standard library, of abseil and of the project that it
uses, by itself or by a header that it includes. Compilers do not: precompiled headers (precompiled.cmake) are in front of each source,
and in CI other sources too (units.cmake).

usage: includes.py

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
# The names that headers of the project define at the start of a line. Short names are left out, since members have them too.
OWN = [re.compile(pattern, re.M) for pattern in (
    r"^(?:class|struct|enum class|enum) (?:alignas\([^)]*\) )?(\w+)(?: final)?(?:\s*:[^;{]*)?\s*\{",
    r"^using (\w+) =",
    r"^(?:(?:inline|extern|constexpr|const|constinit|thread_local) )+[\w:<>,*& ]*?\b(k[A-Z]\w*|g_\w+)\b",
    r"^(?!return|using|typedef|#)[A-Za-z_][\w:<>,*& ]*[ *&]([A-Z]\w+)\(",
    r"^#define (GPUSAN_\w+)")]
FORWARD = re.compile(r"^(?:class|struct|enum class|enum) (\w+)(?: : \w+)?;", re.M)
MEMBER = re.compile(r"^ +(?!return\b|else\b)[A-Za-z_][\w:<>,*& ]*[ *&]([A-Z]\w+)\(", re.M)
LONG = re.compile(r"(k|g_)?\w*?[A-Za-z][a-z0-9]+[A-Z_]\w*")
USE = re.compile(r"(?<![\w.>:])(?:k[A-Z]|g_|[A-Z])\w+")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)', re.M)


def reached(path, includes, seen):
    """All headers that `path` includes, directly or not."""
    for header in includes.get(path, ()):
        if header not in seen:
            seen.add(header)
            reached(header, includes, seen)
    return seen


def own_names(code):
    """The headers of the product that define or declare each name."""
    headers = collections.defaultdict(set)
    for path, one in code.items():
        if path.endswith(".h") and not path.startswith("tests/"):
            for name in {name for pattern in OWN for name in pattern.findall(one)}:
                headers[name].add(path)
    members = {name for one in code.values() for name in MEMBER.findall(one)}
    for path, one in code.items():
        for name in FORWARD.findall(one) if path.endswith(".h") else ():
            if name in headers:
                headers[name].add(path)
    return {name: paths for name, paths in headers.items() if len(name) > 8 and LONG.fullmatch(name) and name not in members}


def hidden_types(code):
    """The header that defines each type of which another header only says that it exists (`class Foo;`)."""
    definitions = collections.defaultdict(set)
    for path, one in code.items():
        if path.endswith(".h") and not path.startswith("tests/"):
            for name in OWN[0].findall(one):
                definitions[name].add(path)
    forward = {name for path, one in code.items() if path.endswith(".h") for name in FORWARD.findall(one)}
    return {name: min(paths) for name, paths in definitions.items() if name in forward and len(paths) == 1}


def opens(code, name):
    """Whether the source uses a member of a variable whose type is a reference or pointer to `name`."""
    if re.search(rf"\busing {name} =", code):
        return False
    variables = re.findall(rf"\b{name}(?: const)?([&*]) (?:const )?(\w+)(?=[,;)=]| =|$)", code)
    return any(re.search(rf"(?<![\w.>]){variable}{'->' if sign == '*' else '[.]'}\w", code) for sign, variable in set(variables))


def sees(path, header):
    """Whether the folder of a source may include a header (floors.py): APIs do not see each other, and what is below sees no API."""
    top, below = path.split("/")[:2], header.split("/")[:2]
    return top[0] == "layer" or top == below or top[0] == below[0] != "hooks" or (
        top[0] == "hooks" and (below[0] == "tracker" or below[1] in ("common", "host")))


def defines(code, name):
    """Whether the source has a type, function or variable of that name of its own."""
    return re.search(rf"\b(class|struct|enum|using|#define) {name}\b|^[^\n]*[\w>&*] [*&]?{name}(\(|\[|\{{| =)", code, re.M)


def main():
    text = {}
    for top in ("hooks", "tracker", "report", "layer", "tests/unit"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".h", ".cc", ".def", ".inc")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as source:
                        text[os.path.relpath(path, ROOT)] = re.sub(r"//[^\n]*", "", source.read())
    includes = {path: INCLUDE.findall(code) for path, code in text.items()}
    own = own_names(text)
    hidden = hidden_types(text)
    missing = []
    for path, code in sorted(text.items()):
        if not path.endswith((".h", ".cc")):
            continue
        have = reached(path, includes, {path})
        if "stdint.h" in have:
            have.add("cstdint")
        missing += [f"{path}: include <{header}> for {found.group(0)}" for header, use in USES.items()
                    if header not in have and (found := use.search(code))]
        if path.startswith("tests/"):
            continue
        words = re.sub(r'#include[^\n]*|"(?:[^"\\\n]|\\.)*"', "", code)
        missing += [f"{path}: include {min(own[name])} for {name}" for name in sorted(set(USE.findall(words)))
                    if name in own and not own[name] & have and sees(path, min(own[name])) and not defines(words, name)]
        missing += [f"{path}: include {header} for the members of {name}" for name, header in sorted(hidden.items())
                    if header not in have and name in words and sees(path, header) and opens(words, name)]
    print("\n".join(missing) if missing else "each source includes what it uses")
    return 1 if missing else 0


sys.exit(main())
