#!/usr/bin/env python3
"""Runs a program bare and with gpusan preloaded: the output and the exit code must be the same.

usage: check.py [--library LIB] [--no-preload] [--also LIB [--also-first]] [--ends PATTERN] [--live N] [--quiet] -- program args...

--library  the library that is preloaded
--no-preload  the program loads the library by itself: there is one run
--also     a further library that both runs preload, behind gpusan's, or with --also-first in front of it
--ends     how the record files of the run with gpusan must end, by process: words joined by ',' in any order; a word is
           the reason of the last end record, "open" for a file without one
--quiet    gpusan writes its findings to the record only
--live     the end records with reason "exit" must tell this number of live objects
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--library", required=True)
parser.add_argument("--no-preload", action="store_true")
parser.add_argument("--also", default="")
parser.add_argument("--also-first", action="store_true")
parser.add_argument("--ends")
parser.add_argument("--live", type=int)
parser.add_argument("--quiet", action="store_true")
parser.add_argument("program", nargs="+")
arguments = parser.parse_args()


def run(preload, folder):
    environment = dict(os.environ)
    environment.pop("GPUSAN_OPTIONS", None)
    environment["LD_PRELOAD"] = preload
    environment["GPUSAN_OPTIONS"] = f"record={folder}/%p.jsonl" + (f":log_path={folder}/log" if arguments.quiet else "")
    done = subprocess.run(arguments.program, env=environment, capture_output=True, timeout=300, check=False)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def last_end(path):
    end = None
    with open(path, encoding="utf-8") as records:
        for line in records:
            record = json.loads(line)
            if record["type"] == "end":
                end = record
    return end


with tempfile.TemporaryDirectory() as folder:
    if arguments.no_preload:
        bare = watched = run("", folder)
        if watched[0] != 0:
            sys.exit(str(watched))
    else:
        bare = run(arguments.also, folder)
        if glob.glob(folder + "/*"):
            sys.exit("the bare run wrote records")
        libraries = [arguments.also, arguments.library] if arguments.also_first else [arguments.library, arguments.also]
        watched = run(":".join(filter(None, libraries)), folder)
    if bare != watched:
        sys.exit(f"bare:    {bare}\nwatched: {watched}")
    ends = [last_end(path) for path in glob.glob(folder + "/*.jsonl")]
    reasons = sorted(end["reason"] if end else "open" for end in ends)
    if arguments.ends is not None and reasons != sorted(filter(None, arguments.ends.split(","))):
        sys.exit(f"record files end with {reasons}, not {arguments.ends}")
    for end in ends:
        if arguments.live is None or end is None or end["reason"] != "exit":
            continue
        if end["ledger"]["probe object"] != {"live": arguments.live, "leaks": 1}:
            sys.exit(f"end record: {end}")
