// Defect: Buffers, images, samplers, contexts and shared memory are created with wrong arguments.
// Fix: The arguments are correct.
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

// Defect: Shared virtual memory is allocated with an alignment that is not a power of two.
// Fix: The alignment is a power of two.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE_5
// EXPECT-TEXT alignment is 48, which is not a power of two
static void SvmAlignment(void) {
#ifdef DEFECT
  const cl_uint alignment = 48;
#else
  const cl_uint alignment = 64;
#endif
  // @HERE_5
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, alignment);
  if (shared != NULL) clSVMFree(context, shared);
}

// Defect: Shared memory with CL_MEM_SVM_ATOMICS is not fine-grained.
// Fix: The memory is plain coarse-grained memory.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE_6
// EXPECT-TEXT CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER
static void SvmAtomicsOfCoarseMemory(void) {
#ifdef DEFECT
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS;
#else
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @HERE_6
  void* shared = clSVMAlloc(context, flags, 4096, 0);
  if (shared != NULL) clSVMFree(context, shared);
}

// Defect: A program creates an image of a format that the device does not support.
// Fix: The program uses a format that every device supports.
// EXPECT warning call-failed clCreateImage at HERE_7
// EXPECT-TEXT no device of context supports CL_RGB/CL_FLOAT
static void FormatOfNoDevice(void) {
  cl_image_format format = kRgba8;
#ifdef DEFECT
  format.image_channel_order = CL_RGB;
  format.image_channel_data_type = CL_FLOAT;
#endif
  cl_image_desc shape = Image2D(16, 16);
  // @HERE_7
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
}

// Defect: The program creates an image in a format that does not exist. (The driver returns a code
// with another meaning.)
// Fix: The format is one that every device has.
// EXPECT warning call-failed clCreateImage CL_INVALID_OPERATION at HERE_8
static void ImageFormat(void) {
#ifdef DEFECT
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
#else
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#endif
  const cl_image_desc shape = Image2D(16, 16);
  // @HERE_8
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
}

// Defect: An image is created from a buffer that holds a quarter of its texels.
// Fix: The image is as wide as the buffer has texels.
// EXPECT warning call-failed clCreateImage at HERE_9
// EXPECT-TEXT describes an image of 16384 B, but its buffer has 4096 B
static void ImageLargerThanItsBuffer(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .buffer = buffer};
#ifdef DEFECT
  desc.image_width = 1024;
#endif
  // @HERE_9
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  EmptyBuffer();
  SamplerMode();
  SubBufferOfSubBuffer();
  ContextWithoutADevice();
  SvmAlignment();
  SvmAtomicsOfCoarseMemory();
  FormatOfNoDevice();
  ImageFormat();
  ImageLargerThanItsBuffer();
  Close();
}
