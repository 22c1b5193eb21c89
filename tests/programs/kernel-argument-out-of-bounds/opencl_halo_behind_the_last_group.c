// Defect: The work items at the end of each group load a halo of three elements behind the group. Behind the last group
// the buffer has no elements.
// Fix: The buffer has three elements more.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=blur
// EXPECT-FACT outside_bytes=12
#include "common/opencl.h"

static const char kSource[] =
    "kernel void blur(global const float* in, global float* out, local float* tile) {\n"
    "  int item = get_local_id(0), size = get_local_size(0), i = get_global_id(0);\n"
    "  tile[item] = in[i];\n"
    "  if (item >= size - 3) tile[item + 3] = in[i + 3];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = tile[item] + tile[item + 1] + tile[item + 2] + tile[item + 3];\n"
    "}\n";

int main(void) {
  Open(0);
  cl_kernel blur = NewKernel(kSource, "blur");
  static cl_float host[600];
#ifdef DEFECT
  const size_t elements = 512;
#else
  const size_t elements = 515;
#endif
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, elements * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 512 * sizeof(cl_float), NULL, &error));
  OK(clSetKernelArg(blur, 0, sizeof(in), &in));
  OK(clSetKernelArg(blur, 1, sizeof(out), &out));
  OK(clSetKernelArg(blur, 2, 67 * sizeof(cl_float), NULL));
  const size_t items = 512, group = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, blur, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, blur);
}
