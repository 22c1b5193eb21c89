#!/usr/bin/env python3
"""Checks an installation from the build folder: install_test.py --build FOLDER --bad PROGRAM --good PROGRAM --gcc COMPILER

It is installed stripped, moved elsewhere, used from there, and uninstalled. The programs are an OpenCL program with a defect
and its fix.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

PARSER = argparse.ArgumentParser()
for name in ("build", "bad", "good", "gcc"):
    PARSER.add_argument("--" + name, required=True)
OPTIONS = PARSER.parse_args()
BAD, GOOD = os.path.abspath(OPTIONS.bad), os.path.abspath(OPTIONS.good)
MANIFEST = pathlib.Path(OPTIONS.build) / "install_manifest.txt"
DEBUG_MANIFEST = MANIFEST.with_name("install_manifest_debug.txt")
# Programs of each API, through every attach path. With kernels whose code gpusan reads.
PROGRAMS = ("^programs/(format-size-mismatch/(bad|good)/opencl_bytes_for_float_image"
            "|uninitialized-read/(bad|good)/(opencl_kernel_input|cudart_parts)"
            "|race/(bad|good)/cuda_(kernels_of_overlapping_parts|commands_on_two_streams)"
            "|use-after-free/(bad/vulkan_recording_copy|good/vulkan_recording)"
            "|correct/(opencl_threads|cuda_threads|vulkan_command_buffers))/")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Installation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.kept = {path: path.read_bytes() if path.exists() else None for path in (MANIFEST, DEBUG_MANIFEST)}
        cls.prefix = cls.folder / "prefix"
        must("cmake", "--install", OPTIONS.build, "--prefix", cls.prefix, "--strip")
        must("cmake", "--install", OPTIONS.build, "--prefix", cls.prefix, "--component", "debug")
        cls.moved = cls.folder / "moved" / "tree"
        cls.moved.parent.mkdir()
        shutil.copytree(cls.prefix, cls.moved, symlinks=True)
        cls.command = cls.moved / "bin" / "gpusan"
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("GPUSAN")}

    @classmethod
    def tearDownClass(cls):
        for path, content in cls.kept.items():
            if content is not None:
                path.write_bytes(content)
            elif path.exists():
                path.unlink()
        shutil.rmtree(cls.folder)

    def test_the_moved_command_finds_its_library_and_its_pages(self):
        shutil.move(self.prefix, self.folder / "away")
        try:
            records = self.folder / "records"
            done = run(self.command, "run", f"--output={records}", "--", BAD, env=self.environment)
            self.assertEqual(done.returncode, 66, done.stderr)
            self.assertIn("SUMMARY: gpusan: error", done.stderr)
            self.assertEqual(run(self.command, "run", "--", GOOD, env=self.environment).returncode, 0)
            sarif = json.loads(run(self.command, "report", "--format=sarif", records, env=self.environment).stdout)
            uri = sarif["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"]
            page = pathlib.Path(uri[len("file://"):].split("#")[0])
            self.assertTrue(page.is_file(), uri)
            self.assertTrue(page.is_relative_to(self.moved), uri)
        finally:
            shutil.move(self.folder / "away", self.prefix)

    def test_the_tree_works_in_a_folder_with_blanks(self):
        tree = self.folder / "my tools" / "gpu san"
        shutil.copytree(self.moved, tree, symlinks=True)
        done = run(tree / "bin" / "gpusan", "run", "--", BAD, env=self.environment)
        self.assertEqual(done.returncode, 66, done.stderr)
        records = self.folder / "records in blanks"
        run(tree / "bin" / "gpusan", "run", "--quiet", f"--output={records}", "--", BAD, env=self.environment)
        sarif = json.loads(must(tree / "bin" / "gpusan", "report", "--format=sarif", records, env=self.environment))
        uri = sarif["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"]
        self.assertNotIn(" ", uri)
        self.assertTrue(pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(uri).path)).is_relative_to(tree), uri)
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        environment = {**self.environment, "PKG_CONFIG_PATH": str(next(tree.glob("lib*/**/pkgconfig")))}
        flags = shlex.split(must("pkg-config", "--cflags", "gpusan", env=environment))
        must(OPTIONS.gcc, "-fsyntax-only", "-x", "c", *flags, "-", input="#include <gpusan.h>\n")

    def test_programs_have_the_same_findings_under_the_moved_tree(self):
        # Not by a second ctest: it would write to the logs of the one that runs this test.
        listed = json.loads(must("ctest", "--test-dir", OPTIONS.build, "-R", PROGRAMS, "--show-only=json-v1"))
        built = [test for test in listed["tests"] if os.access(test.get("command", ["/"])[-1], os.X_OK)]

        def run_one(test):
            properties = {one["name"]: one["value"] for one in test["properties"]}
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            done = run(*test["command"], cwd=OPTIONS.build,
                       env={**self.environment, **environment, "GPUSAN_TEST_PREFIX": str(self.moved)})
            return test["name"], done

        shutil.move(self.prefix, self.folder / "away")
        try:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                results = list(pool.map(run_one, built))
        finally:
            shutil.move(self.folder / "away", self.prefix)
        for name, done in results:
            self.assertIn(done.returncode, (0, 77), f"{name}\n{done.stdout}{done.stderr}")
        passed = {name.split("/")[-1] for name, done in results if done.returncode == 0}
        self.assertGreaterEqual(passed, {"layer", "preload"})

    def test_files_are_stripped_and_their_debug_information_lies_beside(self):
        for path in (self.command, self.moved / "lib/gpusan/libgpusan.so"):
            self.assertNotIn(".debug_info", must("readelf", "-SW", path))
            build_id = re.search(r"Build ID: ([0-9a-f]+)", must("readelf", "-n", path)).group(1)
            debug = self.moved / "lib/debug/.build-id" / build_id[:2] / (build_id[2:] + ".debug")
            self.assertIn(".debug_info", must("readelf", "-SW", debug))

    def test_recipes_name_the_folder_they_are_in(self):
        fleet = self.prefix / "share/gpusan/fleet"
        texts = "".join(path.read_text(encoding="utf-8") for path in fleet.iterdir())
        self.assertIn(f"{fleet}/gpusan-night.sh", texts)
        self.assertNotIn("/usr/local/share/gpusan", texts)

    def test_layer_manifests_lead_to_the_installed_page(self):
        manifests = [path for path in self.prefix.rglob("VkLayer_gpusan_shadow*.json")]
        if not manifests:
            self.skipTest("built without Vulkan")
        urls = {json.loads(path.read_text(encoding="utf-8"))["layer"].get("url") for path in manifests} - {None}
        self.assertEqual(urls, {f"file://{self.prefix}/share/doc/gpusan/checks.md"})

    def test_pkg_config_finds_command_and_library(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        environment = {**self.environment, "PKG_CONFIG_PATH": str(next(self.moved.glob("lib*/**/pkgconfig")))}
        for variable in ("command", "library"):
            path = pathlib.Path(must("pkg-config", f"--variable={variable}", "gpusan", env=environment).strip())
            self.assertTrue(path.resolve().is_file(), path)
        version = must("pkg-config", "--modversion", "gpusan", env=environment).strip()
        self.assertTrue(must(self.command, "--version").startswith(f"gpusan {version}"))

    def test_the_cmake_package_registers_tests(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "main.c").write_text("int main(void) { return 0; }\n")
        (project / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.22)
project(user C)
enable_testing()
find_package(gpusan 0.1 REQUIRED)
add_executable(target main.c)
gpusan_add_test(NAME bad COMMAND {BAD})
gpusan_add_test(NAME good FLAGS --quiet WORKING_DIRECTORY {self.folder} COMMAND {GOOD})
gpusan_add_test(NAME target COMMAND target with arguments)
""")
        build = project / "build"
        must("cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.moved}", f"-DCMAKE_C_COMPILER={OPTIONS.gcc}")
        must("cmake", "--build", build)
        done = run("ctest", "--test-dir", build, "--output-on-failure", env=self.environment)
        passed = dict(re.findall(r"Test +#\d+: (\w+) \.+ *(\**\w+)", done.stdout))
        self.assertEqual(passed, {"bad": "***Failed", "good": "Passed", "target": "Passed"}, done.stdout)
        self.assertIn("SUMMARY: gpusan: error", done.stdout)

    def test_uninstalling_leaves_nothing(self):
        must("cmake", f"-DMANIFEST={MANIFEST}", "-P", ROOT / "manifests" / "uninstall.cmake")
        left = [str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if not path.is_dir() or "gpusan" in path.name]
        self.assertEqual(left, [])
        self.assertFalse((self.prefix / "share/vulkan").exists())
        # For the tests after this one.
        must("cmake", "--install", OPTIONS.build, "--prefix", self.prefix)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
