// A sub-buffer begins at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_uint bits = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, NULL));
  cl_mem parent = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region part = {bits / 8, 1024};
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  OK(clReleaseMemObject(parent));
  Close();
}
