#!/usr/bin/env python3
"""Checks what library and command need of the machine they start on: usage: symbol_versions.py VERSION FILE...

Fails when a file needs a symbol version of the C library above VERSION (2.28), a symbol version of another library, or a
library outside of the C library. Fails also when a file uses a function that C libraries before 2.34 have in a library that
the file does not name.
"""
import re
import subprocess
import sys

limit = tuple(int(part) for part in sys.argv[1].split("."))
C_LIBRARY = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# Functions that came into libc.so.6 with 2.34, and the libraries that had them before.
BEFORE_2_34 = {
    "libpthread.so.0": re.compile(r"(__)?(pthread|sem)_\w+$"),
    "libdl.so.2": re.compile(r"dl(open|close|sym|vsym|addr1?|info|mopen|error)$"),
    "librt.so.1": re.compile(r"(timer|mq|aio|lio|shm)_\w+$"),
    "libutil.so.1": re.compile(r"(openpty|forkpty|login_tty)$"),
}


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


complaints = []
for path in sys.argv[2:]:
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-dW", path)))
    if needed - C_LIBRARY:
        complaints.append(f"{path}: needs {sorted(needed - C_LIBRARY)}")
    count = 0
    for line in tool("readelf", "-W", "--dyn-syms", path).splitlines():
        match = re.search(r" UND (\w+)@(\w+?)_([0-9.]+)", line)
        if not match:
            continue
        count += 1
        name, kind, version = match.groups()
        if kind != "GLIBC" or tuple(int(part) for part in version.split(".")) > limit:
            complaints.append(f"{path}: needs {name} of {kind} {version}")
        for library, names in BEFORE_2_34.items():
            if names.match(name) and library not in needed:
                complaints.append(f"{path}: needs {name} and does not name {library}")
    if count == 0:
        complaints.append(f"{path}: no symbol version found")
sys.exit("\n".join(complaints) or 0)
