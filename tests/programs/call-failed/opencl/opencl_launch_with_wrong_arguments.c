// Defect: Launches lack an argument, have an offset below 0, or work-groups of a wrong size.
// Fix: The launch has its arguments, and work-groups that the device allows.
#include "common/opencl.h"

// Defect: A kernel is launched with one of its arguments not set.
// Fix: A kernel is launched with all of its arguments set.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_KERNEL_ARGS at HERE
// EXPECT-TEXT scale
// EXPECT-TEXT set argument 1 of the kernel before clEnqueueNDRangeKernel
static void ArgumentNotSet(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 64 * sizeof(cl_float), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifndef DEFECT
  const cl_float factor = 2;
  OK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
#endif
  const size_t items = 64;
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Defect: The offset of a launch is computed below 0.
// Fix: The offset is 0.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE_2
// EXPECT-TEXT their sum exceeds the largest size_t
// EXPECT-FACT kernel=fill
static void OffsetWrapsAround(void) {
  cl_kernel fill = NewKernel("kernel void fill(global int* out) { out[get_local_id(0) & 15] = 7; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  const size_t items = 64;
#ifdef DEFECT
  const size_t halo = 16;
#else
  const size_t halo = 0;
#endif
  const size_t offset = 0 - halo;
  // @HERE_2
  clEnqueueNDRangeKernel(queue, fill, 1, &offset, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(out, fill);
}

// Defect: The number of work-items is not a multiple of the work-group's.
// Fix: The number of work-items is rounded up to a multiple of the work-group's.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE_3
// EXPECT-TEXT global_work_size\[0\] is 100, not a multiple of local_work_size\[0\], 64
static void WorkGroupDoesNotDivide(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 128 * sizeof(cl_int), NULL, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const size_t items = 100, group = 64;
#else
  const size_t items = 128, group = 64;
#endif
  // @HERE_3
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Defect: A work-group is larger than the device allows.
// Fix: A work-group is as large as the device chooses.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE_4
// EXPECT-TEXT local_work_size 8192 has 8192 work-items, more than CL_DEVICE_MAX_WORK_GROUP_SIZE, \d+ \(
static void WorkGroupTooLarge(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 8192 * sizeof(cl_int), NULL, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  const size_t items = 8192;
#ifdef DEFECT
  const size_t* group = &items;
#else
  const size_t* group = NULL;
#endif
  // @HERE_4
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

int main(void) {
  Open(0);
  ArgumentNotSet();
  OffsetWrapsAround();
  WorkGroupDoesNotDivide();
  WorkGroupTooLarge();
  Close();
}
