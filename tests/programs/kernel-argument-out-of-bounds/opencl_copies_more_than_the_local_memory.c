// Defect: Each group copies as many elements as an argument says into local memory that has room for
// fewer.
// Fix: The local memory has room for them.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-FACT kernel=tiles
// EXPECT-FACT local_bytes=128
// EXPECT-FACT last_byte=191
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void tiles(global const float* in, global float* out, local float* tile, int count) {\n"
    "  event_t copy = async_work_group_copy(tile, in + get_group_id(0) * count, count, 0);\n"
    "  wait_group_events(1, &copy);\n"
    "  out[get_global_id(0)] = tile[get_local_id(0)];\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kItems = 256, kGroup = 32, kCount = 48 };
  cl_kernel kernel = NewKernel(kSource, "tiles");
  static cl_float host[kItems / kGroup * kCount];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(host), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(cl_float), NULL, &error));
#ifdef DEFECT
  const size_t room = kGroup * sizeof(cl_float);
#else
  const size_t room = kCount * sizeof(cl_float);
#endif
  const cl_int count = kCount;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, room, NULL));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = kItems, group = kGroup;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, in, out);
}
