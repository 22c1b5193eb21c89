"""CuPy: element-wise and raw kernels, pinned memory, streams, pools, reductions."""
import cupy
import numpy

a = cupy.arange(1 << 16, dtype=cupy.float32).reshape(256, 256)
b = cupy.sin(a) @ a.T
stream = cupy.cuda.Stream(non_blocking=True)
scale = cupy.RawKernel(r'extern "C" __global__ void scale(const float* x, float* y, int n) {'
                       r' int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) y[i] = x[i] * 2.0f; }', "scale")
cupy.cuda.get_current_stream().synchronize()
with stream:
    y = cupy.empty_like(a)
    scale((256,), (256,), (a, y, a.size))
    host = cupy.asnumpy(y)
stream.synchronize()
pinned = cupy.cuda.alloc_pinned_memory(4096)
block = numpy.frombuffer(pinned, dtype=numpy.float32, count=1024)
block[:] = 1.5
device = cupy.empty(1024, dtype=cupy.float32)
device.set(block, stream=stream)
stream.synchronize()
print(float(host.sum()), float(device.sum()), float(cupy.asnumpy(b).astype(numpy.float64).sum()) != 0.0)
