#!/usr/bin/env python3
"""Holds what gpusan writes against manifests/record.schema.json.

usage: schema_test.py --schema FILE [--gpusan GPUSAN] [--writer COMMAND]... [--program PROGRAM]... [FILE|FOLDER]...

Each writer is called with a folder to write into; each program is run under gpusan. At least one record file must come
of each. The schema itself is checked first: it must refuse what no writer may write.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

BAD = [
    ("a type that does not exist", {"type": "novelty"}),
    ("no type", {"time_ns": 1}),
    ("a member that is not in the schema", {"type": "warning", "text": "t", "time_ns": 1, "more": 1}),
    ("a missing member", {"type": "warning", "text": "t"}),
    ("a negative id", {"type": "module", "id": -1, "path": "p", "build_id": ""}),
    ("half a byte of build-id", {"type": "module", "id": 1, "path": "p", "build_id": "abc"}),
    ("a count that is a text", {"type": "sample", "time_ns": 1, "ledger": {"opencl": {"live_bytes": "1"}}}),
]


def check(validator, path):
    """The number of records; exits with the place of the first that is wrong."""
    count = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        record = json.loads(line)
        errors = list(validator.iter_errors(record))
        if errors:
            # The complaint about the type that the record says it is, not about the others.
            single = dict(validator.schema, **{"$ref": f"#/$defs/{record.get('type')}"})
            del single["oneOf"]
            best = list(type(validator)(single).iter_errors(record)) or errors
            sys.exit(f"{path.name}:{number}: {best[0].json_path}: {best[0].message}\n{line}")
        count += 1
    return count


def check_schema(validator, example):
    for what, record in BAD:
        if validator.is_valid(record):
            sys.exit(f"the schema lets pass: {what}: {record}")
    for member in example:
        if member in ("code", "code_name"):
            continue
        less = copy.deepcopy(example)
        del less[member]
        if validator.is_valid(less):
            sys.exit(f"the schema lets pass a finding without '{member}'")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schema", required=True, type=pathlib.Path)
    parser.add_argument("--gpusan")
    parser.add_argument("--writer", action="append", default=[])
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    schema = json.loads(options.schema.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    records, kinds = 0, {}
    with tempfile.TemporaryDirectory(prefix="gpusan-schema-") as folder:
        sources = [(name, [name]) for name in options.writer]
        sources += [(name, [options.gpusan, "run", "--quiet", "--fail-on=never", "--timeline=64", "--output"]) for name in options.program]
        paths = []
        for number, (name, words) in enumerate(sources):
            target = pathlib.Path(folder, str(number))
            target.mkdir()
            words = words + [str(target)] + ([name] if name in options.program else [])
            result = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
            made = sorted(target.glob("*.jsonl"))
            if not made:
                sys.exit(f"{name} wrote no record file (exit code {result.returncode})\n{result.stderr}")
            paths += made
        for path in options.files:
            paths += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        for path in paths:
            records += check(validator, path)
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                kinds.setdefault(record["type"], record)
        if "finding" in kinds:
            check_schema(validator, kinds["finding"])
    if not records:
        sys.exit("no record was checked")
    print(f"{records} records of {len(paths)} files: {', '.join(sorted(kinds))}")


if __name__ == "__main__":
    main()
