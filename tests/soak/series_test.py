#!/usr/bin/env python3
"""What is released and still in use, and what memory pools keep, are series of the samples and on the page."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

GPUSAN, PENDING, POOLS = os.environ["GPUSAN"], os.environ["PENDING"], os.environ.get("POOLS")
MIB = 1 << 20


class Series(unittest.TestCase):
    def series(self, program, api, name, **variables):
        with tempfile.TemporaryDirectory(prefix="gpusan-series-") as folder:
            environment = dict(os.environ, GPUSAN_OPTIONS="", OPENCL_LAYERS="", LD_PRELOAD="", SOAK_SAMPLE_MS="1000", **variables)
            done = subprocess.run([GPUSAN, "run", f"--output={folder}", "--sample-signal", "--disable=sync-object-misuse", "--", program], env=environment,
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            (file,) = pathlib.Path(folder).glob("*.jsonl")
            sampled = [record["ledger"][api][name] for line in file.read_text().splitlines()
                       if (record := json.loads(line))["type"] == "sample"]
            page = subprocess.run([GPUSAN, "report", "--format=html", folder], capture_output=True, text=True, check=True).stdout
        shown = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["processes"][0]["series"]
        self.assertEqual(shown[api][name], sampled)
        return sampled

    def test_memory_that_commands_hold_behind_its_release(self):
        self.assertEqual(self.series(PENDING, "opencl", "pending_release_bytes"), [MIB, MIB, 0, 0])

    @unittest.skipUnless(POOLS, "built without CUDA")
    def test_memory_that_default_pools_and_pools_of_the_program_keep(self):
        # What a sample asks for is known to the next one.
        kept = self.series(POOLS, "cuda", "pool_reserve_bytes", LD_LIBRARY_PATH=os.environ["FAKE"])
        self.assertEqual([size // MIB for size in kept], [0, 3, 3, 3, 2, 2, 2], kept)


if __name__ == "__main__":
    unittest.main()
