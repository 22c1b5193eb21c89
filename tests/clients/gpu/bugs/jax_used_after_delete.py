"""The pointer of an array of JAX is used after the array was deleted. Without the bug: before."""
# EXPECT stream-order-alloc
# OPTION --pool-blocks
import ctypes
import sys

import jax
import jax.numpy as jnp
import numpy

cuda = ctypes.CDLL("libcuda.so.1")
array = jnp.arange(4096, dtype=jnp.float32) + 1
others = [jnp.ones(4096, dtype=jnp.float32) * i for i in range(8)]
jax.block_until_ready([array, *others])
address = array.unsafe_buffer_pointer()
context = ctypes.c_void_p()
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cuda.cuCtxSetCurrent(context)
result = numpy.zeros(4096, numpy.float32)


def download():
    return cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(result.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(16384))


if sys.argv[1:] == ["defect"]:
    array.delete()
    download()
else:
    download()
    array.delete()
print(len(others))
