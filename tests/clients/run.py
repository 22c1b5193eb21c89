#!/usr/bin/env python3
"""Runs real OpenCL and Vulkan programs bare and under gpusan, and compares their output, time, memory and findings.

A client is one file of this folder whose first comment holds `key: value` lines:
  packages: Debian packages that it needs                 build: what the compiler is given beside the source (.cc)
  pypi: packages of PyPI that it needs, for Python clients; they go into the build folder
  api: opencl (default) or vulkan                         suite: quick (also a ctest) or long
  attach: more runs, `layer`: by the loader's variables alone; `validation`: beside Khronos validation (Vulkan)
  env: NAME=value ... of the client's process             timeout: seconds for one run, 300 by default
  ignore: regular expression of output lines to drop      replace: regular expression => text, before comparing
  expect: severity check call                             allow: the same, for what only some runs have
  incomplete: processes that abort, bare as well, and so leave a record without its end
`expect` and `allow` name the findings that README.md proves to be true; any other finding fails the run, and so does an
expected one that is missing, a run that gpusan did not see, and a record without its end.
Exit code: 0 all as expected, 1 not, 77 nothing could run because packages are missing, 2 wrong usage.
"""

import argparse
import collections
import dataclasses
import difflib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEYS = ("packages", "pypi", "api", "suite", "attach", "build", "env", "timeout", "ignore", "replace", "expect", "allow", "incomplete")
PYTHON = "/usr/bin/python3"  # the one that Debian's packages install for


@dataclasses.dataclass
class Client:
    """What a client's file says about itself."""

    path: pathlib.Path
    keys: dict  # key -> list of values, one a line

    @property
    def name(self):
        return self.path.stem

    def words(self, key):
        return " ".join(self.keys[key]).split()

    @property
    def api(self):
        return "".join(self.keys["api"]) or "opencl"

    @property
    def suite(self):
        return "".join(self.keys["suite"])

    @property
    def timeout(self):
        return float("".join(self.keys["timeout"]) or 300)


@dataclasses.dataclass
class Run:
    """One run of a client through one attach path."""

    code: int
    output: str
    errors: str
    seconds: float
    rss_mib: float  # of the largest process among the client's
    findings: collections.Counter  # "severity check call" -> occurrences
    incomplete: list  # record files without an end
    trouble: list  # sentences: why this run proves nothing


def read_clients():
    clients = []
    for path in sorted(HERE.iterdir()):
        if path.suffix not in (".sh", ".py", ".cc") or path.name == "run.py":
            continue
        keys = {key: [] for key in KEYS}
        for line in path.read_text().splitlines():
            match = re.match(r"(?:#|//) (\w+): (.*)$", line)
            if match and match[1] in keys:
                keys[match[1]].append(match[2].strip())
            elif not line.startswith(("#", "//")):
                break
        if not keys["suite"]:
            sys.exit(f"{path.name}: its first comment names no suite")
        clients.append(Client(path, keys))
    return clients


def missing_packages(client):
    missing = []
    for package in client.words("packages"):
        query = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package], capture_output=True, text=True)
        if "ok installed" not in query.stdout:
            missing.append(package)
    return missing


def install(packages):
    """True when the packages are there afterwards."""
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    print("installing " + " ".join(packages), flush=True)
    command = sudo + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq",
                      "--no-install-recommends"] + packages
    return subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0


def install_pypi(client, scratch):
    """Installs what is missing into a folder for each package. True when the packages are there afterwards."""
    folders = []
    for package in client.words("pypi"):
        folder = scratch / "pypi" / package
        folders.append(str(folder))
        if folder.exists():
            continue
        print("installing " + package, flush=True)
        if subprocess.run([sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", "--only-binary", ":all:",
                           "--target", str(folder), package]).returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            return False
    if folders:
        client.keys["env"].append("PYTHONPATH=" + ":".join(folders))
    return True


def version(client):
    if client.words("pypi"):
        return "PyPI"
    packages = client.words("packages") or ["ocl-icd-libopencl1"]
    query = subprocess.run(["dpkg-query", "-W", "-f=${Version}", packages[0]], capture_output=True, text=True)
    return query.stdout.strip() or "?"


def command_of(client, scratch):
    """The command line of a client; compiles it when it is a C++ program newer than its binary."""
    if client.path.suffix == ".sh":
        return ["sh", str(client.path)]
    if client.path.suffix == ".py":
        return [PYTHON, "-W", "ignore", str(client.path)]
    binary = scratch / "bin" / client.name
    newest = max(path.stat().st_mtime for path in (client.path, *HERE.glob("*.h")))
    if not binary.exists() or binary.stat().st_mtime < newest:
        binary.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["g++", "-std=c++17", "-O1", "-g", "-w", str(client.path), "-o", str(binary)]
                       + client.words("build"), check=True)
    return [str(binary)]


def execute(command, environment, folder, timeout):
    """Runs to the end or to the timeout; returns code, stdout, stderr, seconds and MiB."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 start_new_session=True)
        previous = signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, timeout)
        _, status, usage = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (child.returncode, out.read().decode(errors="replace"), err.read().decode(errors="replace"), seconds,
                usage.ru_maxrss / 1024)


def read_records(folder, api):
    """Findings, files without an end, and trouble from the record files of one run."""
    findings, incomplete, trouble, calls = collections.Counter(), [], [], 0
    files = sorted(folder.glob("*.jsonl"))
    for file in files:
        by_fingerprint, end = {}, None
        for number, line in enumerate(file.read_text().splitlines(), 1):
            try:
                record = json.loads(line)
            except ValueError:
                trouble.append(f"{file.name}:{number} is not JSON")
                continue
            if record["type"] == "finding":
                key = f"{record['severity']} {record['rule']} {record.get('call') or '-'}"
                by_fingerprint[record["fingerprint"]] = key
            elif record["type"] == "end":
                end = record
        if end is None:
            incomplete.append(file.name)
            calls += 1
            findings.update(by_fingerprint.values())
            continue
        calls += end.get("calls", {}).get(api, 0)
        dropped = {what: count for what, count in end.get("dropped", {}).items() if count}
        if dropped:
            trouble.append(f"{file.name} dropped {dropped}")
        for fingerprint, key in by_fingerprint.items():
            findings[key] += end.get("findings", {}).get(fingerprint, 1)
    if not calls:
        trouble.append(f"gpusan saw no call of {api}")
    return findings, incomplete, trouble


def normalise(client, text):
    lines = []
    for line in text.splitlines():
        if any(re.search(pattern, line) for pattern in client.keys["ignore"]):
            continue
        for rule in client.keys["replace"]:
            pattern, replacement = rule.split(" => ")
            line = re.sub(pattern, replacement, line)
        lines.append(line)
    return lines


def run_client(client, command, attach, tools, scratch, keep):
    """Runs `client` through `attach`: bare, run (gpusan run), layer (without it) or validation (run, beside another layer)."""
    home = scratch / "home" / client.name / attach
    home.mkdir(parents=True, exist_ok=True)
    environment = {key: value for key, value in os.environ.items()
                   if key in ("PATH", "LANG", "OCL_ICD_VENDORS", "TMPDIR")}
    environment.update(HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"), POCL_CACHE_DIR=str(home / "pocl"),
                       LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1")
    environment.update(pair.split("=", 1) for pair in client.words("env"))
    (home / "pocl").mkdir(exist_ok=True)
    records = pathlib.Path(keep) if keep else pathlib.Path(tempfile.mkdtemp(dir=scratch))
    folder = tempfile.mkdtemp(dir=scratch)
    try:
        if attach == "validation":
            environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_KHRONOS_validation"
        if attach in ("run", "validation"):
            command = [tools["gpusan"], "run", f"--output={records}", "--quiet", "--fail-on=never", "--"] + command
        elif attach == "layer":
            if client.api == "vulkan":
                environment["VK_ADD_LAYER_PATH"] = str(pathlib.Path(tools["library"]).parent)
                environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_GPUSAN_shadow"
            else:
                environment["OPENCL_LAYERS"] = tools["library"]
            environment["GPUSAN_OPTIONS"] = f"record={records}/%x.%p.jsonl"
        code, output, errors, seconds, rss = execute(command, environment, folder, client.timeout)
        findings, incomplete, trouble = read_records(records, client.api) if attach != "bare" else (collections.Counter(), [], [])
        if code == -signal.SIGKILL and seconds >= client.timeout:
            trouble.append(f"no end after {client.timeout:.0f} s")
        return Run(code, output, errors, seconds, rss, findings, incomplete, trouble)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if not keep:
            shutil.rmtree(records, ignore_errors=True)


def judge(client, bare, watched):
    """Sentences saying what is wrong with the watched run; empty when all is as it should be."""
    faults = list(watched.trouble)
    if watched.code != bare.code:
        faults.append(f"exit code {watched.code}, bare {bare.code}")
    if len(watched.incomplete) != int("".join(client.keys["incomplete"]) or 0):
        faults.append("no end in " + (", ".join(watched.incomplete) or "as few records as expected"))
    expected, allowed = set(client.keys["expect"]), set(client.keys["allow"])
    for finding, count in sorted(watched.findings.items()):
        if finding not in expected | allowed:
            faults.append(f"finding not in the list: {finding} ({count}x)")
    faults += [f"expected finding is missing: {finding}" for finding in sorted(expected - set(watched.findings))]
    before, after = normalise(client, bare.output), normalise(client, watched.output)
    if before != after:
        faults.append("output differs:\n    " + "\n    ".join(
            list(difflib.unified_diff(before, after, "bare", "watched", lineterm="", n=0))[:20]))
    return faults


def find_tools(build):
    """The command and the library of a build tree or an installation."""
    def first(patterns):
        for pattern in patterns:
            for path in sorted(build.glob(pattern)):
                return str(path)
        return None
    return {"gpusan": first(["gpusan", "bin/gpusan", "report/gpusan", "*/gpusan"]),
            "library": first(["libgpusan.so", "lib/libgpusan.so", "layer/libgpusan.so", "**/libgpusan.so"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("clients", nargs="*", help="names; all of the suite when none is given")
    parser.add_argument("--suite", choices=("quick", "long", "all"), default="all")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder or prefix")
    parser.add_argument("--no-install", action="store_true", help="skip clients whose packages are missing")
    parser.add_argument("--bare", action="store_true", help="only without gpusan")
    parser.add_argument("--warm", action="store_true", help="run each attach path once before, so that kernels are compiled")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the record files in this folder, one folder a client")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()

    clients = read_clients()
    if options.list:
        print("\n".join(f"{client.name:22} {client.suite}" for client in clients))
        return 0
    unknown = set(options.clients) - {client.name for client in clients}
    if unknown:
        parser.error("no such client: " + " ".join(sorted(unknown)))
    if options.clients:
        clients = [client for client in clients if client.name in options.clients]
    elif options.suite != "all":
        clients = [client for client in clients if client.suite == options.suite]
    scratch = options.build.resolve() / "clients"
    scratch.mkdir(parents=True, exist_ok=True)
    tools = find_tools(options.build.resolve())
    if not options.bare and not all(tools.values()):
        parser.error(f"{options.build} holds no gpusan command and library; build it first")

    table, failed, skipped = [], False, 0
    for client in clients:
        missing = missing_packages(client)
        if missing and (options.no_install or not install(missing)):
            print(f"{client.name}: skipped, not installed: {' '.join(missing)}", flush=True)
            skipped += 1
            continue
        if not install_pypi(client, scratch):
            print(f"{client.name}: skipped, pip could not install: {' '.join(client.words('pypi'))}", flush=True)
            skipped += 1
            continue
        try:
            command = command_of(client, scratch)
        except subprocess.CalledProcessError as error:
            print(f"{client.name}: does not compile: {error}", flush=True)
            failed = True
            continue
        attach_paths = ["bare"] if options.bare else ["bare", "run"] + client.words("attach")
        runs = {}
        for attach in attach_paths:
            if options.warm:
                run_client(client, command, attach, tools, scratch, None)
            keep = None
            if options.keep and attach != "bare":
                keep = options.keep.resolve() / f"{client.name}.{attach}"
                shutil.rmtree(keep, ignore_errors=True)
                keep.mkdir(parents=True)
            runs[attach] = run_client(client, command, attach, tools, scratch, keep)
        bare = runs.pop("bare")
        if bare.code != 0:
            failed = True
            print(f"{client.name}: fails bare, exit code {bare.code}\n{bare.errors[-2000:]}", flush=True)
        if not runs:
            table.append((client.name, version(client), "bare", f"{bare.seconds:.1f}", "", "", "", "", ""))
            print(bare.output if len(clients) == 1 else f"{client.name}: {bare.seconds:.1f} s", flush=True)
        for attach, watched in runs.items():
            faults = judge(client, bare, watched)
            failed = failed or bool(faults)
            for fault in faults:
                print(f"{client.name} ({attach}): {fault}", flush=True)
            if faults and watched.code != bare.code:
                print(watched.errors[-3000:], flush=True)
            findings = ", ".join(f"{count} {key}" for key, count in sorted(watched.findings.items())) or "none"
            same = normalise(client, bare.output) == normalise(client, watched.output)
            table.append((client.name, version(client), attach, f"{bare.seconds:.1f}", f"{watched.seconds:.1f}",
                          f"{bare.rss_mib:.0f}", f"{watched.rss_mib:.0f}", findings, "yes" if same else "NO"))
    header = ("client", "version", "attach", "bare s", "gpusan s", "bare MiB", "gpusan MiB", "findings", "same output")
    widths = [max(len(row[column]) for row in [header] + table) for column in range(len(header))]
    for row in [header] + table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    if failed:
        return 1
    return 77 if skipped == len(clients) and skipped else 0


if __name__ == "__main__":
    sys.exit(main())
