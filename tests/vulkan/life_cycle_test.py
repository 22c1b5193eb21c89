#!/usr/bin/env python3
"""Lives and deaths of instances, devices and processes: nothing is invented, and what was found is on disk first."""
import pathlib

import harness


class LifeCycleTest(harness.VulkanTest):
    def test_two_instances_and_four_devices(self):
        run = self.under("life_cycle", "several")
        self.assertEqual((run.code, run.rules()), (0, []), run.err)

    def test_what_is_not_used_any_more_may_go_in_any_order(self):
        run = self.under("life_cycle", "out_of_order")
        self.assertEqual((run.code, run.rules()), (0, []), run.err)

    def test_exit_with_work_pending_is_reported_as_leaks_only(self):
        run = self.under("life_cycle", "pending_exit")
        self.assertEqual(set(run.rules()), {"leak"}, run.err)
        self.assertEqual([end["reason"] for end in run.ends], ["exit"])

    def test_a_finding_is_on_disk_before_the_driver_crashes(self):
        run = self.under("life_cycle", "crash")
        self.assertGreaterEqual(run.code, 128, run.err)
        self.assertIn("use-after-free", run.rules())
        self.assertEqual(run.ends, [])
        self.assertIn("incomplete", run.err)

    def test_the_child_of_a_fork_writes_to_the_same_state_folder(self):
        home = self.folder / "home"
        run = self.layered("life_cycle", "fork_again", environment={"GPUSAN_OPTIONS": "print=1", "HOME": str(home)})
        self.assertEqual(run.code, 0, run.err)
        folder = home / ".local/state/gpusan"
        records = list(home.rglob("*.jsonl"))  # drivers have files there, too
        self.assertEqual(len(records), 2)
        self.assertEqual({path.parent for path in records}, {folder})
        self.assertEqual(run.err.count("records are written to"), 1)

    def test_the_child_of_a_fork_is_a_process_of_its_own_and_holds_nothing(self):
        run = self.under("life_cycle", "fork")
        self.assertEqual(run.code, 66, run.err)
        self.assertEqual(run.rules(), ["mapping-invalid"])
        self.assertEqual(len(run.processes), 2)
        self.assertEqual(len(run.ends), 2)

    def test_unknown_structures_and_names_are_passed_on(self):
        for run in (self.under("life_cycle", "unknown"), self.layered("life_cycle", "unknown")):
            self.assertEqual((run.code, run.rules()), (0, []), run.err)

    def test_after_a_loss_everything_may_be_destroyed(self):
        fault = pathlib.Path(harness.OPTIONS.programs) / "fault_layer"
        for call in ("vkQueueSubmit", "vkWaitForFences"):
            with self.subTest(call):
                run = self.layered("life_cycle", "lose", layers="VK_LAYER_GPUSAN_shadow:VK_LAYER_GPUSAN_test_fault",
                                   path=f"{pathlib.Path(harness.OPTIONS.library).parent}:{fault}",
                                   environment={"GPUSAN_TEST_LOSE": call})
                self.assertEqual(run.code, 0, run.err)
                self.assertEqual([(finding["rule"], finding["call"], finding.get("code_name")) for finding in run.findings],
                                 [("sticky-error", call, "VK_ERROR_DEVICE_LOST")])

    def test_a_layer_above_may_look_the_creation_of_devices_up_without_an_instance(self):
        fault = pathlib.Path(harness.OPTIONS.programs) / "fault_layer"
        run = self.layered("life_cycle", "pending_exit", layers="VK_LAYER_GPUSAN_test_fault:VK_LAYER_GPUSAN_shadow",
                           path=f"{pathlib.Path(harness.OPTIONS.library).parent}:{fault}",
                           environment={"GPUSAN_TEST_ABOVE": "1"})
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual(set(run.rules()), {"leak"}, run.err)

    def test_commands_are_not_looked_up_in_the_instance(self):
        fault = pathlib.Path(harness.OPTIONS.programs) / "fault_layer"
        run = self.layered("life_cycle", "pending_exit", layers="VK_LAYER_GPUSAN_shadow:VK_LAYER_GPUSAN_test_fault",
                           path=f"{pathlib.Path(harness.OPTIONS.library).parent}:{fault}",
                           environment={"GPUSAN_TEST_NAMES": "1"})
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual(set(run.rules()), {"leak"}, run.err)


if __name__ == "__main__":
    harness.main()
