#!/usr/bin/env python3
"""Checks that gpusan reads and writes nothing in a set-user-id program, and in a program with file capabilities.

usage: raised_test.py --library LIBRARY --program PROGRAM opencl|vulkan|cuda...

The user who starts such a program chooses its environment. For each API the program runs three times as the same
unprivileged user: as it is, where gpusan works; set-user-id, and with a capability, where no file may appear and no setting
may count. Exit code 77 if the machine cannot run set-user-id programs. Capabilities are left out if the file system has none.
"""
import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

OWNER, USER = 65534, 65533  # neither is root
# security.capability of linux/capability.h: revision 2, effective, with CAP_NET_BIND_SERVICE (10) permitted.
CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0)

parser = argparse.ArgumentParser()
parser.add_argument("--library", required=True)
parser.add_argument("--program", required=True)
parser.add_argument("apis", nargs="+")
arguments = parser.parse_args()


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


if os.getuid() != 0:
    skip("only root can make a program of another user set-user-id")


class Folder:
    """Copies of the program and the library that every user can read, and an empty folder that every user can write."""

    def __init__(self, root):
        root.chmod(0o755)
        self.library = root / "libgpusan.so"
        shutil.copyfile(arguments.library, self.library)
        self.library.chmod(0o755)
        self.plain, self.raised = root / "plain", root / "raised"
        for program in (self.plain, self.raised):
            shutil.copyfile(arguments.program, program)
            os.chown(program, OWNER, OWNER)
            program.chmod(0o755)
        self.raised.chmod(0o6755)
        self.capable = root / "capable"
        shutil.copyfile(arguments.program, self.capable)
        self.capable.chmod(0o755)
        try:
            os.setxattr(self.capable, "security.capability", CAPABILITY)
        except OSError as error:
            print(f"capabilities are left out: {error}")
            self.capable = None
        self.work = root / "work"

    def run(self, program, api):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        self.work.chmod(0o777)
        for name, text in (("attached", ""), ("options", "print_config\n"),
                           ("vk_layer_settings.txt", "gpusan_shadow.print_config = true\n")):
            (self.work / name).write_text(text, encoding="utf-8")
            (self.work / name).chmod(0o666)
        environment = {
            "GPUSAN": "1",
            "GPUSAN_OPTIONS": f"record={self.work}/made/record.%p:config={self.work}/options:cuda_attach=cupti:help",
            "GPUSAN_ATTACH_LOG": f"{self.work}/attached",
            "VK_LAYER_SETTINGS_PATH": str(self.work),
            "VK_GPUSAN_PRINT_CONFIG": "1",
            "HOME": str(self.work), "XDG_DATA_HOME": str(self.work), "PATH": os.environ.get("PATH", ""),
        }
        return subprocess.run([program, self.library, api], cwd=self.work, env=environment, user=USER, group=USER,
                              extra_groups=[], capture_output=True, text=True, timeout=120, check=False)

    def files(self):
        return {str(path.relative_to(self.work)): path.read_text(encoding="utf-8")
                for path in self.work.rglob("*") if path.is_file()}


def check(folder, api):
    plain = folder.run(folder.plain, api)
    written = folder.files()
    complaints = []
    if plain.returncode != 0 or not plain.stdout.startswith("plain privileges\n"):
        complaints.append(f"as it is: {plain}")
    if not any(name.startswith("made/record.") for name in written):
        complaints.append(f"as it is, it wrote no record: {sorted(written)}, {plain.stderr}")
    if not written["attached"] or "print_config" not in plain.stderr:
        complaints.append(f"as it is, gpusan did not attach: {plain.stderr}")
    for program, way in ((folder.raised, "set-user-id"), (folder.capable, "with a capability")):
        if program is None:
            continue
        raised = folder.run(program, api)
        if raised.stdout.startswith("plain privileges\n"):
            if program == folder.raised:
                skip("the system gives a set-user-id program no other rights")
            print("capabilities are left out: the system gives a program no capability of its file")
            continue
        if raised.returncode != 0 or raised.stdout != plain.stdout.replace("plain", "raised", 1):
            complaints.append(f"{way}, it did something else: {raised}, not {plain}")
        if raised.stderr:
            complaints.append(f"{way}, gpusan printed: {raised.stderr}")
        written = folder.files()
        if sorted(written) != ["attached", "options", "vk_layer_settings.txt"] or written["attached"]:
            complaints.append(f"{way}, gpusan wrote: {written}")
    return [f"{api}: {complaint}" for complaint in complaints]


def usable(path):
    return not os.statvfs(path).f_flag & os.ST_NOSUID and \
        all(parent.stat().st_mode & 0o001 for parent in (path, *path.parents))


def main():
    places = [pathlib.Path.cwd(), pathlib.Path(tempfile.gettempdir())]
    places = [place for place in places if usable(place)]
    if not places:
        skip("each writable folder is on a file system without set-user-id programs, or closed to other users")
    with tempfile.TemporaryDirectory(dir=places[0]) as root:
        folder = Folder(pathlib.Path(root))
        complaints = [complaint for api in arguments.apis for complaint in check(folder, api)]
    sys.exit("\n".join(complaints) or 0)


main()
