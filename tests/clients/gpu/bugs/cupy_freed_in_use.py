"""An array of CuPy is freed while another stream downloads it; the pool hands its memory out again. Without the bug: wait."""
# EXPECT race
import sys

import cupy
import numpy


def pinned(value):
    memory = cupy.cuda.alloc_pinned_memory(4 << 20)
    array = numpy.frombuffer(memory, numpy.float32, 1 << 20)
    array[:] = value
    return array


owner, other = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
result, source = pinned(0), pinned(1)
with owner:
    data = cupy.zeros(1 << 20, cupy.float32)
owner.synchronize()
data.get(stream=other, out=result, blocking=False)
if sys.argv[1:] != ["defect"]:
    owner.wait_event(other.record())
del data
with owner:
    again = cupy.empty(1 << 20, cupy.float32)
    again.set(source, stream=owner)
owner.synchronize()
other.synchronize()
