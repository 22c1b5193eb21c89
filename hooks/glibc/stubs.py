"""Writes stand-ins of the C library for the linker, which have the symbols of an older version only.

usage: stubs.py FOLDER VERSION COMPILER...

A program that links with the C library of this machine binds each function to its newest symbol version, so that it does not
start where the C library is older. The stand-ins have each symbol of this machine's libraries in its newest version that is
not above VERSION (2.28), and nothing else. What links with them needs no newer C library; a use of a newer function is an
undefined symbol, which the linker reports. The stand-ins hold no code. At run time the real libraries are loaded.

FOLDER receives libc.so, libm.so and the libraries that they name, and empty libpthread.so.0 and libdl.so.2: C libraries
before 2.34 have the functions for threads and for loading there.
"""
import os
import re
import subprocess
import sys

folder, limit, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
LIMIT = tuple(int(part) for part in limit.split("."))
SYMBOL = re.compile(r"^\s*\d+:\s+[0-9a-f]+\s+(\w+)\s+(\w+)\s+(GLOBAL|WEAK)\s+DEFAULT\s+(\S+)\s+(\w+)@@?(\S+)")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def path_of(name):
    """The path of a file that the compiler links with."""
    path = run(*compiler, f"-print-file-name={name}").strip()
    if not os.path.isabs(path):
        sys.exit(f"stubs.py: {compiler[0]} has no {name}")
    return path


def symbols_of(path):
    """{name: (version, is a function, bytes)}, in the newest version of each name that is not above the limit."""
    found = {}
    for line in run("readelf", "-W", "--dyn-syms", path).splitlines():
        match = SYMBOL.match(line)
        if not match or match.group(4) in ("UND", "ABS"):
            continue
        size, kind, name, version = int(match.group(1), 0), match.group(2), match.group(5), match.group(6)
        numbers = re.fullmatch(r"GLIBC_([0-9.]+)", version)
        if not numbers or kind == "TLS":
            continue  # GLIBC_PRIVATE, and errno, which programs reach through a function
        numbers = tuple(int(part) for part in numbers.group(1).split("."))
        if numbers <= LIMIT and (name not in found or numbers > found[name][0]):
            found[name] = (numbers, kind != "OBJECT", size)
    return found


def write_stub(soname, symbols):
    """Links FOLDER/soname with the symbols."""
    base = os.path.join(folder, soname)
    versions = {}
    with open(base + ".s", "w", encoding="ascii") as source:
        source.write(' .section .note.GNU-stack,"",%progbits\n')
        for name, (version, function, size) in sorted(symbols.items()):
            versions.setdefault(version, []).append(name)
            section, kind = (" .text", "function") if function else (" .data\n .balign 32", "object")
            source.write(f"{section}\n .globl {name}\n .type {name}, %{kind}\n .size {name}, {size}\n{name}: .zero {max(size, 1)}\n")
    script = base + ".map"
    with open(script, "w", encoding="ascii") as out:
        for version, names in sorted(versions.items()):
            out.write(f"GLIBC_{'.'.join(map(str, version))} {{ global: {'; '.join(sorted(names))}; }};\n")
        out.write("".join(["NOTHING { local: *; };\n"] if not versions else []))
    run(*compiler, "-nostdlib", "-shared", f"-Wl,-soname,{soname}", f"-Wl,--version-script,{script}", "-o", base, base + ".s")
    os.remove(base + ".s")
    os.remove(script)
    return os.path.abspath(base)


def main():
    os.makedirs(folder, exist_ok=True)
    library = path_of("libc.so.6")
    loader = re.search(r"\(NEEDED\).*\[(ld-.*)\]", run("readelf", "-dW", library)).group(1)
    of_c = symbols_of(library)
    of_loader = symbols_of(path_of(loader))
    # The loader's malloc, of old versions, is not for programs.
    of_loader = {name: value for name, value in of_loader.items() if name not in of_c}
    c_stub, loader_stub = write_stub("libc.so.6", of_c), write_stub(loader, of_loader)
    # Beside the shared library, the linker script of libc names an archive with functions that programs have themselves.
    archive = path_of("libc_nonshared.a")
    with open(os.path.join(folder, "libc.so"), "w", encoding="utf-8") as script:
        script.write(f"GROUP ( {c_stub} {archive} AS_NEEDED ( {loader_stub} ) )\n")
    math_stub = write_stub("libm.so.6", symbols_of(path_of("libm.so.6")))
    with open(os.path.join(folder, "libm.so"), "w", encoding="utf-8") as script:
        script.write(f"INPUT ( {math_stub} )\n")
    for soname in ("libpthread.so.0", "libdl.so.2"):
        write_stub(soname, {})


main()
