"""CuPy: kernels of all kinds, host functions, a constant of a module, pageable uploads, per-thread streams, CUDA's IPC."""
import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import cupy
import cupyx
import numpy
from cupyx import jit

COUNT = 1000


@cupy.fuse()
def length(x, y):
    return cupy.sqrt(x * x + y * y)


@jit.rawkernel()
def copy(x, y, n):
    i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    if i < n:
        y[i] = x[i]


def kernels():
    square = cupy.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "square")
    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    x, y = cupy.arange(COUNT, dtype=cupy.float32), cupy.ones(COUNT, cupy.float32)
    z = square(x, y)
    print(float(norm(z)) > 0, float(length(x, y).sum()) > 0)
    copy[(COUNT + 127) // 128, 128](x, z, numpy.uint32(COUNT))
    host = cupyx.empty_pinned(COUNT, dtype=numpy.float32)
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.wait_event(cupy.cuda.get_current_stream().record())
    totals = []
    with stream:
        z.get(out=host, blocking=False)
        stream.launch_host_func(lambda data: totals.append(float(data.sum())), host)
    stream.synchronize()
    print(totals, host[5])
    module = cupy.RawModule(code=r"""__constant__ float scale[2];
extern "C" __global__ void run(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= scale[i & 1]; }""")
    constant = cupy.ndarray(2, dtype=cupy.float32, memptr=module.get_global("scale"))
    constant[...] = cupy.asarray([2, 3], dtype=cupy.float32)
    module.get_function("run")((4,), (256,), (x, numpy.int32(COUNT)))
    print(float(x[3]))


def pageable():
    stream = cupy.cuda.Stream(non_blocking=True)
    targets = [cupy.empty(1 << 20, dtype=cupy.float32) for _ in range(3)]
    source = numpy.empty(1 << 20, dtype=numpy.float32)
    for value, target in enumerate(targets):
        source[:] = value
        cupy.cuda.runtime.memcpyAsync(target.data.ptr, source.ctypes.data, source.nbytes, 1, stream.ptr)
    del source
    stream.synchronize()
    print([float(target[0]) for target in targets])


def threads():
    base = cupy.arange(1 << 16, dtype=cupy.int64)
    cupy.cuda.get_current_stream().synchronize()

    def work(factor):
        with cupy.cuda.Stream(ptds=True):
            total = (base * factor).sum()
            cupy.cuda.get_current_stream().synchronize()
        return int(total)

    with ThreadPoolExecutor(4) as pool:
        print(list(pool.map(work, range(4))))


def change(handle):
    pointer = cupy.cuda.runtime.ipcOpenMemHandle(handle)
    memory = cupy.cuda.UnownedMemory(pointer, 4 << 20, None)
    cupy.ndarray(1 << 20, dtype=cupy.float32, memptr=cupy.cuda.MemoryPointer(memory, 0))[...] += 1
    cupy.cuda.runtime.deviceSynchronize()
    cupy.cuda.runtime.ipcCloseMemHandle(pointer)


def processes():
    pointer = cupy.cuda.runtime.malloc(4 << 20)
    cupy.cuda.runtime.memset(pointer, 0, 4 << 20)
    cupy.cuda.runtime.deviceSynchronize()
    child = multiprocessing.get_context("spawn").Process(target=change, args=(cupy.cuda.runtime.ipcGetMemHandle(pointer),))
    child.start()
    child.join()
    first = numpy.empty(1, dtype=numpy.float32)
    cupy.cuda.runtime.memcpy(first.ctypes.data, pointer, 4, 2)
    cupy.cuda.runtime.free(pointer)
    print(first[0])


if __name__ == "__main__":
    kernels()
    pageable()
    threads()
    processes()
