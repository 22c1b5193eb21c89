"""The driver, and a best-fit allocator over it, for the stand-ins of CuPy and RMM."""
import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
segments = []


def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    if code != 0:
        raise RuntimeError(f"{name} returned {code}")


def begin():
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)


def new_stream():
    stream = ctypes.c_void_p()
    call("cuStreamCreate", ctypes.byref(stream), 1)  # CU_STREAM_NON_BLOCKING
    return stream


def new_segment(size):
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
    segments.append(address)
    return address.value


def end():
    for segment in segments:
        call("cuMemFree_v2", segment)
    call("cuDevicePrimaryCtxRelease_v2", 0)


class Segments:
    """Divides segments of at least `smallest` bytes, and keeps what is freed. Parts are not joined again."""

    def __init__(self, smallest):
        self.smallest = smallest
        self.free, self.sizes = [], {}

    def malloc(self, size):
        part = next((part for part in self.free if part[1] >= size), None)
        if part is None:
            length = max(size, self.smallest)
            part = (new_segment(length), length)
        else:
            self.free.remove(part)
        address, length = part
        if length > size:
            self.free.append((address + size, length - size))
        self.sizes[address] = size
        return address

    def give_back(self, address):
        self.free.insert(0, (address, self.sizes.pop(address)))
