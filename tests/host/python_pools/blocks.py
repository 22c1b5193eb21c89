"""Uses a pool: blocks.py cupy|rmm|rmm_reinitialize correct|overrun|reused|unwritten|thread"""
import ctypes
import sys
import threading

import driver

framework, case = sys.argv[1:]
driver.begin()
if framework == "cupy":
    import cupy

    malloc, free = cupy.cuda.malloc, cupy.cuda.free
else:
    import rmm

    if framework == "rmm":
        rmm.mr.set_current_device_resource(rmm.mr.PoolMemoryResource())
    else:
        rmm.reinitialize(True, devices=[0])
    assert type(rmm.mr.get_current_device_resource()) is rmm.mr.PoolMemoryResource
    assert rmm.mr.get_per_device_resource(0).pool_size() == 1 << 20
    buffers = {}

    def malloc(size):
        buffer = rmm.DeviceBuffer(size)
        buffers[buffer.ptr] = buffer
        return buffer.ptr

    def free(address):
        buffers.pop(address).free()


def upload(block, size, stream):
    driver.call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(block), data, ctypes.c_size_t(size), stream)


def download(block, size, stream, at=0):
    driver.call("cuMemcpyDtoHAsync_v2", ctypes.c_void_p(result.value + at), ctypes.c_uint64(block), ctypes.c_size_t(size), stream)


def work():
    driver.call("cuCtxSetCurrent", context)
    first = malloc(1 << 19)
    free(first)
    blocks = [malloc(4096) for _ in range(8)]
    for block in blocks:
        upload(block, 4096, owner)
    if case in ("overrun", "thread"):
        upload(blocks[2], 4100, owner)
    driver.call("cuStreamSynchronize", owner)
    download(blocks[3], 4096, other, 4096)
    if case != "reused":
        driver.call("cuStreamSynchronize", other)
    free(blocks[3])
    blocks[3] = malloc(4096)
    if case != "unwritten":
        upload(blocks[3], 4096, owner)
    download(blocks[3], 4096, owner)
    driver.call("cuStreamSynchronize", owner)
    driver.call("cuStreamSynchronize", other)
    for block in blocks:
        free(block)


context = ctypes.c_void_p()
driver.call("cuCtxGetCurrent", ctypes.byref(context))
owner, other = driver.new_stream(), driver.new_stream()
pinned = [ctypes.c_void_p(), ctypes.c_void_p()]
for one in pinned:
    driver.call("cuMemAllocHost_v2", ctypes.byref(one), ctypes.c_size_t(8192))
data, result = pinned
ctypes.memset(data, 1, 8192)
if case == "thread":
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
else:
    work()
for one in pinned:
    driver.call("cuMemFreeHost", one)
for stream in (owner, other):
    driver.call("cuStreamDestroy_v2", stream)
driver.end()
print("done")
