// What the OpenCL programs share: one device, context and queue, and checks that end the program.
//
// Calls that a case is about stand in the program itself, so that their sites are the program's own lines.
// OK and MADE are for calls that must succeed; FAILS names the error that the call must return.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define SHARED [[maybe_unused]] static
#else
#define SHARED static __attribute__((unused))
#endif

SHARED cl_int error;  // last argument of every creating call
SHARED cl_platform_id platform;
SHARED cl_device_id device;
SHARED cl_context context;
SHARED cl_command_queue queue;

SHARED void Expect(cl_int got, cl_int wanted, const char* call, const char* file, int line) {
  if (got == wanted) return;
  fprintf(stderr, "%s:%d: %s returned %d, not %d\n", file, line, call, got, wanted);
  abort();
}

#define FAILS(code, call) Expect((call), (code), #call, __FILE__, __LINE__)
#define OK(call) FAILS(CL_SUCCESS, call)
#define MADE(call)                                          \
  __extension__({                                           \
    __typeof__(call) made_ = (call);                        \
    Expect(error, CL_SUCCESS, #call, __FILE__, __LINE__);   \
    made_;                                                  \
  })

// A further queue of the context and device that Open made.
SHARED cl_command_queue NewQueue(cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  return MADE(clCreateCommandQueueWithProperties(context, device, list, &error));
}

// The first device of the first platform, a context on it, and a queue with these properties (0: in-order).
SHARED void Open(cl_command_queue_properties properties) {
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  queue = NewQueue(properties);
}

// Releases what Open made.
SHARED void Close(void) {
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
}

#ifndef __cplusplus
SHARED cl_int ReleaseNothing(void* null) {
  (void)null;
  return CL_SUCCESS;
}
#define RELEASE_ONE(object)                    \
  OK(_Generic((object),                        \
      cl_mem: clReleaseMemObject,              \
      cl_kernel: clReleaseKernel,              \
      cl_program: clReleaseProgram,            \
      cl_event: clReleaseEvent,                \
      cl_sampler: clReleaseSampler,            \
      cl_command_queue: clReleaseCommandQueue, \
      void*: ReleaseNothing)(object))
#define RELEASE_SIX(a, b, c, d, e, f, ...)                                             \
  (RELEASE_ONE(a), RELEASE_ONE(b), RELEASE_ONE(c), RELEASE_ONE(d), RELEASE_ONE(e), \
   RELEASE_ONE(f))
// RELEASE(a, b) releases up to six objects in this order. CLOSE(a, b) closes after that. For cases
// that are not about how their objects end.
#define RELEASE(...) RELEASE_SIX(__VA_ARGS__, NULL, NULL, NULL, NULL, NULL, NULL)
#define CLOSE(...) (RELEASE(__VA_ARGS__), Close())
#endif

// The kernel `name` of a program built from `source`. The kernel alone keeps the program.
SHARED cl_kernel NewKernel(const char* source, const char* name) {
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
  OK(clReleaseProgram(program));
  return kernel;
}

// Formats and shapes of the images that the cases use.
SHARED const cl_image_format kRgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
SHARED const cl_image_format kRgbaFloat = {CL_RGBA, CL_FLOAT};

SHARED cl_image_desc Image1D(size_t width) {
  cl_image_desc shape;
  memset(&shape, 0, sizeof(shape));
  shape.image_type = CL_MEM_OBJECT_IMAGE1D;
  shape.image_width = width;
  return shape;
}

SHARED cl_image_desc Image2D(size_t width, size_t height) {
  cl_image_desc shape = Image1D(width);
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_height = height;
  return shape;
}

SHARED cl_image_desc Image3D(size_t width, size_t height, size_t depth) {
  cl_image_desc shape = Image2D(width, height);
  shape.image_type = CL_MEM_OBJECT_IMAGE3D;
  shape.image_depth = depth;
  return shape;
}

SHARED cl_image_desc Image2DArray(size_t width, size_t height, size_t layers) {
  cl_image_desc shape = Image2D(width, height);
  shape.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  shape.image_array_size = layers;
  return shape;
}

SHARED const size_t kOrigin[3] = {0, 0, 0};
