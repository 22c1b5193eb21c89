#!/usr/bin/env python3
"""Findings reach the program's own messengers, and carry its names and labels."""
import harness


class DebugUtilsTest(harness.VulkanTest):
    def test_an_error_reaches_messengers_that_accept_errors(self):
        run = self.under("debug_utils", "barrier", flags=["--messengers"])
        self.assertEqual(run.code, 66, run.err)
        heard = run.out.splitlines()
        self.assertEqual(len(heard), 2, run.out)
        self.assertRegex(heard[0], r"errors heard error SYNC-HAZARD-READ-AFTER-WRITE label=download object=9/shadow map "
                                   r"number=-?\d+ text=complete")
        self.assertRegex(heard[1], r"report heard 8 object=9 gpusan: error: missi")

    def test_names_and_labels_are_in_the_finding(self):
        finding, = self.under("debug_utils", "barrier", flags=["--messengers"]).findings
        self.assertIn('"shadow map"', finding["what"])
        self.assertEqual(finding["resources"][0]["label"], "shadow map")
        self.assertEqual(finding["facts"]["label"], "download")
        texts = {party["role"]: party["text"] for party in finding["parties"]}
        self.assertIn("in label 'shadow pass'", texts["earlier-access"])
        self.assertIn("in label 'frame 1'", texts["submission"])

    def test_leaks_of_a_device_are_reported_at_its_destruction(self):
        run = self.under("debug_utils", "destroy", flags=["--messengers"])
        heard = [line for line in run.out.splitlines() if line.startswith("errors heard error VUID-vkDestroyDevice-device-05137")]
        self.assertEqual(len(heard), 4, run.out)
        self.assertEqual(run.rules(), ["leak"] * 4)

    def test_a_messenger_may_call_vulkan_and_gets_no_findings_about_that(self):
        run = self.under("debug_utils", "reentrant", flags=["--messengers"])
        self.assertEqual(run.code, 66, run.err)
        self.assertEqual([line.split(" number")[0] for line in run.out.splitlines() if line.startswith("errors")],
                         ["errors heard error SYNC-HAZARD-READ-AFTER-WRITE label=download object=9/shadow map"])
        self.assertEqual(run.rules(), ["mapping-invalid", "missing-barrier"])

    def test_a_messenger_that_is_destroyed_hears_nothing(self):
        run = self.under("debug_utils", "removed", flags=["--messengers"])
        self.assertNotIn("errors heard", run.out)
        self.assertIn("report heard", run.out)

    def test_messengers_hear_nothing_by_default_under_run(self):
        run = self.under("debug_utils", "barrier")
        self.assertEqual(run.rules(), ["missing-barrier"])
        self.assertEqual(run.out, "")

    def test_a_layer_can_keep_findings_from_messengers(self):
        self.assertIn("errors heard", self.layered("debug_utils", "barrier").out)
        for off in {"options": "messengers=0"}, {"environment": {"VK_GPUSAN_MESSENGERS": "0"}}:
            with self.subTest(off):
                run = self.layered("debug_utils", "barrier", **off)
                self.assertEqual(run.rules(), ["missing-barrier"])
                self.assertNotIn("heard", run.out)

    def test_validation_beside_us_does_not_take_the_messages_away(self):
        for layers in ("VK_LAYER_GPUSAN_shadow:VK_LAYER_KHRONOS_validation",
                       "VK_LAYER_KHRONOS_validation:VK_LAYER_GPUSAN_shadow"):
            with self.subTest(layers):
                run = self.layered("debug_utils", "barrier", layers=layers)
                self.assertEqual(run.code, 0, run.err)
                self.assertIn("errors heard error SYNC-HAZARD-READ-AFTER-WRITE label=download", run.out)
                self.assertIn("missing-barrier", run.rules())


if __name__ == "__main__":
    harness.main()
