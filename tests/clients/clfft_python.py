# gpyfft: clFFT from Python, planned once and enqueued many times with pyopencl's arrays and events.
# packages: python3-gpyfft python3-pyopencl python3-numpy
# suite: long
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from gpyfft.fft import FFT

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(4)
for shape, axes in (((64, 32), (1,)), ((64, 32), (0, 1)), ((8, 16, 12), (0, 1, 2))):
    values = (rng.random(shape) + 1j * rng.random(shape)).astype(np.complex64)
    device_in, device_out = cl_array.to_device(queue, values), cl_array.zeros(queue, shape, np.complex64)
    transform = FFT(context, queue, device_in, device_out, axes=axes)
    for _ in range(3):
        for event in transform.enqueue():
            event.wait()
    good = np.allclose(device_out.get(), np.fft.fftn(values, axes=axes), rtol=1e-3, atol=1e-3)
    back = FFT(context, queue, device_out, axes=axes)
    for event in back.enqueue(forward=False):
        event.wait()
    good = good and np.allclose(device_out.get(), values, rtol=1e-3, atol=1e-3)
    print(shape, axes, "ok" if good else "WRONG")
