#!/usr/bin/env python3
"""Checks the completions of the shells: completions_test.py COMMAND FOLDER_OF_COMPLETIONS

Each shell offers the flags that `gpusan COMMAND --help` prints, and the values of a flag that has a set of them. Shells that
are not installed are left out.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUSAN = os.path.abspath(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2]).resolve()
COMMANDS = ("run", "report", "diff", "merge", "history")


def output(*command, text=None, **options):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, **options).stdout


def flags_of(command):
    """What --help of the command prints, without the texts."""
    help_text = output(GPUSAN, command, "--help").replace("--[no-]", "--")
    return set(re.findall(r"^  (--[a-z-]+)", help_text, re.M)) - {"--help"}


def base(flag):
    """Switches that are on by default are offered with their negation."""
    flag = flag.rstrip("=")
    return "--" + flag[len("--no-"):] if flag.startswith("--no-") else flag


def bash(*words):
    """What bash offers for the last word; as bash does, words are split at '='."""
    array = " ".join("'" + word + "'" for word in words)
    script = f"""source {FOLDER}/completions.bash
COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _gpusan 2>/dev/null; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return set(output("bash", "--norc", "-c", script).split())


class Bash(unittest.TestCase):
    def test_commands(self):
        offered = bash("gpusan", "")
        self.assertLessEqual({*COMMANDS, "--version", "--list-checks", "--help"}, offered)
        self.assertEqual(bash("gpusan", "rep"), {"report"})

    def test_flags_are_those_of_help(self):
        for command in COMMANDS:
            with self.subTest(command):
                offered = {base(flag) for flag in bash("gpusan", command, "--")} - {"--help"}
                self.assertEqual(offered, flags_of(command))

    def test_values(self):
        self.assertEqual(bash("gpusan", "report", "--color", "=", "al"), {"always"})
        self.assertEqual(bash("gpusan", "report", "--format", "sar"), {"sarif"})
        self.assertIn("junit", bash("gpusan", "report", "--format", "="))
        self.assertEqual(bash("gpusan", "run", "--disable", "=", "race,double"), {"race,double-free"})

    def test_the_program_and_its_arguments_are_not_gpusans(self):
        self.assertIn("true", bash("gpusan", "run", "--quiet", "tru"))
        self.assertEqual(bash("gpusan", "run", "--output", "folder", "true", "--qui"), set())
        self.assertEqual(bash("gpusan", "run", "--", "true", "--qui"), set())


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(unittest.TestCase):
    def test_it_parses_and_names_the_flags(self):
        output("zsh", "-n", str(FOLDER / "completions.zsh"))
        text = (FOLDER / "completions.zsh").read_text(encoding="utf-8")
        for command in COMMANDS:
            block = re.search(rf"^    {command}\)\n      flags=\(\n(.*?)^      \)", text, re.M | re.S).group(1)
            offered = {base(flag) for flag in re.findall(r"^        '(--[a-z-]+)", block, re.M)} - {"--help"}
            self.assertEqual(offered, flags_of(command))

    def test_it_offers_flags(self):
        functions = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, functions)
        # zsh completes in a terminal only: a pseudo terminal of its own module.
        script = f"""zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; PS1=READY'
zpty -w z 'bindkey "^I" complete-word; zstyle ":completion:*" list-prompt ""; LISTMAX=1000; print GO'
zpty -r z line '*GO*GO*'
zpty -w -n z $'gpusan report --form\\t'
sleep 2
zpty -r -t z line '*--format=*' && print -r -- "$line" | tail -n 1
zpty -d z"""
        shutil.copyfile(FOLDER / "completions.zsh", functions / "_gpusan")
        done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, timeout=60)
        self.assertIn("--format=", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", done.stdout))


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(unittest.TestCase):
    def offered(self, line):
        script = f"source {FOLDER}/completions.fish; complete -C'{line}'"
        return {row.split("\t")[0] for row in output("fish", "--no-config", "-c", script).splitlines()}

    def test_flags_are_those_of_help(self):
        self.assertLessEqual(set(COMMANDS), self.offered("gpusan "))
        for command in COMMANDS:
            with self.subTest(command):
                offered = {base(flag) for flag in self.offered(f"gpusan {command} --")} - {"--help"}
                self.assertEqual(offered, flags_of(command))

    def test_values(self):
        self.assertEqual(self.offered("gpusan report --format=sar"), {"--format=sarif"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
