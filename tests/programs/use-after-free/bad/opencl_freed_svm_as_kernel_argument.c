// A kernel argument is set to shared virtual memory that was freed.
// EXPECT error use-after-free clSetKernelArgSVMPointer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @RELEASED
  clSVMFree(context, shared);
  // @HERE
  clSetKernelArgSVMPointer(kernel, 0, shared);
  OK(clReleaseKernel(kernel));
  Close();
}
