// Defect: A buffer uses host memory from the second number on, and a kernel accesses it as vectors of four numbers.
// Fix: The buffer begins at a vector.
// EXPECT error misaligned clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=scale
// EXPECT-FACT alignment_bytes=16
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kBytes = 4096 };
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float4* values, global float* numbers) {"
      "  const int i = get_global_id(0);"
      "  values[i] *= 2;"
      "  numbers[i] *= 2;"
      "}",
      "scale");
  char* memory = aligned_alloc(4096, 2 * kBytes);
  char* more = aligned_alloc(4096, 2 * kBytes);
  memset(memory, 0, 2 * kBytes);
  memset(more, 0, 2 * kBytes);
#ifdef DEFECT
  char* begin = memory + 4;
#else
  char* begin = memory + 16;
#endif
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, begin, &error));
  cl_mem numbers = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, more + 4, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(values), &values));
  OK(clSetKernelArg(kernel, 1, sizeof(numbers), &numbers));
  const size_t items = kBytes / 16;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(values));
  OK(clReleaseMemObject(numbers));
  OK(clReleaseKernel(kernel));
  free(memory);
  free(more);
  Close();
}
