// Defect: A kernel is released twice.
// Fix: A kernel is released once.
// EXPECT error over-release clReleaseKernel at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @RELEASED
  OK(clReleaseKernel(kernel));
#ifdef DEFECT
  // @HERE
  clReleaseKernel(kernel);
#endif
  Close();
}
