// Defect: Each group of the launch clears bins of its own. The buffer has the bins of fewer groups.
// Fix: The buffer has the bins of all groups.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=clear
// EXPECT-FACT last_byte=8191
// EXPECT-FACT outside_bytes=1024
#include "common/opencl.h"

static const char kSource[] =
    "kernel void clear(global uint* bins, int count) {\n"
    "  for (int i = get_local_id(0); i < count; i += get_local_size(0))\n"
    "    bins[get_group_id(0) * count + i] = 0;\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kBins = 256, kGroups = 8, kGroup = 64 };
  cl_kernel kernel = NewKernel(kSource, "clear");
  // Behind the bins there is room for those that are outside.
  static cl_uint host[kGroups * kBins];
#ifdef DEFECT
  const size_t groups = kGroups - 1;
#else
  const size_t groups = kGroups;
#endif
  cl_mem bins = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, groups * kBins * sizeof(cl_uint),
                                    host, &error));
  const cl_int count = kBins;
  OK(clSetKernelArg(kernel, 0, sizeof(bins), &bins));
  OK(clSetKernelArg(kernel, 1, sizeof(count), &count));
  const size_t items = kGroups * kGroup, group = kGroup;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, bins);
}
