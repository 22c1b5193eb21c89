#!/usr/bin/env python3
"""`gpusan diff`, `gpusan merge` and `gpusan history`."""
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import unittest

from gpusan_test import MANIFESTS, Case, end, finding, fingerprint, module, process


class DiffTest(Case):
    def test_new_gone_changed_and_unchanged(self):
        old = self.record("old/a.jsonl", [finding(1), finding(2), finding(3), finding(3), finding(4, "leak")])
        new = self.record("new/a.jsonl", [finding(2), finding(2), finding(3), finding(4, "leak"), finding(5)], pid=9)
        result = self.gpusan("diff", "old", "new", code=0)
        self.assertIn("SUMMARY: gpusan: error race clEnqueueReadBuffer app+0x1005\n", result.stdout)
        self.assertEqual(result.stdout.count("SUMMARY"), 1)
        self.assertEqual(re.findall(r"^[A-Z]+ .* -> .*$", result.stdout, re.M),
                         ["NEW error race clEnqueueReadBuffer app+0x1005 0 -> 1",
                          "MORE error race clEnqueueReadBuffer app+0x1002 1 -> 2",
                          "FEWER error race clEnqueueReadBuffer app+0x1003 2 -> 1",
                          "GONE error race clEnqueueReadBuffer app+0x1001 1 -> 0"])
        self.assertIn("gpusan: 1 new, 1 gone, 2 changed in count, 1 unchanged\n", result.stderr)
        self.gpusan("diff", "--fail-on=new", "old", "new", code=66)
        self.gpusan("diff", "--fail-on=new", "old", "old", code=0)

    def test_a_severity_fails_for_new_findings_of_it(self):
        old = self.record("old.jsonl", [finding(1)])
        new = self.record("new.jsonl", [finding(1), finding(2, "misleading-flag", "note")])
        self.gpusan("diff", "--fail-on=error", old, new, code=0)
        self.gpusan("diff", "--fail-on=note", old, new, code=66)

    def test_an_incomplete_new_side_is_no_success(self):
        old = self.record("old.jsonl", [finding(1)])
        new = self.write("new.jsonl", process(), module(), finding(1))
        result = self.gpusan("diff", old, new, code=70)
        self.assertIn("incomplete in NEW: /opt/app (pid 1) ended without an end record", result.stderr)
        self.gpusan("diff", new, old, code=0)
        self.gpusan("diff", old, self.folder / "none", code=70)
        # What cannot be read has lost nothing.
        (self.folder / "empty.jsonl").touch()
        for pair in ((old, "empty.jsonl"), ("empty.jsonl", old), (old, "none")):
            result = self.gpusan("diff", *pair, code=70)
            self.assertEqual(result.stdout, "")
            self.assertIn("nothing was compared", result.stderr)
        self.gpusan("diff", old, code=70)


class MergeTest(Case):
    def test_merged_files_say_what_their_parts_said(self):
        sample = {"type": "sample", "time_ns": 10**18 + 7, "ledger": {"opencl": {"live_bytes": 7}},
                  "sites": [{"api": "opencl", "site": [[1, 16]], "live_bytes": 7, "live_count": 1}]}
        self.record("n/a.jsonl", [finding(1), finding(1), finding(2, "leak")], pid=1, rank="0")
        self.record("n/b.jsonl", [finding(1, time_ns=10**18 + 99)], pid=2, rank="1", host="node2")
        self.write("n/c.jsonl", process(pid=3), module(), sample, finding(3, time_ns=10**18 + 1))
        self.gpusan("merge", "-o", "m.jsonl", "n", code=0)
        self.gpusan("merge", "-o", "again/m.jsonl", "m.jsonl", code=0)
        for merged in ("m.jsonl", "again/m.jsonl"):
            parts, whole = self.json("n"), self.json(merged)
            for report in (parts, whole):
                for one in report["processes"]:
                    del one["file"]
            self.assertEqual(whole, parts)
            records = [json.loads(line) for line in (self.folder / merged).read_text().splitlines()]
            self.assertEqual([r["type"] for r in records], ["merge"] + ["finding"] * 3 +
                             ["process", "end", "process", "end", "process", "sample"])
            self.assertEqual(records[-1]["sites"][0]["frames"][0]["offset"], 16)
            counts = {r["fingerprint"]: r["count"] for r in records if r["type"] == "finding"}
            self.assertEqual(sorted(counts.values()), [1, 1, 3])
            result = self.gpusan("diff", "n", merged, code=70)  # one process has no end
            self.assertIn("0 new, 0 gone, 0 changed in count, 3 unchanged", result.stderr)
            self.assertEqual(self.report("junit", merged, code=0), self.report("junit", "n", code=0))
        tool = pathlib.Path(__file__).with_name("schema_test.py")
        subprocess.run([sys.executable, tool, "--schema", MANIFESTS / "record.schema.json", self.folder / "m.jsonl"],
                       check=True, capture_output=True)

    def counts(self, *paths, code=0):
        """How often findings were found, and what was said of the files."""
        result = self.gpusan("report", "--format=json", *paths, code=code)
        report = json.loads(result.stdout)
        said = [line for line in result.stderr.splitlines() if "left out" in line or "count twice" in line]
        return sorted(one["count"] for one in report["findings"]), len(report["processes"]), said

    def test_a_merged_file_beside_its_parts_counts_once(self):
        self.record("n/a.jsonl", [finding(1), finding(1), finding(2, "leak")], pid=1, rank="0")
        self.write("n/killed.jsonl", process(pid=2), module(), finding(1))
        self.gpusan("merge", "--quiet", "-o", "n/all.jsonl", "n", code=0)
        left_out = "gpusan: left out 2 record files, all of which is in n/all.jsonl"
        self.assertEqual(self.counts("n"), ([1, 3], 2, [left_out]))
        self.assertEqual(self.counts("n", "n/a.jsonl", "./n/../n"), ([1, 3], 2, [left_out]))
        # Another night into the same file, and a merged file of merged files.
        self.record("n/b.jsonl", [finding(1)], pid=3)
        self.assertEqual(self.counts("n"), ([1, 4], 3, [left_out]))
        self.gpusan("merge", "--quiet", "-o", "n/all.jsonl", "n", code=0)
        self.gpusan("merge", "--quiet", "-o", "n/more.jsonl", "n/all.jsonl", code=0)
        self.assertEqual(self.counts("n")[:2], ([1, 4], 3))
        # What was found after the merge is not in it, and is not lost.
        self.write("n/killed.jsonl", process(pid=2), module(), finding(1), finding(5, "race"))
        counts, processes, said = self.counts("n")
        self.assertEqual((counts, processes, len(said)), ([1, 1, 5], 4, 2), said)
        self.assertIn("n/killed.jsonl and n/all.jsonl have 1 process in common", said[0])

    def test_a_thousand_files_become_one(self):
        for i in range(1000):
            self.record(f"n/{i:04}.jsonl", [finding(j % 50) for j in range(i % 7, i % 7 + 10)], pid=i + 1,
                        rank=str(i % 8), host=f"node{i // 8}")
        self.gpusan("merge", "-o", "m.jsonl", "n", code=0)
        merged = self.json("m.jsonl", code=0)
        self.assertEqual(len(merged["processes"]), 1000)
        self.assertEqual(sum(one["count"] for one in merged["findings"]), 10000)
        self.assertEqual(max(one["processes"] for one in merged["findings"]), 1000)
        self.assertEqual(len(merged["findings"]), 16)

    def test_an_error_in_a_file_is_reported_and_the_rest_merged(self):
        self.record("n/a.jsonl", [finding(1)])
        (self.folder / "n/b.jsonl").write_text("rubbish\n")
        result = self.gpusan("merge", "-o", "m.jsonl", "n", code=70)
        self.assertIn("n/b.jsonl:1: not a gpusan record; skipped", result.stderr)
        self.assertEqual(len(self.json("m.jsonl")["findings"]), 1)


class HistoryTest(Case):
    def night(self, name, numbers, peak=1024):
        counts = {}
        for number in numbers:
            counts[fingerprint("race", number)] = counts.get(fingerprint("race", number), 0) + 1
        day = int(name[-2:])
        path = self.write(f"{name}.jsonl", process(start_ns=(1767225600 + 86400 * (day - 1)) * 10**9), module(),
                          *[finding(number) for number in numbers],
                          end(counts, ledger={"opencl": {"live_bytes": 0, "peak_bytes": peak}}))
        return self.gpusan("history", "add", "h.db", path, code=0)

    def test_nights_tell_what_is_new_back_gone_and_how_it_goes(self):
        self.assertIn("kept 2 findings as 2026-01-01\n", self.night("2026-01-01", [1, 2]).stderr)
        self.night("2026-01-02", [1])
        self.night("2026-01-03", [1, 1, 1, 3, 2], peak=4096)
        self.night("2026-01-04", [1, 1, 2, 4, 3], peak=2048)
        result = self.gpusan("history", "show", "h.db", code=0)
        self.assertEqual(result.stdout.splitlines(), [
            "new   error   race clEnqueueReadBuffer app+0x1004 first 2026-01-04 last 2026-01-04 nights 1 count 1 ···█",
            "stays error   race clEnqueueReadBuffer app+0x1003 first 2026-01-03 last 2026-01-04 nights 2 count 1 ··██",
            "stays error   race clEnqueueReadBuffer app+0x1002 first 2026-01-01 last 2026-01-04 nights 3 count 1 █·██",
            "stays error   race clEnqueueReadBuffer app+0x1001 first 2026-01-01 last 2026-01-04 nights 4 count 2 ▃▃█▅",
            "peak  opencl 2 KiB (2048 B) ▂▂█▄"])
        self.assertEqual(result.stderr, "gpusan: 4 nights from 2026-01-01 to 2026-01-04; the last had 1 process, "
                                        "0 incomplete\n")
        self.night("2026-01-05", [2])
        states = [line.split()[0] for line in self.gpusan("history", "show", "h.db").stdout.splitlines()]
        self.assertEqual(states, ["stays", "gone", "gone", "gone", "peak"])

    def test_the_share_of_time_that_gpusan_takes_has_a_trend(self):
        for number, own in enumerate((100, 0, 400), 1):
            about = {"overhead": {"own_ns": own, "wall_ns": 10000}} if own else {}
            for rank in "01":  # of both processes
                self.write(f"n{number}/{rank}.jsonl", process(rank=rank, start_ns=10**18 + number), end({}, **about))
            self.gpusan("merge", "--quiet", "-o", f"m{number}.jsonl", f"n{number}", code=0)
            self.gpusan("history", "add", f"--night={number}", "h.db", f"m{number}.jsonl", code=0)
        lines = self.gpusan("history", "show", "h.db", code=0).stdout.splitlines()
        self.assertEqual(lines[-1], "overhead  4.00 % of the time in gpusan's calls ▂·█")

    def test_a_database_of_an_earlier_version_gets_the_tables_that_it_lacks(self):
        self.night("2026-01-01", [1])
        with sqlite3.connect(self.folder / "h.db") as database:
            database.execute("DROP TABLE overheads")
            database.execute("PRAGMA user_version = 1")
        database.close()
        self.night("2026-01-02", [1])
        self.assertIn("stays error", self.gpusan("history", "show", "h.db", code=0).stdout)

    def test_a_night_of_the_same_name_is_replaced(self):
        self.night("2026-01-01", [1, 2])
        self.night("2026-01-01", [1])
        self.assertEqual(len(self.gpusan("history", "show", "h.db").stdout.splitlines()), 2)

    def test_a_database_of_others_runs_nothing(self):
        self.night("2026-01-01", [1])
        with sqlite3.connect(self.folder / "h.db") as database:
            database.execute("CREATE TRIGGER t AFTER INSERT ON nights BEGIN DELETE FROM findings; DELETE FROM counts; END")
        database.close()
        self.night("2026-01-02", [1])
        self.assertIn("stays error", self.gpusan("history", "show", "h.db", code=0).stdout)
        with sqlite3.connect(self.folder / "h.db") as database:
            database.executescript("DROP TABLE nights; CREATE VIEW nights AS SELECT 1 AS id, 'n' AS name, 1 AS began_ns, "
                                   "1 AS ended_ns, 1 AS processes, 0 AS incomplete")
        database.close()
        self.assertIn("access to view \"nights\" prohibited", self.gpusan("history", "show", "h.db", code=70).stderr)

    def test_texts_of_records_do_not_steer_the_terminal(self):
        name = "\x1b[31mread\u202e\r"
        old = self.write("old.jsonl", process(), module(), end({}))
        new = self.write("new.jsonl", process(), module(), finding(1, call=name), end({fingerprint("race", 1): 1}))
        self.gpusan("history", "add", "--night=one", "h.db", new, code=0)
        for words in (["diff", old, new], ["history", "show", "h.db"]):
            result = self.gpusan(*words, code=0)
            self.assertIn(r"\x1b[31mread\u{202e}\x0d", result.stdout)
            self.assertFalse(set(result.stdout + result.stderr) & set("\x1b\r\u202e"))

    def test_trouble_is_one_line(self):
        (self.folder / "text.db").write_text("this is no database, and long enough to be seen as none\n" * 20)
        path = self.record("a.jsonl", [])
        for words, complaint in (
                (["show", "none.db"], "none.db: unable to open database file"),
                (["show", "text.db"], "text.db: file is not a database"),
                (["add", "h.db"], "expected 'history add DATABASE FILE|FOLDER...' or 'history show DATABASE'"),
                (["add", "/proc/none/h.db", path], "/proc/none/h.db: unable to open database file")):
            result = self.gpusan("history", *words, code=70)
            self.assertIn(complaint, result.stderr)
        self.gpusan("history", "add", "h.db", self.write("empty.jsonl", module()), code=70)


if __name__ == "__main__":
    unittest.main()
