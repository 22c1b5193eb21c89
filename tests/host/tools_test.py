#!/usr/bin/env python3
"""Checks `gpusan run` with valgrind, perf, gdb, strace and faketime, inside and around them, and that tools which the CUDA
driver loads get their variables. A tool that is not installed is skipped.

usage: tools_test.py --gpusan COMMAND --library LIBRARY --program CHILDREN
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--library", required=True)
parser.add_argument("--program", required=True)
arguments = parser.parse_args()
LIBRARY = os.path.realpath(arguments.library)
PROGRAM = [arguments.program, "gpu"]
RUN = [arguments.gpusan, "run", "--"]


def run(words, driver=False):
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("GPUSAN") and "INJECTION64" not in key}
    if not driver:
        environment["OCL_ICD_VENDORS"] = "/nonexistent"  # tools that translate code would take minutes with one
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, env=environment,
                          stdin=subprocess.DEVNULL)


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def needs(self, tool):
        if shutil.which(tool) is None:
            self.skipTest(f"{tool} is not installed")

    def check(self, *words):
        result = run(words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("platforms: none\n", result.stdout)
        # What the command says of the program alone: gpusan was loaded, and nothing is incomplete or given up.
        self.assertIn("gpusan: no call of a GPU API was seen\n", result.stderr)
        for wrong in ("ATTACH", "incomplete", "nothing was checked", "INJECTION64"):
            self.assertNotIn(wrong, result.stderr)

    def test_valgrind(self):
        self.needs("valgrind")
        self.check(*RUN, "valgrind", "-q", *PROGRAM)
        self.check("valgrind", "-q", *RUN, *PROGRAM)
        self.check("valgrind", "-q", "--trace-children=yes", *RUN, *PROGRAM)

    def test_the_process_of_a_debugger(self):
        if not any(pathlib.Path(folder).glob("*/libpocl.so.2") for folder in ("/usr/lib", "/usr/lib64")):
            self.skipTest("no PoCL")
        for name, warned in (("python", True), ("NvDebugAgent", False)):
            code = f"exec -a {name} {sys.executable} -c 'import ctypes; ctypes.CDLL(\"libpocl.so.2\")'"
            result = run([*RUN, "bash", "-c", code])
            self.assertEqual("none of its calls came through gpusan" in result.stderr, warned, result.stderr)
            self.assertEqual(result.returncode, 70 if warned else 0)

    def test_perf(self):
        self.needs("perf")
        record = ["perf", "record", "-q", "-o", self.folder / "data"]
        if run([*record, "true"]).returncode != 0:
            self.skipTest("perf may not record here")
        self.check(*RUN, *record, *PROGRAM)
        self.check(*record, *RUN, *PROGRAM)

    def test_gdb(self):
        self.needs("gdb")
        self.check(*RUN, "gdb", "-q", "-batch", "-ex", "run", "--args", *PROGRAM)
        self.check("gdb", "-q", "-batch", "-ex", "run", "--args", *RUN, *PROGRAM)

    def test_strace(self):
        self.needs("strace")
        trace = ["strace", "-f", "-o", self.folder / "trace"]
        if run([*trace, "true"]).returncode != 0:
            self.skipTest("strace may not trace here")
        self.check(*RUN, *trace, *PROGRAM)
        self.check(*trace, *RUN, *PROGRAM)

    def test_faketime(self):
        # Its fstat crashes once the process has begun to exit.
        self.needs("faketime")
        self.check(*RUN, "faketime", "-f", "+1d", *PROGRAM)
        result = run([*RUN, "faketime", "-f", "+1d", *PROGRAM], driver=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("incomplete", result.stderr)

    def test_tools_that_the_driver_loads(self):
        show = 'echo "$CUDA_INJECTION64_PATH $NVTX_INJECTION64_PATH"'
        for name in ("compute-sanitizer", "nsys", "ncu"):
            tool = self.folder / name
            tool.write_text(f"#!/bin/sh\n{show}\n", encoding="utf-8")
            tool.chmod(0o700)
            with self.subTest(tool=name):
                direct = run([*RUN, tool])
                self.assertEqual(direct.stdout, " \n")
                self.assertIn(f"gpusan: CUDA_INJECTION64_PATH is left to {name}: gpusan watches CUDA by LD_PRELOAD alone",
                              direct.stderr)
                # As the child of a program, and what that starts otherwise.
                child = run([*RUN, "sh", "-c", f"{tool}; {show}"])
                self.assertEqual(child.stdout, f" \n{LIBRARY} {LIBRARY}\n")
                # The programs that the tool starts do not get them, either.
                tool.write_text(f"#!/bin/sh\nsh -c '{show}'\n", encoding="utf-8")
                self.assertEqual(run([*RUN, tool]).stdout, " \n")
                self.assertEqual(run([*RUN, "sh", "-c", tool]).stdout, " \n")


unittest.main(argv=["tools_test.py"], verbosity=2)
