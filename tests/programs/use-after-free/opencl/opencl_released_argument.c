// Defect buffer: A kernel argument is set to a buffer that was released.
// EXPECT error use-after-free clSetKernelArg at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
// MAY sync-object-misuse
// Defect sampler: A sampler that the program has released is set as the argument of a kernel.
// EXPECT error use-after-free clSetKernelArg at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXIT any
// Defect buffer_before_the_launch: A buffer is released between clSetKernelArg and the launch:
// being an argument does not keep it alive.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT-TEXT argument 0
// EXIT any
// MAY sync-object-misuse
// Defect sampler_before_the_launch: A kernel is launched after the program has released the sampler
// of its argument.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-PARTY release at RELEASED_4
// EXPECT-FACT argument=argument 1 (how) of kernel "take"
// EXIT any
// Defect not_set_again: The program replaces two buffers, and sets only one of the two arguments
// again.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE_5
// EXIT any
// Fix: The object is released behind the launch.
#include "common/opencl.h"

// Fix: A kernel argument is set to a buffer that is alive.
static void ReleasedKernelArgument(void) {
  static char data[1024];
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT_buffer
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#endif
#ifndef DEFECT_buffer
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#ifdef DEFECT_buffer
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#endif
#ifdef DEFECT_buffer
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  RELEASE(gate, kernel);
}

// Fix: The sampler is released after the last launch.
static void Sampler(void) {
  static const char kSource[] =
      "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
      "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";
  cl_kernel kernel = NewKernel(kSource, "take");
  // @CREATED_2
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
#ifdef DEFECT_sampler
  // @RELEASED_2
  OK(clReleaseSampler(sampler));
#endif
  // @HERE_2
  clSetKernelArg(kernel, 1, sizeof(sampler), &sampler);
#ifndef DEFECT_sampler
  OK(clReleaseSampler(sampler));
#endif
  RELEASE(kernel);
}

// Fix: A buffer is released after the launch, which keeps it alive until the kernel has ended.
static void BufferBeforeTheLaunch(void) {
  static char data[1024];
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
#ifdef DEFECT_buffer_before_the_launch
  // @RELEASED_3
  OK(clReleaseMemObject(buffer));
#endif
  const size_t items = 64;
  // @HERE_3
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifndef DEFECT_buffer_before_the_launch
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clReleaseMemObject(buffer));
#endif
#ifdef DEFECT_buffer_before_the_launch
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  RELEASE(gate, kernel);
}

// Fix: The sampler is released after the launch.
static void SamplerBeforeTheLaunch(void) {
  static const char kSource[] =
      "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
      "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";
  cl_kernel kernel = NewKernel(kSource, "take");
  const cl_image_desc shape = Image2D(16, 16);
  cl_float* texels = calloc(16 * 16, 16);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgbaFloat, &shape, texels, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  // @CREATED_4
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
#ifdef DEFECT_sampler_before_the_launch
  // @RELEASED_4
  OK(clReleaseSampler(sampler));
#endif
  const size_t items = 16;
  // @HERE_4
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
#ifndef DEFECT_sampler_before_the_launch
  OK(clReleaseSampler(sampler));
#endif
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(image));
  OK(clReleaseKernel(kernel));
  free(texels);
}

// Fix: The program sets both arguments again.
static void NotSetAgain(void) {
  static const char kSource[] =
      "kernel void move(global float* places, global const float* speeds) {"
      "  const int i = get_global_id(0);"
      "  places[i] += speeds[i];"
      "}";
  enum { kItems = 256 };
  static float values[2 * kItems];
  cl_kernel kernel = NewKernel(kSource, "move");
  cl_mem buffers[2];
  for (size_t items = kItems; items <= 2 * kItems; items *= 2) {
    for (int i = 0; i < 2; ++i) {
      buffers[i] = MADE(
          clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(float), values, &error));
    }
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
#ifdef DEFECT_not_set_again
    if (items == kItems)
#endif
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]));
    // @HERE_5
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    OK(clFinish(queue));
    for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(buffers[i]));
  }
  RELEASE(kernel);
}

int main(void) {
  Open(0);
  ReleasedKernelArgument();
  Sampler();
  BufferBeforeTheLaunch();
  SamplerBeforeTheLaunch();
  NotSetAgain();
  Close();
}
