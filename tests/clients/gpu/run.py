#!/usr/bin/env python3
"""Runs the GPU clients bare and under gpusan and prints a table: same output, findings, time.

usage: run.py --gpusan COMMAND [--samples FOLDER] [--attach preload|cupti] [--flag FLAG]... [--only NAME] [--keep FOLDER]
              [--jobs N]

--flag is a flag of `gpusan run`, such as --flag=--pool-blocks.

Clients are the Python scripts beside this file, for whatever packages are installed, and what build.sh or vulkan.sh put into
a folder.
Exit code 1 if an output differs, a client fails under gpusan alone, or there is a finding that the suppressions which
come with gpusan do not explain: manifests/default.supp says of each line why.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SUPPRESSIONS = next((path for path in (HERE / "default.supp", HERE / "../../../manifests/default.supp")
                     if path.exists()), "")


def run(command, environment=None, timeout=280):
    begin = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment, check=False)
        return result.returncode, result.stdout, result.stderr, time.monotonic() - begin
    except subprocess.TimeoutExpired as expired:
        text = expired.stdout.decode(errors="replace") if expired.stdout else ""
        return -1, text, "took too long", time.monotonic() - begin


def findings(gpusan, folder):
    """What the report says of the records: findings that are not suppressed, how many are, and watched calls by API."""
    _, text, _, _ = run([gpusan, "report", "--format=json", f"--suppressions={SUPPRESSIONS}", "--fail-on=never", folder])
    try:
        report = json.loads(text)
    except ValueError:
        return ["no report"], 0, {}
    found = [f"{finding['severity']} {finding['rule']} {finding.get('call', '')}: {finding['what']}"
             for finding in report["findings"] if not finding.get("suppressed")]
    calls = {}
    for path in pathlib.Path(folder).glob("**/*.jsonl"):
        for line in path.read_text(errors="replace").splitlines():
            record = json.loads(line) if line.startswith('{"type":"end"') else {}
            for api, count in record.get("calls", {}).items():
                calls[api] = calls.get(api, 0) + count
    return found, len(report["findings"]) - len(found), calls


def judge(name, command, options):
    bare = run(command)
    if bare[0] == 77 or "ModuleNotFoundError" in bare[2]:
        return f"{name:24} not installed", True
    with tempfile.TemporaryDirectory() as scratch:
        records = options.keep + "/" + name if options.keep else scratch
        watched = run([options.gpusan, "run", f"--cuda-attach={options.attach}", *options.flag, "--output", records, "--fail-on=never",
                       "--", *command])
        found, explained, calls = findings(options.gpusan, records)
    same = bare[:2] == watched[:2]
    line = (f"{name:24} {'same' if same else 'DIFFERS'}  exit {bare[0]}/{watched[0]}  {bare[3]:6.1f} s {watched[3]:6.1f} s  "
            f"{sum(calls.values()):9d} calls  {len(found)} findings, {explained} suppressed")
    text = "\n".join([line, *(f"    {finding}" for finding in found[:12])])
    if not same:
        text += f"\n  bare:    {bare[1][-300:]!r} {bare[2][-300:]!r}\n  watched: {watched[1][-300:]!r} {watched[2][-1200:]!r}"
    if sum(calls.values()) == 0:
        text += "\n    gpusan saw no call: " + watched[2][-600:]
    return text, same and not found and sum(calls.values()) != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpusan", required=True)
    parser.add_argument("--samples")
    parser.add_argument("--attach", default="preload")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--only")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    clients = {}
    if options.samples:
        for path in sorted(pathlib.Path(options.samples).iterdir()):
            if os.access(path, os.X_OK) and path.is_file():
                clients[path.name] = [str(path)]
    for path in sorted(HERE.glob("*.py")):
        if path.name != "run.py":
            clients[path.stem] = [sys.executable, str(path)]
    if options.only:
        clients = {name: command for name, command in clients.items() if options.only in name}
    good = True
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for text, fine in pool.map(lambda item: judge(*item, options), clients.items()):
            print(text, flush=True)
            good = good and fine
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
