// Defect: The local memory of a recorded launch has room for a quarter of the work-group.
// Fix: It has an element for each work-item of the group.
// EXPECT error kernel-argument-out-of-bounds clCommandNDRangeKernelKHR at HERE
// EXPECT-FACT kernel=reverse
// EXPECT-FACT argument=1
// EXPECT-FACT local_bytes=64
// EXPECT-FACT last_byte=255
// EXIT any
#include "common/opencl_command_buffers.h"

static const char kSource[] =
    "kernel void reverse(global float* out, local float* tile) {"
    "  tile[get_local_id(0)] = get_global_id(0);"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];"
    "}";

int main(void) {
  OpenCommandBuffers(0);
  if (!load_clCreateCommandBufferKHR) abort();
  cl_mem out = MADE(clCreateBuffer(context, 0, 1024 * sizeof(float), NULL, &error));
  cl_kernel kernel = NewKernel(kSource, "reverse");
  const size_t items = 1024, group = 64;
#ifdef DEFECT
  const size_t elements = group / 4;
#else
  const size_t elements = group;
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, elements * sizeof(float), NULL));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  // @HERE
  OK(load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, kernel, 1, NULL, &items, &group, 0, NULL, NULL, NULL));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(kernel, out);
}
