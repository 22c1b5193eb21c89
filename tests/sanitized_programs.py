#!/usr/bin/env python3
"""Runs programs over PoCL and lavapipe with a libgpusan.so that is built with a sanitizer, with samples and timeline.

usage: sanitized_programs.py --library LIBRARY --sanitizer asan|tsan --programs FOLDER [PROGRAM...]

FOLDER is tests/programs of a build without sanitizers. The runtime of the sanitizer is preloaded, and the loaders of OpenCL and
Vulkan load the library as a layer. Each program must end as it does bare, without a report of the sanitizer; a bad program must
have the finding of its check, and a correct one must have none. A machine without a device has nothing to run.
A program a core runs at a time.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OPENCL = """correct/opencl_threads correct/opencl_callbacks
    correct/opencl_cross_queue_events correct/opencl_out_of_order_queue
    correct/opencl_releases correct/opencl_svm race/bad/opencl_two_queues
    race/bad/opencl_kernels_on_two_queues use-after-free/bad/opencl_write_released_buffer
    uninitialized-read/bad/opencl_read_buffer leak/bad/opencl_kernel_keeps_argument""".split()
VULKAN = """correct/vulkan_threads correct/vulkan_frames_in_flight correct/vulkan_handle_reuse
    correct/vulkan_timelines correct/vulkan_command_buffers
    missing-barrier/bad/vulkan_dispatch_and_copy race/bad/vulkan_queues_without_a_semaphore
    layout-mismatch/bad/vulkan_copy_to_undefined use-after-free/bad/vulkan_recording_copy""".split()
LAYER = "VK_LAYER_GPUSAN_shadow"
REPORT = re.compile(r"ERROR: \w+Sanitizer|FATAL: \w+Sanitizer|runtime error:")
# Stacks of ThreadSanitizer's reports that are accesses, not where something was created.
ACCESS = re.compile(r"^  (?:Previous |Atomic |As if )?(?:\w+ )*?(?:read|write|Read|Write)\b.*?:\n((?:    .*\n)+)", re.M)
NO_DEVICE = 77

parser = argparse.ArgumentParser()
parser.add_argument("--library", required=True, type=pathlib.Path)
parser.add_argument("--sanitizer", required=True, choices=("asan", "tsan"))
parser.add_argument("--programs", required=True, type=pathlib.Path)
parser.add_argument("only", nargs="*")
arguments = parser.parse_args()


def preloaded(folder):
    """The shared runtime of gcc's sanitizer, and an empty library: runtimes start with the first instrumented file."""
    name = f"lib{arguments.sanitizer}.so"
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    empty = folder / "empty.so"
    flag = {"asan": "-fsanitize=address", "tsan": "-fsanitize=thread"}[arguments.sanitizer]
    subprocess.run(["gcc", flag, "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", empty], check=True)
    return f"{os.path.realpath(found)}:{empty}"


def races(output):
    """ThreadSanitizer's reports whose accesses are all made by gpusan's code. Programs and drivers are not instrumented: what
    they do to their own memory looks like races, because their atomic operations are not seen."""
    kept = []
    for report in output.split("=" * 18):
        if "WARNING: ThreadSanitizer" not in report:
            continue
        modules = []
        for stack in ACCESS.findall(report) or re.findall(r"((?:    #.*\n)+)", report)[:1]:
            frames = [line for line in stack.splitlines() if not re.search(r"\(lib[at]san\.so", line)]
            modules.append(bool(frames) and "(libgpusan.so" in frames[0])
        if modules and all(modules):
            kept.append(report)
    return kept


def run(program, environment):
    done = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=300, env=environment, check=False)
    return done.returncode, done.stdout + done.stderr


def findings(folder):
    """The checks of the findings in the records, and whether the records have samples and commands."""
    rules, kinds = set(), set()
    for path in folder.glob("*.jsonl"):
        for line in path.read_text(errors="replace").splitlines():
            record = json.loads(line)
            kinds.add(record["type"])
            if record["type"] == "finding" and record["severity"] != "note":
                rules.add(record["rule"])
    return rules, kinds


def check(name, bare_environment):
    """Returns what is wrong, as a text; None if the program cannot run here."""
    program = (arguments.programs / name).resolve()
    bare, _ = run(program, bare_environment)
    if bare == NO_DEVICE:
        return None
    if "/opencl_" in name:  # fills the cache of kernel summaries, which only the command can compute
        subprocess.run([arguments.programs.parent.parent / "report" / "gpusan", "run", "--quiet", program], env=bare_environment,
                       capture_output=True, timeout=300, check=False)
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        (folder / "layer.json").write_text(json.dumps({"file_format_version": "1.2.0", "layer": {
            "name": LAYER, "type": "GLOBAL", "library_path": str(arguments.library.resolve()), "api_version": "1.3.0",
            "implementation_version": "1", "description": "gpusan"}}))
        options = f"record={folder}/%p.jsonl:sample_interval=20:timeline=4096:log_path={folder}/findings"
        attach = {"OPENCL_LAYERS": str(arguments.library.resolve())} if "/opencl_" in name else {
            "VK_ADD_LAYER_PATH": text, "VK_INSTANCE_LAYERS": LAYER}
        code, output = run(program, {
            **bare_environment, **attach, "LD_PRELOAD": preloaded(folder), "GPUSAN_OPTIONS": options,
            # Drivers are not instrumented: what they leave allocated is not the question.
            "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0", "TSAN_OPTIONS": "exitcode=0:report_signal_unsafe=0:history_size=7",
            "UBSAN_OPTIONS": "print_stacktrace=1"})
        rules, kinds = findings(folder)
    if found := races(output):
        return f"{len(found)} races\n" + "\n".join(found)[:9000]
    if REPORT.search(output) or code != bare:
        return f"ends with {code}, bare with {bare}\n{output[-6000:]}"
    rule = name.split("/")[0]
    if rule == "correct" and rules:
        return f"findings: {sorted(rules)}"
    if rule != "correct" and rule not in rules:
        return f"no {rule}, but {sorted(rules)}"
    if not {"end", "sample"} <= kinds:
        return f"records have {sorted(kinds)} only"
    return ""


def main():
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GPUSAN", "VK_", "OPENCL_LAYERS"))}
    environment["POCL_CACHE_DIR"] = str((arguments.programs / "kernels").resolve())
    failed = ran = 0
    with tempfile.TemporaryDirectory() as cache:
        environment["XDG_CACHE_HOME"] = cache
        names = arguments.only or OPENCL + VULKAN
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, complaint in zip(names, pool.map(lambda name: check(name, environment), names)):
                ran += complaint is not None
                if complaint:
                    failed += 1
                    print(f"FAILED {name}: {complaint}")
    print(f"{ran} programs with {arguments.sanitizer}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
