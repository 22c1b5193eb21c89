# pyopencl with shared virtual memory: coarse-grained allocations mapped and unmapped, fills, copies, kernel arguments,
# the SVM allocator and pool under arrays, fine-grained memory where the device has it.
# packages: python3-pyopencl python3-numpy
# suite: quick
# allow: warning leak clCreateCommandQueueWithProperties
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.tools

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
device = context.devices[0]
program = cl.Program(context, """
__kernel void twice(__global float *data) { data[get_global_id(0)] *= 2; }
__kernel void add(__global const float *a, __global const float *b, __global float *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
""").build()
size = 5000


def check(name, good):
    print(name, "ok" if good else "WRONG")


coarse = cl.SVM(cl.csvm_empty(context, size, np.float32))
with coarse.map_rw(queue) as values:
    values[:] = np.arange(size)
program.twice(queue, (size,), None, coarse)
with coarse.map_ro(queue) as values:
    check("coarse", np.array_equal(values, np.arange(size, dtype=np.float32) * 2))
other = cl.SVM(cl.csvm_empty(context, size, np.float32))
cl.enqueue_copy(queue, other, coarse)
host = np.empty(size, np.float32)
cl.enqueue_copy(queue, host, other)
check("copies", np.array_equal(host, np.arange(size, dtype=np.float32) * 2))
cl.enqueue_copy(queue, other, np.ones(size, np.float32))
result = cl.SVM(cl.csvm_empty(context, size, np.float32))
program.add(queue, (size,), None, coarse, other, result)
with result.map_ro(queue) as values:
    check("three arguments", np.array_equal(values, np.arange(size, dtype=np.float32) * 2 + 1))
cl.enqueue_svm_memfill(queue, result, np.float32(4))
with result.map_ro(queue) as values:
    check("fill", bool((values == 4).all()))

allocator = cl.tools.SVMAllocator(context, alignment=0, queue=queue)
for how in (allocator, cl.tools.SVMPool(allocator)):
    good = True
    for length in (10, 100, 5000, 100, 10, 5000):
        data = np.arange(length, dtype=np.float32)
        array = cl_array.to_device(queue, data, allocator=how)
        good = good and np.array_equal((array * 3 + 1).get(), data * 3 + 1)
    check(type(how).__name__, good)
    queue.finish()

if device.svm_capabilities & cl.device_svm_capabilities.FINE_GRAIN_BUFFER:
    fine = cl.fsvm_empty(context, size, np.float32)
    fine[:] = np.arange(size)
    program.twice(queue, (size,), None, cl.SVM(fine))
    queue.finish()
    check("fine", np.array_equal(fine, np.arange(size, dtype=np.float32) * 2))
else:
    print("no fine-grained buffers")
queue.finish()
