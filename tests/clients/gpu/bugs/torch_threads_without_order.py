"""A threading.Event orders two Python threads, but not their streams. Without the bug: the writer synchronizes first."""
# EXPECT race
import sys
import threading

import torch

shared = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
written = threading.Event()


def write():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        shared.add_(1)
    if sys.argv[1:] != ["defect"]:
        stream.synchronize()
    written.set()


thread = threading.Thread(target=write)
thread.start()
written.wait()
twice = shared * 2
thread.join()
torch.cuda.synchronize()
