#!/usr/bin/env python3
"""Lines of stripped programs, from the servers that DEBUGINFOD_URLS names."""
import http.server
import os
import shutil
import subprocess
import threading
import unittest

from gpusan_test import Case, end, finding, module, process

# The tool of elfutils, as far as gpusan uses it: KIND BUILDID; here the files are in a folder.
TOOL = """#!/bin/sh
echo "$@" >> "$TOOL_LOG"
file="$TOOL_FOLDER/$2/$1"
test -f "$file" || exit 1
echo "$file"
"""


class DebuginfodTest(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("objcopy"):
            self.skipTest("objcopy is not installed")
        (self.folder / "source.c").write_text("int main(void) {\n  return 0;\n}\n")
        self.program = self.folder / "program"
        subprocess.run(["cc", "-g", "-O0", "-no-pie", "-Wl,--build-id=0xab12cd34ef56ab12cd34ef56ab12cd34ef56ab12", "-o", "program", "source.c"],
                       cwd=self.folder, check=True)
        symbols = subprocess.run(["nm", "program"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        main = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" T main"))
        self.files = self.folder / "files" / "ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12"
        self.files.mkdir(parents=True)
        shutil.copy(self.program, self.files / "executable")
        subprocess.run(["objcopy", "--only-keep-debug", "program", self.files / "debuginfo"], cwd=self.folder, check=True)
        subprocess.run(["strip", "program"], cwd=self.folder, check=True)
        self.record = self.write("a.jsonl", process(), module(str(self.program)) | {"build_id": "ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12"},
                                 finding(1, site=[[1, main + 8]], parties=[]), end())
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "debuginfod-find").write_text(TOOL)
        (tools / "debuginfod-find").chmod(0o755)
        self.log = self.folder / "log"
        # No server listens at that port, so that only the tool finds the files.
        self.variables = {"PATH": f"{tools}:{os.environ['PATH']}", "TOOL_FOLDER": str(self.folder / "files"),
                          "TOOL_LOG": str(self.log), "DEBUGINFOD_URLS": "http://127.0.0.1:1/",
                          "DEBUGINFOD_CACHE_PATH": str(self.folder / "cache"), "DEBUGINFOD_PROGRESS": ""}

    def text(self, **variables):
        return self.gpusan("report", self.record, code=0, variables=dict(self.variables, **variables)).stdout

    def test_a_debug_file_comes_from_the_tool(self):
        self.assertIn("main source.c:", self.text().replace(str(self.folder) + "/", ""))
        self.assertEqual(self.log.read_text(), "debuginfo ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12\n")

    def test_nothing_is_asked_without_servers(self):
        self.assertNotIn("source.c:", self.text(DEBUGINFOD_URLS=""))
        self.assertFalse(self.log.exists())

    def test_a_program_that_is_not_here_comes_from_the_tool(self):
        self.program.unlink()
        self.assertIn("main source.c:", self.text().replace(str(self.folder) + "/", ""))
        self.assertEqual(self.log.read_text(), "executable ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12\n")

    def test_a_file_of_another_build_is_not_used(self):
        self.program.unlink()
        subprocess.run(["cc", "-g", "-Wl,--build-id=0x1234123412341234123412341234123412341234", "-o", self.files / "executable", "source.c"],
                       cwd=self.folder, check=True)
        result = self.gpusan("report", self.record, variables=self.variables)
        self.assertNotIn("source.c:", result.stdout)
        self.assertIn("is not the file that ran", result.stderr)

    def test_a_slow_tool_is_given_up_once(self):
        tool = self.folder / "tools" / "debuginfod-find"
        tool.write_text('#!/bin/sh\necho "$@" >> "$TOOL_LOG"\nexec sleep 60\n')
        self.assertNotIn("source.c:", self.text(DEBUGINFOD_TIMEOUT="1"))
        self.assertEqual(len(self.log.read_text().splitlines()), 1)

    def test_a_server_is_asked_where_elfutils_is_installed(self):
        if not shutil.which("debuginfod-find"):
            self.skipTest("debuginfod-find is not installed")
        (self.folder / "files" / "buildid").symlink_to(".")
        folder = str(self.folder / "files")

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *words):
                super().__init__(*words, directory=folder)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        text = self.text(PATH=os.environ["PATH"], DEBUGINFOD_URLS=f"http://127.0.0.1:{server.server_port}/")
        self.assertIn("main source.c:", text.replace(str(self.folder) + "/", ""))


if __name__ == "__main__":
    unittest.main()
