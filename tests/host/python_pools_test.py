#!/usr/bin/env python3
"""Checks --pool-blocks with stand-ins of CuPy and RMM, which need no GPU.

usage: python_pools_test.py --gpusan COMMAND --folder FAKE_DRIVER
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent / "python_pools"
parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--folder", required=True)
arguments = parser.parse_args()


class PythonPools(unittest.TestCase):
    def run_case(self, framework, case, *flags, problem="", **variables):
        """Returns rules, calls, functions and lines of the findings. The output must be the same without gpusan."""
        folders = f"{arguments.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}".strip(":")
        environment = {**os.environ, "LD_LIBRARY_PATH": folders, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        program = [sys.executable, str(HERE / "blocks.py"), framework, case]
        plain = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        with tempfile.TemporaryDirectory() as folder:
            watched = subprocess.run([arguments.gpusan, "run", *flags, "--fail-on=never", "--output", folder, "--", *program],
                                     env=environment, capture_output=True, text=True, timeout=240, check=False)
            report = subprocess.run([arguments.gpusan, "report", "--quiet", "--format=json", folder], capture_output=True,
                                    text=True, timeout=120, check=False).stdout
        self.assertEqual(watched.stdout, plain.stdout, watched.stderr)
        self.assertEqual("pool_blocks: " in watched.stderr, problem != "", watched.stderr)
        self.assertIn(problem, watched.stderr)
        findings = json.loads(report)["findings"]
        for finding in findings:
            files = [frame.get("file", "") for party in [finding, *finding["parties"]] for frame in party["frames"]]
            self.assertNotIn("<gpusan>", files)
        return [(finding["rule"], finding["call"]) for finding in findings]

    def test_pools(self):
        for framework in ("cupy", "rmm", "rmm_reinitialize"):
            with self.subTest(framework=framework):
                self.assertEqual(self.run_case(framework, "correct", "--pool-blocks"), [])
                self.assertEqual(self.run_case(framework, "overrun", "--pool-blocks"),
                                 [("copy-out-of-bounds", "cuMemcpyHtoDAsync_v2")])
                self.assertEqual(self.run_case(framework, "reused", "--pool-blocks"), [("race", "cuMemcpyHtoDAsync_v2")])
                self.assertEqual(self.run_case(framework, "unwritten", "--pool-blocks"),
                                 [("uninitialized-read", "cuMemcpyDtoHAsync_v2")])

    def test_other_threads(self):
        for framework in ("cupy", "rmm"):
            self.assertEqual(self.run_case(framework, "thread", "--pool-blocks"),
                             [("copy-out-of-bounds", "cuMemcpyHtoDAsync_v2")])

    def test_without_the_option(self):
        for framework in ("cupy", "rmm"):
            self.assertEqual(self.run_case(framework, "overrun"), [])

    def test_unknown_versions_are_named(self):
        self.assertEqual(self.run_case("cupy", "thread", "--pool-blocks", problem="this version of CuPy is not known",
                                       PROGRAM_CUPY="unknown"), [])
        self.assertEqual(self.run_case("rmm", "overrun", "--pool-blocks", problem="this version of RMM is not known",
                                       PROGRAM_RMM="unknown"), [])

    def test_jax_allocates_each_array(self):
        for before, after in ((None, "cuda_async"), ("platform", "platform")):
            environment = {name: value for name, value in os.environ.items() if name != "XLA_PYTHON_CLIENT_ALLOCATOR"}
            if before is not None:
                environment["XLA_PYTHON_CLIENT_ALLOCATOR"] = before
            shown = subprocess.run([arguments.gpusan, "run", "--pool-blocks", "--", "printenv", "XLA_PYTHON_CLIENT_ALLOCATOR"],
                                   env=environment, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(shown.stdout.strip(), after, shown.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
