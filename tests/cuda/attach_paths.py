"""What the output says of the attach paths: that one is switched off, with and without the command and only where a program came to
it; that another tool is in the way; and which attach path a program came through.

usage: attach_paths.py GPUSAN LIBRARY FAKE_DRIVER_FOLDER NOTIFYING_DRIVER_FOLDER PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

gpusan, library, driver, notifying, program = sys.argv[1:]
CLOSED = "gpusan: CUDA was not watched: it was switched off by "
CLEAN = "gpusan: no findings in 1 process\n"


def said(*command, code=0, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "GPUSAN_OPTIONS"}
    run = subprocess.run(command, capture_output=True, text=True,
                         env={**environment, "LD_LIBRARY_PATH": driver, **variables})
    if run.returncode != code:
        sys.exit(f"{command} ended with {run.returncode}: {run.stderr}")
    return run.stderr


def expect(got, wanted):
    if got != wanted:
        sys.exit(f"said {got!r}, not {wanted!r}")


def attach_paths(*flags, **variables):
    with tempfile.TemporaryDirectory() as folder:
        said(gpusan, "run", *flags, f"--output={folder}", "--", program, **variables)
        files = [file.read_text(encoding="utf-8").splitlines() for file in pathlib.Path(folder).glob("*.jsonl")]
    return [json.loads(line).get("doors") for lines in files for line in lines if '"type":"process"' in line]


expect(said(gpusan, "run", "--cuda-attach=off", "--", program),
       "gpusan: no call of a GPU API was seen\n" + CLOSED + "--cuda-attach=off\n")
expect(said(gpusan, "run", "--", program), CLEAN)
in_variable = CLOSED + "cuda_attach=off in GPUSAN_OPTIONS\n"
expect(said(program, LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_attach=off"), in_variable)
expect(said("true", LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_attach=off"), "")
expect(said(program, LD_PRELOAD=library, GPUSAN_OPTIONS="cuda_attach=off:print=0"), "")

# Never both at once.
expect(attach_paths("--cuda-attach=auto", LD_LIBRARY_PATH=notifying), [["cuda-preload"]])
expect(attach_paths("--cuda-attach=preload", LD_LIBRARY_PATH=notifying), [["cuda-preload"]])
expect(attach_paths("--cuda-attach=cupti", LD_LIBRARY_PATH=notifying), [["cuda-cupti"]])
expect(attach_paths("--cuda-attach=off", LD_LIBRARY_PATH=notifying), [])
# A process that nothing could be preloaded into.
with tempfile.TemporaryDirectory() as injected:
    said(program, CUDA_INJECTION64_PATH=library, LD_LIBRARY_PATH=notifying, GPUSAN_OPTIONS=f"record={injected}/%p.jsonl")
    lines = "".join(file.read_text(encoding="utf-8") for file in pathlib.Path(injected).glob("*.jsonl"))
    if '"doors":["cuda-cupti"]' not in lines or '"type":"end"' not in lines:
        sys.exit(f"the driver loaded gpusan, and it wrote {lines!r}")
taken = said(gpusan, "run", "--cuda-attach=cupti", "--", program, code=70, LD_LIBRARY_PATH=notifying,
             GPUSAN_FAKE_CUPTI="taken")
if "CUDA is NOT watched: CUPTI has another subscriber" not in taken or "incomplete" in taken:
    sys.exit(f"of the other tool it said {taken!r}")
expect(said(gpusan, "run", "--", program, LD_LIBRARY_PATH=notifying, GPUSAN_FAKE_CUPTI="taken"), CLEAN)
