// Defect: A fill begins in the middle of its pattern, and a sub-buffer at an origin that the device
// does not allow.
// Fix: Both begin at aligned offsets.
#include "common/opencl.h"

// Defect: A fill begins inside a pattern.
// Fix: A fill begins at a multiple of its pattern's size.
// EXPECT error misaligned clEnqueueFillBuffer CL_INVALID_VALUE at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=8
// EXPECT-FACT alignment_bytes=16
static void FillOffset(void) {
  const cl_int4 pattern = {{1, 2, 3, 4}};
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const size_t offset = 8;
#else
  const size_t offset = 16;
#endif
  // @HERE
  clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), offset, 1024, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A sub-buffer begins where the device cannot address one.
// Fix: A sub-buffer begins at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN.
// EXPECT error misaligned clCreateSubBuffer CL_MISALIGNED_SUB_BUFFER_OFFSET at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT offset=4
// EXPECT-FACT alignment_bytes=128
static void SubBufferOrigin(void) {
  cl_uint bits = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, NULL));
  // @CREATED_2
  cl_mem parent = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {4, 1024};
#else
  const cl_buffer_region part = {bits / 8, 1024};
#endif
  // @HERE_2
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

int main(void) {
  Open(0);
  FillOffset();
  SubBufferOrigin();
  Close();
}
