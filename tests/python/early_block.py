# A host block that is allocated before the first call of OpenCL is too short for a read.
import ctypes

opencl = ctypes.CDLL("libOpenCL.so.1")
opencl.clGetPlatformIDs  # is looked up, not called
blocks = [ctypes.create_string_buffer(4000) for _ in range(64)]
block = ctypes.create_string_buffer(4000)  # @block

import defects  # noqa: E402

device = defects.Device()
device.host = block
device.bad_read()
