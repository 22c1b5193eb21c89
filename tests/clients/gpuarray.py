# libgpuarray through pygpu: its OpenCL back end opens the loader by itself and keeps a cache of allocations.
# packages: python3-pygpu python3-numpy libclblast1
# suite: long
# expect: error leak clCreateBuffer
# expect: warning leak clCreateCommandQueue
# expect: warning leak clCreateContext
# expect: warning leak clCreateKernel
# expect: warning leak clCreateProgramWithSource
import numpy as np
import pygpu
from pygpu import elemwise, gpuarray
from pygpu.reduction import ReductionKernel

context = pygpu.init("opencl0:0")
rng = np.random.default_rng(2)
a, b = rng.random((40, 50), dtype=np.float32), rng.random((40, 50), dtype=np.float32)


def check(name, got, want):
    print(name, "ok" if np.allclose(got, want, rtol=1e-5, atol=1e-5) else "WRONG")


dev_a, dev_b = gpuarray.array(a, context=context), gpuarray.array(b, context=context)
check("round trip", np.asarray(dev_a), a)
check("sum", np.asarray(elemwise.elemwise2(dev_a, "+", dev_b, dev_a)), a + b)
check("slice", np.asarray(dev_a[5:20, ::2]), a[5:20, ::2])
check("copy", np.asarray(dev_a[:, ::-1].copy()), a[:, ::-1])
dev_a[3:6] = dev_b[3:6]
a[3:6] = b[3:6]
check("assign", np.asarray(dev_a), a)
total = ReductionKernel(context, np.dtype(np.float32), "0", "a+b", [True, True])
check("reduction", np.asarray(total(dev_a)), a.sum())
for size in (10, 1000, 100000, 1000, 10):
    values = rng.random(size, dtype=np.float32)
    check(f"array of {size}", np.asarray(gpuarray.array(values, context=context)), values)
zeros = gpuarray.zeros((100,), dtype="float32", context=context)
check("zeros", np.asarray(zeros), np.zeros(100, np.float32))
