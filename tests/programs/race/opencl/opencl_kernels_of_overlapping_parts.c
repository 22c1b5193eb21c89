// Defect: Kernels on two queues write halves of a buffer, and stride over parts of it, that overlap
// by one element.
// Fix: The second part begins behind the first one.
#include "common/opencl.h"

// Defect: Kernels on two queues write halves of a buffer that overlap by one element.
// Fix: The second kernel begins behind the first one's half.
// EXPECT error race clEnqueueNDRangeKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT launch_size=global size 64, local size NULL
// EXPECT-FACT earlier_launch_size=global size 64, local size NULL
#ifdef DEFECT
#define BEGIN 31
#else
#define BEGIN 32
#endif

static void KernelsOfOverlappingHalves(void) {
  cl_command_queue other = NewQueue(0);
  cl_kernel kernels[2];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  const cl_int begins[2] = {0, BEGIN};
  for (int i = 0; i < 2; ++i) {
    kernels[i] = NewKernel(
        "kernel void fill(global int* values, int begin, int count) {"
        "  int i = get_global_id(0);"
        "  if (i < count) values[begin + i] = i;"
        "}",
        "fill");
    const cl_int count = 32;
    OK(clSetKernelArg(kernels[i], 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(kernels[i], 1, sizeof(cl_int), &begins[i]));
    OK(clSetKernelArg(kernels[i], 2, sizeof(count), &count));
  }
  const size_t items = 64;
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, NULL, 0, NULL, NULL));
  // @SECOND
  OK(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  RELEASE(buffer, kernels[0], kernels[1], other);
}

// Defect: Kernels on two queues stride over parts of a buffer that overlap by one element.
// Fix: The second part begins behind the first one.
// EXPECT error race clEnqueueNDRangeKernel at SECOND_2
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=WAW
// EXPECT-FACT launch_size=global size 8, local size NULL
// EXPECT-FACT byte_range=396 to 799
// EXPECT-FACT earlier_byte_range=0 to 399
#ifdef DEFECT
#define BEGIN 99
#else
#define BEGIN 100
#endif

static void StridesOverOverlappingParts(void) {
  cl_command_queue other = NewQueue(0);
  cl_kernel kernels[2];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 800, NULL, &error));
  const cl_int begins[2] = {0, BEGIN}, ends[2] = {100, 200};
  for (int i = 0; i < 2; ++i) {
    kernels[i] = NewKernel(
        "kernel void fill(global int* values, int begin, int end) {"
        "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) values[i] = i;"
        "}",
        "fill");
    OK(clSetKernelArg(kernels[i], 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(kernels[i], 1, sizeof(cl_int), &begins[i]));
    OK(clSetKernelArg(kernels[i], 2, sizeof(cl_int), &ends[i]));
  }
  const size_t items = 8;
  // @FIRST_2
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, NULL, 0, NULL, NULL));
  // @SECOND_2
  OK(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  RELEASE(buffer, kernels[0], kernels[1], other);
}

int main(void) {
  Open(0);
  KernelsOfOverlappingHalves();
  StridesOverOverlappingParts();
  Close();
}
