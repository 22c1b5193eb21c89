#!/usr/bin/env python3
"""Lets 'ctest -T memcheck' run tests under gpusan: stands in for compute-sanitizer, whose output ctest reads.

    cmake -DMEMORYCHECK_TYPE=CudaSanitizer -DMEMORYCHECK_COMMAND=/usr/local/share/gpusan/ci/gpusan-ctest.py ...
    ctest -T memcheck

ctest counts the findings by check, and lists them in MemoryChecker.N.log and in DynamicAnalysis.xml. A test passes or fails
as it does without gpusan. The variable GPUSAN names the command, GPUSAN_CTEST_FLAGS more flags of 'gpusan run'.
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

WITH_VALUE = ("--log-file", "--tool", "--leak-check")  # what ctest passes before the program


def main(words):
    log = None
    while words and words[0].startswith("--"):
        name, equals, value = words.pop(0).partition("=")
        if not equals and name in WITH_VALUE and words:
            value = words.pop(0)
        if name == "--log-file":
            log = value
    gpusan = os.environ.get("GPUSAN", "gpusan")
    flags = shlex.split(os.environ.get("GPUSAN_CTEST_FLAGS", ""))
    with tempfile.TemporaryDirectory(prefix="gpusan-ctest-") as folder:
        code = subprocess.call([gpusan, "run", "--quiet", "--fail-on=never", f"--output={folder}", *flags, "--", *words])
        report = subprocess.run([gpusan, "report", "--quiet", "--format=json", folder], capture_output=True, text=True, check=False)
    try:
        findings = json.loads(report.stdout)["findings"]
    except (ValueError, KeyError):
        findings = []  # no process used a GPU API
    lines = []
    for finding in findings:
        # ctest takes the word behind "error" as the kind of the defect.
        lines.append(f"========= Program hit error {finding['rule']} on CUDA API call to {finding['call'] or 'exit'}")
        lines += [f"=========     {key}: {finding[key]}" for key in ("severity", "what", "why", "fix")]
    if log is not None:
        with open(log, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
