#!/usr/bin/env python3
"""Separate debug files that a program names: right ones are used; pipes, wrong and endless files are not."""
import os
import re
import shutil
import subprocess
import unittest

from gpusan_test import Case, end, finding, module, process

ID = "12" * 20


class DebugFilesTest(Case):
    def setUp(self):
        super().setUp()
        if not shutil.which("objcopy"):
            self.skipTest("objcopy is not installed")
        (self.folder / "source.c").write_text("int main(void) {\n  return 0;\n}\n")

    def build(self, build_id="none"):
        self.tool("cc", "-gdwarf-5", "-O0", "-no-pie", f"-Wl,--build-id={build_id}", "-o", "program", "source.c")
        symbols = subprocess.run(["nm", "program"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        self.main = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" T main"))

    def tool(self, *words):
        subprocess.run(words, cwd=self.folder, check=True)

    def text(self, name="program"):
        """The report of a finding in main; gpusan_test ends a command that hangs."""
        record = self.write("a.jsonl", process(), module(str(self.folder / name)) | {"build_id": ""},
                            finding(1, site=[[1, self.main + 8]], parties=[]), end())
        return self.gpusan("report", record, code=0, variables={"DEBUGINFOD_URLS": ""}).stdout.replace(str(self.folder) + "/", "")

    def split(self, link="program.dbg"):
        self.tool("objcopy", "--only-keep-debug", "program", "program.dbg")
        self.tool("strip", "program")
        self.tool("objcopy", f"--add-gnu-debuglink={self.folder / 'program.dbg'}", "program")
        if link != "program.dbg":
            (self.folder / link).parent.mkdir(exist_ok=True)
            (self.folder / "program.dbg").rename(self.folder / link)

    def test_a_debug_link_is_found_beside_the_program(self):
        for build_id in ("none", "0x" + ID):
            for place in ("program.dbg", ".debug/program.dbg"):
                self.build(build_id)
                self.split(place)
                self.assertIn("main source.c:", self.text())
                (self.folder / "elsewhere").mkdir(exist_ok=True)
                (self.folder / "elsewhere/linked").unlink(missing_ok=True)
                (self.folder / "elsewhere/linked").symlink_to("../program")
                self.assertIn("main source.c:", self.text("elsewhere/linked"))
                (self.folder / place).unlink()
                self.assertNotIn("source.c:", self.text())

    def test_a_file_of_another_build_is_not_used(self):
        for build_id in ("none", "0x" + ID):
            self.build(build_id)
            self.split()
            self.build("none" if build_id == "none" else "0x" + "34" * 20)
            self.tool("objcopy", "--only-keep-debug", "program", "other")
            self.build(build_id)
            self.split()
            with open(self.folder / "other", "ab") as other:
                other.write(b"\0")
            (self.folder / "other").rename(self.folder / "program.dbg")
            self.assertNotIn("source.c:", self.text())

    def test_pipes_and_endless_files_are_not_read(self):
        self.build()
        self.split()
        (self.folder / "program.dbg").unlink()
        (self.folder / ".debug").mkdir()
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere/linked").symlink_to("../program")
        stripped = (self.folder / "program").read_bytes()
        for name in ("program.dbg", ".debug/program.dbg", "program.debug", ".debug/program.debug", ".debug/program"):
            if name != "program.dbg" and not name.endswith(".dbg"):
                self.tool("objcopy", "--remove-section=.gnu_debuglink", "program")
            os.mkfifo(self.folder / name)
            self.assertNotIn("source.c:", self.text())
            self.assertNotIn("source.c:", self.text("elsewhere/linked"))
            (self.folder / name).unlink()
        (self.folder / "program").write_bytes(stripped)
        with open(self.folder / "program.dbg", "wb") as endless:
            endless.truncate(1 << 40)
        self.assertNotIn("source.c:", self.text())

    def supplement(self, name):
        """Makes the DWARF of the program take the name of main from the file `name`, as dwz does; returns that file's content."""
        self.build("0x" + ID)
        program = bytearray((self.folder / "program").read_bytes())
        shared = bytes(program).replace(b"a_function_of_this_name", b"the_name_from_elsewhere")
        sections = subprocess.run(["readelf", "-SW", "program"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        start, size = (int(word, 16) for word in re.search(r"\.debug_abbrev\s+PROGBITS\s+\S+\s+(\S+)\s+(\S+)", sections).groups())
        # DW_AT_name in DW_FORM_strp becomes DW_FORM_strp_sup.
        program[start:start + size] = program[start:start + size].replace(b"\x03\x0e", b"\x03\x1d")
        (self.folder / "program").write_bytes(program)
        (self.folder / "link").write_bytes(os.fsencode(name) + b"\0" + bytes.fromhex(ID))
        self.tool("objcopy", "--add-section", ".gnu_debugaltlink=link", "program")
        return shared

    def test_a_supplementary_file_is_used_and_a_pipe_is_not(self):
        (self.folder / "source.c").write_text("int a_function_of_this_name(void) {\n  return 0;\n}\n"
                                              "int main(void) {\n  return a_function_of_this_name();\n}\n")
        (self.folder / ".dwz").mkdir()
        for name, place in (("shared", "shared"), ("../shared", ".dwz/shared"), (str(self.folder / "shared"), "shared")):
            shared = self.supplement(name)
            self.main = self.find("a_function_of_this_name")
            (self.folder / place).write_bytes(shared)
            self.assertIn("the_name_from_elsewhere source.c:", self.text())
            # One of another build has no name for this program: the symbol table has.
            (self.folder / place).write_bytes(shared.replace(bytes.fromhex(ID), bytes.fromhex("34" * 20)))
            self.assertIn("a_function_of_this_name source.c:", self.text())
            (self.folder / place).unlink()
            self.assertIn("a_function_of_this_name source.c:", self.text())
            os.mkfifo(self.folder / place)
            self.assertIn("a_function_of_this_name source.c:", self.text())
            (self.folder / place).unlink()

    def find(self, name):
        symbols = subprocess.run(["nm", "program"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        return next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" T " + name))


if __name__ == "__main__":
    unittest.main()
