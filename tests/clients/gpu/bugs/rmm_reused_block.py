"""A buffer of RMM's pool is freed while another stream downloads it, and the pool hands its memory out again."""
# EXPECT race
# OPTION --pool-blocks
import ctypes
import sys

import rmm
from rmm.pylibrmm.stream import Stream

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    if code != 0:
        raise RuntimeError(f"{name} returned {code}")


def pinned():
    memory = ctypes.c_void_p()
    call("cuMemAllocHost_v2", ctypes.byref(memory), ctypes.c_size_t(4096))
    ctypes.memset(memory, 1, 4096)
    return memory


def handle(stream):
    return ctypes.c_void_p(stream.__cuda_stream__()[1])


rmm.reinitialize(pool_allocator=True, initial_pool_size=1 << 24)
owner, other = Stream(), Stream()
result, source = pinned(), pinned()
others = [rmm.DeviceBuffer(size=4096, stream=owner) for _ in range(16)]
data = rmm.DeviceBuffer(size=4096, stream=owner)
call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(data.ptr), source, ctypes.c_size_t(4096), handle(owner))
owner.synchronize()
call("cuMemcpyDtoHAsync_v2", result, ctypes.c_uint64(data.ptr), ctypes.c_size_t(4096), handle(other))
if sys.argv[1:] != ["defect"]:
    other.synchronize()
del data
again = rmm.DeviceBuffer(size=4096, stream=owner)
call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(again.ptr), source, ctypes.c_size_t(4096), handle(owner))
for one in others:
    call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(one.ptr), source, ctypes.c_size_t(4096), handle(owner))
owner.synchronize()
other.synchronize()
