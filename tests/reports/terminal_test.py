#!/usr/bin/env python3
"""Help and lists of the command in terminals of several widths."""
import os
import re
import subprocess
import unittest

from gpusan_test import COMMAND, Case


class TerminalTest(Case):
    def lines(self, columns, *words):
        """What the command prints to a terminal of that width, without colours."""
        ours, theirs = os.openpty()
        environment = dict(os.environ, GPUSAN_OPTIONS="", COLUMNS=str(columns), TERM="xterm")
        with subprocess.Popen([COMMAND, *words], stdout=theirs, stderr=theirs, env=environment, cwd=self.folder) as process:
            os.close(theirs)
            text = b""
            try:
                while part := os.read(ours, 65536):
                    text += part
            except OSError:  # the other end is closed
                pass
            os.close(ours)
        self.assertEqual(process.returncode, 0)
        return re.sub("\x1b\\[[0-9;]*m", "", text.decode()).replace("\r", "").splitlines()

    def test_help_and_lists_fit(self):
        for columns in (60, 80, 120):
            for words in (["--help"], ["--list-checks"], *([command, "--help"] for command in
                                                           ("run", "report", "diff", "merge", "history"))):
                for line in self.lines(columns, *words):
                    self.assertLessEqual(len(line), columns, f"{words}: {line}")

    def test_texts_are_aligned(self):
        lines = self.lines(80, "--list-checks")
        columns = {line.index(severity) for line in lines for severity in (" error ", " warning ", " note ")
                   if re.match(rf"  \S+ +{severity.strip()} ", line)}
        self.assertEqual(len(columns), 1)


if __name__ == "__main__":
    unittest.main()
