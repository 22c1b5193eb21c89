#!/usr/bin/env python3
"""Settings of the layer: the file, the variables, the program's own, which has the word over which, and bad ones."""
import pathlib

import harness

BOTH = ["leak", "mapping-invalid"]


class SettingsTest(harness.VulkanTest):
    def file(self, text, name="vk_layer_settings.txt"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def found(self, *arguments, options="", **environment):
        run = self.layered("settings", *arguments, environment=environment, options=options)
        self.assertEqual(run.code, 0, run.err)
        return run

    def test_without_settings_everything_is_found(self):
        self.assertEqual(self.found().rules(), BOTH)

    def test_a_file_in_the_current_folder_counts(self):
        self.file("# a comment\nkhronos_validation.disables = leak\ngpusan_shadow.disable = leak   # known\n")
        run = self.found()
        self.assertEqual(run.rules(), ["mapping-invalid"])
        self.assertNotIn("gpusan: bad", run.err)

    def test_the_summary_names_the_file_and_the_options_that_it_set(self):
        path = self.file("gpusan_shadow.disable = leak\ngpusan_shadow.timeline = 7\ngpusan_shadow.leaks = 0\n").resolve()
        run = self.under("settings", flags=["--leaks=1"])
        self.assertEqual(run.rules(), ["mapping-invalid"])
        self.assertEqual(run.processes[0]["settings"], f"{path}: disable, timeline")
        line = f"gpusan: options were set by {path}: disable, timeline\n"
        self.assertIn(line, run.err)
        merged = self.folder / "merged"
        self.spawn([harness.OPTIONS.gpusan, "merge", "-o", merged, self.folder / "records-1"], {})
        self.assertIn(line, self.spawn([harness.OPTIONS.gpusan, "report", merged], {}).stderr)

    def test_a_file_in_the_current_folder_counts_only_when_vulkan_starts(self):
        self.file("gpusan_shadow.disable = mapping-invalid,leak\ngpusan_shadow.nonsense = 1\n")
        command = self.under("/bin/true")
        self.assertEqual(command.err, "gpusan: no call of a GPU API was seen\n")
        environment = {"GPUSAN_OPTIONS": "print_config=1", "LD_PRELOAD": harness.OPTIONS.library}
        self.assertNotIn("vk_layer_settings", self.spawn(["/bin/true"], environment).stderr)
        self.assertIn("option 'nonsense' in vk_layer_settings.txt:2", self.found().err)

    def test_the_last_line_for_an_option_applies(self):
        self.file("gpusan_shadow.disable = leak\ngpusan_shadow.disable = mapping-invalid\n")
        self.assertEqual(self.found().rules(), ["leak"])

    def test_the_path_of_the_file_may_name_it_or_its_folder(self):
        path = self.file("gpusan_shadow.disable = leak\n", "elsewhere/vk_layer_settings.txt")
        self.assertEqual(self.found(VK_LAYER_SETTINGS_PATH=str(path)).rules(), ["mapping-invalid"])
        self.assertEqual(self.found(VK_LAYER_SETTINGS_PATH=str(path.parent)).rules(), ["mapping-invalid"])

    def test_vkconfigs_file_comes_before_the_others(self):
        self.file("gpusan_shadow.disable = leak\n")
        self.file("gpusan_shadow.disable = mapping-invalid\n", "vulkan/settings.d/vk_layer_settings.txt")
        self.assertEqual(self.found().rules(), ["leak"])

    def test_variables_count_with_and_without_the_layers_name(self):
        self.assertEqual(self.found(VK_GPUSAN_DISABLE="leak").rules(), ["mapping-invalid"])
        self.assertEqual(self.found(VK_GPUSAN_SHADOW_DISABLE="mapping-invalid").rules(), ["leak"])
        self.assertEqual(self.found(VK_GPUSAN_PRINT="FALSE").err, "")

    def test_the_program_may_pass_settings_of_each_type(self):
        self.assertEqual(self.found("disable=leak").rules(), ["mapping-invalid"])
        run = self.found("print:bool=0", "timeline:int=4096", "print_config:bool=1")
        self.assertRegex(run.err, r"timeline = 4096 +# VkLayerSettingsCreateInfoEXT")
        self.assertRegex(run.err, r"print = 0 +# VkLayerSettingsCreateInfoEXT")
        self.assertNotIn("what:", run.err)

    def test_variables_are_over_the_file_and_the_file_over_the_program(self):
        self.file("gpusan_shadow.disable = mapping-invalid\n")
        self.assertEqual(self.found("disable=leak").rules(), ["leak"])
        run = self.found("disable=leak", VK_GPUSAN_DISABLE="mapping-invalid,leak")
        self.assertEqual(run.rules(), [])

    def test_gpusan_options_are_over_all(self):
        self.file("gpusan_shadow.disable = mapping-invalid\ngpusan_shadow.timeline = 7\n")
        run = self.found("sample_interval:int=1", VK_GPUSAN_DISABLE="mapping-invalid", VK_GPUSAN_GROWTH_AFTER="60",
                         options="disable=leak:print_config=1")
        self.assertEqual(run.rules(), ["mapping-invalid"])
        self.assertRegex(run.err, r"disable = leak +# GPUSAN_OPTIONS")
        self.assertRegex(run.err, r"timeline = 7 +# vk_layer_settings.txt:2")
        self.assertRegex(run.err, r"growth_after = 60 +# VK_GPUSAN_GROWTH_AFTER")
        self.assertRegex(run.err, r"sample_interval = 1 +# VkLayerSettingsCreateInfoEXT")

    def test_options_that_change_how_a_process_ends(self):
        (self.folder / "suppressions").write_text("*:*\n")
        for options, code in (("exitcode=23", 23), ("halt_on_error", 66), (f"exitcode=23:suppressions={self.folder}/suppressions", 0),
                              (f"exitcode=23:log_path={self.folder}/log", 23)):
            with self.subTest(options):
                run = self.layered("settings", options=options)
                self.assertEqual(run.code, code, run.err)
                self.assertEqual("gpusan: error" in run.err, options in ("exitcode=23", "halt_on_error"))
        self.assertIn("gpusan: error: ", (self.folder / "log").read_text())

    def test_switched_off_the_layer_passes_every_call_on(self):
        run = self.found(options="vulkan_attach=off")
        self.assertEqual((run.rules(), run.err), ([], ""))

    def test_flags_of_the_command_are_over_all(self):
        run = self.under("settings", "disable=mapping-invalid", flags=["--disable=leak"])
        self.assertEqual(run.rules(), ["mapping-invalid"])

    def test_each_bad_setting_is_one_line_with_its_place_and_its_mend(self):
        self.file("\ngpusan_shadow.timeline = many\ngpusan_shadow.disabel = leak\ngpusan_shadow.print\n")
        run = self.found("print:int=3", "vulkan_attach=off", VK_GPUSAN_LEAK="0", VK_GPUSAN_RECORD_MAX="-1")
        lines = [line for line in run.err.splitlines() if line.startswith("gpusan: ") and
                 not line.startswith(("gpusan: error", "gpusan: warning"))]
        text = "\n".join(lines)
        self.assertIn("bad value 'many' for option 'timeline' in vk_layer_settings.txt:2; it must be a number", text)
        self.assertIn("unknown option 'disabel' in vk_layer_settings.txt:3; did you mean 'disable'?", text)
        self.assertIn("vk_layer_settings.txt:4: expected '='", text)
        self.assertIn("unknown option 'leak' in VK_GPUSAN_LEAK; did you mean 'leaks'?", text)
        self.assertIn("bad value '-1' for option 'record_max' in VK_GPUSAN_RECORD_MAX", text)
        self.assertIn("bad value '3' for option 'print' in VkLayerSettingsCreateInfoEXT; it must be 1 or 0", text)
        self.assertIn("option 'vulkan_attach' in VkLayerSettingsCreateInfoEXT comes too late", text)
        self.assertEqual(len(lines), 7, text)
        self.assertEqual(run.rules(), BOTH)

    def test_without_a_record_option_records_go_to_the_state_folder(self):
        for name, value, folder in (("HOME", self.folder / "home", self.folder / "home/.local/state/gpusan"),
                                    ("XDG_STATE_HOME", self.folder / "50%state", self.folder / "50%state/gpusan")):
            with self.subTest(name):
                run = self.found(GPUSAN_OPTIONS="print=1", **{name: str(value)})
                self.assertEqual(run.findings, [])  # nothing is where the option would be
                records = list(folder.glob("gpusan.settings.*.jsonl"))
                self.assertEqual(len(records), 1, run.err)
                self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
                self.assertIn(f"gpusan: records are written to {folder};", run.err)
                self.assertEqual(list(self.folder.glob("*.jsonl")), [])
        # Where there is no such folder, the current one is left.
        run = self.found(GPUSAN_OPTIONS="print=0", HOME=None)
        self.assertEqual(run.err, "")
        self.assertEqual(len(list(self.folder.glob("gpusan.settings.*.jsonl"))), 1)

    def test_a_settings_file_that_is_no_text_does_no_harm(self):
        (self.folder / "vk_layer_settings.txt").write_bytes(bytes(range(256)) * 64 + b"\ngpusan_shadow.disable=leak\n")
        self.assertEqual(self.found().rules(), ["mapping-invalid"])
        (self.folder / "vk_layer_settings.txt").unlink()
        (self.folder / "vk_layer_settings.txt").mkdir()
        self.assertEqual(self.found().rules(), BOTH)


if __name__ == "__main__":
    harness.main()
