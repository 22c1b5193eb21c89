// Defect: A kernel argument for shared virtual memory is set to a pointer from malloc.
// Fix: The argument is set to a pointer from clSVMAlloc.
// EXPECT error invalid-pointer clSetKernelArgSVMPointer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL));
  if ((can & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0) return 77;  // any pointer is an argument
#ifdef DEFECT
  // @BLOCK
  int* data = malloc(4096);
  // @HERE
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  free(data);
#else
  int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  clSVMFree(context, data);
#endif
  Close();
}
