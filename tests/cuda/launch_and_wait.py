"""What is wrong with a launch is told although the program never calls again.

usage: launch_and_wait.py GPUSAN FAKE_DRIVER_FOLDER PROGRAM
"""
import os
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
        told = any("use-after-free" in line for line in run.stderr)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
if not told:
    sys.exit("the program ended, and nothing was told")
