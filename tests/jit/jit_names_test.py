#!/usr/bin/env python3
"""Call sites in code that a runtime compiles.

  jit_names_test.py GPUSAN FAKE_DRIVER_FOLDER MONO_PROGRAM.exe [NODE_ADDON]

A runtime that is not installed, or whose program was not built, is skipped. With none, the test ends with code 77.
"""
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GPUSAN = FOLDER = None
PROGRAMS = {}


class JitTest(unittest.TestCase):
    def run_program(self, *command, names="always", **variables):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        environment = dict(os.environ, LD_LIBRARY_PATH=FOLDER, LC_ALL="C.UTF-8", **variables)
        for name in ("NODE_OPTIONS", "MONO_ENV_OPTIONS"):
            if name not in variables:
                environment.pop(name, None)
        self.text = subprocess.run([GPUSAN, "run", "--fail-on=never", f"--jit-names={names}", "--output", folder, "--",
                                    *command], env=environment, capture_output=True, text=True, timeout=240)
        self.assertEqual(self.text.returncode, 0, self.text.stderr)
        files = sorted(glob.glob(folder + "/*.jsonl"))
        self.pids = [json.loads(open(file).readline())["pid"] for file in files]
        report = subprocess.run([GPUSAN, "report", "--fail-on=never", "--quiet", "--format=json", *files], check=True,
                                capture_output=True, text=True).stdout
        return [finding for finding in json.loads(report)["findings"] if finding["rule"] == "race"]

    def functions(self, findings):
        return [[frame["function"] for frame in finding["frames"] if frame.get("language") == "jit"] for finding in findings]

    def assert_two_sites(self, findings, *names):
        self.assertEqual(len(findings), len(names), self.text.stderr)
        self.assertEqual([finding["count"] for finding in findings], [1] * len(names))
        for name in names:
            self.assertTrue(any(any(name in function for function in site) for site in self.functions(findings)), self.text.stderr)
        self.assertEqual(len({finding["fingerprint"] for finding in findings}), len(names))

    def test_mono(self):
        program = PROGRAMS.get("mono")
        if not program or not os.path.exists(program) or not shutil.which("mono"):
            self.skipTest("mono is not installed")
        first = None
        for names in ("always", "never"):  # mono itself names its methods
            findings = self.run_program("mono", program, names=names)
            self.assert_two_sites(findings, "Program:Train", "Program:Test")
            fingerprints = sorted(finding["fingerprint"] for finding in findings)
            first = first or fingerprints
            self.assertEqual(fingerprints, first)
            for name in ("Program:Train", "Program:Test"):
                self.assertRegex(self.text.stderr, rf"SUMMARY: gpusan: error race \S+ {name}")
        self.assert_no_maps()

    def test_mono_with_lines(self):
        if not shutil.which("mono") or not shutil.which("mcs"):
            self.skipTest("mono is not installed")
        source = HERE.parent / "programs" / "race" / "cuda" / "mono_two_methods.cs"
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        program = folder + "/program.exe"
        subprocess.run(["mcs", "-debug", "-define:DEFECT", "-out:" + program, str(source)], check=True, timeout=240)
        findings = self.run_program("mono", "--debug", program)
        self.assert_two_sites(findings, "Program:Train", "Program:Test")
        lines = source.read_text().splitlines()
        for finding in findings:
            place = next(frame for frame in finding["frames"] if frame.get("line"))
            self.assertEqual(place["file"], str(source))
            self.assertIn("cuMemcpyDtoHAsync_v2", lines[place["line"] - 1])
            self.assertGreater(place["line"], place["function_line"])

    def test_node(self):
        addon = PROGRAMS.get("node")
        if not addon or not shutil.which("node"):
            self.skipTest("node or its headers are not installed")
        script = str(HERE / "two_functions.js")
        findings = self.run_program("node", script, addon)
        self.assert_two_sites(findings, "train", "test")
        for finding in findings:
            place = next(frame for frame in finding["frames"] if frame.get("language") == "jit"
                         and frame["function"] in ("train", "test"))
            self.assertEqual(place["file"], script)
        self.assert_no_maps()
        again = self.run_program("node", script, addon)
        self.assertEqual(sorted(finding["fingerprint"] for finding in again),
                         sorted(finding["fingerprint"] for finding in findings))
        # Without names there is one finding, which is right as well.
        self.assertGreaterEqual(len(self.run_program("node", script, addon, names="never")), 1)
        # A map that the user asks for stays.
        self.run_program("node", script, addon, NODE_OPTIONS="--perf-basic-prof")
        for pid in self.pids:
            self.assertTrue(os.path.exists(f"/tmp/perf-{pid}.map"))
            os.unlink(f"/tmp/perf-{pid}.map")

    def assert_no_maps(self):
        for pid in self.pids:
            self.assertFalse(os.path.exists(f"/tmp/perf-{pid}.map"))


def main():
    global GPUSAN, FOLDER
    GPUSAN, FOLDER, *programs = sys.argv[1:]
    for program in programs:
        PROGRAMS["mono" if program.endswith(".exe") else "node"] = program
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(JitTest))
    if not result.wasSuccessful():
        return 1
    return 77 if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
