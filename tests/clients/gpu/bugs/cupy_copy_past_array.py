"""A copy of twice the size of its array, which lies in the middle of a larger block of CuPy's pool."""
# EXPECT copy-out-of-bounds
# OPTION --pool-blocks
import sys

import cupy
import numpy

large = cupy.empty(1 << 20, cupy.float32)
del large  # the pool divides its memory from now on
arrays = [cupy.zeros(1024, cupy.float32) for _ in range(4)]
source = numpy.ones(2048, numpy.float32)
size = 8192 if sys.argv[1:] == ["defect"] else 4096
cupy.cuda.runtime.memcpy(arrays[1].data.ptr, source.ctypes.data, size, cupy.cuda.runtime.memcpyHostToDevice)
print(float(arrays[1].sum()))
