# The OpenCL loader opened by ctypes at run time: no header, no link, calls by address as a scripting language makes them.
# packages: ocl-icd-libopencl1 pocl-opencl-icd
# suite: quick
# attach: layer
import array
import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_ulong, c_void_p

cl = ctypes.CDLL("libOpenCL.so.1")
for name, result in (("clCreateContext", c_void_p), ("clCreateCommandQueueWithProperties", c_void_p),
                     ("clCreateBuffer", c_void_p), ("clCreateProgramWithSource", c_void_p),
                     ("clCreateKernel", c_void_p), ("clEnqueueMapBuffer", c_void_p), ("clCreateUserEvent", c_void_p),
                     ("clSVMAlloc", c_void_p), ("clCreateImage", c_void_p)):
    getattr(cl, name).restype = result


def succeed(code):
    if code != 0:
        raise SystemExit(f"error {code}")


def create(function, *arguments):
    code = c_int()
    handle = function(*arguments, byref(code))
    succeed(code.value)
    return c_void_p(handle)


platform, device = c_void_p(), c_void_p()
succeed(cl.clGetPlatformIDs(1, byref(platform), None))
succeed(cl.clGetDeviceIDs(platform, c_ulong(0xFFFFFFFF), 1, byref(device), None))
context = create(cl.clCreateContext, None, 1, byref(device), None, None)
queue = create(cl.clCreateCommandQueueWithProperties, context, device, None)
source = b"""
__kernel void scale(__global const float *in, __global float *out, float factor) {
  size_t i = get_global_id(0);
  out[i] = in[i] * factor;
}
"""
text = c_char_p(source)
program = create(cl.clCreateProgramWithSource, context, 1, byref(text), None)
succeed(cl.clBuildProgram(program, 1, byref(device), b"-cl-std=CL1.2", None, None))
kernel = create(cl.clCreateKernel, program, b"scale")

count = 10000
data = array.array("f", range(count))
pointer = c_void_p(data.buffer_info()[0])
size = c_size_t(count * 4)
READ_WRITE, WRITE_ONLY, READ_ONLY, COPY_HOST_PTR = 1, 2, 4, 32
buffer_in = create(cl.clCreateBuffer, context, c_ulong(READ_ONLY | COPY_HOST_PTR), size, pointer)
buffer_out = create(cl.clCreateBuffer, context, c_ulong(WRITE_ONLY), size, None)
factor = ctypes.c_float(2.5)
succeed(cl.clSetKernelArg(kernel, 0, c_size_t(8), byref(buffer_in)))
succeed(cl.clSetKernelArg(kernel, 1, c_size_t(8), byref(buffer_out)))
succeed(cl.clSetKernelArg(kernel, 2, c_size_t(4), byref(factor)))
work = c_size_t(count)
event = c_void_p()
succeed(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, byref(work), None, 0, None, byref(event)))
back = array.array("f", bytes(count * 4))
succeed(cl.clEnqueueReadBuffer(queue, buffer_out, 1, c_size_t(0), size, c_void_p(back.buffer_info()[0]), 1,
                               byref(event), None))
succeed(cl.clWaitForEvents(1, byref(event)))
succeed(cl.clReleaseEvent(event))
print("kernel", "ok" if all(back[i] == data[i] * 2.5 for i in range(count)) else "WRONG")

mapped = create(cl.clEnqueueMapBuffer, queue, buffer_out, 1, c_ulong(1), c_size_t(0), size, 0, None, None)
values = ctypes.cast(mapped, POINTER(ctypes.c_float))
print("map", values[3], values[9999])
succeed(cl.clEnqueueUnmapMemObject(queue, buffer_out, mapped, 0, None, None))


class Format(ctypes.Structure):
    _fields_ = [("order", c_uint), ("type", c_uint)]


class Description(ctypes.Structure):
    _fields_ = [("type", c_uint), ("width", c_size_t), ("height", c_size_t), ("depth", c_size_t),
                ("array", c_size_t), ("row", c_size_t), ("slice", c_size_t), ("mips", c_uint), ("samples", c_uint),
                ("parent", c_void_p)]


RGBA, UNSIGNED_INT8, IMAGE2D = 0x10B5, 0x10DA, 0x10F1
image = create(cl.clCreateImage, context, c_ulong(READ_WRITE), byref(Format(RGBA, UNSIGNED_INT8)),
               byref(Description(IMAGE2D, 20, 10)), None)
pixels = array.array("B", [i % 251 for i in range(20 * 10 * 4)])
origin, region = (c_size_t * 3)(0, 0, 0), (c_size_t * 3)(20, 10, 1)
succeed(cl.clEnqueueWriteImage(queue, image, 1, origin, region, c_size_t(0), c_size_t(0),
                               c_void_p(pixels.buffer_info()[0]), 0, None, None))
part = array.array("B", bytes(5 * 4 * 4))
succeed(cl.clEnqueueReadImage(queue, image, 1, (c_size_t * 3)(3, 2, 0), (c_size_t * 3)(5, 4, 1), c_size_t(0),
                              c_size_t(0), c_void_p(part.buffer_info()[0]), 0, None, None))
want = [pixels[((y + 2) * 20 + x + 3) * 4 + channel] for y in range(4) for x in range(5) for channel in range(4)]
print("image", "ok" if list(part) == want else "WRONG")

gate = create(cl.clCreateUserEvent, context)
succeed(cl.clEnqueueWriteBuffer(queue, buffer_in, 0, c_size_t(0), size, pointer, 1, byref(gate), None))
succeed(cl.clFlush(queue))
succeed(cl.clSetUserEventStatus(gate, 0))
succeed(cl.clFinish(queue))
succeed(cl.clReleaseEvent(gate))
print("user event ok")

for release, handle in ((cl.clReleaseMemObject, image), (cl.clReleaseMemObject, buffer_in),
                        (cl.clReleaseMemObject, buffer_out), (cl.clReleaseKernel, kernel),
                        (cl.clReleaseProgram, program), (cl.clReleaseCommandQueue, queue),
                        (cl.clReleaseContext, context)):
    succeed(release(handle))
print("released")
