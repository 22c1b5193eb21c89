"""OpenCL by ctypes, without packages: a read beyond the end of a buffer, whose call site is what tests look at.

PROGRAM_GIL=held keeps the GIL during the call; otherwise ctypes releases it, as frameworks do.
"""
import ctypes
import os

_opencl = (ctypes.PyDLL if os.environ.get("PROGRAM_GIL") == "held" else ctypes.CDLL)("libOpenCL.so.1")
_pointer = ctypes.c_void_p
for _name in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer"):
    getattr(_opencl, _name).restype = _pointer
_SIZE = 4096


class Device:
    def __init__(self):
        platform, device = _pointer(), _pointer()
        assert _opencl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
        assert _opencl.clGetDeviceIDs(platform, ctypes.c_uint64(0xffffffff), 1, ctypes.byref(device), None) == 0
        code = ctypes.c_int()
        self.context = _pointer(_opencl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(code)))
        self.queue = _pointer(_opencl.clCreateCommandQueue(self.context, device, ctypes.c_uint64(0),
                                                           ctypes.byref(code)))
        self.buffer = _pointer(_opencl.clCreateBuffer(self.context, ctypes.c_uint64(1), ctypes.c_size_t(_SIZE), None,
                                                      ctypes.byref(code)))
        self.host = ctypes.create_string_buffer(_SIZE)
        # Written, so that a read is a read of something.
        self.call("clEnqueueWriteBuffer", 0)

    def call(self, name, offset):
        return getattr(_opencl, name)(self.queue, self.buffer, 1, ctypes.c_size_t(offset), ctypes.c_size_t(_SIZE),
                                      self.host, 0, None, None)

    def bad_read(self):
        """Reads 8 bytes too many. Fails, and the program goes on."""
        assert _opencl.clEnqueueReadBuffer(self.queue, self.buffer, 1, ctypes.c_size_t(8), ctypes.c_size_t(_SIZE),
                                           self.host, 0, None, None) != 0
