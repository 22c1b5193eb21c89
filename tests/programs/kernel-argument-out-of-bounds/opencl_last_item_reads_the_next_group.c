// Defect: The last work item of each group loads the element behind the group into the tile. Behind the last group there
// is none.
// Fix: The work item loads it only if the element exists.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=differences
// EXPECT-FACT outside_bytes=4
#include "common/opencl.h"

static const char kSource[] =
    "kernel void differences(global const int* in, global int* out, int n) {\n"
    "  local int tile[65];\n"
    "  int item = get_local_id(0), i = get_global_id(0);\n"
    "  tile[item] = in[i];\n"
#ifdef DEFECT
    "  if (item == get_local_size(0) - 1) tile[item + 1] = in[i + 1];\n"
#else
    "  if (item == get_local_size(0) - 1) tile[item + 1] = i + 1 < n ? in[i + 1] : 0;\n"
#endif
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = tile[item + 1] - tile[item];\n"
    "}\n";

int main(void) {
  Open(0);
  cl_kernel differences = NewKernel(kSource, "differences");
  // Behind the values there is room for more.
  static cl_int host[1100], results[1024];
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int n = 1024;
  OK(clSetKernelArg(differences, 0, sizeof(in), &in));
  OK(clSetKernelArg(differences, 1, sizeof(out), &out));
  OK(clSetKernelArg(differences, 2, sizeof(n), &n));
  const size_t items = 1024, group = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, differences, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(results), results, 0, NULL, NULL));
  CLOSE(in, out, differences);
}
