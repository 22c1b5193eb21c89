#!/usr/bin/env python3
"""Call sites in Python programs.

  call_sites_test.py GPUSAN HELPER [PYTHON...]

HELPER is the library of native_thread.c. Runs every program with each interpreter (this one if none is named). Interpreters
of versions that gpusan cannot read must only yield native frames.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GPUSAN = HELPER = None
PYTHONS = [sys.executable]


def version_of(python):
    return tuple(map(int, subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2])"], check=True,
                                         capture_output=True, text=True).stdout.split()))


def lines_of(source):
    """The marks of a program: name -> number of its line."""
    return {mark: number for number, line in enumerate(source.read_text().split("\n"), 1)
            for mark in re.findall(r"# @(\w+)$", line)}


class Run:
    def __init__(self, python, folder, *arguments, gil="released", options="", rule="copy-out-of-bounds"):
        environment = dict(os.environ, PROGRAM_GIL=gil, PYTHONPATH=str(HERE), PYTHONDONTWRITEBYTECODE="1",
                           GPUSAN_OPTIONS=options, LC_ALL="C.UTF-8")
        records = tempfile.mkdtemp(dir=folder)
        self.text = subprocess.run([GPUSAN, "run", "--fail-on=never", "--output", records, "--", python,
                                    *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=240)
        files = [str(path) for path in pathlib.Path(records).glob("*.jsonl")]
        self.records = files
        report = self.report("json")
        self.findings = [finding for finding in json.loads(report)["findings"] if finding["rule"] == rule]

    def report(self, name):
        return subprocess.run([GPUSAN, "report", "--fail-on=never", "--quiet", f"--format={name}", *self.records], check=True,
                              capture_output=True, text=True).stdout

    def sites(self):
        """(file, line, function) of the first frame outside of this folder's defects.py -> count."""
        found = {}
        for finding in self.findings:
            frames = [frame for frame in finding["frames"] if is_own(frame)]
            frame = frames[0] if frames else None
            key = frame and (os.path.basename(frame["file"]), frame["line"], frame["function"])
            found[key] = found.get(key, 0) + finding["count"]
        return found


def is_own(frame):
    file = frame.get("file", "")
    return ("language" in frame and not file.endswith("/defects.py") and "-packages/" not in file and
            "/lib/python3." not in file)


class PythonTest(unittest.TestCase):
    maxDiff = None
    python = None

    @classmethod
    def setUpClass(cls):
        cls.version = version_of(cls.python)
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def qualified(self, name):
        return name if self.version >= (3, 11) else name.rpartition(".")[2]

    def run_program(self, name, *arguments, **keywords):
        return Run(self.python, self.folder, HERE / name, *arguments, **keywords)

    def test_two_functions_are_two_call_sites(self):
        marks = lines_of(HERE / "two_functions.py")
        for gil in ("released", "held"):
            run = self.run_program("two_functions.py", gil=gil)
            self.assertEqual(run.sites(), {("two_functions.py", marks["upload"], "upload"): 1,
                                           ("two_functions.py", marks["download"], "download"): 3}, run.text.stderr)
        frames = [(frame["function"], frame["line"]) for frame in run.findings[0]["frames"] if "language" in frame]
        outer = [function for function, line in frames]
        self.assertIn(outer[0].rpartition(".")[2], ("bad_read",))
        self.assertEqual(outer[2:], [self.qualified("Trainer.step"), "main", "<module>"])
        self.assertTrue(any("language" not in frame for frame in run.findings[0]["frames"]))

    def test_code_that_is_no_function(self):
        marks = lines_of(HERE / "shapes.py")
        sites = self.run_program("shapes.py").sites()
        inlined = self.version >= (3, 12)
        names = {"module": "<module>", "module_again": "<module>", "lambda": "<lambda>", "generator": "numbers",
                 "comprehension": "nested" if inlined else self.qualified("nested.<locals>.<listcomp>.<listcomp>"),
                 "decorated": "inner", "unicode": "größe", "coroutine": "coroutine", "deep": "deep"}
        wanted = {("shapes.py", marks[mark], name): 1 for mark, name in names.items()}
        wanted["<string>", 1, "<module>"] = 1
        if not inlined and self.version < (3, 11):
            # The list comprehension is named alone.
            wanted.pop(("shapes.py", marks["comprehension"], names["comprehension"]))
            wanted["shapes.py", marks["comprehension"], "<listcomp>"] = 1
        self.assertEqual(sites, wanted)

    def test_threads(self):
        marks = lines_of(HERE / "threads.py")
        self.assertEqual(self.run_program("threads.py").sites(),
                         {("threads.py", marks["thread"], "work"): 4, ("threads.py", marks["main"], "wait"): 1})

    def test_a_thread_without_python_frames(self):
        run = self.run_program("native_thread.py", HELPER)
        marks = lines_of(HERE / "native_thread.py")
        self.assertEqual(run.sites(), {None: 1, ("native_thread.py", marks["python"], "<module>"): 1})

    def test_processes(self):
        marks = lines_of(HERE / "processes.py")
        for method in ("spawn", "fork"):
            with self.subTest(method=method):
                self.assertEqual(self.run_program("processes.py", method).sites(),
                                 {("processes.py", marks["child"], "work"): 2})

    def test_code_of_a_command_line(self):
        run = Run(self.python, self.folder, "-c", "import defects\ndef f(device):\n  device.bad_read()\nf(defects.Device())")
        self.assertEqual(run.sites(), {("<string>", 3, "f"): 1})

    def test_imports(self):
        script = os.path.join(self.folder, "outer.py")
        pathlib.Path(script).write_text("import middle\n")
        pathlib.Path(self.folder, "middle.py").write_text("\nimport two_functions\n")
        for finding in Run(self.python, self.folder, script).findings:
            frames = [(os.path.basename(frame["file"]), frame["function"]) for frame in finding["frames"]
                      if "language" in frame]
            # How the importer itself was imported takes no part.
            self.assertEqual(frames[-3:], [("two_functions.py", "main"), ("two_functions.py", "<module>"),
                                           ("middle.py", "<module>")])
            self.assertFalse([file for file, _ in frames if "importlib" in file])

    def test_a_block_from_before_the_first_call(self):
        run = self.run_program("early_block.py", rule="host-buffer-overrun")
        self.assertEqual(len(run.findings), 1, run.text.stderr)
        frames = [frame for party in run.findings[0]["parties"] for frame in party["frames"] if is_own(frame)]
        self.assertEqual(frames[0]["line"], lines_of(HERE / "early_block.py")["block"])

    def test_code_from_standard_input_and_of_archives(self):
        archive = os.path.join(self.folder, "program.zip")
        shutil.make_archive(archive[:-4], "zip", HERE, "two_functions.py")
        script = os.path.join(self.folder, "zipped.py")
        pathlib.Path(script).write_text(f"import sys; sys.path.insert(0, {archive!r})\nimport two_functions\n")
        marks = lines_of(HERE / "two_functions.py")
        self.assertEqual(Run(self.python, self.folder, script).sites(),
                         {("two_functions.py", marks["upload"], "upload"): 1,
                          ("two_functions.py", marks["download"], "download"): 3})

    def test_warm_call_sites(self):
        marks = lines_of(HERE / "warm.py")
        sites = self.run_program("warm.py").sites()
        self.assertEqual(sites.pop(("warm.py", marks["first"], "first")), 50)
        self.assertEqual(sites.pop(("warm.py", marks["second"], "second")), 50)
        self.assertEqual(sites, {(f"made{n}.py", n + 2, f"made{n}"): 10 for n in range(5)})

    def test_pyopencl(self):
        if subprocess.run([self.python, "-c", "import pyopencl, numpy"], capture_output=True).returncode != 0:
            self.skipTest("no pyopencl")
        marks = lines_of(HERE / "pyopencl_races.py")
        run = self.run_program("pyopencl_races.py", rule="race")
        forward = self.qualified("Model.forward")
        self.assertEqual(run.sites(), {("pyopencl_races.py", marks["unordered"], "unordered"): 1,
                                       ("pyopencl_races.py", marks["forward"], forward): 1}, run.text.stderr)
        for mark in marks.values():
            self.assertRegex(run.text.stdout + run.text.stderr,
                             r"SUMMARY: gpusan: error race clEnqueueReadBuffer pyopencl_races.py:%d\n" % mark)
        # The other party of each race is one line above.
        self.assertEqual(sorted(next(filter(is_own, party["frames"]))["line"] for finding in run.findings
                                for party in finding["parties"] if party["role"] == "pending-command"),
                         sorted(line - 1 for line in marks.values()))

    def test_probes_of_attributes_are_no_findings(self):
        run = self.run_program("attribute_probe.py", rule="call-failed")
        marks = lines_of(HERE / "attribute_probe.py")
        self.assertEqual(len(run.findings), 1, run.text.stderr)
        self.assertIn("scael", run.findings[0]["what"])
        frames = [frame for frame in run.findings[0]["frames"] if is_own(frame)]
        self.assertEqual(frames[1]["line"], marks["misspelled"])

    def test_reports_name_the_line(self):
        run = self.run_program("two_functions.py")
        marks = lines_of(HERE / "two_functions.py")
        # The read is in defects.py, which is the innermost file of the program.
        text = run.text.stderr + run.text.stdout
        self.assertRegex(text, r"SUMMARY: gpusan: error copy-out-of-bounds clEnqueueReadBuffer defects.py:\d+\n")
        self.assertRegex(text, r"#1 upload \S*two_functions.py:%d" % marks["upload"])
        sarif = json.loads(run.report("sarif"))
        places = [result["locations"][0] for result in sarif["runs"][0]["results"]
                  if result["ruleId"] == "copy-out-of-bounds"]
        for place in places:
            self.assertTrue(place["physicalLocation"]["artifactLocation"]["uri"].endswith("defects.py"))
            self.assertIn("bad_read", place["logicalLocations"][0]["fullyQualifiedName"])

    def test_fingerprints_survive_edits_elsewhere(self):
        def fingerprints(prefix):
            folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            for name in ("two_functions.py", "defects.py"):
                text = (HERE / name).read_text()
                (folder / name).write_text(text.replace("\n\ndef upload", prefix + "\n\ndef upload"))
            run = Run(self.python, self.folder, folder / "two_functions.py")
            return sorted(finding["fingerprint"] for finding in run.findings
                          if any(frame.get("function") in ("upload", "download") for frame in finding["frames"]))
        before = fingerprints("")
        self.assertEqual(len(before), 2)
        self.assertEqual(before, fingerprints("\n\n# a comment\n\n"))


def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for python in PYTHONS:
        name = "Python_" + re.sub(r"\W", "_", python)
        suite.addTests(loader.loadTestsFromTestCase(type(name, (PythonTest,), {"python": python})))
    return suite


if __name__ == "__main__":
    GPUSAN, HELPER = sys.argv[1:3]
    PYTHONS = sys.argv[3:] or PYTHONS
    unittest.main(argv=sys.argv[:1], verbosity=2)
