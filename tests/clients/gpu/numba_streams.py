"""Numba: kernels on streams, events, pinned, mapped and managed arrays, arrays of CuPy."""
import numpy

numpy.row_stack = getattr(numpy, "row_stack", numpy.vstack)  # Numba 0.68 uses what NumPy 2.5 no longer has
from numba import cuda  # pylint: disable=wrong-import-position

COUNT = 1 << 16


@cuda.jit
def double(source, target):
    i = cuda.grid(1)
    if i < target.size:
        target[i] = source[i] * 2


host = cuda.pinned_array(COUNT, dtype=numpy.float32)
host[:] = 1
first, second = cuda.stream(), cuda.stream()
source = cuda.to_device(host, stream=first)
target = cuda.device_array(COUNT, dtype=numpy.float32, stream=first)
double[COUNT // 256, 256, first](source, target)
event = cuda.event()
event.record(first)
event.wait(second)
double[COUNT // 256, 256, second](target, source)
event.record(second)
event.wait(first)
source.copy_to_host(host, stream=first)
first.synchronize()
print(host[0])
for array in (cuda.mapped_array(COUNT, dtype=numpy.float32), cuda.managed_array(COUNT, dtype=numpy.float32)):
    array[:] = 1
    for _ in range(3):
        double[COUNT // 256, 256](array, array)
        cuda.synchronize()
        print(array[5])
        array[0] = 4
try:
    import cupy
except ImportError:
    pass
else:
    stream = cupy.cuda.Stream()
    with stream:
        given = cupy.ones(COUNT, dtype=cupy.float32)
        double[COUNT // 256, 256](given, given)
    cuda.synchronize()
    assert float(given[7]) == 2
