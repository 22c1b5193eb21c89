// Defect: A kernel argument is set to shared virtual memory that was freed.
// Fix: Shared virtual memory is freed after the kernel that uses it has ended.
// EXPECT error use-after-free clSetKernelArgSVMPointer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

// Memory of this size is unmapped when it is freed. Smaller memory may be in use again, and devices with system SVM
// accept any memory.
enum { kBytes = 64 << 20 };

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
#ifndef DEFECT
  clSetKernelArgSVMPointer(kernel, 0, shared);
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT
  // @HERE
  clSetKernelArgSVMPointer(kernel, 0, shared);
#endif
  CLOSE(kernel);
}
