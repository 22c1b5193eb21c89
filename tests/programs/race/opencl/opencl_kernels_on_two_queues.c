// Defect: Kernels on two queues use the same elements of a buffer, and nothing orders the two.
// Fix: The second kernel waits for the first one, or the parts do not overlap.
#include "common/opencl.h"

// Defect: A kernel reads what a kernel on another queue writes, by pointers that are not const.
// Fix: The second launch waits for the event of the first.
// EXPECT error race clEnqueueNDRangeKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=twice
// EXPECT-FACT argument=0
// EXPECT-FACT earlier_kernel=fill
// EXPECT-FACT earlier_argument=0
// EXPECT-FACT launch_size=global size 64, local size NULL
// EXPECT-FACT earlier_launch_size=global size 64, local size NULL
static void KernelsOnTwoQueues(void) {
  cl_command_queue other = NewQueue(0);
  cl_kernel fill = NewKernel(
      "kernel void fill(global int* values, global int* copy) {"
      "  size_t i = get_global_id(0);"
      "  values[i] = (int)i;"
      "  copy[i] = (int)i;"
      "}",
      "fill");
  cl_kernel twice = NewKernel(
      "kernel void twice(global int* from, global int* to) {"
      "  size_t i = get_global_id(0);"
      "  to[i] = 2 * from[i];"
      "}",
      "twice");
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(fill, 1, sizeof(copy), &copy));
  OK(clSetKernelArg(twice, 0, sizeof(values), &values));
  OK(clSetKernelArg(twice, 1, sizeof(result), &result));
  const size_t items = 64;
  cl_event filled;
  // @WRITES
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, &filled));
#ifdef DEFECT
  // @READS
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, 0, NULL, NULL));
#else
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseEvent(filled));
  RELEASE(values, copy, result, fill, twice, other);
}

// Defect: A kernel scatters into a buffer that a kernel on another queue reads as a whole.
// Fix: The reader waits for the event of the writer.
// EXPECT error race clEnqueueNDRangeKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-FACT byte_range=0 to 255
static void ScatterBesideAReader(void) {
  cl_command_queue other = NewQueue(0);
  cl_kernel scatter = NewKernel(
      "kernel void scatter(global const int* to, global int* values) {"
      "  int i = get_global_id(0);"
      "  values[to[i]] = i;"
      "}",
      "scatter");
  cl_kernel twice = NewKernel(
      "kernel void twice(global const int* values, global int* result) {"
      "  int i = get_global_id(0);"
      "  result[i] = 2 * values[i];"
      "}",
      "twice");
  int order[64];
  for (int i = 0; i < 64; ++i) order[i] = (17 * i) % 64;
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(order),
                                  order, &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(order), NULL, &error));
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(order), NULL, &error));
  OK(clSetKernelArg(scatter, 0, sizeof(to), &to));
  OK(clSetKernelArg(scatter, 1, sizeof(values), &values));
  OK(clSetKernelArg(twice, 0, sizeof(values), &values));
  OK(clSetKernelArg(twice, 1, sizeof(result), &result));
  const size_t items = 64;
  cl_event scattered;
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, scatter, 1, NULL, &items, NULL, 0, NULL, &scattered));
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @SECOND
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, waits, waits ? &scattered : NULL,
                            NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseEvent(scattered));
  RELEASE(to, values, result, scatter, twice, other);
}

// Defect: Kernels on two queues write halves of a buffer that overlap by one element.
// Fix: The second kernel begins behind the first one's half.
// EXPECT error race clEnqueueNDRangeKernel at SECOND_3
// EXPECT-PARTY pending-command at FIRST_3
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
  // @FIRST_3
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, NULL, 0, NULL, NULL));
  // @SECOND_3
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
  KernelsOnTwoQueues();
  ScatterBesideAReader();
  KernelsOfOverlappingHalves();
  StridesOverOverlappingParts();
  Close();
}
