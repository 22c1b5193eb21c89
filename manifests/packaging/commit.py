"""Writes a C++ file with the commit that is built: commit.py FILE SOURCE_FOLDER [COMMIT]

COMMIT is for sources without a repository, such as archives. The file changes only when the commit changes, or when the
sources begin or cease to differ from it.
"""
import os
import subprocess
import sys

path, folder = sys.argv[1:3]
commit = sys.argv[3] if len(sys.argv) > 3 else ""


def git(*arguments):
    environment = dict(os.environ, GIT_OPTIONAL_LOCKS="0")
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True, env=environment).stdout.strip()


if not commit:
    try:
        if os.path.samefile(git("rev-parse", "--show-toplevel"), folder):
            commit = git("rev-parse", "--short=12", "HEAD")
            commit += ", changed" if git("status", "--porcelain", "--untracked-files=no") else ""
    except (OSError, subprocess.CalledProcessError):
        pass
text = f'#include "report/command/commit.h"\nconst char gpusan::kCommit[] = "{commit}";\n'
old = None
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        old = file.read()
if text != old:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
