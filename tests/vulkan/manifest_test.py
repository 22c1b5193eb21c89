#!/usr/bin/env python3
"""Ways into the loader's chain: the implicit manifest, wrong manifests, gpusan twice, above and below validation."""
import json
import os
import pathlib
import subprocess
import unittest

import harness

GPUSAN, VALIDATION = "VK_LAYER_GPUSAN_shadow", "VK_LAYER_KHRONOS_validation"


class ManifestTest(harness.VulkanTest):
    def library(self):
        return pathlib.Path(harness.OPTIONS.library)

    def manifest(self, folder, **changes):
        """The explicit manifest with these entries of its layer changed; None takes an entry away."""
        manifest = json.loads((self.library().parent / "VkLayer_gpusan_shadow.json").read_text())
        layer = manifest["layer"]
        layer["library_path"] = str(self.library())
        for key, value in changes.items():
            layer[key] = value
            if value is None:
                del layer[key]
        path = self.folder / folder
        path.mkdir(parents=True, exist_ok=True)
        (path / f"{layer['name']}.json").write_text(json.dumps(manifest))
        return path

    def found(self, run):
        """What the misuse of the program is, once for each process that watched."""
        self.assertEqual(run.code, 0, run.err)
        return run.rules()

    def test_the_good_manifest(self):
        self.assertEqual(self.found(self.layered("settings")), ["leak", "mapping-invalid"])

    def test_its_settings_are_options_with_their_defaults(self):
        layer = json.loads((self.library().parent / "VkLayer_gpusan_shadow.json").read_text())["layer"]
        settings = layer["features"]["settings"]
        self.assertGreater(len(settings), 20)
        kinds = {"BOOL": bool, "INT": int, "STRING": str, "ENUM": str, "FLAGS": list, "SAVE_FILE": str, "LOAD_FILE": str}
        lines = []
        for setting in settings:
            with self.subTest(setting["key"]):
                default = setting["default"]
                self.assertIs(type(default), kinds[setting["type"]])
                self.assertTrue(setting["label"] and setting["description"])
                if setting["type"] == "ENUM":
                    self.assertIn(default, [flag["key"] for flag in setting["flags"]])
                if setting["key"] != "record":
                    lines.append(f"gpusan_shadow.{setting['key']} = {','.join(default) if isinstance(default, list) else default}")
        (self.folder / "vk_layer_settings.txt").write_text("\n".join(lines) + "\n")
        run = self.layered("settings")
        self.assertEqual(self.found(run), ["leak", "mapping-invalid"])
        self.assertNotIn("vk_layer_settings.txt", run.err)

    def test_it_is_listed_among_the_tools(self):
        run = self.layered("tools")
        self.assertEqual(run.code, 0, run.err)
        *tools, short = run.out.splitlines()
        version = subprocess.run([harness.OPTIONS.gpusan, "--version"], capture_output=True, text=True).stdout.split()[1]
        self.assertIn(f"VK_LAYER_GPUSAN_shadow gpusan {version}", tools)
        self.assertEqual(short, "5 1")  # VK_INCOMPLETE, and one tool is missing
        self.assertEqual(run.rules(), [])

    def test_a_manifest_that_names_no_library_leaves_the_program_alone(self):
        for wrong in ({"library_path": "./nowhere.so"}, {"library_path": "/etc/passwd"},
                      {"functions": {"vkNegotiateLoaderLayerInterfaceVersion": "no_such_function"}},
                      {"type": "NONSENSE"}, {"name": None}):
            with self.subTest(wrong):
                folder = self.folder / "wrong"
                manifest = {"file_format_version": "1.2.0", "layer": {"name": GPUSAN}}
                manifest["layer"].update(json.loads(
                    (self.library().parent / "VkLayer_gpusan_shadow.json").read_text())["layer"])
                manifest["layer"]["library_path"] = str(self.library())
                manifest["layer"].update(wrong)
                folder.mkdir(exist_ok=True)
                text = json.dumps(manifest)
                (folder / "wrong.json").write_text(text)
                run = self.layered("settings", path=folder, environment={"VK_INSTANCE_LAYERS": None})
                self.assertEqual((run.code, run.rules()), (0, []), run.err)
        (self.folder / "wrong" / "wrong.json").write_text("{ this is no JSON")
        run = self.layered("settings", path=self.folder / "wrong", environment={"VK_INSTANCE_LAYERS": None})
        self.assertEqual((run.code, run.rules()), (0, []), run.err)

    def test_a_name_given_twice_is_one_layer(self):
        run = self.layered("settings", layers=f"{GPUSAN}:{GPUSAN}")
        self.assertEqual(self.found(run), ["leak", "mapping-invalid"])

    def test_above_and_below_validation(self):
        for layers in (f"{GPUSAN}:{VALIDATION}", f"{VALIDATION}:{GPUSAN}"):
            with self.subTest(layers):
                run = self.layered("debug_utils", "removed", layers=layers)
                self.assertIn("missing-barrier", self.found(run))

    def test_two_manifests_are_one_watcher(self):
        self.manifest("twice")
        folder = self.manifest("twice", name="VK_LAYER_GPUSAN_again")
        for layers in (f"{GPUSAN}:VK_LAYER_GPUSAN_again", f"{GPUSAN}:{VALIDATION}:VK_LAYER_GPUSAN_again",
                       f"{VALIDATION}:{GPUSAN}:VK_LAYER_GPUSAN_again"):
            with self.subTest(layers):
                run = self.layered("settings", path=folder, layers=layers)
                self.assertEqual(self.found(run), ["leak", "mapping-invalid"])
                self.assertEqual(list(run.ends[-1]["findings"].values()), [1, 1])
                run = self.layered("settings", path=folder, layers=layers, options="vulkan_attach=off")
                self.assertEqual((run.code, self.found(run)), (0, []), run.err)

    def test_validation_between_two_of_us_still_works(self):
        folder = self.manifest("between", name="VK_LAYER_GPUSAN_again")
        self.manifest("between")
        run = self.layered("settings", path=folder, layers=f"{GPUSAN}:{VALIDATION}:VK_LAYER_GPUSAN_again")
        # Its word for what the program does: an unmap of what is not mapped.
        self.assertIn("VUID-vkUnmapMemory-memory-00689", run.out + run.err)

    def test_the_implicit_layer_waits_to_be_asked(self):
        self.manifest("vulkan/implicit_layer.d", name="VK_LAYER_GPUSAN_shadow_implicit",
                      enable_environment={"GPUSAN": "1"}, disable_environment={"DISABLE_GPUSAN": "1"})
        none = {"VK_INSTANCE_LAYERS": None, "VK_ADD_LAYER_PATH": None}
        self.assertEqual(self.found(self.layered("settings", environment=none)), [])
        self.assertEqual(self.found(self.layered("settings", environment={**none, "GPUSAN": "0"})), [])
        self.assertEqual(self.found(self.layered("settings", environment={**none, "GPUSAN": "1"})), ["leak", "mapping-invalid"])
        both = {**none, "GPUSAN": "1", "DISABLE_GPUSAN": "1"}
        self.assertEqual(self.found(self.layered("settings", environment=both)), [])
        # With the explicit one, and under the command.
        self.assertEqual(self.found(self.layered("settings", environment={"GPUSAN": "1"})), ["leak", "mapping-invalid"])
        run = self.under("settings", environment={"GPUSAN": "1"})
        self.assertEqual(run.rules(), ["leak", "mapping-invalid"], run.err)

    def test_what_is_installed_is_inactive_and_goes_away_without_a_trace(self):
        build = pathlib.Path(harness.OPTIONS.build)
        manifest, prefix = build / "install_manifest.txt", self.folder / "prefix"
        before = manifest.read_bytes() if manifest.exists() else None
        try:
            done = subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], capture_output=True, text=True)
            if done.returncode != 0:
                self.skipTest("not everything that is installed was built: " + done.stderr.splitlines()[-1])
            environment = {"XDG_DATA_HOME": str(prefix / "share"), "VK_INSTANCE_LAYERS": None, "VK_ADD_LAYER_PATH": None}
            self.assertEqual(self.found(self.layered("settings", environment=environment)), [])
            environment["GPUSAN"] = "1"
            self.assertEqual(self.found(self.layered("settings", environment=environment)), ["leak", "mapping-invalid"])
            (prefix / "share" / "vulkan" / "implicit_layer.d" / "another.json").write_text("{}")
            script = pathlib.Path(__file__).resolve().parents[2] / "manifests" / "uninstall.cmake"
            subprocess.run(["cmake", f"-DMANIFEST={manifest}", "-P", str(script)], check=True, capture_output=True)
        finally:
            if before is not None:
                manifest.write_bytes(before)
            elif manifest.exists():
                manifest.unlink()
        left = [str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir() or "gpusan" in path.name]
        self.assertEqual(left, ["share/vulkan/implicit_layer.d/another.json"])


if __name__ == "__main__":
    harness.main()
