"""Checks that names and ranges of NVTX 3 are in findings, and which library NVTX loads.

usage: nvtx_test.py GPUSAN LIBRARY FAKE_DRIVER_FOLDER PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

gpusan, library, driver, program = sys.argv[1:]


def run(*command, code=0, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GPUSAN") and name != "NVTX_INJECTION64_PATH"}
    result = subprocess.run(command, capture_output=True, text=True, timeout=120,
                            env={**environment, "LD_LIBRARY_PATH": driver, **variables})
    if result.returncode != code:
        raise AssertionError(f"{command} ended with {result.returncode}: {result.stderr}")
    return result


class Nvtx(unittest.TestCase):
    def findings(self):
        with tempfile.TemporaryDirectory() as folder:
            text = run(gpusan, "run", "--color=never", f"--output={folder}", "--", program, "race", code=66).stderr
            lines = "".join(file.read_text(encoding="utf-8") for file in pathlib.Path(folder).glob("*.jsonl")).splitlines()
        return text, {one["rule"]: one for one in map(json.loads, lines) if one["type"] == "finding"}

    def test_names_and_ranges(self):
        text, findings = self.findings()
        race = findings["race"]["facts"]
        self.assertEqual(race["range"], "optimizer")
        self.assertEqual(race["thread_name"], "loader")
        self.assertIn('"täglich"', race["queue"])
        self.assertIn('"compute"', race["earlier_queue"])
        event = findings["over-release"]
        self.assertIn('"ready"', event["what"])
        self.assertNotIn("range", event["facts"])
        self.assertNotIn("thread_name", event["facts"])
        self.assertIn('what: event #1 "ready" is destroyed', text)

    def test_levels(self):
        self.assertEqual(run(gpusan, "run", "--", program).stdout.splitlines()[0], "0 1 1 0 1")
        self.assertEqual(run(program).stdout.splitlines()[0].split()[0], "-2")

    def test_another_tool_keeps_the_variable(self):
        self.assertEqual(run(gpusan, "run", "--", program).stdout.splitlines()[1], library)
        self.assertEqual(run(gpusan, "run", "--", program, NVTX_INJECTION64_PATH="/tool.so").stdout.splitlines()[1], "/tool.so")

    def test_children_inherit_it(self):
        for words in (["env", "-i", program], [program]):
            with self.subTest(words):
                self.assertEqual(run(gpusan, "run", "--", "sh", "-c", " ".join(words)).stdout.splitlines()[1], library)

    def test_nothing_where_nothing_is_watched(self):
        off = {f"--{api}-attach=off" for api in ("opencl", "cuda", "vulkan")}
        self.assertEqual(run(gpusan, "run", *off, "--", program).stdout.split()[0], "-2")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
