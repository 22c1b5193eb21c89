// Defect: A plane with half of the width and half of the height of an image is created with rounded
// down sizes, but the kernel that fills it rounds them up. The size of the image is odd.
// Fix: The sizes of the plane are rounded up.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=subsample
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=39
#include "common/opencl.h"

static const char* const kSource =
    "kernel void subsample(global const uchar* in, global uchar* out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  int columns = (width + 1) / 2, rows = (height + 1) / 2;\n"
    "  if (x >= columns || y >= rows) return;\n"
    "  out[y * columns + x] = in[min(2 * y, height - 1) * width + min(2 * x, width - 1)];\n"
    "}\n";

int main(void) {
  Open(0);
  const cl_int width = 15, height = 9;
  cl_kernel kernel = NewKernel(kSource, "subsample");
  static unsigned char image[15 * 9];
  // Behind the plane there is room for the elements that are outside.
  static unsigned char host[256];
#ifdef DEFECT
  const size_t bytes = (size_t)(width / 2) * (height / 2);
#else
  const size_t bytes = (size_t)((width + 1) / 2) * ((height + 1) / 2);
#endif
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(image), image, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 3, sizeof(height), &height));
  const size_t items[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
