# Kernels that the program does not have, as the look-up of an attribute creates them.
import ctypes

import defects

opencl = defects._opencl
pointer = ctypes.c_void_p
opencl.clCreateProgramWithSource.restype = opencl.clCreateKernel.restype = pointer


def create(program, name):
    code = ctypes.c_int()
    return opencl.clCreateKernel(program, name, ctypes.byref(code)), code.value


def main():
    device = defects.Device()
    source, code = ctypes.c_char_p(b"kernel void scale(global int* out) { out[0] = 2; }"), ctypes.c_int()
    program = pointer(opencl.clCreateProgramWithSource(device.context, 1, ctypes.byref(source), None, ctypes.byref(code)))
    assert opencl.clBuildProgram(program, 0, None, None, None, None) == 0
    for name in (b"_repr_html_", b"__array_interface__"):
        assert create(program, name) == (None, -46)
    assert create(program, b"scael") == (None, -46)  # @misspelled


main()
