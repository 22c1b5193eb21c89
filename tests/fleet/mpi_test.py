#!/usr/bin/env python3
"""Ranks of Open MPI: record files named by rank, merged into one report."""
import os
import unittest

from fleet_test import BAD, GOOD, GPUSAN, RANKS, Case, need

need("mpirun")
# The ranks are on this machine alone and need no network; root is what a container has.
MPIRUN = ["mpirun", "--oversubscribe", "-n", str(RANKS), "--mca", "btl", "self", "--mca", "plm", "isolated"]
if os.geteuid() == 0:
    MPIRUN.append("--allow-run-as-root")
RECORD = "--record=%h.%r.%x.%p.jsonl"


class Mpi(Case):
    def records(self):
        return self.folder / "records"

    def test_each_rank_under_a_gpusan_of_its_own(self):
        result = self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--fail-on=never", "--", BAD)
        self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), RANKS, result.stderr)
        self.check_ranks(self.records())

    def test_one_gpusan_around_mpirun_follows_all_ranks(self):
        result = self.run_it(GPUSAN, "run", f"--output={self.records()}", RECORD, "--", *MPIRUN, BAD, code=66)
        self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), 1, result.stderr)
        self.check_ranks(self.records())

    def test_a_rank_with_findings_turns_mpirun_red(self):
        result = self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--", BAD, code=66)
        self.assertIn("exited with", result.stdout + result.stderr)
        self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--", GOOD)


if __name__ == "__main__":
    unittest.main(verbosity=2)
