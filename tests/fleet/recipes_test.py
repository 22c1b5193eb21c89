#!/usr/bin/env python3
"""The recipes of manifests/fleet: they parse, and their commands do what they promise over three nights."""
import os
import pathlib
import shlex
import shutil
import subprocess
import unittest

import yaml

from fleet_test import BAD, FLEET, GPUSAN, PROGRAMS, Case

OTHER_BAD = PROGRAMS / "leak/bad/opencl_sub_buffer_keeps_parent"


def unit(name):
    """The settings of a systemd unit, each with all its values."""
    settings = {}
    for line in (FLEET / name).read_text().splitlines():
        if line and line[0] not in "#[":
            key, value = line.split("=", 1)
            settings.setdefault(key, []).append(value)
    return settings


def installed(command):
    """A command of a recipe for the recipes here instead of the installed ones."""
    return command.replace("/usr/local/share/gpusan/fleet", str(FLEET))


class Recipes(Case):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "gpusan").symlink_to(GPUSAN)
        self.environment.update(PATH=f"{bin_folder}:{os.environ['PATH']}", STORE=str(self.store), FLEET=str(FLEET),
                                STATE_DIRECTORY=str(self.store))

    def shell(self, script, program, words=("sh", "-c")):
        return subprocess.run([*words, script], capture_output=True, text=True, timeout=120, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**self.environment, "PROGRAM": str(program)})

    def nights(self, night):
        """night(program) is the exit code of one night. Red for what is new, and for nothing else."""
        self.store.mkdir()
        self.environment["NIGHT"] = "1"
        self.assertEqual(night(BAD), 66)
        self.assertIn("format-size-mismatch", (self.store / "new.txt").read_text())
        self.environment["NIGHT"] = "2"
        self.assertEqual(night(BAD), 0)
        self.assertEqual((self.store / "new.txt").read_text(), "")
        self.environment["NIGHT"] = "3"
        self.assertEqual(night(OTHER_BAD), 66)
        self.assertIn("NEW", (self.store / "new.txt").read_text())
        self.assertFalse((self.store / "tonight").exists())
        for name in ("last.jsonl", "report.html", "report.sarif", "junit.xml", "gpusan.prom"):
            self.assertTrue((self.store / name).stat().st_size > 0, name)
        shown = self.run_it(GPUSAN, "history", "show", "--quiet", self.store / "nights.db").stdout
        self.assertRegex(shown, "(?m)^new .* leak .* first 3 last 3")
        self.assertRegex(shown, "(?m)^gone .* format-size-mismatch .* first 1 last 2")

    def test_shell_scripts_are_sound(self):
        for name in ("gpusan-night.sh", "slurm-night.sbatch"):
            self.run_it("sh", "-n", FLEET / name)
            if shutil.which("shellcheck"):
                self.run_it("shellcheck", FLEET / name)

    def test_options_file_is_taken(self):
        printed = self.run_it(GPUSAN, "run", f"--config={FLEET}/gpusan.conf", "--print-config").stdout
        self.assertIn("record = %h.%r.%x.%p.jsonl", printed)
        self.assertIn("fail_on = never", printed)

    def test_systemd_units_verify(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")
        # It looks for the commands of the unit; what is installed elsewhere stands in.
        for name in ("gpusan-night.service", "gpusan-night.timer"):
            shutil.copy(FLEET / name, self.folder)
        result = subprocess.run(["systemd-analyze", "verify", self.folder / "gpusan-night.timer",
                                 self.folder / "gpusan-night.service"], capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.run_it("systemd-analyze", "calendar", unit("gpusan-night.timer")["OnCalendar"][0])

    def test_nights_of_systemd(self):
        service = unit("gpusan-night.service")

        def night(program):
            codes = []
            for key in ("ExecStartPre", "ExecStart", "ExecStopPost"):
                for line in service[key]:
                    line = installed(line).replace("${STATE_DIRECTORY}", str(self.store)).replace("$$", "$")
                    words = shlex.split(line)
                    codes.append(subprocess.run(words, timeout=120, capture_output=True, cwd=self.folder,
                                                env={**self.environment, "PROGRAM": str(program)}).returncode)
            return next((code for code in codes if code != 0), 0)

        self.nights(night)

    def test_nights_of_kubernetes(self):
        claim, job = yaml.safe_load_all((FLEET / "kubernetes-night.yaml").read_text())
        self.assertEqual((claim["kind"], job["kind"]), ("PersistentVolumeClaim", "CronJob"))
        pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        self.assertEqual(pod["volumes"][0]["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
        containers = pod["initContainers"] + pod["containers"]
        for container in containers:
            named = {one["name"] for one in container["env"]}
            self.assertLessEqual({"STORE", "FLEET"}, named)
            self.assertEqual([one["name"] for one in container["volumeMounts"]], [pod["volumes"][0]["name"]])

        def night(program):
            for container in containers:
                *words, script = container["command"]
                code = self.shell(script, program, words).returncode
                if code != 0:
                    return code
            return 0

        self.nights(night)

    def test_nights_of_github(self):
        workflow = yaml.safe_load((FLEET / "github-night.yml").read_text())
        self.assertEqual(set(workflow["env"]), {"PROGRAM", "STORE", "FLEET"})
        steps = workflow["jobs"]["soak"]["steps"]
        uses = [step["uses"].split("@")[0] for step in steps if "uses" in step]
        self.assertEqual(uses, ["actions/checkout", "actions/cache", "github/codeql-action/upload-sarif",
                                "actions/upload-artifact"])

        def night(program):
            first = 0
            for step in steps:
                if "run" in step and (first == 0 or "cancelled" in step.get("if", "")):
                    first = first or self.shell(step["run"], program, ("bash", "-e", "-c")).returncode
            return first

        self.nights(night)

    def test_nights_of_gitlab(self):
        job = yaml.safe_load((FLEET / "gitlab-night.yml").read_text())["gpusan-night"]
        self.assertEqual(job["artifacts"]["reports"]["junit"], "gpusan/junit.xml")
        self.nights(lambda program: self.shell("\n".join(job["script"]), program, ("bash", "-e", "-c")).returncode)

    def test_an_incomplete_night_is_kept_and_never_clean(self):
        (self.store / "tonight").mkdir(parents=True)
        good = PROGRAMS / "format-size-mismatch/good/opencl_bytes_for_float_image"
        self.run_it(GPUSAN, "run", f"--output={self.store}/tonight", "--", good)
        for path in (self.store / "tonight").iterdir():
            lines = path.read_text().splitlines(keepends=True)
            path.write_text("".join(lines[:-1]))  # as a killed process leaves it
        result = self.run_it(FLEET / "gpusan-night.sh", self.store, code=70)
        self.assertIn("incomplete", result.stderr)
        self.assertTrue((self.store / "last.jsonl").exists())
        self.assertFalse((self.store / "tonight").exists())

    def test_a_record_that_is_cut_off_does_not_keep_the_others_from_being_told_of(self):
        bad = PROGRAMS / "format-size-mismatch/bad/opencl_bytes_for_float_image"
        self.run_it(GPUSAN, "run", "--fail-on=never", f"--output={self.store}/tonight", "--", bad)
        whole = next((self.store / "tonight").iterdir())
        (self.store / "tonight" / "cut.jsonl").write_text(whole.read_text()[:700])
        result = self.run_it(FLEET / "gpusan-night.sh", self.store, code=66)
        self.assertIn("truncated", result.stderr)
        self.assertIn("format-size-mismatch", (self.store / "new.txt").read_text())
        self.assertTrue((self.store / "report.html").exists())
        self.assertTrue((self.store / "unread" / "cut.jsonl").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
