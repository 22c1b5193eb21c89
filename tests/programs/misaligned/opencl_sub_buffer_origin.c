// Defect: A sub-buffer begins where the device cannot address one.
// Fix: A sub-buffer begins at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN.
// EXPECT error misaligned clCreateSubBuffer CL_MISALIGNED_SUB_BUFFER_OFFSET at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=4
// EXPECT-FACT alignment_bytes=128
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_uint bits = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, NULL));
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {4, 1024};
#else
  const cl_buffer_region part = {bits / 8, 1024};
#endif
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
