#!/usr/bin/env python3
"""Checks that the lists of packages.txt are apart: on an empty system, what the demo needs brings none of what only tests need.

usage: lists_test.py PACKAGES

apt computes what it would install on a system without any package, and installs nothing. Exit code 77 without its indexes.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Workload managers, the runtime of C#, servers and clients of X, browsers.
ONLY_TESTS = re.compile(r"slurm|munge|openmpi|mono-|libmono|xserver|xvfb|libx11|libxcb|chromium")
text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
lists, names = {}, None
for line in text.splitlines():
    line = line.split("#")[0].strip()
    if line.startswith("["):
        names = lists.setdefault(line.strip("[]"), [])
    elif line:
        names.append(line.split("|"))
if list(lists) != ["build", "demo", "test"]:
    sys.exit(f"the lists are {list(lists)}")
if shutil.which("apt-get") is None:
    print("skipped: no apt-get")
    sys.exit(SKIPPED)


wanted = lists["build"] + lists["demo"]
found = subprocess.run(["apt-cache", "madison", *(name for names in wanted for name in names)], capture_output=True, text=True,
                       check=False).stdout
known = {line.split("|")[0].strip() for line in found.splitlines()}
chosen = [next((name for name in names if name in known), None) for names in wanted]
if None in chosen:
    print("skipped: apt has no indexes; run apt-get update")
    sys.exit(SKIPPED)
with tempfile.NamedTemporaryFile() as status:
    done = subprocess.run(["apt-get", "--simulate", "-o", f"Dir::State::status={status.name}", "-o", "Debug::NoLocking=1",
                           "install", "--no-install-recommends", *chosen], capture_output=True, text=True, check=False)
if done.returncode != 0:
    sys.exit(done.stdout + done.stderr)
installed = re.findall(r"^Inst (\S+)", done.stdout, re.M)
if not set(chosen) <= set(installed):
    sys.exit(f"apt would not install {set(chosen) - set(installed)}")
if bad := [name for name in installed if ONLY_TESTS.search(name)]:
    sys.exit(f"the demo installs {bad}")
print(f"{len(installed)} packages")
