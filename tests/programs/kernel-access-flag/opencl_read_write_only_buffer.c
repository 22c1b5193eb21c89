// Defect: A kernel reads a buffer that was created CL_MEM_WRITE_ONLY: its argument is a pointer to
// const.
// Fix: A kernel reads a buffer that was created CL_MEM_READ_ONLY.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=copy
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out, in);
}
