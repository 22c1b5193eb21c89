#!/usr/bin/env python3
"""Checks that `gpusan run` follows children that were started without its variables, names those that it cannot follow,
and does not disturb programs into which it cannot be loaded.

usage: children_test.py --gpusan COMMAND --library LIBRARY --program CHILDREN --static STATIC [--musl MUSL] [--bits32 FILE]
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--library", required=True)
parser.add_argument("--program", required=True)
parser.add_argument("--static", required=True)
parser.add_argument("--musl")
parser.add_argument("--bits32")
arguments = parser.parse_args()
CHILDREN = arguments.program
USER = 65533  # not root


def run(words, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSAN")}
    environment.update(more.pop("variables", {}))
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, env=environment, **more)


def gpusan(*words, **more):
    return run([arguments.gpusan, "run", *words], **more)


class Children(unittest.TestCase):
    def lines(self, text, word):
        return [line for line in text.splitlines() if word in line]

    def test_children_without_the_variables_are_followed(self):
        for way in ("exec", "execle", "fexecve", "execveat", "execveat-file", "cleared", "fork", "vfork", "spawn",
                    "spawnp"):
            with self.subTest(way=way):
                result = gpusan("--", CHILDREN, way, CHILDREN, "gpu")
                self.assertEqual((result.returncode, result.stdout), (0, "platforms: some\n"), result.stderr)
                self.assertIn("gpusan: no findings in 1 process\n", result.stderr)
                self.assertNotIn("NOT ATTACHED", result.stderr)
        result = gpusan("env", "-i", CHILDREN, "gpu")
        self.assertIn("gpusan: no findings in 1 process\n", result.stderr)
        self.assertNotIn("NOT ATTACHED", result.stderr)

    def test_a_program_that_is_executed_by_the_system_call_is_named(self):
        result = gpusan("--", CHILDREN, "syscall", shutil.which("sleep"), "2")
        self.assertIn("NOT ATTACHED: " + os.path.realpath(shutil.which("sleep")) + " was started without gpusan's variables",
                      result.stderr)
        self.assertNotIn("no call", result.stderr)

    def test_what_a_program_chose_stays(self):
        bare = gpusan("env", "-i", "OWN=1", "env", variables={"LD_PRELOAD": "libm.so.6", "OPENCL_LAYERS": "/of/user.so"})
        self.assertIn("OWN=1", bare.stdout.splitlines())
        self.assertIn(f"LD_PRELOAD={os.path.realpath(arguments.library)}", bare.stdout.splitlines())
        self.assertIn(f"OPENCL_LAYERS={os.path.realpath(arguments.library)}", bare.stdout.splitlines())
        self.assertNotIn("PATH=", re.sub(r"\w+PATH=", "", bare.stdout))
        own = gpusan("env", "-i", "LD_PRELOAD=libm.so.6", "GPUSAN_OPTIONS=leaks=0", "env")
        self.assertIn(f"LD_PRELOAD={os.path.realpath(arguments.library)}:libm.so.6", own.stdout.splitlines())
        self.assertIn("GPUSAN_OPTIONS=leaks=0", own.stdout.splitlines())
        sanitizer = gpusan("env", "-i", "LD_PRELOAD=libubsan.so.1", "/bin/true")
        self.assertEqual(sanitizer.returncode, 0, sanitizer.stderr)

    def test_without_following_the_child_is_named(self):
        for words in (["env", "-i", CHILDREN, "gpu"], [CHILDREN, "spawn", CHILDREN, "gpu"],
                      [CHILDREN, "vfork", CHILDREN, "gpu"]):
            with self.subTest(words=words):
                result = gpusan("--no-follow-children", "--", *words)
                self.assertEqual(result.stdout, "platforms: some\n")
                self.assertIn("gpusan: nothing was checked\n", result.stderr)
                self.assertEqual(self.lines(result.stderr, "NOT ATTACHED"), [
                    f"gpusan: NOT ATTACHED: {CHILDREN} was started without gpusan's variables in its environment; its calls were "
                    "not checked"])
                self.assertNotIn("no call", result.stderr)

    def test_a_shell_without_the_variables_is_named(self):
        result = gpusan("--", CHILDREN, "system", CHILDREN, "gpu")
        self.assertEqual((result.returncode, result.stdout), (0, "platforms: some\n"), result.stderr)
        self.assertIn("gpusan: nothing was checked\n", result.stderr)
        self.assertEqual(len(self.lines(result.stderr, "NOT ATTACHED: a shell was started")), 1, result.stderr)

    def test_the_tool_that_lists_libraries_is_not_named(self):
        result = gpusan("--", "/usr/bin/python3", "-c", "import ctypes.util; print(ctypes.util.find_library('c'))")
        self.assertEqual((result.returncode, result.stdout), (0, "libc.so.6\n"), result.stderr)
        self.assertNotIn("NOT ATTACHED", result.stderr)

    def incompatible(self, program, why):
        bare = run([program, "hello"])
        self.assertEqual(bare.returncode, 3)
        direct = gpusan("--", program, "hello")
        self.assertEqual((direct.returncode, direct.stdout), (bare.returncode, bare.stdout))
        self.assertEqual(direct.stderr.splitlines(), [
            f"gpusan: WARNING: gpusan cannot attach: {program} {why}; the program runs without checks",
            "gpusan: nothing was checked"])
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script"
            script.write_text(f"#!/bin/sh\n'{program}' hello\n'{program}' hello\n")
            script.chmod(0o755)
            result = gpusan("--", script)
            self.assertEqual((result.returncode, result.stdout), (bare.returncode, 2 * bare.stdout), result.stderr)
            self.assertEqual(result.stderr.splitlines(), [
                "gpusan: nothing was checked",
                f"gpusan: NOT ATTACHED: {program} {why} (2 processes); its calls were not checked"])

    def test_static(self):
        self.incompatible(arguments.static, "is linked statically, so no library can be loaded into it")
        # Children of a static program are followed by the variables that it passes on.

    def test_musl(self):
        if not arguments.musl:
            self.skipTest("musl-gcc is not installed")
        self.incompatible(arguments.musl, "uses another C library than gpusan (/lib/ld-musl-x86_64.so.1), so gpusan cannot be "
                                          "loaded into it")

    def test_32_bits(self):
        if not arguments.bits32 or not os.path.exists("/lib/ld-linux.so.2"):
            self.skipTest("no C library of 32 bits")
        if run([arguments.bits32]).returncode != 3:
            self.skipTest("the kernel runs no programs of 32 bits")
        self.incompatible(arguments.bits32, "is built for another architecture than gpusan")

    def test_set_user_id_program_of_a_script(self):
        if os.getuid() != 0:
            self.skipTest("only root can make a program of another user set-user-id")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            folder.chmod(0o755)
            for source, copy in ((arguments.gpusan, "gpusan"), (arguments.library, "libgpusan.so"), (CHILDREN, "raised")):
                shutil.copyfile(source, folder / copy)
                (folder / copy).chmod(0o755)
            os.chown(folder / "raised", USER + 1, USER + 1)
            (folder / "raised").chmod(0o4755)
            words = [folder / "gpusan", "run", "--", "sh", "-c", f"{folder}/raised gpu; true"]
            result = run(words, user=USER, group=USER, extra_groups=[], cwd="/",
                         variables={"GPUSAN_LIBRARY": str(folder / "libgpusan.so"), "HOME": "/nonexistent"})
            self.assertEqual((result.returncode, result.stdout), (0, "platforms: some\n"), result.stderr)
            self.assertIn("gpusan: nothing was checked\n", result.stderr)
            self.assertRegex(result.stderr, "NOT ATTACHED: .*/raised runs with other rights than yours")

    def test_daemons_that_outlive_the_run_are_named(self):
        for keep in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                result = gpusan(*([f"--output={folder}"] if keep else []), "--", CHILDREN, "daemon", shutil.which("sleep"), "60")
                self.assertEqual(result.returncode, 0, result.stderr)
                line = self.lines(result.stderr, "still runs")
                self.assertEqual(len(line), 1, result.stderr)
                os.kill(int(re.search(r"process (\d+) \(", line[0])[1]), signal.SIGKILL)
                self.assertIn("gpusan report" if keep else "is not recorded", line[0])

    def test_one_run_inside_another_loses_nothing(self):
        result = gpusan("--", arguments.gpusan, "run", "--", CHILDREN, "exec", CHILDREN, "gpu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("gpusan: no findings in 1 process\n", result.stderr)
        self.assertNotIn("NOT ATTACHED", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
