"""A finding about a deferred launch is reported although the program makes no further call, with the id of the launching thread.

usage: launch_and_wait.py GPUSAN FAKE_DRIVER_FOLDER PROGRAM
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

gpusan, driver, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    command = [gpusan, "run", f"--output={folder}", "--", program]
    # A group of its own: the program does not end with the command.
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True,
                           env=dict(os.environ, LD_LIBRARY_PATH=driver))
    try:
        reported = any("use-after-free" in line for line in run.stderr)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    if not reported:
        sys.exit("the program ended without a finding")
    # The last line may be half a record.
    files = [file.read_text(encoding="utf-8").splitlines() for file in pathlib.Path(folder).glob("*.jsonl")]
    records = [[json.loads(line) for line in lines if line.endswith("}")] for lines in files]
    for of_process in records:
        pid = next(record["pid"] for record in of_process if record["type"] == "process")
        threads = {record["thread"] for record in of_process if record["type"] == "finding"}
        if threads and threads != {pid}:
            sys.exit(f"the main thread, {pid}, launched; the finding names {threads}")
    if not any(record["type"] == "finding" for of_process in records for record in of_process):
        sys.exit("no record has the finding")
