# A thread that C started, beside one of Python.
import ctypes
import sys

import defects

device = defects.Device()
library = ctypes.CDLL(sys.argv[1])
library.BadReadInThread(defects._opencl.clEnqueueReadBuffer, device.queue, device.buffer, device.host)
device.bad_read()  # @python
