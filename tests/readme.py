#!/usr/bin/env python3
"""Keeps the pages in step with the code.

usage: readme.py [--write]     without --write: exit 1 and print what is wrong

- The table of checks (manifests/docs/checks.md) and the table of options (manifests/docs/options.md) are generated from
  tracker/rules.def and report/options/options.def; that of formats (manifests/docs/formats.md) from report/formats.def.
- The schemas of records and reports allow the names of the APIs in tracker/apis.def.
- checks.md has one section for each check, in the order of rules.def, with all its parts.
- Each relative link of a page leads to a file, and its anchor to a heading. Installed pages link to installed pages only.
- The files that CONTRIBUTING.md and the README.md of each folder name in backticks exist. Names with `foo` are examples.
- Each folder of the product with sources has a README.md (the folders of tracker/rules share one).
- CMake installs every page of manifests/docs.
- README.md has at most 160 lines.
"""
import difflib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "manifests" / "docs"
CHECKS, OPTIONS = DOCS / "checks.md", DOCS / "options.md"
STRING = r'"((?:[^"\\]|\\.)*)"'
README_LINES = 160
PRODUCT = ("hooks", "layer", "report", "tracker")
# A name of a file, or of several by '*' and '{a,b}'.
FILE_NAME = re.compile(r"[\w./*{},-]*[\w*}]\.(cc|h|c|def|inc|py|sh|md|cmake|cs|\*)")
# Pages that name files of other projects or of users.
OTHER_FILES = ("tests/clients/README.md", "tests/bench/README.md")


def rows(path, macro):
    return rows_of((ROOT / path).read_text(encoding="utf-8"), macro)


def rows_of(text, macro):
    text = re.sub(r"(?<!:)//[^\n]*", "", text)
    text = re.sub(r'"\s*\n\s*"', "", text)
    return re.findall(rf"{macro}\((.*?)\)\s*(?=\n|$)", text, re.S)


def apis():
    """(name, Name, attach paths) of each API."""
    for row in rows("tracker/apis.def", "\nGPUSAN_API"):
        yield re.match(rf"\s*\w+,\s*(\w+),\s*{STRING},\s*{STRING},\s*\w+,\s*\w+,\s*{STRING}", row).group(1, 2, 4)


def option_rows(macro):
    """The rows of options.def, with those that it makes from the rows of apis.def."""
    def expand(block):
        return "\n".join(block[1].replace("name##", name).replace('" human "', human).replace(" attach,", f' "{paths}",')
                         for name, human, paths in apis())

    text = (ROOT / "report/options/options.def").read_text(encoding="utf-8")
    text, made = re.subn(r'#define GPUSAN_API\([^\n]*\n\s*([^\n]*)\n#include "tracker/apis.def"\n#undef GPUSAN_API', expand, text)
    if made != 1:
        sys.exit("options.def: the rows from apis.def are not found")
    return rows_of(text, macro)


def rules():
    """(id, severity, group, help) of each check."""
    for row in rows("tracker/rules.def", "GPUSAN_RULE"):
        _, rule, severity, group, text = re.match(
            rf"\s*(\w+),\s*{STRING},\s*k(\w+),\s*{STRING},\s*{STRING}", row, re.S).groups()
        yield rule, severity.lower(), group, text


def checks():
    lines = ["| check | severity | what it says |", "|---|---|---|"]
    group = None
    for rule, severity, of_group, text in rules():
        if of_group != group:
            lines.append(f"| *{of_group}* | | |")
            group = of_group
        lines.append(f"| [`{rule}`](#{rule}) | {severity} | {text} |")
    return lines


def names(path, macro):
    return " ".join(re.match(r"\s*(\w+)", row)[1] for row in rows(path, "\n" + macro))


def options():
    constants = {"kAnyValue": "", "kEveryCommand": names("report/commands.def", "GPUSAN_COMMAND"),
                 "kFormatNames": names("report/formats.def", "GPUSAN_FORMAT"),
                 "kApiNames": " ".join(api[0] for api in apis())}

    def value(token):  # of a column that is a string or a constant of options.h
        return token[1:-1] if token.startswith('"') else constants[token]

    lines = ["| option | default | where | what it does |", "|---|---|---|---|"]
    for macro, where in (("GPUSAN_OPTION", "process, run"), ("GPUSAN_SHARED_OPTION", "process, "),
                         ("GPUSAN_COMMAND_OPTION", "")):
        for row in option_rows("\n" + macro):
            name, default, commands, choices, text = re.match(
                rf"\s*\w+,\s*(\w+),\s*(.*?),\s*({STRING}|\w+),\s*({STRING}|\w+),\s*{STRING}", row, re.S).group(1, 2, 3, 5, 7)
            if macro != "GPUSAN_OPTION":
                commands = where + value(commands).replace(" ", ", ")
            else:
                commands = where
            if value(choices) and not default.isdigit():
                text += "; one of " + ", ".join(f"`{choice}`" for choice in value(choices).split())
            lines.append(f"| `{name}` | `{default.strip(chr(34)) or 'none'}` | {commands} | {text} |")
    return lines


def formats():
    lines = ["| format | media type | what it is |", "|---|---|---|"]
    for row in rows("report/formats.def", "\nGPUSAN_FORMAT"):
        name, media_type, text = re.match(rf"\s*(\w+),\s*{STRING},\s*\w+,\s*{STRING}", row, re.S).groups()
        lines.append(f"| `{name}` | {media_type} | {text} |")
    return lines


def with_table(path, name, table):
    """The text of `path` with the table between its marks replaced."""
    begin = f"<!-- {name}: written by tests/readme.py -->"
    pattern = re.compile(re.escape(begin) + r"\n.*?<!-- end -->", re.S)
    body = begin + "\n" + "\n".join(table) + "\n<!-- end -->"
    text = path.read_text(encoding="utf-8")
    if not pattern.search(text):
        sys.exit(f"{path.relative_to(ROOT)}: the line '{begin}' or its end is missing")
    return text, pattern.sub(lambda _: body, text, count=1)


def section_errors():
    text = CHECKS.read_text(encoding="utf-8")
    sections = re.split(r"^### ", text, flags=re.M)[1:]
    found = [re.match(r"`([a-z-]+)`\n", section) for section in sections]
    names = [match.group(1) if match else None for match in found]
    wanted = [rule for rule, _, _, _ in rules()]
    for rule in wanted:
        if names.count(rule) != 1:
            yield f"checks.md: {names.count(rule)} sections '### `{rule}`', 1 is needed"
    for name in names:
        if name not in wanted:
            yield f"checks.md: the section '{name}' names no check"
    if sorted(map(str, names)) == sorted(wanted) and names != wanted:
        yield "checks.md: the sections are not in the order of tracker/rules.def"
    for name, section in zip(names, sections):
        for part in ("\n- Clause: ", "\n- Fix: ", f"\n- Suppress: `{name}:"):
            if part not in section:
                yield f"checks.md: the section '{name}' has no line '{part.strip()}'"
        code = re.search(r"```cpp\n(.*?)```", section, re.S)
        marks = re.findall(r"^// (bad|good|reported|not reported)\b", code.group(1), re.M) if code else []
        if marks not in (["bad", "good"], ["reported", "not reported"]):
            yield f"checks.md: the section '{name}' has no fragment '// bad ... // good ...'"


def schema_errors():
    wanted = ["none", *(name for name, _, _ in apis()), "host"]
    for schema in ("record.schema.json", "report.schema.json"):
        found = json.loads((ROOT / "manifests" / schema).read_text(encoding="utf-8"))["$defs"]["api"]["enum"]
        if found != wanted:
            yield f"manifests/{schema}: the APIs are {found}; tracker/apis.def has {wanted}"


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        heading = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        yield heading.strip().replace(" ", "-")


def files(pattern):
    """The files of the tree whose names match, without those of build folders."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", pattern],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [path for path in (ROOT / name for name in listed.stdout.splitlines()) if path.exists()]
    skipped = {"build", ".git", "__pycache__"}
    return [path for path in ROOT.rglob(pattern) if not skipped & set(path.relative_to(ROOT).parts)]


def link_errors():
    for page in files("*.md"):
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            place = f"{page.relative_to(ROOT)}: the link '{link}'"
            if not target.exists():
                yield f"{place} leads to no file"
            elif anchor and anchor not in anchors(target):
                yield f"{place} leads to no heading"
            elif page.parent == DOCS and target.parent != DOCS:
                yield f"{place} leaves the installed pages"


def file_errors():
    known = ["/" + str(path.relative_to(ROOT)) for path in files("*.*")]
    for page in files("*.md"):
        name = str(page.relative_to(ROOT))
        if page.name not in ("README.md", "CONTRIBUTING.md") or name in OTHER_FILES:
            continue
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for word in re.findall(r"`([^`\n]+)`", text):
            if not FILE_NAME.fullmatch(word) or "foo" in word or word.startswith(("...", "FOLDER")):
                continue
            parts = [re.escape(part) for part in re.split(r"\*|\{.*?\}", word.removeprefix("../"))]
            pattern = re.compile(".*/" + "[^/]*".join(parts))
            if not any(pattern.fullmatch(file) for file in known):
                yield f"{name}: there is no file '{word}'"
    for folder in sorted({path.parent for path in files("*.cc")}):
        shown = folder.relative_to(ROOT)
        if shown.parts[0] in PRODUCT and not (folder / "README.md").exists() and shown.parent.name != "rules":
            yield f"{shown} has no README.md"


def install_errors():
    listed = (ROOT / "manifests" / "CMakeLists.txt").read_text(encoding="utf-8")
    for page in sorted(DOCS.glob("*.md")):
        if f"docs/{page.name}" not in listed:
            yield f"manifests/CMakeLists.txt does not install docs/{page.name}"


def main(arguments):
    errors = []
    for path, name, table in ((CHECKS, "checks", checks()), (OPTIONS, "options", options()),
                              (DOCS / "formats.md", "formats", formats())):
        old, new = with_table(path, name, table)
        if arguments == ["--write"]:
            path.write_text(new, encoding="utf-8")
        elif new != old:
            shown = str(path.relative_to(ROOT))
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), shown, "expected"))
            errors.append(f"{shown} is not in step: run tests/readme.py --write")
    errors += section_errors()
    errors += schema_errors()
    errors += link_errors()
    errors += file_errors()
    errors += install_errors()
    lines = len((ROOT / "README.md").read_text(encoding="utf-8").splitlines())
    if lines > README_LINES:
        errors.append(f"README.md has {lines} lines, {README_LINES} at most")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main(sys.argv[1:])
