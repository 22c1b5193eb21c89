#!/usr/bin/env python3
"""Checks gpusan.h, the options of a process that runs without the command, and gpusan run --gdb.

usage: interface_test.py --gpusan COMMAND --library LIBRARY --program INTERFACE --header gpusan.h
"""
import argparse
import json
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
parser.add_argument("--header", required=True)
arguments = parser.parse_args()
HERE, ABSENT = "gpusan is here\n", "gpusan is absent\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusan-interface-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *words, **more):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSAN")}
        environment.update(more.pop("variables", {}))
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, env=environment,
                              cwd=self.folder, stdin=subprocess.DEVNULL if "input" not in more else None, **more)

    def gpusan(self, *words, **more):
        return self.run_it(arguments.gpusan, "run", *words, **more)

    def preloaded(self, options, *words, variable="LD_PRELOAD"):
        return self.run_it(arguments.program, *words,
                           variables={variable: arguments.library, "GPUSAN_OPTIONS": f"record={self.folder}/r.%p.jsonl:{options}"})

    def findings(self, *words):
        """Runs the program, and returns the findings of its record."""
        result = self.gpusan("--fail-on=never", f"--output={self.folder}/o", "--", arguments.program, *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [json.loads(line) for path in (self.folder / "o").glob("*.jsonl") for line in path.read_text().splitlines()]
        return result, [line for line in lines if line["type"] == "finding"]


class Header(Case):
    def test_without_gpusan_nothing_happens(self):
        for way in ("clean", "ignored", "named", "live", "ordered"):
            result = self.run_it(arguments.program, way)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.splitlines()[0], ABSENT.strip())

    def test_header_is_c_and_cxx(self):
        for compiler, flags in (("cc", ["-std=c99", "-xc"]), ("c++", ["-std=c++11", "-xc++"])):
            if shutil.which(compiler):
                result = self.run_it(compiler, *flags, "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", arguments.header)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_ignored_regions(self):
        self.assertEqual(len(self.findings("error")[1]), 1)
        shutil.rmtree(self.folder / "o")
        self.assertEqual(self.findings("ignored")[1], [])

    def test_names(self):
        _, found = self.findings("named")
        self.assertEqual([resource["label"] for resource in found[0]["resources"] if resource["kind"] == "buffer"], ["weights"])

    def test_nothing_live(self):
        result, found = self.findings("live")
        self.assertIn("live: 1\n", result.stdout)
        self.assertIn("buffer", [resource["kind"] for one in found for resource in one["resources"]])
        self.assertTrue(all(one["rule"] == "leak" and "nothing may be live" in one["what"] for one in found), found)

    def test_callback_and_count(self):
        result, found = self.findings("callback")
        self.assertEqual(result.stdout.count("callback: "), 1, result.stdout)
        self.assertIn(f"callback: {found[0]['rule']} in clEnqueueWriteBuffer, error, user\n", result.stdout)
        self.assertIn("findings: 2\n", result.stdout)

    def test_external_order(self):
        self.assertEqual([one["rule"] for one in self.findings("race")[1]], ["race"])
        for way in ("ordered", "host-ordered"):
            shutil.rmtree(self.folder / "o")
            self.assertEqual(self.findings(way)[1], [], way)

    def test_fork(self):
        result, _ = self.findings("fork")
        self.assertIn("ended: 0\n", result.stdout)


class Options(Case):
    def test_exit_code(self):
        for way in ("error", "_exit"):
            result = self.preloaded("exitcode=23", way)
            self.assertEqual((result.returncode, result.stdout), (23, HERE + "done\n"), result.stderr)
        self.assertEqual(self.preloaded("exitcode=23", "clean").returncode, 0)
        self.assertEqual(self.preloaded("exitcode=23", "error", "5").returncode, 5)
        self.assertEqual(self.preloaded("", "error").returncode, 0)

    def test_halt(self):
        result = self.preloaded("halt_on_error", "error")
        self.assertEqual((result.returncode, result.stdout), (66, ""), result.stderr)
        self.assertIn("gpusan: error: ", result.stderr)
        record = next(self.folder.glob("r.*.jsonl")).read_text().splitlines()
        self.assertEqual(json.loads(record[-1])["reason"], "halt")
        self.assertEqual(self.preloaded("halt_on_error:exitcode=9", "error").returncode, 9)
        self.assertEqual(self.preloaded("halt_on_error", "clean").returncode, 0)

    def test_log_path(self):
        result = self.preloaded(f"log_path={self.folder}/log.%x.%p", "error")
        self.assertNotIn("gpusan: error", result.stderr)
        log = next(self.folder.glob("log.host_test_interface.*"))
        self.assertIn("gpusan: error: ", log.read_text())
        self.assertEqual(log.stat().st_mode & 0o777, 0o600)
        # A link is not followed, and the text is not lost.
        (self.folder / "link").symlink_to(self.folder / "target")
        result = self.preloaded(f"log_path={self.folder}/link", "error")
        self.assertIn("gpusan: error: ", result.stderr)
        self.assertFalse((self.folder / "target").exists())

    def test_suppressions(self):
        (self.folder / "s").write_text("*:*host_test_interface*\n")
        result = self.preloaded(f"suppressions={self.folder}/s:exitcode=23:halt_on_error", "error")
        self.assertEqual((result.returncode, result.stdout), (0, HERE + "done\n"), result.stderr)
        self.assertNotIn("gpusan: error", result.stderr)
        (self.folder / "s").write_text("nonsense\n")
        self.assertIn("suppressions: ", self.preloaded(f"suppressions={self.folder}/s", "clean").stderr)

    def test_the_layer_alone(self):
        (self.folder / "s").write_text("*:*host_test_interface*\n")
        for options, words, code in (("exitcode=23", ["error"], 23), ("exitcode=23", ["error", "5"], 5), ("exitcode=23", ["clean"], 0),
                                     ("halt_on_error", ["error"], 66), (f"exitcode=23:suppressions={self.folder}/s", ["error"], 0),
                                     (f"exitcode=23:log_path={self.folder}/log", ["error"], 23)):
            with self.subTest(options):
                result = self.preloaded(options, *words, variable="OPENCL_LAYERS")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertEqual("gpusan: error" in result.stderr,
                                 "suppressions" not in options and "log_path" not in options and words[0] == "error")
        self.assertIn("gpusan: error: ", (self.folder / "log").read_text())

    def test_redacted_arguments(self):
        self.preloaded("redact='5,s*'", "clean", "5")
        record = json.loads(next(self.folder.glob("r.*.jsonl")).read_text().splitlines()[0])
        self.assertEqual(record["argv"][1:], ["clean", "[redacted]"])


class Run(Case):
    def test_links_in_the_folder_of_records_are_not_followed(self):
        (self.folder / "kept").write_text("content\n")
        (self.folder / "o").mkdir()
        # exec keeps the number of the process, which others can predict.
        for name, flags in ((".gpusan", ""), (".gdb", "--gdb")):
            with self.subTest(name):
                self.run_it("sh", "-c", f"ln -s '{self.folder}/kept' o/{name}.$$; "
                                        f"exec '{arguments.gpusan}' run --output=o {flags} true", input="quit\n")
                self.assertEqual((self.folder / "kept").read_text(), "content\n")

    def test_require(self):
        good = self.gpusan("--require=opencl", "--", arguments.program, "clean")
        self.assertEqual(good.returncode, 0, good.stderr)
        bad = self.gpusan("--require=opencl,vulkan", "--", arguments.program, "clean")
        self.assertEqual(bad.returncode, 70)
        self.assertIn("gpusan: --require: no call of Vulkan was seen\n", bad.stderr)
        nothing = self.gpusan("--require=opencl", "true")
        self.assertEqual((nothing.returncode, nothing.stderr), (70, "gpusan: --require: no call of OpenCL was seen\n"
                                                                    "gpusan: no call of a GPU API was seen\n"))
        self.assertIn("must be of opencl, cuda, vulkan", self.gpusan("--require=gl", "true").stderr)

    def test_run_compare_and_report_in_one_command(self):
        words = ["--fail-on=new", "--baseline=base", "--report=sarif:out.sarif", "--report=junit:out.xml", "--", arguments.program]
        first = self.gpusan("--output=base", "--", arguments.program, "error")
        self.assertEqual(first.returncode, 66)
        known = self.gpusan(*words, "error")
        self.assertEqual(known.returncode, 0, known.stderr)
        self.assertIn("1 of them in the baseline", known.stderr)
        results = json.loads((self.folder / "out.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([one["baselineState"] for one in results], ["unchanged"])
        self.assertIn("<testsuite", (self.folder / "out.xml").read_text())
        self.assertEqual(self.gpusan(*words, "race").returncode, 66)
        missing = self.gpusan("--baseline=none", "--", arguments.program, "clean")
        self.assertEqual(missing.returncode, 0)
        self.assertIn("gpusan: --baseline: none does not exist; every finding counts as new\n", missing.stderr)
        for bad in ("sarif", "sarif:", "pdf:x"):
            self.assertEqual(self.gpusan(f"--report={bad}", "true").returncode, 70)

    def test_reports_return_0_without_fail_on(self):
        self.gpusan("--output=o", "--", arguments.program, "error")
        report = [arguments.gpusan, "report", "--quiet", "o"]
        self.assertEqual(self.run_it(*report).returncode, 0)
        self.assertEqual(self.run_it(*report, "--format=sarif").returncode, 0)
        self.assertEqual(self.run_it(*report, "--fail-on=error").returncode, 66)
        self.assertEqual(self.run_it(*report, "none").returncode, 70)

    def test_debugger_stops_at_the_call(self):
        if shutil.which("gdb") is None:
            self.skipTest("gdb is not installed")
        result = self.gpusan("--gdb", "--", arguments.program, "error", input="kill\nquit\n")
        self.assertRegex(result.stdout, r"gpusan: error: \S+ in clEnqueueWriteBuffer\n  what: ")
        self.assertRegex(result.stdout, r"(?m)^#\d+ .*\bOverrun \(\)")
        self.assertNotIn("done\n", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
