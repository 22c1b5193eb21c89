# pyopencl with numpy arrays: round trips, views, element-wise kernels, sums, memory pools.
# packages: python3-pyopencl python3-numpy
# suite: quick
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath
import pyopencl.tools
from pyopencl.elementwise import ElementwiseKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(7)


def check(name, got, want, tolerance=0.0):
    fits = np.allclose(got, want, rtol=tolerance, atol=tolerance) if tolerance else np.array_equal(got, want)
    print(name, "ok" if fits else "WRONG")


a = rng.random((100, 37), dtype=np.float32)
b = rng.random((100, 37), dtype=np.float32)
dev_a, dev_b = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
check("round trip", dev_a.get(), a)
check("arithmetic", (2 * dev_a + dev_b * dev_b - 1).get(), 2 * a + b * b - 1, 1e-6)
check("clmath", clmath.sqrt(dev_a).get(), np.sqrt(a), 1e-6)
check("comparison", (dev_a > dev_b).get().astype(bool), a > b)
check("sum", cl_array.sum(dev_a).get(), a.sum(dtype=np.float64), 1e-4)
check("dot", cl_array.dot(dev_a, dev_b).get(), (a * b).sum(dtype=np.float64), 1e-4)
check("maximum", cl_array.max(dev_a).get(), a.max())
check("rows", dev_a[10:20].get(), a[10:20])
check("transposed view", dev_a.T.copy().get(), a.T) if dev_a.T.flags.forc else print("no transposed view")
dev_a[5:7] = dev_b[5:7]
a[5:7] = b[5:7]
check("assigned rows", dev_a.get(), a)
dev_a.fill(np.float32(3))
check("fill", dev_a.get(), np.full_like(a, 3))
dev_a.set(a)
check("set", dev_a.get(), a)
asynchronous = np.empty_like(a)
_, event = dev_a.get_async(ary=asynchronous)
event.wait()
check("get_async", asynchronous, a)

index = rng.integers(0, 3700, 500).astype(np.int32)
check("take", cl_array.take(dev_a.ravel(), cl_array.to_device(queue, index)).get(), a.ravel()[index])
check("zeros", cl_array.zeros(queue, 1000, np.int64).get(), np.zeros(1000, np.int64))
check("arange", cl_array.arange(queue, 0, 1000, 3, dtype=np.int32).get(), np.arange(0, 1000, 3, dtype=np.int32))
check("concatenate", cl_array.concatenate((dev_a, dev_b)).get(), np.concatenate((a, b)))
check("where", cl_array.if_positive(dev_a - dev_b, dev_a, dev_b).get(), np.maximum(a, b))

combine = ElementwiseKernel(context, "float k, const float *x, const float *y, float *z", "z[i] = k * x[i] + y[i]",
                            "combine")
out = cl_array.empty_like(dev_a)
combine(np.float32(0.5), dev_a, dev_b, out)
check("elementwise", out.get(), 0.5 * a + b, 1e-6)
for allocator in (cl.tools.ImmediateAllocator(queue), cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue)),
                  cl.tools.MemoryPool(cl.tools.DeferredAllocator(context))):
    good = True
    for size in (10, 1000, 1000, 4096, 33, 100000, 1000):
        data = rng.random(size)
        device = cl_array.to_device(queue, data, allocator=allocator)
        good = good and np.array_equal((device + device).get(), data + data)
    print(type(allocator).__name__, "ok" if good else "WRONG")

record = np.dtype([("id", np.int32), ("value", np.float32)])
record, declaration = cl.tools.match_dtype_to_c_struct(context.devices[0], "item_t", record)
cl.tools.get_or_register_dtype("item_t", record)
items = np.zeros(64, record)
items["id"], items["value"] = np.arange(64), np.arange(64) / 4
dev_items = cl_array.to_device(queue, items)
program = cl.Program(context, declaration + """
__kernel void twice(__global item_t *items) {
  items[get_global_id(0)].value *= 2;
}
""").build()
program.twice(queue, (64,), None, dev_items.data)
check("struct", dev_items.get()["value"], items["value"] * 2)
