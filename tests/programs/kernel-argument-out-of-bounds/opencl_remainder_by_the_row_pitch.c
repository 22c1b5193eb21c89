// Defect: A kernel adds one bias for each column of a matrix. It takes the remainder by the pitch
// of the rows, not by the number of columns, so that the padding of the rows reads past the bias.
// Fix: The bias has one element for each column with the padding.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=add_bias
// EXPECT-FACT last_byte=255
// EXPECT-FACT outside_bytes=56
#include "common/opencl.h"

static const char kSource[] =
    "kernel void add_bias(global float* rows, global const float* bias, uint pitch, uint count) {\n"
    "  uint i = get_global_id(0);\n"
    "  if (i >= count) return;\n"
    "  rows[i] += bias[i % pitch];\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kColumns = 50, kPitch = 64, kRows = 10 };
  cl_kernel kernel = NewKernel(kSource, "add_bias");
  static cl_float matrix[kRows * kPitch];
  // Behind the bias there is room for the elements that are outside.
  static cl_float host[2 * kPitch];
#ifdef DEFECT
  const size_t biases = kColumns;
#else
  const size_t biases = kPitch;
#endif
  cl_mem rows = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(matrix), matrix, &error));
  cl_mem bias =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, biases * sizeof(cl_float), host, &error));
  const cl_uint pitch = kPitch, count = kRows * kPitch;
  OK(clSetKernelArg(kernel, 0, sizeof(rows), &rows));
  OK(clSetKernelArg(kernel, 1, sizeof(bias), &bias));
  OK(clSetKernelArg(kernel, 2, sizeof(pitch), &pitch));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = 768;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(rows));
  OK(clReleaseMemObject(bias));
  OK(clReleaseKernel(kernel));
  Close();
}
