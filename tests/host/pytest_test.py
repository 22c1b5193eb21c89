#!/usr/bin/env python3
"""The pytest plugin, by which findings belong to the test that was running, and the Python module. Exit code 77 without pytest.

usage: pytest_test.py --gpusan COMMAND --plugin FOLDER --calls LIBRARY

LIBRARY has the functions 'overrun' and 'fine', which make OpenCL calls.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--plugin", required=True)
parser.add_argument("--calls", required=True)
arguments = parser.parse_args()
# Debian's pytest belongs to Debian's Python.
PYTHON = next((python for python in (sys.executable, "/usr/bin/python3")
               if subprocess.run([python, "-c", "import pytest"], capture_output=True, check=False).returncode == 0), None)
if PYTHON is None:
    print("skipped: pytest is not installed")
    sys.exit(77)

TESTS = f"""
import ctypes
import pytest

calls = ctypes.CDLL({arguments.calls!r})


def test_fine():
    assert calls.fine() == 0


def test_bad():
    calls.overrun(1)


@pytest.mark.gpusan_ignore
def test_ignored():
    calls.overrun(2)


@pytest.mark.gpusan_ignore("copy-out-of-bounds", "host-buffer-overrun")
def test_ignored_by_check():
    calls.overrun(3)


@pytest.fixture
def broken():
    calls.overrun(4)


def test_fixture(broken):
    pass


def test_fine_again():
    assert calls.fine() == 0
"""


MODULE = f"""
import ctypes
import gpusan

calls = ctypes.CDLL({arguments.calls!r})
assert gpusan.take_findings() == []
calls.overrun(1)
with gpusan.ignored():
    calls.overrun(2)
found = gpusan.take_findings()
print(gpusan.is_present(), gpusan.finding_count(), [(one.severity, one.call) for one in found])
gpusan.name_object(gpusan.OPENCL, 1, "no object")
gpusan.order_signal(gpusan.OPENCL, 1, 2)
gpusan.order_wait(gpusan.OPENCL, 1, 2)
print(gpusan.check_nothing_live() > 0)
"""


class Module(unittest.TestCase):
    def output(self, *command):
        environment = dict(os.environ, PYTHONPATH=arguments.plugin, PYTHONDONTWRITEBYTECODE="1")
        result = subprocess.run([*command, PYTHON, "-c", MODULE], capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()

    def test_with_gpusan(self):
        self.assertEqual(self.output(arguments.gpusan, "run", "--quiet", "--fail-on=never", "--"),
                         ["True 1 [('error', 'clEnqueueWriteBuffer')]", "True"])

    def test_without_gpusan(self):
        self.assertEqual(self.output(), ["False 0 []", "False"])


class Pytest(unittest.TestCase):
    def run_it(self, *words, gpusan=True):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_calls.py").write_text(TESTS)
            environment = dict(os.environ, PYTHONPATH=arguments.plugin, PYTHONDONTWRITEBYTECODE="1")
            command = [arguments.gpusan, "run", "--quiet", "--fail-on=never", "--"] if gpusan else []
            return subprocess.run([*command, PYTHON, "-m", "pytest", "-p", "gpusan_pytest", "-p", "no:cacheprovider", "-rA",
                                   *words, "test_calls.py"],
                                  capture_output=True, text=True, timeout=120, cwd=folder, env=environment)

    def outcomes(self, text):
        return {line.split("::")[1].split(" ")[0]: line.split(" ")[0] for line in text.splitlines()
                if line.startswith(("PASSED ", "FAILED ", "ERROR ")) and "::" in line}

    def test_findings_fail_the_test_that_caused_them(self):
        result = self.run_it()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(self.outcomes(result.stdout), {
            "test_fine": "PASSED", "test_bad": "FAILED", "test_ignored": "PASSED", "test_ignored_by_check": "PASSED",
            "test_fixture": "ERROR", "test_fine_again": "PASSED"}, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^test_calls.py::test_bad: 1 finding: error ")
        self.assertNotRegex(result.stdout, r"(?m)^test_calls.py::test_ignored:")

    def test_never(self):
        result = self.run_it("--gpusan-fail-on=never")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_without_gpusan(self):
        self.assertEqual(self.run_it(gpusan=False).returncode, 0)
        self.assertEqual(self.run_it("--gpusan-require", gpusan=False).returncode, 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
