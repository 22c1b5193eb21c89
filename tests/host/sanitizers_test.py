#!/usr/bin/env python3
"""Programs built with a sanitizer find under gpusan what they find bare, and gpusan finds its part.

usage: sanitizers_test.py --gpusan COMMAND --source SOURCE

Compiles the source with each sanitizer of gcc and clang that works here. Exit code 77 where none does.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--source", required=True)
arguments = parser.parse_args()
FLAGS = ["-g", "-O1", "-w", "-DCL_TARGET_OPENCL_VERSION=300", arguments.source, "-lOpenCL", "-lpthread"]
# Compiler and flags, and the error that the sanitizer finds.
KINDS = [(["gcc", "-fsanitize=address"], "heap"), (["gcc", "-fsanitize=address", "-static-libasan"], "heap"),
         (["clang", "-fsanitize=address"], "heap"), (["clang", "-fsanitize=address", "-shared-libasan"], "heap"),
         (["gcc", "-fsanitize=thread"], "race"),
         (["clang", "-fsanitize=thread"], "race"), (["gcc", "-fsanitize=undefined"], "integer"),
         (["clang", "-fsanitize=undefined"], "integer"), (["clang", "-fsanitize=memory", "-fsanitize-recover=memory"], "bits")]
# MemorySanitizer's with function and file, as it reports many calls in the drivers.
REPORT = re.compile(r"(AddressSanitizer: [\w-]+|ThreadSanitizer: [\w ]+|runtime error: [a-z ]+|"
                    r"SUMMARY: MemorySanitizer: .*)")
# The drivers are not built with the sanitizer: what they leave allocated is not the question, nor what they write.
ENVIRONMENT = {**{key: value for key, value in os.environ.items() if not key.startswith("GPUSAN")},
               "ASAN_OPTIONS": "detect_leaks=0", "MSAN_OPTIONS": "halt_on_error=0:exit_code=0"}


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", timeout=120,
                          env=ENVIRONMENT, check=False)


def summary(text):
    """What sanitizers say, each finding once."""
    return sorted(set(REPORT.findall(text)))


class Sanitizers(unittest.TestCase):
    built = 0

    def check(self, kind, way):
        if shutil.which(kind[0]) is None:
            self.skipTest(f"{kind[0]} is not installed")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            if run(*kind, "-o", program, *FLAGS).returncode != 0 or run(program, "clean").returncode != 0:
                self.skipTest(f"{' '.join(kind)} makes no program that runs here")
            Sanitizers.built += 1
            for what in ("clean", "gpu", way):
                bare = run(program, what)
                # By a shell as well: children get the same environment.
                for words in ([program, what], ["sh", "-c", f"'{program}' {what}"]):
                    watched = run(arguments.gpusan, "run", "--", *words)
                    text = watched.stdout + watched.stderr
                    self.assertEqual(summary(text), summary(bare.stdout + bare.stderr), text)
                    self.assertNotIn("ATTACH", watched.stderr)
                    if what == "gpu":
                        self.assertIn("gpusan: error: copy-out-of-bounds in clEnqueueWriteBuffer", watched.stderr)
                        self.assertEqual(watched.returncode, 66, text)
                    else:
                        self.assertEqual(watched.returncode, bare.returncode, text)
            self.assertNotEqual(summary(bare.stdout + bare.stderr), [])


def add(kind, way):
    name = "_".join(re.sub(r"\W+", "_", word).strip("_") for word in kind)
    setattr(Sanitizers, f"test_{name}", lambda self: self.check(kind, way))


for one, error in KINDS:
    add(one, error)

if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False)
    sys.exit(1 if not done.result.wasSuccessful() else 0 if Sanitizers.built else 77)
