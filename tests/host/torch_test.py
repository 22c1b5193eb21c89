#!/usr/bin/env python3
"""Checks --torch-blocks with an allocator that makes the calls of PyTorch's caching allocator.

usage: torch_test.py --gpusan COMMAND --program PROGRAM --allocator LIBRARY --folder FAKE_DRIVER
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

parser = argparse.ArgumentParser()
parser.add_argument("--gpusan", required=True)
parser.add_argument("--program", required=True)
parser.add_argument("--allocator", required=True)
parser.add_argument("--folder", required=True)
arguments = parser.parse_args()


class TorchBlocks(unittest.TestCase):
    def run_case(self, case, *flags, order="fifo", allocator="native", expandable=False):
        """Returns the rules and calls of the findings. The program's output must be the same without gpusan."""
        folders = f"{pathlib.Path(arguments.allocator).parent}:{arguments.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        environment = {**os.environ, "LD_LIBRARY_PATH": folders.strip(":"), "GPUSAN_FAKE_CUDA_ORDER": order,
                       "PYTORCH_CUDA_ALLOC_CONF": f"backend:{allocator}"}
        if expandable:
            environment["TORCH_STAND_IN"] = "expandable"
        program = [arguments.program, arguments.allocator, case]
        plain = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        with tempfile.TemporaryDirectory() as folder:
            watched = subprocess.run([arguments.gpusan, "run", *flags, "--fail-on=never", "--output", folder, "--", *program],
                                     env=environment, capture_output=True, text=True, timeout=120, check=False)
            records = [json.loads(line) for path in pathlib.Path(folder).glob("*.jsonl")
                       for line in path.read_text(encoding="utf-8").splitlines()]
        unknown = case == "nothing" and bool(flags) and allocator == "native"
        self.assertEqual((watched.returncode, watched.stdout), (70 if unknown else 0, plain.stdout), watched.stderr)
        self.assertEqual("PyTorch reported no block" in watched.stderr, unknown, watched.stderr)
        return [(record["rule"], record["call"]["name"] if isinstance(record["call"], dict) else record["call"])
                for record in records if record["type"] == "finding"]

    def test_correct_program_has_no_finding(self):
        for order in ("fifo", "eager", "late"):
            self.assertEqual(self.run_case("correct", "--torch-blocks", order=order), [])

    def test_copy_beyond_a_block(self):
        self.assertEqual(self.run_case("overrun", "--torch-blocks"), [("copy-out-of-bounds", "cuMemcpyHtoDAsync_v2")])

    def test_block_reused_without_order(self):
        self.assertEqual(self.run_case("reused", "--torch-blocks"), [("race", "cuMemsetD8Async")])

    def test_block_read_before_it_is_written(self):
        self.assertEqual(self.run_case("unwritten", "--torch-blocks"), [("uninitialized-read", "cuMemcpyDtoHAsync_v2")])

    def test_graph_whose_input_was_given_back(self):
        self.assertEqual(self.run_case("graph", "--torch-blocks"), [("use-after-free", "cuGraphLaunch")])
        self.assertEqual(self.run_case("graph"), [])

    def test_block_used_after_it_was_given_back(self):
        self.assertEqual(self.run_case("freed", "--torch-blocks"), [("use-after-free", "cuMemsetD8Async")])

    def test_segments_that_grow(self):
        expected = {"correct": [], "overrun": [("copy-out-of-bounds", "cuMemcpyHtoDAsync_v2")],
                    "reused": [("race", "cuMemsetD8Async")], "unwritten": [("uninitialized-read", "cuMemcpyDtoHAsync_v2")],
                    "graph": [("use-after-free", "cuGraphLaunch")], "freed": [("use-after-free", "cuMemsetD8Async")]}
        for case, findings in expected.items():
            self.assertEqual(self.run_case(case, "--torch-blocks", expandable=True), findings, case)
            self.assertEqual(self.run_case("correct", expandable=True), [])

    def test_an_allocator_that_reports_nothing_is_named(self):
        self.run_case("nothing", "--torch-blocks")
        self.run_case("nothing")
        self.run_case("no_memory", "--torch-blocks")
        self.run_case("other_memory", "--torch-blocks")  # of another library beside PyTorch
        self.run_case("nothing", "--torch-blocks", allocator="cudaMallocAsync")  # each tensor is an allocation

    def test_without_the_option_segments_are_allocations(self):
        for case in ("overrun", "unwritten"):
            self.assertEqual(self.run_case(case), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
