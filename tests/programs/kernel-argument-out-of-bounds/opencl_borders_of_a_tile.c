// Defect: The work items at the borders of a tile also load elements next to it, at the ends of the
// image and of the buffer too.
// Fix: They load only what exists.
#include "common/opencl.h"

// Defect: The work items at the four borders of a tile load the next row or column of the image, also at the borders of
// the image.
// Fix: They load it only inside of the image.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=star
static const char kSource[] =
    "kernel void star(global const float* in, global float* out, int w, int h) {\n"
    "  local float tile[18][18];\n"
    "  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);\n"
    "  tile[ly + 1][lx + 1] = in[y * w + x];\n"
#ifdef DEFECT
    "  if (lx == 0) tile[ly + 1][0] = in[y * w + x - 1];\n"
    "  if (lx == 15) tile[ly + 1][17] = in[y * w + x + 1];\n"
    "  if (ly == 0) tile[0][lx + 1] = in[(y - 1) * w + x];\n"
    "  if (ly == 15) tile[17][lx + 1] = in[(y + 1) * w + x];\n"
#else
    "  if (lx == 0) tile[ly + 1][0] = x > 0 ? in[y * w + x - 1] : 0;\n"
    "  if (lx == 15) tile[ly + 1][17] = x < w - 1 ? in[y * w + x + 1] : 0;\n"
    "  if (ly == 0) tile[0][lx + 1] = y > 0 ? in[(y - 1) * w + x] : 0;\n"
    "  if (ly == 15) tile[17][lx + 1] = y < h - 1 ? in[(y + 1) * w + x] : 0;\n"
#endif
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[y * w + x] = tile[ly][lx + 1] + tile[ly + 2][lx + 1] + tile[ly + 1][lx] + tile[ly + 1][lx + 2];\n"
    "}\n";

static void BordersOfATile(void) {
  cl_kernel star = NewKernel(kSource, "star");
  // The image has room in front of it and behind it.
  static cl_float host[3 * 64 * 64];
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64 * 64 * sizeof(cl_float), host + 64 * 64, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 64 * 64 * sizeof(cl_float), NULL, &error));
  const cl_int size = 64;
  OK(clSetKernelArg(star, 0, sizeof(in), &in));
  OK(clSetKernelArg(star, 1, sizeof(out), &out));
  OK(clSetKernelArg(star, 2, sizeof(size), &size));
  OK(clSetKernelArg(star, 3, sizeof(size), &size));
  const size_t items[] = {64, 64}, group[] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, star, 2, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, star);
}

// Defect: The work items at the end of each group load a halo of three elements behind the group. Behind the last group
// the buffer has no elements.
// Fix: The buffer has three elements more.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT kernel=blur
// EXPECT-FACT outside_bytes=12
static const char kSource2[] =
    "kernel void blur(global const float* in, global float* out, local float* tile) {\n"
    "  int item = get_local_id(0), size = get_local_size(0), i = get_global_id(0);\n"
    "  tile[item] = in[i];\n"
    "  if (item >= size - 3) tile[item + 3] = in[i + 3];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = tile[item] + tile[item + 1] + tile[item + 2] + tile[item + 3];\n"
    "}\n";

static void HaloBehindTheLastGroup(void) {
  cl_kernel blur = NewKernel(kSource2, "blur");
  static cl_float host[600];
#ifdef DEFECT
  const size_t elements = 512;
#else
  const size_t elements = 515;
#endif
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, elements * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 512 * sizeof(cl_float), NULL, &error));
  OK(clSetKernelArg(blur, 0, sizeof(in), &in));
  OK(clSetKernelArg(blur, 1, sizeof(out), &out));
  OK(clSetKernelArg(blur, 2, 67 * sizeof(cl_float), NULL));
  const size_t items = 512, group = 64;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, blur, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, blur);
}

// Defect: The last work item of each group loads the element behind the group into the tile. Behind the last group there
// is none.
// Fix: The work item loads it only if the element exists.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT kernel=differences
// EXPECT-FACT outside_bytes=4
static const char kSource3[] =
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

static void LastItemReadsTheNextGroup(void) {
  cl_kernel differences = NewKernel(kSource3, "differences");
  // Behind the values there is room for more.
  static cl_int host[1100], results[1024];
  // @CREATED_3
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int n = 1024;
  OK(clSetKernelArg(differences, 0, sizeof(in), &in));
  OK(clSetKernelArg(differences, 1, sizeof(out), &out));
  OK(clSetKernelArg(differences, 2, sizeof(n), &n));
  const size_t items = 1024, group = 64;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, differences, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(results), results, 0, NULL, NULL));
  RELEASE(in, out, differences);
}

int main(void) {
  Open(0);
  BordersOfATile();
  HaloBehindTheLastGroup();
  LastItemReadsTheNextGroup();
  Close();
}
