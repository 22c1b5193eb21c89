"""As cupy_freed_in_use, with small arrays that share memory of the pool with others, and blocks followed."""
# EXPECT race
# OPTION --pool-blocks
import sys

import cupy
import numpy


def pinned(value):
    memory = cupy.cuda.alloc_pinned_memory(4096)
    array = numpy.frombuffer(memory, numpy.float32, 1024)
    array[:] = value
    return array


owner, other = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
result, source = pinned(0), pinned(1)
with owner:
    large = cupy.empty(1 << 20, cupy.float32)
    del large  # the pool divides its memory from now on
    others = [cupy.zeros(1024, cupy.float32) for _ in range(16)]
    data = cupy.zeros(1024, cupy.float32)
owner.synchronize()
data.get(stream=other, out=result, blocking=False)
if sys.argv[1:] != ["defect"]:
    owner.wait_event(other.record())
del data
with owner:
    again = cupy.empty(1024, cupy.float32)
    again.set(source, stream=owner)
    for one in others:
        one.set(source, stream=owner)
owner.synchronize()
other.synchronize()
