"""Helpers of the Vulkan tests: they run programs under a built gpusan, and read records.

usage: TEST.py --gpusan GPUSAN --library LIBRARY --programs FOLDER [unittest arguments]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
SKIP = 77


class Run:
    """One run of a program: exit code, output, and what its processes wrote."""

    def __init__(self, code, out, err, folder):
        self.code, self.out, self.err = code, out, err
        self.processes, self.findings, self.ends = [], [], []
        for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
            for line in path.read_text().splitlines():
                record = json.loads(line)
                kind = record["type"]
                if kind == "process":
                    self.processes.append(record)
                elif kind == "finding":
                    self.findings.append(record)
                elif kind == "end":
                    self.ends.append(record)

    def rules(self):
        return sorted(finding["rule"] for finding in self.findings)


class VulkanTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusan-vulkan-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.runs = 0

    def records(self):
        """A folder for the records of one run."""
        self.runs += 1
        folder = self.folder / f"records-{self.runs}"
        folder.mkdir()
        return folder

    def environment(self, more):
        names = ("GPUSAN", "VK_")
        clean = {name: value for name, value in os.environ.items() if not name.startswith(names) or
                 name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES")}
        # Nothing of the user's own settings or layers.
        clean.update(HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder), XDG_DATA_HOME=str(self.folder))
        clean.update(more)
        return {name: value for name, value in clean.items() if value is not None}

    def spawn(self, words, environment, cwd=None):
        done = subprocess.run([str(word) for word in words], env=self.environment(environment),
                              cwd=cwd or self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode == SKIP:
            self.skipTest(done.stderr.strip())
        return done

    def program(self, name):
        return pathlib.Path(OPTIONS.programs) / name

    def under(self, program, *arguments, flags=(), environment=None, cwd=None):
        """The program under `gpusan run`."""
        records = self.records()
        done = self.spawn([OPTIONS.gpusan, "run", f"--output={records}", *flags, "--", self.program(program), *arguments],
                          environment or {}, cwd)
        return Run(done.returncode, done.stdout, done.stderr, records)

    def layered(self, program, *arguments, environment=None, cwd=None, layers="VK_LAYER_GPUSAN_shadow", path=None, options=""):
        """The program with gpusan as a layer alone, which `layers` names; records go to the folder."""
        records = self.records()
        given = {"VK_ADD_LAYER_PATH": str(path or pathlib.Path(OPTIONS.library).parent), "VK_INSTANCE_LAYERS": layers,
                 "GPUSAN_OPTIONS": f"record={records}/%p.jsonl" + (f":{options}" if options else "")}
        given.update(environment or {})
        done = self.spawn([self.program(program), *arguments], given, cwd)
        return Run(done.returncode, done.stdout, done.stderr, records)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpusan", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--build", default="")
    OPTIONS, rest = parser.parse_known_args()
    # The test's own copy of this module is the one that it sees.
    sys.modules["harness"].OPTIONS = OPTIONS
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
