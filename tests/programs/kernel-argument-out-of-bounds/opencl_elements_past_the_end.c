// Defect: Kernels access elements behind their buffers: by atomics, in a loop, by a clamped index,
// by async_work_group_copy, and one for each work item.
// Fix: The buffers, the counts and the launches agree.
#include "common/opencl.h"

// Defect: A kernel that writes one element for each work item has more work items than the buffer
// has elements.
// Fix: It has as many work items as elements.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT outside_bytes=4
static void KernelWritesPastTheEnd(void) {
  cl_kernel fill = NewKernel(
      "kernel void fill(global int* values, int value) {"
      "  values[get_global_id(0)] = value;"
      "}",
      "fill");
#ifdef DEFECT
  const size_t items = 65;
#else
  const size_t items = 64;
#endif
  // Behind the values there is room for one more.
  static cl_int host[80];
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, host, &error));
  const cl_int value = 7;
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(fill, 1, sizeof(value), &value));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(values, fill);
}

// Defect: A histogram has one bin less than the kernel counts into.
// Fix: It has a bin for each work-item.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=count
// EXPECT-FACT outside_bytes=4
static void AtomicPastTheEnd(void) {
  cl_kernel count = NewKernel("kernel void count(global int* bins) { atomic_inc(&bins[get_global_id(0)]); }", "count");
#ifdef DEFECT
  const size_t bytes = 63 * sizeof(cl_int);
#else
  const size_t bytes = 64 * sizeof(cl_int);
#endif
  // Behind the bins there is room for one more.
  static cl_int host[80];
  cl_mem bins = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  OK(clSetKernelArg(count, 0, sizeof(bins), &bins));
  const size_t items = 64;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, count, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(bins, count);
}

// Defect: A kernel whose loop strides over the launch is told a count of bytes instead of elements.
// Fix: It gets the number of elements.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT launch_size=global size 16, local size NULL
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=1023
static void LoopPastTheEnd(void) {
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* values, int count) {"
      "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) values[i] = i;"
      "}",
      "fill");
  // Behind the buffer there is room for the elements that are outside.
  static cl_int host[512];
  const size_t bytes = 256;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
#ifdef DEFECT
  const cl_int count = (cl_int)bytes;
#else
  const cl_int count = (cl_int)(bytes / sizeof(cl_int));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof(count), &count));
  const size_t items = 16;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer, kernel);
}

// Defect: A kernel clamps the index of the next element to the number of elements, which is one too large.
// Fix: The greatest index is one less.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_4
// EXPECT-FACT kernel=smooth
// EXPECT-FACT outside_bytes=4
static const char kSource[] =
    "kernel void smooth(global const float* in, global float* out, int n) {\n"
    "  int i = get_global_id(0);\n"
#ifdef DEFECT
    "  out[i] = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n)];\n"
#else
    "  out[i] = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)];\n"
#endif
    "}\n";

static void ClampedToTheCount(void) {
  cl_kernel smooth = NewKernel(kSource, "smooth");
  static cl_float host[600];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 512 * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 512 * sizeof(cl_float), NULL, &error));
  const cl_int n = 512;
  OK(clSetKernelArg(smooth, 0, sizeof(in), &in));
  OK(clSetKernelArg(smooth, 1, sizeof(out), &out));
  OK(clSetKernelArg(smooth, 2, sizeof(n), &n));
  const size_t items = 512;
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, smooth, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, smooth);
}

// Defect: async_work_group_copy reads a tile that ends behind the buffer.
// Fix: The buffer has room for all tiles.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_5
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sum
// EXPECT-FACT outside_bytes=64
static void WorkGroupCopyPastTheEnd(void) {
  cl_kernel sum = NewKernel(
      "kernel void sum(global const int* values, global int* out) {"
      "  local int tile[64];"
      "  event_t copied = async_work_group_copy(tile, values + 64 * get_group_id(0), 64, 0);"
      "  wait_group_events(1, &copied);"
      "  out[get_global_id(0)] = tile[get_local_id(0)] + tile[63 - get_local_id(0)];"
      "}",
      "sum");
#ifdef DEFECT
  const size_t bytes = 240 * sizeof(cl_int);
#else
  const size_t bytes = 256 * sizeof(cl_int);
#endif
  // Behind the values there is room for more.
  static cl_int host[320];
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 256 * sizeof(cl_int), NULL, &error));
  OK(clSetKernelArg(sum, 0, sizeof(values), &values));
  OK(clSetKernelArg(sum, 1, sizeof(out), &out));
  const size_t items = 256, group = 64;
  // @HERE_5
  OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(out, values, sum);
}

int main(void) {
  Open(0);
  KernelWritesPastTheEnd();
  AtomicPastTheEnd();
  LoopPastTheEnd();
  ClampedToTheCount();
  WorkGroupCopyPastTheEnd();
  Close();
}
