#!/usr/bin/env python3
"""Ranks of Open MPI: record files named by rank, merged into one report."""
import os
import pathlib
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
        result = self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--fail-on=never", "--no-merge-ranks", "--",
                             BAD)
        self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), RANKS, result.stderr)
        self.check_ranks(self.records())

    def test_the_first_rank_of_a_host_reports_for_all(self):
        for flags in ([], [f"--output={self.records()}", RECORD]):
            result = self.run_it(*MPIRUN, GPUSAN, "run", *flags, "--", BAD, code=66)
            self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), 1, result.stderr)
            self.assertIn(f"gpusan: 1 error in {RANKS} processes\n", result.stderr)
        self.check_ranks(self.records())
        result = self.run_it(*MPIRUN, GPUSAN, "run", "--", GOOD)
        self.assertEqual(result.stderr.count("gpusan: no findings"), 1, result.stderr)
        self.assertEqual([path for path in pathlib.Path("/tmp").glob("gpusan-ranks.*") if list(path.iterdir())], [])

    def test_a_rank_alone_in_its_shell_reports_for_itself(self):
        # The ranks have different parents and cannot meet.
        result = self.run_it(*MPIRUN, "sh", "-c", f"'{GPUSAN}' run --fail-on=never -- '{BAD}'; true")
        self.assertEqual(result.stderr.count("gpusan: 1 error in 1 process\n"), RANKS, result.stderr)

    def test_one_gpusan_around_mpirun_follows_all_ranks(self):
        result = self.run_it(GPUSAN, "run", f"--output={self.records()}", RECORD, "--", *MPIRUN, BAD, code=66)
        self.assertEqual(result.stderr.count("SUMMARY: gpusan:"), 1, result.stderr)
        self.check_ranks(self.records())

    def test_a_rank_with_findings_turns_mpirun_red(self):
        self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--", BAD, code=66)
        self.run_it(*MPIRUN, GPUSAN, "run", f"--output={self.records()}", RECORD, "--", GOOD)


if __name__ == "__main__":
    unittest.main(verbosity=2)
