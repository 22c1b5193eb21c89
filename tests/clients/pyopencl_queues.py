# pyopencl with several queues: events between them, an out-of-order queue, threads, callbacks, user events, sub-buffers,
# rectangular copies, profiling, host-pointer buffers and mappings.
# packages: python3-pyopencl python3-numpy
# suite: quick
import threading

import numpy as np
import pyopencl as cl

context = cl.create_some_context(interactive=False)
flags = cl.mem_flags
source = """
__kernel void add(__global const int *in, __global int *out, int value) {
  int i = get_global_id(0);
  out[i] = in[i] + value;
}
__kernel void in_place(__global int *data, int factor) { data[get_global_id(0)] *= factor; }
"""
program = cl.Program(context, source).build()
size = 4096
numbers = np.arange(size, dtype=np.int32)


def check(name, good):
    print(name, "ok" if good else "WRONG")


first, second = cl.CommandQueue(context), cl.CommandQueue(context)
a, b, c = (cl.Buffer(context, flags.READ_WRITE, numbers.nbytes) for _ in range(3))
written = cl.enqueue_copy(first, a, numbers, is_blocking=False)
first.flush()
added = program.add(second, (size,), None, a, b, np.int32(5), wait_for=[written])
second.flush()
again = program.add(first, (size,), None, b, c, np.int32(6), wait_for=[added])
first.flush()
got = np.empty_like(numbers)
cl.enqueue_copy(second, got, c, wait_for=[again])
check("two queues with events", np.array_equal(got, numbers + 11))

loose = cl.CommandQueue(context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
written = cl.enqueue_copy(loose, a, numbers, is_blocking=False)
filled = cl.enqueue_fill_buffer(loose, b, np.int32(9), 0, numbers.nbytes)
added = program.add(loose, (size,), None, a, c, np.int32(1), wait_for=[written])
both = cl.enqueue_marker(loose, wait_for=[filled, added])
copied = cl.enqueue_copy(loose, b, c, byte_count=size, wait_for=[both])
got = np.empty_like(numbers)
cl.enqueue_copy(loose, got, b, is_blocking=False, wait_for=[copied]).wait()
want = np.full_like(numbers, 9)
want[:size // 4] = numbers[:size // 4] + 1
check("out of order with wait lists", np.array_equal(got, want))

program.in_place(loose, (size,), None, c, np.int32(2))
cl.enqueue_barrier(loose)
program.in_place(loose, (size,), None, c, np.int32(3))
cl.enqueue_barrier(loose)
program.add(loose, (size,), None, c, a, np.int32(0))
loose.finish()
cl.enqueue_copy(loose, got, a)
check("out of order with barriers", np.array_equal(got, (numbers + 1) * 6))

gate = cl.UserEvent(context)
held = cl.enqueue_copy(first, a, numbers, is_blocking=False, wait_for=[gate])
done = threading.Event()
held.set_callback(cl.command_execution_status.COMPLETE, lambda status: done.set())
first.flush()
gate.set_status(cl.command_execution_status.COMPLETE)
check("user event and callback", done.wait(30))
held.wait()

errors = []
lock = threading.Lock()


def work(number):
    queue = cl.CommandQueue(context)
    kernel = cl.Kernel(program, "add")
    source, target = (cl.Buffer(context, flags.READ_WRITE, numbers.nbytes) for _ in range(2))
    back = np.empty_like(numbers)
    for step in range(50):
        cl.enqueue_copy(queue, source, numbers, is_blocking=False)
        kernel(queue, (size,), None, source, target, np.int32(number * 100 + step))
        cl.enqueue_copy(queue, back, target)
        if not np.array_equal(back, numbers + number * 100 + step):
            with lock:
                errors.append(number)


threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check("six threads, a queue each", not errors)

shared = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=numbers)
results = {}


def read_shared(number):
    queue = cl.CommandQueue(context)
    out = cl.Buffer(context, flags.WRITE_ONLY, numbers.nbytes)
    cl.Kernel(program, "add")(queue, (size,), None, shared, out, np.int32(number))
    results[number] = np.empty_like(numbers)
    cl.enqueue_copy(queue, results[number], out)


threads = [threading.Thread(target=read_shared, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check("one input read by four queues", all(np.array_equal(results[n], numbers + n) for n in range(4)))

parent = cl.Buffer(context, flags.READ_WRITE, 4 * size * 4)
halves = [parent[n * size * 4:(n + 1) * size * 4] for n in range(4)]
events = [program.add(queue, (size,), None, shared, half, np.int32(n))
          for n, (queue, half) in enumerate(zip((first, second, first, second), halves))]
second.flush()
whole = np.empty(4 * size, np.int32)
cl.enqueue_copy(first, whole, parent, wait_for=events)
check("sub-buffers on two queues", np.array_equal(whole, np.concatenate([numbers + n for n in range(4)])))

matrix = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
rectangle = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=matrix)
tile = np.empty((8, 16), np.float32)
cl.enqueue_copy(first, tile, rectangle, buffer_origin=(10 * 4, 20), host_origin=(0, 0), region=(16 * 4, 8),
                buffer_pitches=(64 * 4,), host_pitches=(16 * 4,))
check("rectangle", np.array_equal(tile, matrix[20:28, 10:26]))
target = cl.Buffer(context, flags.READ_WRITE, matrix.nbytes)
cl.enqueue_fill_buffer(first, target, np.float32(0), 0, matrix.nbytes)
cl.enqueue_copy(first, target, rectangle, src_origin=(0, 0), dst_origin=(0, 32), region=(64 * 4, 32),
                src_pitches=(64 * 4,), dst_pitches=(64 * 4,))
back = np.empty_like(matrix)
cl.enqueue_copy(first, back, target)
check("rectangle to rectangle", np.array_equal(back[32:], matrix[:32]) and not back[:32].any())

host = np.array(numbers)
pinned = cl.Buffer(context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=host)
program.in_place(first, (size,), None, pinned, np.int32(7))
mapped, _ = cl.enqueue_map_buffer(first, pinned, cl.map_flags.READ, 0, (size,), np.int32)
check("host pointer and map", np.array_equal(mapped, numbers * 7))
mapped.base.release(first)
first.finish()
allocated = cl.Buffer(context, flags.READ_ONLY | flags.ALLOC_HOST_PTR, numbers.nbytes)
mapped, _ = cl.enqueue_map_buffer(first, allocated, cl.map_flags.WRITE_INVALIDATE_REGION, 0, (size,), np.int32)
mapped[:] = numbers
mapped.base.release(first)
out = cl.Buffer(context, flags.WRITE_ONLY, numbers.nbytes)
program.add(first, (size,), None, allocated, out, np.int32(1))
cl.enqueue_copy(first, got, out)
check("mapped for writing", np.array_equal(got, numbers + 1))

timed = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
event = program.add(timed, (size,), None, shared, out, np.int32(0))
event.wait()
check("profile", event.profile.end >= event.profile.start)
cl.enqueue_migrate_mem_objects(timed, [out])
timed.finish()
