#!/usr/bin/env python3
"""The recipes of manifests/fleet: they parse, and their commands do what they promise over three nights."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

import yaml

from fleet_test import BAD, FLEET, GPUSAN, PROGRAMS, Case

CI = FLEET.parent / "ci"
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
        self.assertEqual(uses, ["actions/checkout", "actions/cache/restore", "actions/cache/save",
                                "github/codeql-action/upload-sarif", "actions/upload-artifact"])
        # A night that finds something fails, and is kept all the same, under a key of its own.
        restore, save = (step for step in steps if step.get("uses", "").startswith("actions/cache/"))
        self.assertIn("!cancelled()", save["if"])
        self.assertEqual((restore["with"]["path"], restore["with"]["key"]), (save["with"]["path"], save["with"]["key"]))
        self.assertTrue(save["with"]["key"].startswith(restore["with"]["restore-keys"]))
        self.assertIn("run_attempt", save["with"]["key"])

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

    def changes(self, run, base_branch, other_branch):
        """run(program, branch) is the exit code of a job. Red in a merge request for what the default branch lacks."""
        self.environment["REQUIRE"] = "opencl"
        self.assertEqual(run(BAD, other_branch), 66)  # no baseline yet
        self.assertEqual(run(BAD, base_branch), 66)
        self.assertTrue((self.folder / "gpusan-base/base.jsonl").exists())
        self.assertEqual(run(BAD, other_branch), 0)
        self.assertEqual(run(OTHER_BAD, other_branch), 66)
        self.assertEqual(run("true", other_branch), 70)  # no call of OpenCL

    def test_pull_requests_of_github(self):
        action = yaml.safe_load((CI / "action.yml").read_text())
        workflow = yaml.safe_load((CI / "github-pull-request.yml").read_text())
        used = [step for step in workflow["jobs"]["gpusan"]["steps"] if step.get("uses") == "./.github/actions/gpusan"]
        self.assertLessEqual(set(used[0]["with"]), set(action["inputs"]))
        steps = action["runs"]["steps"]
        self.assertEqual([step["uses"].split("@")[0] for step in steps if "uses" in step],
                         ["actions/cache/restore", "github/codeql-action/upload-sarif", "actions/cache/save"])
        self.assertTrue(all("shell" in step for step in steps if "run" in step))

        def run(program, branch):
            self.environment["FLAGS"] = ""
            code = 0
            for step in steps:
                if "run" not in step or ("default_branch" in step.get("if", "") and branch != "main"):
                    continue
                if code == 0 or "cancelled" in step.get("if", ""):
                    result = self.shell(step["run"], program, ("bash", "-e", "-c"))
                    code = code or result.returncode
                    if "gpusan run" in step["run"] and code == 66:
                        self.assertIn("::error", result.stdout)
            return code

        self.changes(run, "main", "topic")
        self.assertTrue((self.folder / "gpusan.sarif").exists())

    def test_merge_requests_of_gitlab(self):
        job = yaml.safe_load((CI / "gitlab-merge-request.yml").read_text())["gpusan"]
        self.assertEqual(job["artifacts"]["reports"]["junit"], "gpusan.xml")

        def run(program, branch):
            self.environment.update(CI_COMMIT_BRANCH=branch, CI_DEFAULT_BRANCH="main")
            return self.shell("\n".join(job["script"]), program, ("bash", "-e", "-c")).returncode

        self.changes(run, "main", "")
        self.assertIn("<testsuite", (self.folder / "gpusan.xml").read_text())

    def test_jenkins(self):
        # Groovy: a backslash is written twice.
        first, second = (part.replace("\\\\", "\\") for part in (CI / "Jenkinsfile").read_text().split("'''")[1::2])

        def run(program, branch):
            code = self.shell(first, program).returncode
            if branch == "main":
                self.assertEqual(self.shell(second, program).returncode, 0)
            return code

        self.changes(run, "main", "topic")

    def test_ctest_memcheck(self):
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\ninclude(CTest)\n"
            f"add_test(NAME bad COMMAND {BAD})\nadd_test(NAME none COMMAND sh -c \"exit 3\")\n")
        self.run_it("cmake", "-B", "b", "-DMEMORYCHECK_TYPE=CudaSanitizer", f"-DMEMORYCHECK_COMMAND={CI}/gpusan-ctest.py", ".")
        result = subprocess.run(["ctest", "--test-dir", "b", "-T", "memcheck"], capture_output=True, text=True, timeout=120,
                                cwd=self.folder, env=self.environment)
        self.assertIn("format-size-mismatch - 1", result.stdout)
        self.assertRegex(result.stdout, r"(?m)bad \.* +Passed|bad .*Failed")
        self.assertRegex(result.stdout, r"none \.*\*+Failed")

    def test_ctest_emulator(self):
        """CMake puts gpusan in front of the tests that are targets of the project."""
        program = pathlib.Path(__file__).resolve().parents[1] / "programs/format-size-mismatch/opencl_bytes_for_float_image.c"
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(p C)\ninclude(CTest)\nfind_package(OpenCL REQUIRED)\n"
            f"foreach(name good bad)\n  add_executable(${{name}} {program})\n"
            f"  target_include_directories(${{name}} PRIVATE {program.parents[1]})\n"
            "  target_link_libraries(${name} PRIVATE OpenCL::OpenCL m)\n  add_test(NAME ${name} COMMAND ${name})\nendforeach()\n"
            "target_compile_definitions(bad PRIVATE DEFECT)\n")
        self.run_it("cmake", "-B", "b", f"-DCMAKE_CROSSCOMPILING_EMULATOR={GPUSAN};run;--quiet;--", ".")
        self.run_it("cmake", "--build", "b")
        result = subprocess.run(["ctest", "--test-dir", "b", "-V"], capture_output=True, text=True, timeout=120, cwd=self.folder,
                                env=self.environment)
        self.assertRegex(result.stdout, r"(?m) good \.* +Passed")
        self.assertRegex(result.stdout, r"(?m) bad \.*\*+Failed")
        self.assertIn("gpusan: error: ", result.stdout)

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

    def test_the_findings_of_other_records_are_reported_beside_a_truncated_one(self):
        bad = PROGRAMS / "format-size-mismatch/bad/opencl_bytes_for_float_image"
        self.run_it(GPUSAN, "run", "--fail-on=never", f"--output={self.store}/tonight", "--", bad)
        whole = next((self.store / "tonight").iterdir())
        (self.store / "tonight" / "cut.jsonl").write_text(whole.read_text()[:700])
        result = self.run_it(FLEET / "gpusan-night.sh", self.store, code=66)
        self.assertIn("truncated", result.stderr)
        self.assertIn("format-size-mismatch", (self.store / "new.txt").read_text())
        self.assertTrue((self.store / "report.html").exists())
        self.assertTrue((self.store / "unread" / "cut.jsonl").exists())


class Collector(Case):
    """otel-collector.yaml, for machines without a Collector (collector_test.py): follows its operators over real records."""

    SEVERITIES = ("error", "warning", "note")

    def setUp(self):
        super().setUp()
        self.config = yaml.safe_load((FLEET / "otel-collector.yaml").read_text())

    def test_pipelines_name_what_is_defined(self):
        service = self.config["service"]
        self.assertEqual(service["extensions"], list(self.config["extensions"]))
        for pipeline in service["pipelines"].values():
            for kind in ("receivers", "processors", "exporters"):
                self.assertEqual(sorted(pipeline[kind]), sorted(self.config[kind]), kind)
        self.assertIn(self.config["receivers"]["filelog"]["storage"], self.config["extensions"])

    def test_the_build_may_be_unknown(self):
        """An unset variable has no value."""
        for key, value in self.config["receivers"]["filelog"]["resource"].items():
            self.assertRegex(value, r"^([^$]+|\$\{env:\w+:-[^}]+\})$", key)

    def holds(self, condition, entry):
        if condition is None:
            return True
        path = re.fullmatch(r"(attributes[.\w]+) != nil", condition)
        self.assertIsNotNone(path, condition)
        return self.get(entry, path[1]) is not None

    def parts(self, field):
        """attributes.record.rule, resource["host.name"]"""
        self.assertRegex(field, r'^(body|(attributes|resource)(\.\w+|\["[\w.]+"\])+)$')
        return [a or b for a, b in re.findall(r'(?:^|\.)(\w+)|\["([\w.]+)"\]', field)]

    def get(self, entry, field):
        for part in self.parts(field):
            entry = entry.get(part) if isinstance(entry, dict) else None
        return entry

    def put(self, entry, field, value):
        *way, last = self.parts(field)
        for part in way:
            entry = entry.setdefault(part, {})
        entry[last] = value

    def remove(self, entry, field):
        *way, last = self.parts(field)
        for part in way:
            entry = entry[part]
        return entry.pop(last)

    def log(self, name, line):
        """The log record of a line; None if it is dropped."""
        entry = {"body": line, "attributes": {"log.file.name": name}, "resource": {}}
        for operator in self.config["receivers"]["filelog"]["operators"]:
            kind = operator["type"]
            if not self.holds(operator.get("if"), entry):
                continue
            if kind == "regex_parser":
                found = re.fullmatch(operator["regex"], self.get(entry, operator["parse_from"]))
                entry["attributes"].update(found.groupdict() if found else {})
            elif kind == "json_parser":
                try:
                    self.put(entry, operator["parse_to"], json.loads(self.get(entry, operator["parse_from"])))
                except json.JSONDecodeError:
                    self.assertTrue(operator["on_error"].startswith("drop"))
                    return None
            elif kind == "filter":
                kept = re.fullmatch(r"not \(attributes\.record\.type in (\[.*\])\)", operator["expr"])
                if entry["attributes"]["record"]["type"] not in json.loads(kept[1]):
                    return None
            elif kind == "time_parser":
                self.assertEqual((operator["layout_type"], operator["layout"]), ("epoch", "ns"))
                entry["time"] = int(self.get(entry, operator["parse_from"]))
            elif kind == "severity_parser":
                by_name = {name: level for level, name in operator["mapping"].items()}
                self.assertEqual(sorted(by_name), sorted(self.SEVERITIES))
                entry["severity"] = by_name[self.get(entry, operator["parse_from"])]
            else:
                self.assertEqual(kind, "move")
                self.put(entry, operator["to"], self.remove(entry, operator["from"]))
        return entry

    def test_the_records_of_a_night(self):
        folder = self.folder / "records"
        self.run_it(GPUSAN, "--version")
        self.run_it(GPUSAN, "run", "--quiet", f"--config={FLEET / 'gpusan.conf'}", f"--output={folder}", "--", BAD,
                    OMPI_COMM_WORLD_RANK="3")
        logs = []
        for path in folder.glob("*.jsonl"):
            for line in path.read_text().splitlines():
                logs.append(self.log(path.name, line))
                self.assertIsNone(self.log(path.name, line[:-5]))
        logs = [one for one in logs if one is not None]
        found = [one for one in logs if one["attributes"]["gpusan.type"] == "finding"]
        self.assertEqual(len(found), 1, logs)
        self.assertEqual((found[0]["severity"], found[0]["attributes"]["gpusan.rule"]), ("error", "format-size-mismatch"))
        self.assertTrue(found[0]["attributes"]["gpusan.fingerprint"].startswith("v0-"))
        self.assertNotIn("{", found[0]["body"])
        self.assertEqual((found[0]["resource"]["gpusan.rank"], found[0]["resource"]["process.executable.name"]),
                         ("3", BAD.name))
        self.assertEqual(set(found[0]["resource"]), {"host.name", "gpusan.rank", "process.executable.name", "process.pid"})
        whole = self.log("node7.cluster.example.12.train.py.99.jsonl", '{"type":"end","reason":"exit"}')["resource"]
        self.assertEqual((whole["host.name"], whole["gpusan.rank"], whole["process.executable.name"], whole["process.pid"]),
                         ("node7.cluster.example", "12", "train.py", "99"))
        self.assertEqual([one["attributes"]["gpusan.end"] for one in logs if one["attributes"]["gpusan.type"] == "end"],
                         ["exit"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
