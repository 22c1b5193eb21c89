#!/usr/bin/env python3
"""The runner itself: it must fail on everything that is missing, wrong or too much."""
import copy
import pathlib
import tempfile
import unittest

import run

SOURCE = """// A race.
// EXPECT error race clEnqueueReadBuffer CL_SUCCESS at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT wait list
// EXIT 3
// MAY sticky-error
// OPTION --strict=true
// DEFECT-OPTION --leaks=0

int main(void) {
  // @WRITE
  write(queue);
  // @HERE
  read(queue,
       buffer);
}
"""

FINDING = {
    "type": "finding", "rule": "race", "severity": "error", "call": "clEnqueueReadBuffer", "code_name": "CL_SUCCESS",
    "what": "It reads.", "why": "Nothing orders it.", "fix": "Pass the event in the wait list.", "site": 16,
    "parties": [{"role": "pending-command", "text": "the write", "site": 13}], "facts": {"hazard": "RAW"},
    "fingerprint": "v0-1",
}


class FakeRecord:
    """Sites are line numbers."""

    def __init__(self, file, findings, counts=None):
        self.file, self.findings, self.end = file, findings, {"findings": counts or {}}

    def place(self, site):
        return (self.file, site or 0)


class JudgeTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name) / "case.c"
        path.write_text(SOURCE)
        self.source = run.Source(path)
        self.finding = copy.deepcopy(FINDING)

    def tearDown(self):
        self.folder.cleanup()

    def judge(self, *findings, counts=None):
        return run.judge(self.source, [FakeRecord("case.c", list(findings), counts)])

    def test_what_is_expected_passes(self):
        self.assertEqual(self.judge(self.finding), [])

    def test_any_line_of_the_marked_statement_is_its_place(self):
        self.finding["site"] = 15
        self.assertEqual(self.judge(self.finding), [])

    def test_a_missing_finding_fails(self):
        self.assertRegex(self.judge()[0], "is missing")

    def test_a_second_finding_fails(self):
        self.assertRegex(self.judge(self.finding, copy.deepcopy(self.finding))[0], "not expected")

    def test_only_options_apply_to_the_fixed_build(self):
        fixed = run.Source(self.source.path, fixed=True)
        self.assertEqual((fixed.expectations, fixed.exit, fixed.may), ([], None, set()))
        self.assertEqual(fixed.options, ["--strict=true"])
        self.assertEqual(self.source.options, ["--strict=true", "--leaks=0"])
        self.assertEqual(self.source.exit, 3)
        self.assertRegex(run.judge(fixed, [FakeRecord("case.c", [self.finding])])[0], "not expected: error race")

    def test_a_build_has_the_expectations_of_its_own_defect(self):
        path = pathlib.Path(self.folder.name) / "vulkan_map.cc"
        path.write_text("// Defect of_nothing: a\n// EXPECT error race vkA\n// Defect twice: b\n// EXPECT error race vkB\n// Fix: c\n"
                        "// EXIT any\n")
        self.assertEqual(run.defects_of(path), ["of_nothing", "twice"])
        twice = run.Source(path, defect="twice")
        self.assertEqual(([e.call for e in twice.expectations], twice.exit), (["vkB"], "any"))
        self.assertEqual([e.call for e in run.Source(path).expectations], ["vkA", "vkB"])
        self.assertEqual(run.source_of(path.parent, "vulkan_map_twice"), (path, "twice"))
        self.assertEqual(run.source_of(path.parent, "vulkan_map"), (path, None))

    def test_a_note_too_many_fails(self):
        note = dict(self.finding, severity="note", rule="deferred-release")
        self.assertRegex(self.judge(self.finding, note)[0], "not expected: note deferred-release")

    def test_what_may_follow_is_neither_missed_nor_too_much(self):
        self.assertEqual(self.judge(self.finding), [])
        self.assertEqual(self.judge(self.finding, {**self.finding, "rule": "sticky-error"}), [])
        self.assertTrue(self.judge({**self.finding, "rule": "sticky-error"}))

    def test_each_property_counts(self):
        for key, value in (("severity", "warning"), ("call", "clFinish"), ("code_name", "CL_INVALID_VALUE"),
                           ("site", 13), ("facts", {"hazard": "WAR"}), ("facts", {}), ("fix", "None."),
                           ("what", ""), ("parties", [])):
            with self.subTest(key=key, value=value):
                self.assertEqual(len(self.judge(dict(self.finding, **{key: value}))), 1)

    def test_a_party_elsewhere_fails(self):
        self.finding["parties"][0]["site"] = 12
        self.assertRegex(self.judge(self.finding)[0], "party pending-command is case.c:12")

    def test_a_repeated_finding_fails_unless_its_count_is_expected(self):
        self.assertRegex(self.judge(self.finding, counts={"v0-1": 2})[0], "2 times")
        self.source.expectations[0].count = 2
        self.assertEqual(self.judge(self.finding, counts={"v0-1": 2}), [])

    def test_another_file_is_another_place(self):
        self.assertEqual(len(run.judge(self.source, [FakeRecord("opencl.h", [self.finding])])), 1)


if __name__ == "__main__":
    unittest.main()
