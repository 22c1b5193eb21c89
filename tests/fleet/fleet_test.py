"""What the tests of the fleet share: a program with a finding, a correct one, and what must be said of their ranks."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUSAN = pathlib.Path(os.environ["GPUSAN"])
PROGRAMS = pathlib.Path(os.environ["PROGRAMS"])
FLEET = pathlib.Path(os.environ["FLEET"])
BAD = PROGRAMS / "format-size-mismatch/bad/opencl_bytes_for_float_image"
GOOD = PROGRAMS / "format-size-mismatch/good/opencl_bytes_for_float_image"
RANKS = 4


def need(*commands):
    """Ends the test as skipped where one of the commands is not installed."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    os.environ["PATH"] = path
    for command in commands:
        if shutil.which(command) is None:
            print(f"skipped: {command} is not installed (packages.txt names its package)")
            sys.exit(77)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusan-fleet-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {key: value for key, value in os.environ.items()
                            if key not in ("LD_PRELOAD", "OPENCL_LAYERS", "GPUSAN_OPTIONS")
                            and not key.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))}

    def run_it(self, *words, code=0, timeout=200, **more):
        result = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=timeout, cwd=self.folder,
                                env={**self.environment, **more}, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def check_ranks(self, records):
        """Record files named by rank; merged, one finding that was seen once in each rank."""
        # A launcher may ask the GPU drivers what there is, and then has a record of its own.
        names = sorted(path.name for path in records.glob(f"*.{BAD.name}.*"))
        self.assertEqual([name.split(".")[1] for name in names], [str(rank) for rank in range(RANKS)], names)
        merged = self.folder / "merged.jsonl"
        self.run_it(GPUSAN, "merge", "--quiet", "-o", merged, records)
        report = json.loads(self.run_it(GPUSAN, "report", "--quiet", "--format=json", merged).stdout)
        self.assertEqual([one["rule"] for one in report["findings"]], ["format-size-mismatch"])
        self.assertEqual(report["findings"][0]["count"], RANKS)
        self.assertEqual(sorted(one["rank"] for one in report["processes"] if one["exe"].endswith("/" + BAD.name)),
                         [str(rank) for rank in range(RANKS)])
        text = self.run_it(GPUSAN, "report", merged).stdout
        self.assertEqual(text.count("SUMMARY: gpusan:"), 1)
        self.assertIn(f"  seen: {RANKS} times in {RANKS} processes", text)
