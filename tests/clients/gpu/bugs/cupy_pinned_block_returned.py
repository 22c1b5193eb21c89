"""A page-locked block goes back to CuPy's pool while its upload is pending, and is filled again. Without the bug: synchronize."""
# EXPECT host-race
# OPTION --protect-maps
import sys

import cupy
import numpy

stream = cupy.cuda.Stream(non_blocking=True)
targets = [cupy.empty(1 << 22, cupy.float32) for _ in range(2)]
cupy.cuda.runtime.deviceSynchronize()


def upload(target, value):
    memory = cupy.cuda.alloc_pinned_memory(target.nbytes)
    array = numpy.frombuffer(memory, numpy.float32, target.size)
    array[:] = value
    target.set(array, stream=stream)
    if sys.argv[1:] != ["defect"]:
        stream.synchronize()


upload(targets[0], 1)
upload(targets[1], 2)
stream.synchronize()
