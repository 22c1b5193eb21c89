// Defect: A kernel clears rows of a matrix by the padded width. The buffer has the rows without
// their padding. Clang makes one memset of the loop.
// Fix: The kernel gets the width of the buffer's rows.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=clear
// EXPECT-FACT last_byte=2047
#include "common/opencl.h"

static const char kSource[] =
    "kernel void clear(global float* rows, int width) {\n"
    "  int y = get_global_id(0);\n"
    "  for (int x = 0; x < width; ++x) rows[y * width + x] = 0;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kWidth = 60, kPadded = 64, kRows = 8 };
  cl_kernel kernel = NewKernel(kSource, "clear");
  static cl_float host[2 * kRows * kPadded];
  const size_t bytes = kRows * kWidth * sizeof(cl_float);
  cl_mem rows = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
#ifdef DEFECT
  const cl_int width = kPadded;
#else
  const cl_int width = kWidth;
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(rows), &rows));
  OK(clSetKernelArg(kernel, 1, sizeof(width), &width));
  const size_t items = kRows;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(rows));
  OK(clReleaseKernel(kernel));
  Close();
}
