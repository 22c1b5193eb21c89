"""Makes the Python wheel of gpusan from a build: wheel.py BUILD VERSION GLIBC PROCESSOR

The wheel puts the installed tree into the environment: the command into its folder of scripts, and beside it library, data
and pages, where the command finds them. manifests/pytest is its Python code: the module gpusan, and the plugin for pytest.
GLIBC is the oldest C library that command and library start with; empty: that of the building machine, which gives a wheel
for machines like it only. Writes BUILD/manifests/packaging/gpusan-VERSION-....whl and prints its path. Equal trees give equal wheels.
"""
import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

build, version, glibc, processor = pathlib.Path(sys.argv[1]), *sys.argv[2:]
PYTHON = pathlib.Path(__file__).resolve().parent.parent / "pytest"
platform = f"manylinux_{glibc.replace('.', '_')}_{processor}" if glibc else f"linux_{processor}"
TAG = f"py3-none-{platform}"
INFO = f"gpusan-{version}.dist-info"
DATA = f"gpusan-{version}.data"
METADATA = f"""Metadata-Version: 2.1
Name: gpusan
Version: {version}
Summary: Finds errors in the host code of GPU programs
Requires-Python: >=3.8
Description-Content-Type: text/plain

gpusan intercepts the OpenCL, CUDA and Vulkan calls of an unmodified program, and says what is wrong with them, why, where,
and how to fix it: `gpusan run -- program`. The owner of gpusan has chosen no licence.
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: gpusan\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def files():
    """(path in the wheel, bytes, executable) of each file."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        subprocess.run(["cmake", "--install", build, "--prefix", tree, "--strip"], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(tree.rglob("*")):
            name = path.relative_to(tree).as_posix()
            if path.is_dir() or path.is_symlink() and name != "lib/gpusan/libgpusan.so" or ".so." in name:
                continue
            where = f"scripts/{path.name}" if name.startswith("bin/") else f"data/{name}"
            # The environment is not known yet: recipes and manifests name the default prefix.
            content = path.read_bytes().replace(f"{tree}/share".encode(), b"/usr/local/share")
            yield f"{DATA}/{where}", content, bool(path.stat().st_mode & 0o100)
    for path in sorted(PYTHON.glob("*.py")):
        yield path.name, path.read_bytes(), False
    yield f"{INFO}/entry_points.txt", (PYTHON / "entry_points.txt").read_bytes(), False
    yield f"{INFO}/METADATA", METADATA.encode(), False
    yield f"{INFO}/WHEEL", WHEEL.encode(), False


def main():
    manifest = build / "install_manifest.txt"
    kept = manifest.read_bytes() if manifest.exists() else None
    result = build / "manifests" / "packaging" / f"gpusan-{version}-{TAG}.whl"
    record = ""
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, content, executable):
            entry = zipfile.ZipInfo(name)  # the time is 1980 in every wheel
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for name, content, executable in files():
            add(name, content, executable)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        add(f"{INFO}/RECORD", (record + f"{INFO}/RECORD,,\n").encode(), False)
    if kept is not None:
        manifest.write_bytes(kept)
    elif manifest.exists():
        manifest.unlink()
    print(result)


main()
