"""A kernel of Numba writes an array on one stream while another downloads it. Without the bug that one waits for an event."""
# EXPECT race
import sys

import numpy

if not hasattr(numpy, "row_stack"):  # Numba uses it, and newer NumPy lacks it
    numpy.row_stack = numpy.vstack
from numba import cuda


@cuda.jit
def double(data):
    at = cuda.grid(1)
    if at < data.size:
        data[at] *= 2


result = cuda.pinned_array(1 << 20, dtype=numpy.float32)
data = cuda.to_device(numpy.ones(1 << 20, dtype=numpy.float32))
blocks = data.size // 256
double[blocks, 256](data)  # compiles it
cuda.synchronize()
writer, reader = cuda.stream(), cuda.stream()
double[blocks, 256, writer](data)
if sys.argv[1:] != ["defect"]:
    written = cuda.event()
    written.record(writer)
    written.wait(reader)
data.copy_to_host(result, stream=reader)
reader.synchronize()
writer.synchronize()
