#!/usr/bin/env python3
"""Commands on a time axis: records of them, made up and of real programs, in the trace and on the page."""
import collections
import json
import os
import pathlib
import re
import unittest
import unittest.mock

from gpusan_test import Case, end, finding, module, process

PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", ""))
BEGIN = 10**18


def site(number, offset):
    return {"type": "site", "id": number, "site": [[1, offset]]}


def commands(*entries, time_ns=BEGIN, **more):
    return dict({"type": "commands", "time_ns": time_ns, "calls": ["clEnqueueWriteBuffer", "clEnqueueReadBuffer"],
                 "queues": [{"api": "opencl", "handle": "0xa", "site": 1, "in_order": True},
                            {"api": "opencl", "handle": "0xb", "site": 0, "in_order": True}],
                 "entries": [list(entry) for entry in entries]}, **more)


# Queue 1 writes twice, queue 2 reads behind the first write and once more behind an order; a call fails; the host waits.
ENTRIES = (
    ("command", 0, 1, 1, 0, 0, 2),
    ("command", 2000, 1, 2, 0, 0, 2),
    ("command", 3000, 2, 1, 1, 1, 3, [1, 1]),
    ("order", 4000, 2, 2, [1, 2]),
    ("command", 5000, 2, 2, 1, 1, 3),
    ("command", 6000, 1, 3, 0, 0, 2),
    ("failed", 6500, 1, 3),
    ("wait", 9000, [2, 2]),
)


class Made(Case):
    def file(self, name="a.jsonl"):
        race = finding(1, time_ns=BEGIN + 5500, site=[[1, 0x30]])
        race["parties"][0]["site"] = [[1, 0x20]]
        return self.write(name, process(start_ns=BEGIN), module(), site(1, 0x10), site(2, 0x20), site(3, 0x30), race,
                          commands(*ENTRIES), end({race["fingerprint"]: 1}))

    def events(self, path):
        return json.loads(self.report("trace", path, code=0))["traceEvents"]

    def test_a_track_a_timeline_and_arrows_for_what_is_ordered(self):
        events = self.events(self.file())
        names = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
        self.assertEqual(sorted(names.values()), ["host waits", "opencl queue 0xa of app+0x10", "opencl queue 0xb"])
        track = {name: tid for tid, name in names.items()}
        first, second, host = (track[name] for name in
                               ("opencl queue 0xa of app+0x10", "opencl queue 0xb", "host waits"))
        slices = [(one["tid"], one["name"], one["ts"], one["dur"]) for one in events if one["ph"] == "X"]
        self.assertEqual(sorted(slices), sorted([
            (first, "clEnqueueWriteBuffer", 0, 2), (first, "clEnqueueWriteBuffer", 2, 4),
            (second, "clEnqueueReadBuffer", 3, 2), (second, "clEnqueueReadBuffer", 5, 4), (host, "wait", 9, 1)]))
        ends = {}
        for one in events:
            if one["ph"] in "sf":
                ends.setdefault(one["id"], {})[one["ph"]] = (one["tid"], one["ts"])
        self.assertEqual(sorted((one["s"], one["f"]) for one in ends.values()), sorted([
            ((first, 0), (second, 3)), ((first, 2), (second, 5)), ((second, 5), (host, 9))]))
        self.assertEqual([one["ts"] for one in events if one["name"] == "race"], [5.5])

    def test_slices_of_a_track_do_not_overlap(self):
        many = [("command", 100 * i, 1 + i % 3, 1 + i // 3, 0, 0, 2, *([[1 + (i - 1) % 3, 1 + (i - 1) // 3]] if i else []))
                for i in range(500)]
        path = self.write("b.jsonl", process(start_ns=BEGIN), module(), site(1, 1), site(2, 2), commands(*many),
                          commands(*many[:5], time_ns=BEGIN + 10**6), end())
        events = json.loads(self.report("trace", path, code=0))["traceEvents"]
        tracks = {}
        for one in events:
            if one["ph"] == "X":
                tracks.setdefault(one["tid"], []).append((one["ts"], one["dur"]))
        self.assertEqual(len(tracks), 3)
        for slices in tracks.values():
            for (begin, length), (following, _) in zip(slices, slices[1:]):
                self.assertLessEqual(round(begin + length, 3), following)

    def test_a_merged_file_gives_the_same_trace(self):
        path = self.file()
        self.gpusan("merge", "--quiet", "-o", "m.jsonl", path, code=0)

        def plain(events):
            return [{key: one[key] for key in one if key != "args"} for one in events if one["ph"] != "i"]

        self.assertEqual(plain(self.events("m.jsonl")), plain(self.events(path)))

    def timeline(self, path):
        page = self.report("html", path, code=0)
        (timeline,) = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["timelines"]
        return timeline

    def test_the_page_has_the_commands_around_both_sites(self):
        for path in (self.file(), "m.jsonl"):
            with self.subTest(path):
                timeline = self.timeline(path)
                self.assertEqual(timeline["rows"], ["opencl 0xa", "opencl 0xb"])
                self.assertEqual([(one["row"], one["us"], one["place"], one.get("role")) for one in timeline["commands"]], [
                    (0, -5, "app+0x20", "pending-command"), (0, -3, "app+0x20", "pending-command"),
                    (1, -2, "app+0x30", None), (1, 0, "app+0x30", "finding")])
                self.assertEqual(timeline["orders"], [[0, 2], [1, 3]])
                self.assertEqual(timeline["waits"], [{"us": 3, "of": 3}])
            self.gpusan("merge", "--quiet", "-o", "m.jsonl", self.file(), code=0)

    def test_the_other_party_is_found_where_it_is_long_ago(self):
        race = finding(1, time_ns=BEGIN + 4_000_000, site=[[1, 0x30]])
        race["parties"][0]["site"] = [[1, 0x20]]
        filler = [[("command", 1000 * i, 2, 1 + 500 * part + i, 1, 1, 3) for i in range(500)] for part in range(8)]
        path = self.write("c.jsonl", process(start_ns=BEGIN), module(), site(1, 0x10), site(2, 0x20), site(3, 0x30), race,
                          commands(("command", 0, 1, 1, 0, 0, 2)),
                          *[commands(*entries, time_ns=BEGIN + 500_000 * part + 1) for part, entries in enumerate(filler)],
                          end({race["fingerprint"]: 1}))
        timeline = self.timeline(path)
        self.assertEqual([one["role"] for one in timeline["commands"] if "role" in one], ["pending-command", "finding"])
        self.assertEqual(timeline["commands"][0]["us"], -4000)
        self.assertLessEqual(len(timeline["commands"]), 22)

    def runs(self):
        """Queue 1: a hundred writes, of which the last fails, then two; queue 2 reads behind the tenth."""
        race = finding(1, time_ns=BEGIN + 950_000, site=[[1, 0x30]])
        race["parties"][0]["site"] = [[1, 0x20]]
        return self.write("r.jsonl", process(start_ns=BEGIN), module(), site(1, 0x10), site(2, 0x20), site(3, 0x30), race,
                          commands(("run", 0, 1, 1, 0, 0, 2, 100, 900_000), ("command", 800_000, 2, 1, 1, 1, 3, [1, 10]),
                                   ("failed", 900_000, 1, 100), ("run", 910_000, 1, 101, 0, 0, 2, 2, 940_000),
                                   ("wait", 1_000_000, [1, 101]), ("wait", 2_000_000, [1, 102])),
                          end({race["fingerprint"]: 1}))

    def test_runs_of_commands_are_one_slice_with_their_number(self):
        events = self.events(self.runs())
        slices = {one["name"]: (one["ts"], one["dur"], one["args"].get("count"), one["args"].get("last_within_us"))
                  for one in events if one["ph"] == "X" and one["name"] != "wait"}
        self.assertEqual(slices, {"clEnqueueWriteBuffer x 99": (0, 910, 99, 900),
                                  "clEnqueueWriteBuffer x 2": (910, 1090, 2, 30),
                                  "clEnqueueReadBuffer": (800, 1200, None, None)})
        starts = sorted((one["ts"], one["tid"]) for one in events if one["ph"] == "s")
        self.assertEqual([ts for ts, _ in starts], [0, 910, 910])

    def test_runs_of_commands_on_the_page(self):
        timeline = self.timeline(self.runs())
        self.assertEqual([(one["call"], one.get("count"), one["us"]) for one in timeline["commands"]], [
            ("clEnqueueWriteBuffer", 99, -950), ("clEnqueueReadBuffer", None, -150), ("clEnqueueWriteBuffer", 2, -40)])
        self.assertEqual(timeline["orders"], [[0, 1]])
        self.assertEqual([one["of"] for one in timeline["waits"]], [2, 2])

    def test_calls_in_turn_are_one_slice_with_all_their_places(self):
        found = finding(1, time_ns=BEGIN + 950_000, site=[[1, 0x30]])
        path = self.write("t.jsonl", process(start_ns=BEGIN), module(), site(1, 0x10), site(2, 0x20), site(3, 0x30), found,
                          commands(("turns", 0, 1, 1, 0, 0, 2, 201, 900_000, [[1, 3]]), ("command", 910_000, 1, 202, 0, 0, 2)),
                          end({found["fingerprint"]: 1}))
        slices = [(one["name"], one["dur"], one["args"]["place"]) for one in self.events(path)
                  if one["ph"] == "X" and one["name"] != "wait"]
        self.assertEqual(slices[0], ("clEnqueueWriteBuffer, clEnqueueReadBuffer in turn x 201", 910, "app+0x20, app+0x30"))
        shown = self.timeline(path)["commands"][0]
        self.assertEqual((shown["call"], shown["count"], shown["place"], shown["role"]),
                         ("clEnqueueWriteBuffer, clEnqueueReadBuffer in turn", 201, "app+0x20, app+0x30", "finding"))
        path = self.write("u.jsonl", process(start_ns=BEGIN), commands(("turns", 0, 1, 1, 0, 0, 0, 9, 10, [[7, 0]])), end())
        self.assertIn("u.jsonl", self.gpusan("report", path, code=None).stderr)

    def test_waits_that_belong_to_a_run_are_shown_with_its_calls(self):
        found = finding(1, time_ns=BEGIN + 950_000, site=[[1, 0x30]])
        path = self.write("w.jsonl", process(start_ns=BEGIN), module(), site(1, 0x10), site(2, 0x20), site(3, 0x30), found,
                          commands(("awaited", 0, 1, 1, 0, 0, 2, 50, 100_000, [], 1), ("wait", 100_000, [1, 50]),
                                   ("awaited", 200_000, 1, 51, 0, 0, 2, 20, 900_000, [[1, 3]], 2)),
                          end({found["fingerprint"]: 1}))
        slices = [(one["name"], one["ts"], one["dur"]) for one in self.events(path) if one["ph"] == "X" and one["name"] != "wait"]
        self.assertEqual(slices, [("clEnqueueWriteBuffer and wait x 50", 0, 100),
                                  ("clEnqueueWriteBuffer, clEnqueueReadBuffer and wait in turn x 20", 200, 700)])
        timeline = self.timeline(path)
        self.assertEqual([one["call"] for one in timeline["commands"]],
                         ["clEnqueueWriteBuffer and wait", "clEnqueueWriteBuffer, clEnqueueReadBuffer and wait in turn"])
        self.assertEqual([one["of"] for one in timeline["waits"]], [0])

    def test_a_run_without_its_number_is_a_damaged_record(self):
        path = self.write("s.jsonl", process(start_ns=BEGIN), commands(("run", 0, 1, 1, 0, 0, 0, 0, 10)), end())
        done = self.gpusan("report", path, code=None)
        self.assertIn("s.jsonl", done.stderr)

    def test_without_commands_there_is_no_timeline(self):
        path = self.record("d.jsonl", [finding(1)])
        self.assertIsNone(self.timeline(path))


class Real(Case):
    def run_it(self, program, *flags):
        self.gpusan("run", "--quiet", "--fail-on=never", "--output=o", *flags, PROGRAMS / program, code=0)
        return json.loads(self.report("trace", "--fail-on=never", "o", code=0))["traceEvents"]

    def test_events_between_queues_are_arrows(self):
        events = self.run_it("correct/opencl_cross_queue_events", "--timeline=64")
        tracks = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
        self.assertEqual(len(tracks), 3, tracks)
        self.assertEqual(sum("of opencl_cross_queue_events.c" in name or "of opencl.h" in name
                             for name in tracks.values()), 2, tracks)
        fills = [one for one in events if one["ph"] == "X" and one["name"] == "clEnqueueFillBuffer"]
        self.assertEqual(len(fills), 10)
        self.assertEqual({one["args"]["place"].split(":")[0] for one in fills}, {"opencl_cross_queue_events.c"})
        starts = [one for one in events if one["ph"] == "s" and "host" not in tracks[one["tid"]]]
        self.assertGreaterEqual(len(starts), 10)

    def test_a_race_shows_both_commands(self):
        self.run_it("race/bad/opencl_two_queues", "--timeline=64")
        page = self.report("html", "--fail-on=never", "o", code=0)
        (timeline,) = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["timelines"]
        self.assertEqual([(one["call"], one.get("role")) for one in timeline["commands"]],
                         [("clEnqueueWriteBuffer", "pending-command"), ("clEnqueueReadBuffer", "finding")])
        self.assertEqual(len(timeline["rows"]), 2)

    def test_what_the_ring_has_no_room_for_is_counted(self):
        self.run_it("correct/opencl_two_queues", "--timeline=16")
        (path,) = (self.folder / "o").glob("*.jsonl")
        records = [json.loads(line) for line in path.read_text().splitlines()]
        written = sum(len(one["entries"]) for one in records if one["type"] == "commands")
        self.assertLessEqual(written, 8 * 16)
        self.assertGreater(records[-1]["dropped"].get("timeline", 0), 0)

    @unittest.skipUnless("FAKE_CUDA" in os.environ, "needs the CUDA toolkit")
    def test_parts_of_a_graph_are_lanes_with_the_order_of_its_edges(self):
        with unittest.mock.patch.dict(os.environ, LD_LIBRARY_PATH=os.environ["FAKE_CUDA"]):
            events = self.run_it("correct/cuda_graph_of_two_branches", "--timeline=64")
        tracks = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
        of_stream = [name for name in tracks.values() if "of cuda.h" in name and "lane" not in name]
        (stream,) = {name for tid, name in tracks.items() if name in of_stream and
                     any(one["tid"] == tid and one["name"] == "cuGraphLaunch" for one in events if one["ph"] == "X")}
        lanes = {name for name in tracks.values() if "lane of" in name}
        self.assertEqual(lanes, {stream.replace("queue", "lane of queue", 1)})
        slices = {(one["tid"], one["ts"]): one["name"] for one in events if one["ph"] == "X"}
        launches = [name for _, name in sorted(slices.items(), key=lambda one: one[0][1]) if "cuGraph" in name]
        once = ["cuGraphLaunch", "cuGraphLaunch, part 1", "cuGraphLaunch, part 2", "cuGraphLaunch, part 3"]
        self.assertEqual([sorted(launches[:4]), sorted(launches[4:])], [once, once])
        ends = {}
        for one in events:
            if one["ph"] in "sf":
                ends.setdefault(one["id"], {})[one["ph"]] = slices[(one["tid"], one["ts"])]
        arrows = sorted((one["s"], one["f"]) for one in ends.values() if one["f"] != "wait")
        # Part 1 is the first fill, which both functions are behind; 2 and 3 are the branches, which run side by side.
        within = [("cuGraphLaunch, part 1", "cuGraphLaunch"), ("cuGraphLaunch, part 1", "cuGraphLaunch, part 2"),
                  ("cuGraphLaunch, part 1", "cuGraphLaunch, part 3"), ("cuGraphLaunch, part 2", "cuGraphLaunch"),
                  ("cuGraphLaunch, part 3", "cuGraphLaunch")]
        expected = [*within, *within, ("cuMemcpyDtoHAsync_v2", "cuGraphLaunch, part 1")]
        self.assertEqual(collections.Counter(arrows), collections.Counter(expected))

    def test_without_the_option_there_are_none(self):
        self.assertFalse([one for one in self.run_it("correct/opencl_cross_queue_events") if one["ph"] == "X"])


if __name__ == "__main__":
    unittest.main()
