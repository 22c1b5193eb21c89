#!/usr/bin/env python3
"""Tests the output formats of `gpusan report` against their definitions."""
import json
import os
import random
import re
import subprocess
import unittest
import xml.etree.ElementTree

import jsonschema

from gpusan_test import COMMAND, FAKE_LIBRARY, MANIFESTS, MODULE, Case, end, finding, module, process
import sarif_rules


class TextTest(Case):
    def test_findings_are_grouped_most_severe_first_with_one_summary_line_each(self):
        self.record("n/a.jsonl", [finding(1, "misleading-flag", "note"), finding(2), finding(3, "leak")], pid=1)
        self.record("n/b.jsonl", [finding(2, time_ns=10**18 + 9 * 10**9)], pid=2, rank="3", host="node2")
        text = self.report("text", "n", code=0)
        self.assertEqual(re.findall(r"^SUMMARY: .*$", text, re.M),
                         ["SUMMARY: gpusan: error leak clEnqueueReadBuffer app+0x1003",
                          "SUMMARY: gpusan: error race clEnqueueReadBuffer app+0x1002",
                          "SUMMARY: gpusan: note misleading-flag clEnqueueReadBuffer app+0x1001"])
        self.assertEqual(re.findall(r"^  seen: .*$", text, re.M),
                         ["  seen: 2 times in 2 processes, first 2001-09-09 01:46:40 UTC, last 2001-09-09 01:46:49 "
                          "UTC: /opt/app (pid 1) on node1; /opt/app rank 3 (pid 2) on node2"])

    def test_counts_of_the_last_record_count(self):
        one = finding(1)
        path = self.write("a.jsonl", process(), module(), one, end({one["fingerprint"]: 1000}))
        self.assertIn("gpusan:   error   1000x  race  app+0x1001\n", self.gpusan("report", path, code=0).stderr)

    def test_a_finding_that_was_counted_and_not_written_is_trouble(self):
        path = self.write("a.jsonl", process(), end({"v0-0000000000000001": 3}))
        result = self.gpusan("report", path, code=70)
        self.assertIn("counted 3 findings whose record is not in " + path, result.stderr)

    def test_a_file_without_end_is_incomplete_and_not_clean(self):
        path = self.write("a.jsonl", process())
        for flags, code in ((["--fail-on=error"], 70), ([], 0)):
            result = self.gpusan("report", *flags, path, code=code)
            self.assertIn("ended without an end record, so this run does not count as clean", result.stderr)

    def test_output_goes_to_a_file_that_is_replaced_as_a_whole(self):
        path = self.record("a.jsonl", [finding(1)])
        out = self.folder / "deep" / "out.txt"
        self.gpusan("report", "-o", out, path, code=0)
        self.assertIn("SUMMARY", out.read_text())
        self.assertEqual(os.listdir(out.parent), ["out.txt"])
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(out.stat().st_mode & 0o777, 0o666 & ~mask)
        result = self.gpusan("report", "-o", "/dev/full", path, code=70)
        self.assertIn("cannot write /dev/full: No space left on device", result.stderr)
        self.gpusan("report", "-o", "/proc/none/x", path, code=70)

    def test_the_first_line_says_where_and_in_which_process(self):
        self.record("n/a.jsonl", [finding(1)], pid=1)
        self.assertIn("gpusan: error: race in clEnqueueReadBuffer at app+0x1001\n", self.report("text", "n"))
        self.record("n/b.jsonl", [finding(2)], pid=2, rank="3")
        text = self.report("text", "n")
        self.assertIn("at app+0x1001 (rank 0, pid 1)\n", text)
        self.assertIn("\n\ngpusan: error: race in clEnqueueReadBuffer at app+0x1002 (rank 3, pid 2)\n", text)

    def test_repeated_findings_are_folded_and_many_are_in_the_table(self):
        def with_party(i):
            return finding(1, parties=[{"role": "pending-command", "text": f"t{i}", "site": [[1, 0x2000 + i]]}],
                           fingerprint=f"v0-{i:016x}")
        path = self.record("a.jsonl", [with_party(i) for i in range(3)] + [finding(i, "leak") for i in range(60)])
        result = self.gpusan("report", path, code=0)
        self.assertEqual(result.stdout.count("\n  where:\n"), 50)
        self.assertIn("gpusan: 13 findings are not printed above", result.stderr)
        self.assertIn("more places; --verbose shows them\n", result.stderr)
        result = self.gpusan("report", "--max-findings=0", path, code=0)
        self.assertEqual(result.stdout.count("\n  where:\n"), 61)
        self.assertEqual(result.stdout.count("as above, with other parties"), 2)
        self.assertEqual(result.stdout.count("SUMMARY"), 63)
        result = self.gpusan("report", "-v", "--max-findings=0", path, code=0)
        self.assertEqual(result.stdout.count("\n  where:\n"), 63)
        self.assertIn("gpusan:   error   3x  race  app+0x1001\n", result.stderr)

    def test_lines_of_source_come_from_source_files_that_did_not_change(self):
        def frames(file):
            return [{"function": "main", "file": str(file), "line": 2, "column": 3, "module": MODULE, "offset": 16}]
        def shown(file, ran_ns):
            one = finding(1, parties=[], time_ns=ran_ns, first_ns=ran_ns, last_ns=ran_ns, count=1, seen_in=[])
            one["frames"] = frames(file)
            one["fingerprint"] = "v1-" + "0" * 32
            del one["site"]
            path = self.write("m.jsonl", {"type": "merge", "version": 1, "gpusan": "0.1.0"}, one)
            return " | " in self.report("text", path)
        text = "int main() {\n\tgo\x1b[2J();\n}\n"
        source, secret, link = (self.folder / name for name in ("a.c", "key.pem", "link.c"))
        for file in (source, secret):
            file.write_text(text)
            os.utime(file, (1000, 1000))
        link.symlink_to(secret)
        self.assertTrue(shown(source, 10**18))
        self.assertFalse(shown(source, 999 * 10**9))
        self.assertFalse(shown(secret, 10**18))
        self.assertFalse(shown(link, 10**18))
        os.mkfifo(self.folder / "pipe.c")
        self.assertFalse(shown(self.folder / "pipe.c", 10**18))
        shown(source, 10**18)
        self.assertIn("      2 |     go\\x1b[2J();\n        |      ^\n", self.report("text", "m.jsonl"))

    def test_a_program_without_lines_is_named(self):
        (self.folder / "a.c").write_text("int main(void) { return 0; }\n")
        subprocess.run(["cc", "-s", "-no-pie", "-Wl,--build-id=none", "-o", "program", "a.c"], cwd=self.folder, check=True)
        own = module(str(self.folder / "program")) | {"build_id": ""}
        path = self.write("a.jsonl", process(), own, finding(1), end())
        self.assertIn(f"gpusan: {self.folder}/program has no line information: build it with -g",
                      self.gpusan("report", path, code=0).stderr)

    def test_a_baseline_tells_what_is_new(self):
        old = self.record("old.jsonl", [finding(1)])
        new = self.record("new.jsonl", [finding(1), finding(2)])
        text = self.report("text", f"--baseline={old}", new, code=0)
        self.assertEqual(re.findall(r"^  seen: (.*)$", text, re.M), ["in the baseline too", "new"])
        self.gpusan("report", f"--baseline={old}", "--fail-on=new", new, code=66)
        self.gpusan("report", "--fail-on=error", new, code=66)
        self.gpusan("report", f"--baseline={old}", "--fail-on=new", old, code=0)
        self.gpusan("report", f"--baseline={self.folder}/none", new, code=70)


class RunTest(Case):
    def test_a_finding_that_becomes_more_severe_is_printed_again_and_has_one_severity(self):
        (self.folder / "a.c").write_text("void fake_gpu_call(int) __attribute__((weak));\nint main(void) {\n"
                                         "  for (int i = 0; i < 4; ++i) fake_gpu_call(i == 0 ? -1 : i == 2 ? 2 : 0);\n}\n")
        subprocess.run(["cc", "-g", "-O0", "-o", "app", "a.c"], cwd=self.folder, check=True)
        result = self.gpusan("run", "--output=o", "--max-per-fingerprint=9", "./app", code=66,
                             variables={"GPUSAN_LIBRARY": FAKE_LIBRARY})
        self.assertEqual(re.findall(r"^gpusan: (\w+): host-buffer-overrun", result.stderr, re.M), ["note", "error"])
        self.assertIn("\ngpusan: 1 error in 1 process\ngpusan:   error   3x  host-buffer-overrun  a.c:3:", result.stderr)
        (found,) = self.json("o")["findings"]
        self.assertEqual((found["severity"], found["count"]), ("error", 3))


class JsonTest(Case):
    def test_the_document_is_as_its_schema_says(self):
        schema = json.loads((MANIFESTS / "report.schema.json").read_text())
        old = self.record("old.jsonl", [finding(1)])
        path = self.record("a.jsonl", [finding(1, label="known"), finding(2), finding(3, "leak", site=[], parties=[])])
        incomplete = self.write("b.jsonl", process(pid=2))
        (self.folder / "s").write_text("race:known # reason\n")
        for words in ([path], [f"--baseline={old}", "--suppressions=s", path, incomplete]):
            jsonschema.Draft202012Validator(schema).validate(self.json(*words))

    def test_a_script_finds_everything(self):
        path = self.record("a.jsonl", [finding(1, label="albedo")], rank="2")
        report = self.json(path, code=0)
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["incomplete"], [])
        self.assertEqual(report["processes"][0]["rank"], "2")
        self.assertEqual(report["processes"][0]["calls"], {"opencl": 5})
        one = report["findings"][0]
        self.assertRegex(one["fingerprint"], "^v1-[0-9a-f]{32}$")
        self.assertEqual((one["rule"], one["count"], one["processes"], one["seen_in"]), ("race", 1, 1, [0]))
        self.assertEqual(one["facts"], {"hazard": "RAW", "overlap_bytes": 5})
        self.assertEqual(one["frames"], [{"module": MODULE, "build_id": "ab12", "offset": 0x1001}])
        self.assertEqual(one["parties"][0]["frames"][0]["offset"], 0x2001)
        self.assertEqual(one["resources"][0]["label"], "albedo")
        self.assertFalse(one["suppressed"])


class SarifTest(Case):
    def sarif(self, *words, code=None):
        log = json.loads(self.report("sarif", *words, code=code))
        sarif_rules.check(log)
        return log

    def test_results_have_rules_fingerprints_and_the_other_party(self):
        path = self.record("a.jsonl", [finding(1), finding(2, "misleading-flag", "note")])
        run = self.sarif(path, code=0)["runs"][0]
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("race", "error"))
        self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], "race")
        self.assertRegex(result["partialFingerprints"]["gpusan/v1"], "^v1-[0-9a-f]{32}$")
        self.assertIn("the other <one>", result["relatedLocations"][0]["message"]["text"])
        self.assertNotIn("baselineState", result)
        self.assertEqual(result["suppressions"], [])
        self.assertEqual(run["results"][1]["level"], "note")
        self.assertTrue(run["invocations"][0]["executionSuccessful"])

    def test_every_check_has_help_and_an_address(self):
        rules = self.sarif(self.record("a.jsonl", []))["runs"][0]["tool"]["driver"]["rules"]
        for rule in rules:
            self.assertTrue(rule["helpUri"].endswith("checks.md#" + rule["id"]))
            self.assertIn("```cpp\n", rule["help"]["markdown"])
            self.assertIn("- Fix: ", rule["help"]["markdown"])
            self.assertNotIn("###", rule["help"]["markdown"])

    def test_the_message_links_the_other_parties(self):
        pending = {"role": "pending-command", "text": "writes a[3](7)", "site": [[1, 0x2000]]}
        path = self.record("r.jsonl", [finding(1, what="w[1](2)", parties=[pending | {"site": []}, pending])])
        result = self.sarif(path, code=0)["runs"][0]["results"][0]
        self.assertIn("clEnqueueReadBuffer: w\\[1\\](2)\n", result["message"]["text"])
        self.assertIn("\npending-command: writes a\\[3\\](7)\npending-command: [writes a\\[3\\](7)](1)\nfix: ", result["message"]["text"])
        self.assertEqual([location["id"] for location in result["relatedLocations"]], [1])

    def test_two_equal_runs_are_equal(self):
        def run(name, handle, first, numbers):
            for pid, number in enumerate(numbers):
                self.record(f"{name}/{first + pid}.jsonl", [finding(
                    number, what=f"reads buffer {handle}", resources=[{"kind": "buffer", "handle": handle, "bytes": 64, "label": ""}],
                    facts={"address": handle, "bytes": 64, "queue": f"stream {handle}", "used": f"argument 1 of kernel {handle} add"},
                    time_ns=10**18 + first)], pid=first + pid)
            return self.report("sarif", name, code=0)
        first = run("a", "0x55aa00001230", 100, (1, 2, 3))
        self.assertEqual(first, run("b", "0x7f0012345670", 5000, (3, 1, 2)))
        self.assertIn("reads buffer #1", first)
        self.assertIn('"used":"argument 1 of kernel add"', first)
        self.assertNotIn("0x55aa", first)

    def test_two_runs_of_a_program_are_equal(self):
        (self.folder / "a.c").write_text("void fake_gpu_call(int) __attribute__((weak));\nint main(void) {\n  fake_gpu_call(2);\n"
                                         "  fake_gpu_call(1);\n}\n")
        subprocess.run(["cc", "-g", "-o", "app", "a.c"], cwd=self.folder, check=True)
        for name in "ab":
            self.gpusan("run", "--quiet", f"--output={name}", "./app", code=66, variables={"GPUSAN_LIBRARY": FAKE_LIBRARY})
        self.assertEqual(self.report("sarif", "a"), self.report("sarif", "b"))

    def test_parties_at_one_place_are_one_stack_and_each_related(self):
        pending = {"role": "pending-command", "text": "one", "site": [[1, 0x2000]]}
        path = self.record("r.jsonl", [finding(1, parties=[pending, pending | {"text": "two"}])])
        result = self.sarif(path, code=0)["runs"][0]["results"][0]
        self.assertEqual([stack["message"]["text"] for stack in result["stacks"]], ["clEnqueueReadBuffer", "pending-command"])
        self.assertEqual([location["message"]["text"] for location in result["relatedLocations"]],
                         ["pending-command: one", "pending-command: two"])

    def test_every_check_is_a_rule(self):
        path = self.record("a.jsonl", [])
        rules = self.sarif(path, code=0)["runs"][0]["tool"]["driver"]["rules"]
        listed = re.findall(r"^  (\S+)", self.gpusan("--list-checks", code=0).stdout, re.M)
        self.assertEqual([rule["id"] for rule in rules], listed)

    def test_a_baseline_gives_states(self):
        old = self.record("old.jsonl", [finding(1), finding(2)])
        new = self.record("new.jsonl", [finding(2), finding(3)])
        results = self.sarif(f"--baseline={old}", new, code=0)["runs"][0]["results"]
        self.assertEqual({(r["baselineState"], r["message"]["text"].split("\n")[0][-1]) for r in results},
                         {("unchanged", "2"), ("new", "3"), ("absent", "1")})
        self.assertEqual(results[-1]["baselineState"], "absent")

    def test_suppressed_results_are_kept_with_their_reason(self):
        path = self.record("a.jsonl", [finding(1, label="known")])
        (self.folder / "s").write_text("race:known  # vendor bug 12\n")
        result = self.sarif("--suppressions=s", path, code=0)["runs"][0]["results"][0]
        self.assertEqual(result["suppressions"],
                         [{"kind": "external", "status": "accepted", "justification": "vendor bug 12"}])

    def test_an_incomplete_run_is_reported(self):
        path = self.write("a.jsonl", process(), module(), finding(1))
        invocation = self.sarif(path, code=0)["runs"][0]["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual(invocation["toolExecutionNotifications"][0]["message"]["text"],
                         "incomplete: /opt/app ended without an end record")

    def test_the_rules_speak_of_what_is_written_and_refuse_whatever_breaks_one(self):
        (self.folder / "s").write_text("race:known  # vendor bug 12\n")
        old = self.record("old.jsonl", [finding(1), finding(4)])
        source = self.folder / "main.c"
        source.write_text("int main(void) {\n  return 0;\n}\n")
        subprocess.run(["cc", "-g", "-O0", "-no-pie", "-Wl,--build-id=none", "-o", "program", "main.c"], cwd=self.folder, check=True)
        symbols = subprocess.run(["nm", "program"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        main = int(re.search(r"^([0-9a-f]+) T main$", symbols, re.M)[1], 16)
        own = module(str(self.folder / "program")) | {"id": 2, "build_id": ""}
        place = [[2, main + 5]]
        party = {"role": "allocation", "text": "it", "site": place}
        new = self.write("new.jsonl", process(), module(), own, finding(1, label="known"),
                         finding(2, site=place, parties=[party, party | {"role": "other", "site": [[1, 0x2000]]}]))
        log = self.sarif("--suppressions=s", f"--baseline={old}", new)
        results = log["runs"][0]["results"]
        self.assertEqual({result["baselineState"] for result in results}, {"new", "unchanged", "absent"})
        self.assertEqual(set(sarif_rules.known(sarif_rules.LOG)) - set(sarif_rules.written(log, sarif_rules.LOG)),
                         {("runs", "results", "locations", name) for name in ("id", "message")} |
                         {("runs", "results", "locations", "message", "text")} |
                         {("runs", "results", "stacks", "frames", "location", *names)
                          for names in (("id",), ("message",), ("message", "text"))})
        count = 0
        for worse, what in sarif_rules.broken(log, sarif_rules.LOG):
            with self.assertRaises(AssertionError, msg=what):
                sarif_rules.match(worse, sarif_rules.LOG, "log")
            count += 1
        self.assertGreater(count, 200)

    def test_what_is_past_githubs_limits_is_left_out_and_said(self):
        path = self.record("a.jsonl", [finding(i, "misleading-flag", "note") for i in range(25010)] + [finding(1)])
        result = self.gpusan("report", "--format=sarif", "-o", "out.sarif", path, code=0)
        self.assertIn("left out 11 results of 25011, the least severe", result.stderr)
        log = json.loads((self.folder / "out.sarif").read_text())
        self.assertEqual(len(log["runs"][0]["results"]), 25000)
        self.assertEqual(log["runs"][0]["results"][0]["level"], "error")


class JunitTest(Case):
    def suites(self, *words, code=None):
        return xml.etree.ElementTree.fromstring(self.report("junit", *words, code=code))

    def test_a_suite_a_program_and_rank_and_a_case_a_check(self):
        self.record("n/a.jsonl", [finding(1)], pid=1, rank="0")
        self.record("n/b.jsonl", [], pid=2, rank="1")
        self.record("n/c.jsonl", [finding(2, "misleading-flag", "note")], pid=3, rank="1")
        root = self.suites("n", code=0)
        self.assertEqual([suite.get("name") for suite in root], ["app rank 0", "app rank 1"])
        asked_for, _ = self.gpusan("--list-checks").stdout.split("advice (off unless asked)")
        checks = re.findall(r"^  (\S+)", asked_for, re.M)
        for suite in root:
            self.assertEqual([case.get("name") for case in suite], ["complete"] + checks)
        failed = root.findall(".//testcase/failure/..")
        self.assertEqual([case.get("name") for case in failed], ["race"])
        self.assertIn("the other <one>", failed[0][0].text)
        self.assertEqual((root.get("tests"), root.get("failures")), (str(2 * (1 + len(checks))), "1"))
        note = [case for case in root[1] if case.get("name") == "misleading-flag"][0]
        self.assertIn("--fail-on=error does not count", note.find("system-out").text)

    def test_checks_that_are_off_are_no_cases_and_suppressed_ones_are_skipped(self):
        path = self.write("a.jsonl", process(options={"disable": "leak,race"}), module(),
                          finding(1, "host-race", label="known"), end())
        (self.folder / "s").write_text("host-race:known\n")
        root = self.suites("--suppressions=s", path, code=0)
        names = [case.get("name") for case in root[0]]
        self.assertNotIn("leak", names)
        self.assertNotIn("race", names)
        self.assertIsNotNone(root.find(".//testcase[@name='host-race']/skipped"))

    def test_every_element_is_as_jenkins_wants_it(self):
        """What the schema of Jenkins' xUnit plugin (junit-10.xsd) allows of what gpusan writes."""
        allowed = {"testsuites": ("name", "time", "tests", "failures", "errors"),
                   "testsuite": ("name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname",
                                 "id", "package", "file", "log", "url"),
                   "testcase": ("name", "time", "classname", "group"),
                   "failure": ("type", "message"), "error": ("type", "message"), "skipped": ("type", "message"),
                   "system-out": ()}
        children = {"testsuites": {"testsuite"}, "testsuite": {"testcase"},
                    "testcase": {"failure", "error", "skipped", "system-out"}}
        required = {"testsuite": ("name", "tests", "failures", "errors"), "testcase": ("name",)}
        (self.folder / "s").write_text("host-race:known\n")
        self.record("n/a.jsonl", [finding(1), finding(2, "misleading-flag", "note"), finding(3, "host-race", label="known")])
        self.write("n/b.jsonl", process(pid=2))
        root = self.suites("--suppressions=s", "n", code=0)
        for element in root.iter():
            self.assertLessEqual(set(element.keys()), set(allowed[element.tag]), element.tag)
            self.assertLessEqual(set(required.get(element.tag, ())), set(element.keys()), element.tag)
            self.assertLessEqual({child.tag for child in element}, children.get(element.tag, set()), element.tag)
            if "time" in element.keys():
                self.assertRegex(element.get("time"), r"^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$")

    def test_characters_that_xml_does_not_have_are_escaped(self):
        odd = "\x01\r\x1b\ufffe\uffff]]>&\"\x7f\x85"
        text = self.report("junit", self.record("a.jsonl", [finding(1, what=odd, label=odd)], exe="/opt/" + odd, host=odd), code=0)
        suite = xml.etree.ElementTree.fromstring(text)[0]
        self.assertEqual(suite.get("name"), suite.get("hostname"))
        self.assertEqual(suite.get("name"), "\\x01\\x0d\\x1b\\u{fffe}\\u{ffff}]]>&\"\\x7f\\u{85}")
        self.assertNotRegex(text, "[\ufffe\uffff]")

    def test_an_incomplete_process_is_an_error(self):
        root = self.suites(self.write("a.jsonl", process()), code=0)
        self.assertEqual(root.get("errors"), "1")
        self.assertIsNotNone(root.find(".//testcase[@name='complete']/error"))


class GithubTest(Case):
    def test_annotations_name_file_and_line_and_are_one_line_each(self):
        self.record("a.jsonl", [finding(1), finding(2, "misleading-flag", "note", what="50 % of\n::error::x, y")])
        lines = self.report("github", "a.jsonl", code=0).splitlines()
        self.assertEqual(lines[0], "::error title=gpusan%3A race in clEnqueueReadBuffer::what 1%0Awhy: why%0Apending-command: "
                                   "the other <one> & \"more\" at app+0x2001%0Afix: fix")
        self.assertTrue(lines[1].startswith("::notice title=gpusan%3A misleading-flag in clEnqueueReadBuffer::50 %25 of%0A"))
        self.assertEqual(len(lines), 2)

    def test_the_file_is_relative_to_the_source_root(self):
        (self.folder / "a,b.c").write_text("void fake_gpu_call(int) __attribute__((weak));\nint main(void) {\n  fake_gpu_call(2);\n}\n")
        subprocess.run(["cc", "-g", "-o", "app", "a,b.c"], cwd=self.folder, check=True)
        self.gpusan("run", "--quiet", "--output=o", "./app", code=66, variables={"GPUSAN_LIBRARY": FAKE_LIBRARY})
        self.assertTrue(self.report("github", "o").startswith("::error file=a%2Cb.c,line=3,col=3,title=gpusan"))

    def test_a_limit_is_said(self):
        path = self.record("a.jsonl", [finding(i) for i in range(60)])
        result = self.gpusan("report", "--format=github", path, code=0)
        self.assertEqual(len(result.stdout.splitlines()), 50)
        self.assertIn("10 findings have no annotation", result.stderr)


class EditorTest(Case):
    def test_the_problem_matchers_find_file_line_and_message(self):
        patterns = [json.loads((MANIFESTS / "editors" / name).read_text()) for name in ("vscode-tasks.json", "github-problem-matcher.json")]
        patterns = [patterns[0]["tasks"][0]["problemMatcher"]["pattern"], patterns[1]["problemMatcher"][0]["pattern"]]
        (self.folder / "src").mkdir()
        (self.folder / "src/a b.c").write_text("void fake_gpu_call(int) __attribute__((weak));\nint main(void) {\n  fake_gpu_call(2);\n}\n")
        subprocess.run(["cc", "-g", "-o", "app", "src/a b.c"], cwd=self.folder, check=True)
        two = self.gpusan("run", "--output=o", "sh", "-c", "./app; ./app", code=66, variables={"GPUSAN_LIBRARY": FAKE_LIBRARY}).stderr
        one = self.report("text", "o", code=0)
        self.assertIn(" (pid ", one)
        for first, second in patterns:
            for text in (one, two):
                found = re.search(first["regexp"] + r"\n" + second["regexp"][1:], text, re.M)
                groups = [found[first[name]] for name in ("severity", "code", "file", "line", "column")] + [found.groups()[-1]]
                self.assertEqual(groups, ["error", "host-buffer-overrun", "src/a b.c", "3", "3", "Too much is read."])
            failed = "gpusan: warning: call-failed in clX at a.c:5:6, which returned CL_INVALID_VALUE (-30) (rank 1, pid 2)"
            self.assertEqual(re.search(first["regexp"], failed)[first["file"]], "a.c")


class MetricsTest(Case):
    def test_each_line_is_as_openmetrics_has_it(self):
        self.record("n/a.jsonl", [finding(1), finding(1)], exe='/opt/a "b"\\c')
        self.write("n/b.jsonl", process(pid=2))
        text = self.report("metrics", "n", code=0)
        self.assertTrue(text.endswith("\n# EOF\n"))
        types, samples = set(), {}
        for line in text.splitlines()[:-1]:
            if line.startswith("#"):
                self.assertRegex(line, r"^# (TYPE gpusan_\w+ gauge|HELP gpusan_\w+ .+)$")
                types.add(line.split()[2])
                continue
            parts = re.fullmatch(r'(\w+)(\{(\w+="([^"\\\n]|\\.)*",?)*\})? (\d+)', line)
            self.assertTrue(parts, line)
            self.assertIn(parts[1], types)
            samples[parts[1] + (parts[2] or "")] = int(parts[5])
        self.assertEqual(samples['gpusan_findings{check="race",severity="error",state="new"}'], 1)
        self.assertEqual(samples['gpusan_finding_occurrences{check="race",severity="error",state="new"}'], 2)
        self.assertEqual(samples['gpusan_findings{check="leak",severity="error",state="new"}'], 0)
        self.assertEqual(samples['gpusan_processes{state="incomplete"}'], 1)


class HtmlTest(Case):
    def test_the_page_needs_no_other_file_and_holds_the_data(self):
        path = self.record("a.jsonl", [finding(1, label="</script><!-- <b>"), finding(2, "leak")])
        page = self.report("html", path, code=0)
        self.assertNotIn("@DATA@", page)
        self.assertFalse(re.findall(r"""(?:src|href)=["'](?!data:)""", page))
        parts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.S)
        self.assertEqual(len(parts), 2)
        data = json.loads(parts[0])
        self.assertEqual([one["rule"] for one in data["findings"]], ["leak", "race"])
        self.assertEqual(data["findings"][1]["resources"][0]["label"], "</script><!-- <b>")
        self.assertEqual((data["left_out"], data["sites"], data["processes"][0]["series"]), (0, [], {}))

    def test_samples_become_series_of_maxima_and_top_sites(self):
        def sample(i, live):
            return {"type": "sample", "time_ns": 10**18 + i * 10**9, "ledger": {"opencl": {"live_bytes": live}},
                    "sites": [{"api": "opencl", "site": [[1, 16 * j]], "live_bytes": live // j, "live_count": j}
                              for j in (1, 2)]}
        samples = [sample(i, 9999 if i == 701 else i) for i in range(1200)]
        path = self.write("a.jsonl", process(), module(), *samples, end())
        data = json.loads(re.search(r'id="data">(.*?)</script>', self.report("html", path, code=0), re.S)[1])
        series = data["processes"][0]
        self.assertEqual(series["times"], [1000 * i for i in range(0, 1200, 3)])
        self.assertEqual(len(series["series"]["opencl"]["live_bytes"]), 400)
        self.assertEqual(max(series["series"]["opencl"]["live_bytes"]), 9999)
        self.assertEqual([(s["live_bytes"], s["live_count"], s["frames"][0]["offset"]) for s in data["sites"]],
                         [(9999, 1, 16), (4999, 2, 32)])


class TraceTest(Case):
    def test_processes_counters_and_findings_are_events(self):
        sample = {"type": "sample", "time_ns": 10**18 + 1500, "ledger": {"opencl": {"live_bytes": 7, "live_objects": 1}}}
        self.write("n/a.jsonl", process(pid=5, rank="1"), module(), sample, finding(1, time_ns=10**18 + 2001), end())
        self.write("n/b.jsonl", process(pid=5, host="node2", start_ns=10**18 + 10**9))
        trace = json.loads(self.report("trace", "n", code=0))
        events = trace["traceEvents"]
        self.assertEqual([(e["ph"], e["name"], e["pid"]) for e in events],
                         [("M", "process_name", 1), ("C", "opencl memory", 1), ("i", "exit", 1),
                          ("M", "process_name", 2), ("i", "race", 1)])
        self.assertEqual(events[0]["args"]["name"], "/opt/app rank 1 (pid 5) on node1")
        self.assertEqual((events[1]["ts"], events[1]["args"]), (1.5, {"live_bytes": 7}))
        self.assertEqual((events[4]["ts"], events[4]["tid"], events[4]["args"]["count"]), (2.001, 7, 1))


class SuppressionTest(Case):
    def test_generated_suppressions_silence_what_they_were_made_from(self):
        path = self.record("a.jsonl", [finding(1), finding(2, "leak", site=[], parties=[], label="t")])
        self.gpusan("report", "--gen-suppressions", "-o", "s", path, code=0)
        self.assertEqual((self.folder / "s").read_text(),
                         "leak:t  # clEnqueueReadBuffer unknown\nrace:^app  # clEnqueueReadBuffer app+0x1001\n")
        result = self.gpusan("report", "--suppressions=s", "--fail-on-unused-suppressions", path, code=0)
        self.assertEqual(result.stdout, "")
        self.assertIn("suppression s:1 leak:t 1 hit", result.stderr)

    def test_unused_and_expired_suppressions_fail_if_that_is_wanted(self):
        path = self.record("a.jsonl", [finding(1)])
        (self.folder / "s").write_text("race:app until=2001-01-01 # was mended\nrace:*\nleak:*\n")
        self.gpusan("report", "--suppressions=s", path, code=0)
        result = self.gpusan("report", "--suppressions=s", "--fail-on-unused-suppressions", path, code=70)
        self.assertIn("suppression s:1 race:app 0 hits, ended after 2001-01-01", result.stderr)


class FingerprintTest(Case):
    SOURCE = """
void fake_gpu_call(int severity) __attribute__((weak));
static void create(void) { fake_gpu_call(-1); }
static void upload(void) {
  fake_gpu_call(2);
  fake_gpu_call(2);
}
int main(void) {
  create();
  upload();
  return 0;
}
"""

    def fingerprints(self, name, source, *flags):
        folder = self.folder / name
        folder.mkdir()
        (folder / "a.c").write_text(source)
        subprocess.run(["cc", "-g", *flags, "-o", folder / "app", folder / "a.c"], check=True)
        self.gpusan("run", "--quiet", f"--output={folder / 'o'}", folder / "app", code=66,
                    variables={"GPUSAN_LIBRARY": FAKE_LIBRARY})
        return [one["fingerprint"] for one in self.json(folder / "o")["findings"]]

    def test_the_same_program_with_an_unrelated_change_gives_the_same_fingerprints(self):
        first = self.fingerprints("one", self.SOURCE)
        self.assertEqual(len(set(first)), 2)  # two calls in one function are two findings
        unrelated = "#include <stdio.h>\nint unrelated(int x) {\n  return x + printf(\"%d\", x);\n}\n"
        again = self.fingerprints("two", unrelated + self.SOURCE + unrelated.replace("unrelated(", "more("))
        self.assertEqual(again, first)

    def test_a_change_of_the_site_gives_another_fingerprint(self):
        first = self.fingerprints("one", self.SOURCE)
        changed = self.fingerprints("two", self.SOURCE.replace("upload(void) {\n", "upload(void) {\n  ;\n"))
        self.assertFalse(set(first) & set(changed))


class RubbishTest(Case):
    def test_no_bad_file_makes_it_fail(self):
        """Lines cut, bytes changed, types swapped: each form says what is wrong and shows the rest."""
        sample = {"type": "sample", "time_ns": 10**18 + 7, "ledger": {"opencl": {"live_bytes": 7}},
                  "sites": [{"api": "opencl", "site": [[1, 16]], "live_bytes": 7, "live_count": 1}]}
        whole = [json.dumps(r, separators=(",", ":")).encode() for r in
                 (process(), module(), sample, finding(1, label="l"), finding(2, "leak"), end({"v0-0000000000000001": 2}))]
        number = random.Random(1)
        for i in range(400):
            lines = list(whole)
            for _ in range(number.randint(1, 3)):
                at = number.randrange(len(lines))
                line = bytearray(lines[at])
                kind = number.randrange(5)
                if kind == 0:
                    del line[number.randrange(len(line) or 1):]
                elif kind == 1 and line:
                    line[number.randrange(len(line))] = number.choice(b'"{}[]:,0-9\x00\xff\\')
                elif kind == 2:
                    line = bytearray(re.sub(rb":(\d+|\"[^\"]*\"|\[[^\]]*\])", lambda m: b":" + number.choice(
                        (b"-1", b"1e99", b"null", b"\"x\"", b"[]", b"{}", b"true", b"99999999999999999999", m[1])),
                        bytes(line)))
                elif kind == 3:
                    lines.insert(number.randrange(len(lines)), bytes(line))
                else:
                    line += line[:number.randrange(len(line) or 1)]
                lines[at] = bytes(line)
            (self.folder / "n").mkdir(exist_ok=True)
            (self.folder / f"n/{i:03}.jsonl").write_bytes(b"\n".join(lines) + (b"\n" if i % 3 else b""))
        rows = (MANIFESTS.parent / "report/formats.def").read_text()
        for form in re.findall(r"^GPUSAN_FORMAT\((\w+)", rows, re.M):
            result = self.gpusan("report", f"--format={form}", "-o", "out", "n", code=70)
            self.assertIn("not a gpusan record; skipped", result.stderr)
            self.assertIn("an incomplete record", result.stderr)
            self.assertIn("truncated", result.stderr)
            out = (self.folder / "out").read_bytes().decode()
            if form == "sarif":
                sarif_rules.check(json.loads(out))
            elif form in ("json", "trace"):
                json.loads(out)
            elif form == "junit":
                xml.etree.ElementTree.fromstring(out)
        self.gpusan("merge", "-o", "m.jsonl", "n", code=70)
        self.gpusan("report", "--format=json", "-o", "out", "m.jsonl", code=0)


    def test_a_pipe_that_a_record_names_as_a_program_is_not_opened(self):
        os.mkfifo(self.folder / "pipe")
        path = self.write("a.jsonl", process(), module(str(self.folder / "pipe")), finding(1), end())
        self.assertIn("/pipe: a pipe, not a regular file; its symbols are not shown", self.gpusan("report", path, code=0).stderr)
        # Nor one where the debug information of a program would be.
        (self.folder / "a.c").write_text("int main(void) { return 0; }\n")
        subprocess.run(["cc", "-s", "-no-pie", "-Wl,--build-id=none", "-o", "program", "a.c"], cwd=self.folder, check=True)
        own = module(str(self.folder / "program")) | {"build_id": ""}
        path = self.write("b.jsonl", process(), own, finding(1), end())
        for name in ("program.debug", ".debug/program.debug"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            os.mkfifo(self.folder / name)
            self.gpusan("report", path, code=0)
            (self.folder / name).unlink()


class SizeTest(Case):
    LIMIT = 256 << 20

    def limited(self, *words):
        process = subprocess.Popen([COMMAND, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        process.stderr.read()
        _, _, usage = os.wait4(process.pid, 0)
        process.stderr.close()
        process.returncode = 0
        return usage.ru_maxrss * 1024

    @unittest.skipIf(os.environ.get("SANITIZED"), "a sanitizer takes memory of its own")
    def test_many_findings_of_one_file_need_little_memory(self):
        count = int(os.environ.get("GPUSAN_MANY", "20000"))
        path = self.folder / "big.jsonl"
        with path.open("w") as file:
            for record in (process(), module()):
                file.write(json.dumps(record) + "\n")
            text = json.dumps(finding(0), separators=(",", ":"))
            place, other, print_ = json.dumps([[1, 0x1000]]), json.dumps([[1, 0x2000]]), finding(0)["fingerprint"]
            place, other = place.replace(" ", ""), other.replace(" ", "")
            for i in range(count):
                file.write(text.replace(place, f"[[1,{0x1000 + i}]]").replace(print_, f"v0-{i:016x}") + "\n")
            file.write(json.dumps(end({f"v0-{i:016x}": 2 for i in range(count)})) + "\n")
        for form in os.environ.get("GPUSAN_FORMS", "text json junit metrics").split():
            self.assertLess(self.limited("report", f"--format={form}", path), self.LIMIT, form)


def page_data(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])


class Counted(Case):
    def test_findings_that_were_counted_have_first_and_last_times(self):
        one = finding(time_ns=10**18)
        print_ = one["fingerprint"]
        tally = {"type": "tally", "time_ns": 10**18 + 3 * 10**9, "findings": {print_: 4}, "last_ns": {print_: 10**18 + 3 * 10**9}}
        self.write("killed.jsonl", process(), module(), one, tally)
        (found,) = self.json("killed.jsonl", code=0)["findings"]
        self.assertEqual((found["count"], found["first_ns"], found["last_ns"]), (4, 10**18, 10**18 + 3 * 10**9))
        self.write("a.jsonl", process(), module(), one, tally,
                   dict(end({print_: 5}), last_ns={print_: 10**18 + 7 * 10**9}))
        self.gpusan("merge", "-o", "m.jsonl", "a.jsonl", code=0)
        for file in ("a.jsonl", "m.jsonl"):
            (found,) = self.json(file)["findings"]
            self.assertEqual((found["count"], found["last_ns"]), (5, 10**18 + 7 * 10**9))


class Parts(Case):
    def test_parts_have_the_later_samples_of_their_process(self):
        def sample(second, live):
            return {"type": "sample", "time_ns": 10**18 + second * 10**9, "ledger": {"opencl": {"live_bytes": live}},
                    "sites": [{"api": "opencl", "id": 3, "live_bytes": live, "live_count": 1}]}
        capped = {"options": {"record_max": 65536}}
        self.write("n/a.jsonl", process(**capped), module(), sample(1, 10), end())
        site = {"type": "site", "id": 3, "site": [[1, 0x1001]]}
        for part, second in ((9, 2), (10, 3)):
            self.write(f"n/a.jsonl.part{part}", process(part=part, **capped), module(), site, sample(second, second * 10))
        for words in (["n"], ["n/a.jsonl"], ["n/a.jsonl", "n/a.jsonl.part10", "n/a.jsonl.part9"]):
            data = page_data(self.report("html", *words, code=0))
            (one,) = data["processes"]
            self.assertEqual(one["series"]["opencl"]["live_bytes"], [10, 20, 30])
            self.assertEqual(data["sites"][0]["frames"][0]["offset"], 0x1001)
        self.assertIn("in 1 process", self.gpusan("report", "n", code=0).stderr)
        self.gpusan("merge", "-o", "m.jsonl", "n", code=0)
        (one,) = page_data(self.report("html", "m.jsonl"))["processes"]
        self.assertEqual(one["series"]["opencl"]["live_bytes"], [10, 20, 30])


class Growth(Case):
    GROWTH = finding(rule="leak-growth", severity="warning", parties=[])

    def test_later_facts_take_the_place_of_earlier_ones_and_count_once(self):
        later = dict(self.GROWTH, what="later", refresh=True, time_ns=10**18 + 9)
        self.write("a.jsonl", process(), module(), self.GROWTH, later, end({self.GROWTH["fingerprint"]: 1}))
        (found,) = self.json("a.jsonl")["findings"]
        self.assertEqual((found["what"], found["count"], found["severity"]), ("later", 1, "warning"))

    def test_growth_that_has_ended_is_a_note(self):
        later = dict(self.GROWTH, what="levelled off", severity="note", refresh=True)
        self.write("a.jsonl", process(), module(), self.GROWTH, later, end({self.GROWTH["fingerprint"]: 1}))
        (found,) = self.json("a.jsonl")["findings"]
        self.assertEqual((found["what"], found["severity"]), ("levelled off", "note"))
        result = self.gpusan("report", "a.jsonl", code=0)
        self.assertIn("gpusan: 1 note in 1 process\ngpusan:   note    1x  leak-growth  app+0x1001\n", result.stderr)
        self.write("b.jsonl", process(pid=2), module(), self.GROWTH, end({self.GROWTH["fingerprint"]: 1}))
        (found,) = self.json("a.jsonl", "b.jsonl")["findings"]  # and in another process it goes on
        self.assertEqual((found["severity"], found["count"]), ("warning", 2))

    def test_sites_of_samples_survive_a_merge(self):
        sample = {"type": "sample", "time_ns": 10**18 + 7, "ledger": {"opencl": {"live_bytes": 64}},
                  "sites": [{"api": "opencl", "id": 3, "live_bytes": 64, "live_count": 1}]}
        self.write("a.jsonl", process(), module(), {"type": "site", "id": 3, "site": [[1, 0x1001]]}, sample, end())
        self.gpusan("merge", "-o", "m.jsonl", "a.jsonl", code=0)
        for file in ("a.jsonl", "m.jsonl"):
            (site,) = page_data(self.report("html", file))["sites"]
            self.assertEqual((site["live_bytes"], site["frames"][0]["module"], site["frames"][0]["offset"]),
                             (64, MODULE, 0x1001))


if __name__ == "__main__":
    unittest.main()
