#!/usr/bin/env python3
"""Checks that a plug-in may bring in a loader or driver, close it and bring it in again.

usage: reopen_test.py --gpusan COMMAND --program PROGRAM --folder LIBRARIES opencl|cuda|vulkan PLUGIN LINKED_PLUGIN

Each way of opening gives what it gives without gpusan. Where the plug-in is bound to gpusan, gpusan watches each turn.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--program", required=True)
parser.add_argument("--folder", default="")
parser.add_argument("api")
parser.add_argument("plugin")
parser.add_argument("linked")
arguments = parser.parse_args()
ENVIRONMENT = {**os.environ, "LD_LIBRARY_PATH": f"{arguments.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}".strip(":")}


class ReopenTest(unittest.TestCase):
    maxDiff = None

    def turns(self, way, place, kind):
        plugin = arguments.linked if kind == "linked" else arguments.plugin
        program = [arguments.program, way, place, kind, plugin]
        plain = subprocess.run(program, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(plain.returncode, 0, plain)
        with tempfile.TemporaryDirectory() as folder:
            watched = subprocess.run([arguments.gpusan, "run", "--output", folder, "--", *program], env=ENVIRONMENT,
                                     capture_output=True, text=True, timeout=120, check=False)
            records = [json.loads(line) for path in pathlib.Path(folder).glob("*.jsonl")
                       for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(watched.stdout, plain.stdout, watched.stderr)
        self.assertIn(watched.returncode, (0, 70), watched.stderr)
        self.assertEqual([record for record in records if record["type"] == "finding"], [])
        ends = [record for record in records if record["type"] == "end"]
        return plain, sum(end["calls"].get(arguments.api, 0) for end in ends)

    def check(self, way, kind):
        for place in ("plain", "moved"):
            with self.subTest(way=way, kind=kind, place=place):
                plain, calls = self.turns(way, place, kind)
                self.assertEqual(plain.stdout, "".join(f"turn {turn}: 7168\n" for turn in range(3)), plain.stderr)
                if way == "local":
                    # All turns, or with one of them missing.
                    self.assertGreater(calls, 0)
                    self.assertEqual(calls % 3, 0, f"{calls} calls in three equal turns")

    def test_local_and_linked(self):
        self.check("local", "linked")

    def test_local_and_opened(self):
        self.check("local", "opened")

    def test_deepbind_and_linked(self):
        self.check("deepbind", "linked")

    def test_deepbind_and_opened(self):
        self.check("deepbind", "opened")

    def test_another_namespace_and_linked(self):
        self.check("dlmopen", "linked")

    def test_another_namespace_and_opened(self):
        self.check("dlmopen", "opened")


unittest.main(argv=[parser.prog])
