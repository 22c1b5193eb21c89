// Defect: The size of a map counts elements, so that the program writes a quarter of the input.
// Fix: It counts bytes.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kItems = 1024 };
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + 1;"
      "}",
      "add");
  const size_t items = kItems, bytes = kItems * sizeof(cl_int);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &error));
#ifdef DEFECT
  const size_t mapped = items;
#else
  const size_t mapped = bytes;
#endif
  // In two halves.
  for (int half = 0; half < 2; ++half) {
    void* pointer = MADE(clEnqueueMapBuffer(queue, in, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                            (size_t)half * mapped / 2, mapped / 2, 0, NULL, NULL, &error));
    memset(pointer, 1, mapped / 2);
    OK(clEnqueueUnmapMemObject(queue, in, pointer, 0, NULL, NULL));
  }
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
