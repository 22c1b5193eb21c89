// Defect: A kernel writes the window of each pixel as a column of a matrix. The image has a border,
// so that there are as many windows as pixels, but the matrix has room for those inside of it.
// Fix: The matrix has a column for each pixel.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=columns
// EXPECT-FACT last_byte=12959
#include "common/opencl.h"

static const char kSource[] =
    "kernel void columns(global const float* image, global float* matrix, int count, int width,\n"
    "                    int height, int size, int border) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= count) return;\n"
    "  int column = i % width, row = i / width % height, channel = i / (width * height);\n"
    "  for (int a = 0; a < size; ++a) {\n"
    "    for (int b = 0; b < size; ++b) {\n"
    "      int y = row - border + a, x = column - border + b;\n"
    "      bool inside = y >= 0 && x >= 0 && y < height && x < width;\n"
    "      matrix[(((channel * size + a) * size + b) * height + row) * width + column] =\n"
    "          inside ? image[(channel * height + y) * width + x] : 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

int main(void) {
  Open(0);
  enum { kWidth = 12, kHeight = 10, kChannels = 3, kSize = 3, kBorder = 1 };
  enum { kPixels = kWidth * kHeight * kChannels };
  cl_kernel kernel = NewKernel(kSource, "columns");
  static cl_float pixels[kPixels], host[kPixels * kSize * kSize];
  cl_mem image =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(pixels), pixels, &error));
#ifdef DEFECT
  const size_t windows = (kWidth - 2 * kBorder) * (kHeight - 2 * kBorder) * kChannels;
#else
  const size_t windows = kPixels;
#endif
  const size_t bytes = windows * kSize * kSize * sizeof(cl_float);
  cl_mem matrix = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
  const cl_int values[] = {kPixels, kWidth, kHeight, kSize, kBorder};
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(matrix), &matrix));
  for (cl_uint i = 0; i < 5; ++i) OK(clSetKernelArg(kernel, 2 + i, sizeof(cl_int), &values[i]));
  const size_t items = 384;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, image, matrix);
}
