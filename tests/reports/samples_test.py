#!/usr/bin/env python3
"""Sample records of real programs."""
import json
import os
import pathlib
import re
import unittest

from gpusan_test import Case

PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", ""))


class SamplesTest(Case):
    def records(self, program, *flags):
        self.gpusan("run", "--quiet", "--fail-on=never", "--output=o", *flags, PROGRAMS / program, code=0)
        return [[json.loads(line) for line in path.read_text().splitlines()]
                for path in sorted((self.folder / "o").glob("*.jsonl"))]

    def test_the_last_sample_tells_the_ledger_of_the_end(self):
        (records,) = self.records("leak/bad/opencl_buffer", "--sample-interval=1")
        samples = [record for record in records if record["type"] == "sample"]
        self.assertEqual(samples[-1]["ledger"], records[-1]["ledger"])
        self.assertGreater(records[-1]["ledger"]["opencl"]["live_bytes"], 0)
        times = [sample["time_ns"] for sample in samples]
        self.assertEqual(times, sorted(times))
        page = self.report("html", "--fail-on=never", "o", code=0)
        series = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["processes"][0]["series"]
        self.assertEqual(series["opencl"]["live_bytes"][-1], records[-1]["ledger"]["opencl"]["live_bytes"])

    def test_samples_name_the_places_that_hold_most(self):
        (records,) = self.records("leak/bad/opencl_buffer", "--sample-interval=1")
        places = {record["id"]: record["site"] for record in records if record["type"] == "site"}
        (held,) = [record for record in records if record["type"] == "sample"][-1]["sites"]
        self.assertEqual(held["live_bytes"], records[-1]["ledger"]["opencl"]["live_bytes"])
        self.assertGreater(held["live_count"], 0)
        self.assertTrue(places[held["id"]])

    def test_without_the_option_there_are_none(self):
        (records,) = self.records("correct/opencl_out_of_order_queue")
        self.assertNotIn("sample", [record["type"] for record in records])

    def test_both_sides_of_a_fork_have_samples_of_their_own(self):
        for records in self.records("correct/opencl_fork", "--sample-interval=1"):
            self.assertIn("sample", [record["type"] for record in records])
            self.assertEqual(records[-1]["type"], "end")


if __name__ == "__main__":
    unittest.main()
