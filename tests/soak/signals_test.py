#!/usr/bin/env python3
"""SIGUSR2 asks for a sample where the program leaves it to its default, and else is the program's alone."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

GPUSAN, PROGRAM = os.environ["GPUSAN"], os.environ["PROGRAM"]


class Signals(unittest.TestCase):
    def samples(self, folder):
        return sum(path.read_bytes().count(b'\n{"type":"sample"') for path in pathlib.Path(folder).glob("*.jsonl"))

    def run_it(self, what, *flags):
        """Exit code, and what the program said."""
        with tempfile.TemporaryDirectory(prefix="gpusan-signals-") as folder:
            words = [GPUSAN, "run", "--quiet", f"--output={folder}", *flags, PROGRAM, what] if flags else [PROGRAM, what]
            environment = dict(os.environ, GPUSAN_OPTIONS="", OPENCL_LAYERS="", LD_PRELOAD="")
            done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
            return done.returncode, done.stdout

    def test_the_default_action_gives_way_to_a_sample_where_it_was_asked_for(self):
        self.assertEqual(self.run_it("default")[0], -12)
        self.assertEqual(self.run_it("default", "--sample-interval=1000000")[0], 128 + 12)
        self.assertEqual(self.run_it("default", "--sample-signal"), (0, "lived\n"))
        with tempfile.TemporaryDirectory(prefix="gpusan-signals-") as folder:
            words = [GPUSAN, "run", "--quiet", f"--output={folder}", "--sample-signal", PROGRAM, "stdin"]
            environment = dict(os.environ, GPUSAN_OPTIONS="", OPENCL_LAYERS="", LD_PRELOAD="")
            with subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
                self.assertEqual(run.stdout.readline(), "ready\n")
                for wanted in (1, 2, 3):
                    run.send_signal(signal.SIGUSR2)  # gpusan passes it on
                    while self.samples(folder) < wanted:
                        self.assertIsNone(run.poll())
                        time.sleep(0.01)
                run.stdin.close()
                self.assertEqual(run.stdout.read(), "lived\n")
            self.assertEqual((run.returncode, self.samples(folder)), (0, 4))  # the last one at the end

    def test_a_program_that_uses_the_signal_keeps_it(self):
        for what, says in [("handler", "caught\n"), ("later", "caught\n"), ("ignore", "lived\n"), ("wait", "caught\n"),
                           ("child", "child User defined signal 2\n")]:
            with self.subTest(what):
                self.assertEqual(self.run_it(what), (0, says))
                self.assertEqual(self.run_it(what, "--sample-signal"), (0, says))


if __name__ == "__main__":
    unittest.main()
