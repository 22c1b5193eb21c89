# pyopencl: a race in each of two functions, and the same without race.
import numpy as np
import pyopencl as cl


def unordered(context, first, second):
    data = np.ones(4096, np.uint8)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, data.nbytes)
    cl.enqueue_fill_buffer(first, buffer, np.uint8(1), 0, data.nbytes)
    cl.enqueue_copy(second, data, buffer, is_blocking=False)  # @unordered
    first.finish()
    second.finish()


class Model:
    def forward(self, context, first, second):
        data = np.ones(4096, np.uint8)
        buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, data.nbytes)
        cl.enqueue_fill_buffer(first, buffer, np.uint8(1), 0, data.nbytes)
        cl.enqueue_copy(second, data, buffer, is_blocking=False)  # @forward
        first.finish()
        second.finish()


def ordered(context, first, second):
    data = np.ones(4096, np.uint8)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, data.nbytes)
    filled = cl.enqueue_fill_buffer(first, buffer, np.uint8(1), 0, data.nbytes)
    cl.enqueue_copy(second, data, buffer, is_blocking=False, wait_for=[filled])
    first.finish()
    second.finish()


def main():
    context = cl.create_some_context(interactive=False)
    first, second = cl.CommandQueue(context), cl.CommandQueue(context)
    ordered(context, first, second)
    unordered(context, first, second)
    Model().forward(context, first, second)


main()
