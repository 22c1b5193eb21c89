// Defect: The work items at the four borders of a tile load the next row or column of the image, also at the borders of
// the image.
// Fix: They load it only inside of the image.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=star
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  CLOSE(in, out, star);
}
