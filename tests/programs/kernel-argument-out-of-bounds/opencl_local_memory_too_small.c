// Defect: The local memory has room for a quarter of the work-group.
// Fix: It has an element for each work-item of the group.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=reverse
// EXPECT-FACT argument=1
// EXPECT-FACT local_bytes=64
// EXPECT-FACT last_byte=255
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 1024 * sizeof(float), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void reverse(global float* out, local float* tile) {"
      "  tile[get_local_id(0)] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];"
      "}",
      "reverse");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const size_t room = 64;
#else
  const size_t room = 64 * sizeof(float);
#endif
  OK(clSetKernelArg(kernel, 1, room, NULL));
  const size_t items = 1024, group = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
