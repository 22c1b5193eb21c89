#!/usr/bin/env python3
"""Checks what libgpusan.so asks of a process: usage: check_library.py LIBRARY VERSION_SCRIPT

It needs the C library alone, exports the names of the rows and nothing else, has no text relocations, a soname, few
bytes of static thread storage, and stays loaded.
"""
import re
import subprocess
import sys

library, script = sys.argv[1:]


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


complaints = []
dynamic = tool("readelf", "-dW", library)
needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
if not needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}:
    complaints.append(f"needs {sorted(needed)}")
if not re.search(r"\(SONAME\).*\[libgpusan\.so\.\d+\]", dynamic):
    complaints.append("has no soname libgpusan.so.N")
if "TEXTREL" in dynamic:
    complaints.append("has text relocations")
if "NODELETE" not in dynamic:
    complaints.append("can be unloaded, with threads inside")
with open(script, encoding="utf-8") as text:
    wanted = set(re.findall(r"^    (\w+);$", text.read().split("local:")[0], re.M))
exported = {line.split()[-1] for line in tool("nm", "-D", "--defined-only", library).splitlines()}
if exported != wanted:
    complaints.append(f"exports more: {sorted(exported - wanted)}, lacks: {sorted(wanted - exported)}")
storage = re.search(r"^\s*TLS\s+\S+\s+\S+\s+\S+\s+\S+\s+(0x[0-9a-f]+)", tool("readelf", "-lW", library), re.M)
# A layer is loaded late: the loader keeps little static thread storage in reserve for such files.
if storage and int(storage.group(1), 16) > 512:
    complaints.append(f"takes {int(storage.group(1), 16)} bytes of static thread storage")
sys.exit("\n".join(complaints) or 0)
