"""A door that is switched off is said to be, with and without the command, and only to programs that came to it.

usage: closed_door.py GPUSAN LIBRARY FAKE_DRIVER_FOLDER PROGRAM
"""
import os
import subprocess
import sys

gpusan, library, driver, program = sys.argv[1:]
CLOSED = "gpusan: CUDA was not watched: its door was switched off by "


def said(*command, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "GPUSAN_OPTIONS"}
    run = subprocess.run(command, capture_output=True, text=True, check=True,
                         env=dict(environment, LD_LIBRARY_PATH=driver, **variables))
    return run.stderr


def expect(got, wanted):
    if got != wanted:
        sys.exit(f"said {got!r}, not {wanted!r}")


expect(said(gpusan, "run", "--cuda-door=off", "--", program),
       "gpusan: no call of a GPU API was seen\n" + CLOSED + "--cuda-door=off\n")
expect(said(gpusan, "run", "--", program), "gpusan: no findings in 1 process\n")
in_variable = CLOSED + "cuda_door=off in GPUSAN_OPTIONS\n"
expect(said(program, LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_door=off"), in_variable)
expect(said("true", LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_door=off"), "")
expect(said(program, LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_door=off:print=0"), "")
