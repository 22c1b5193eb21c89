"""Checks the cache of what CUDA kernels access: its use, its folder, damaged entries, and the option that switches it off.

usage: kernel_cache.py GPUSAN FOLDER_OF_THE_FAKE_DRIVER PROGRAM

PROGRAM has a race that follows from the code of a large kernel.
"""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

gpusan, driver, program = sys.argv[1:]


def findings(folder, *options):
    environment = dict(os.environ, XDG_CACHE_HOME=folder, LD_LIBRARY_PATH=driver)
    done = subprocess.run([gpusan, "run", *options, "--", program], env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    return done.stderr.count("SUMMARY: gpusan: error race")


def entries(folder):
    return sorted((pathlib.Path(folder) / "gpusan").glob("*.summary"))


with tempfile.TemporaryDirectory() as folder:
    assert findings(folder, "--kernel-cache=false") == 1
    assert not entries(folder), "the option does not switch the cache off"
    assert findings(folder) == 1
    assert len(entries(folder)) == 1, "the kernel is not kept"
    assert stat.S_IMODE(os.stat(os.path.join(folder, "gpusan")).st_mode) == 0o700
    entry = entries(folder)[0]
    kept, when = entry.read_bytes(), entry.stat().st_mtime_ns
    assert findings(folder) == 1, "the kept summary says something else"
    assert entry.stat().st_mtime_ns == when, "the entry is written again"
    for damaged in (b"", kept[:-1], kept[: len(kept) // 2], kept[:-9] + b"9" + kept[-8:]):
        entry.write_bytes(damaged)
        assert findings(folder) == 1, "a damaged entry counts"
        assert entry.read_bytes() == kept, "a damaged entry stays"
print("the cache is used, damaged entries are not")
