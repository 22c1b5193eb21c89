// Defect: A buffer without bytes, a sampler of an unknown mode, a sub-buffer of a sub-buffer and a
// context without a device are created.
// Fix: The arguments are valid.
#include "common/opencl.h"

// Defect: The program creates a buffer of 0 bytes, without flags.
// Fix: The buffer has a few bytes.
// EXPECT warning call-failed clCreateBuffer CL_INVALID_BUFFER_SIZE at HERE
// EXPECT-TEXT requested: 0 B(?!, 0)
// EXPECT-TEXT size is 0 \(OpenCL
static void EmptyBuffer(void) {
#ifdef DEFECT
  // @HERE
  cl_mem buffer = clCreateBuffer(context, 0, 0, NULL, &error);
#else
  cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &error);
#endif
  if (buffer != NULL) OK(clReleaseMemObject(buffer));
}

// Defect: A sampler repeats the image, but its coordinates are texels.
// Fix: The coordinates are normalized.
// EXPECT warning call-failed clCreateSampler at HERE_2
// EXPECT-TEXT normalized_coords is CL_FALSE
static void SamplerMode(void) {
#ifdef DEFECT
  const cl_bool normalized = CL_FALSE;
#else
  const cl_bool normalized = CL_TRUE;
#endif
  // @HERE_2
  cl_sampler sampler = clCreateSampler(context, normalized, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error);
  if (error == CL_SUCCESS) OK(clReleaseSampler(sampler));
}

// Defect: A sub-buffer is created from a sub-buffer.
// Fix: The second sub-buffer is created from the buffer itself.
// EXPECT warning call-failed clCreateSubBuffer CL_INVALID_MEM_OBJECT at HERE_3
static void SubBufferOfSubBuffer(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region half = {0, 2048}, quarter = {0, 1024};
  cl_mem first = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
#ifdef DEFECT
  cl_mem parent = first;
#else
  cl_mem parent = buffer;
#endif
  // @HERE_3
  cl_mem second = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &quarter, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(second));
  RELEASE(first, buffer);
}

// Defect: The program ignores that there is no device, and creates a context on NULL.
// Fix: The program stops.
// EXPECT warning call-failed clCreateContext CL_INVALID_DEVICE at HERE_4
// EXPECT-TEXT devices\[0\] is NULL
// EXPECT-TEXT correct devices
static void ContextWithoutADevice(void) {
  cl_device_id found = NULL;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &found, NULL);
#ifndef DEFECT
  if (found == NULL) found = device;
#endif
  // @HERE_4
  cl_context other = clCreateContext(NULL, 1, &found, NULL, NULL, &error);
  if (other != NULL) OK(clReleaseContext(other));
}

int main(void) {
  Open(0);
  EmptyBuffer();
  SamplerMode();
  SubBufferOfSubBuffer();
  ContextWithoutADevice();
  Close();
}
