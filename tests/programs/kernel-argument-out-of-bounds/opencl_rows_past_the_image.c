// Defect: Kernels access rows and columns that a plane, a matrix or an image does not have.
// Fix: The launches and the indices are those of the data.
#include "common/opencl.h"

// Defect: A plane with half of the width and half of the height of an image is created with rounded
// down sizes, but the kernel that fills it rounds them up. The size of the image is odd.
// Fix: The sizes of the plane are rounded up.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=subsample
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=39
static const char* const kSource =
    "kernel void subsample(global const uchar* in, global uchar* out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  int columns = (width + 1) / 2, rows = (height + 1) / 2;\n"
    "  if (x >= columns || y >= rows) return;\n"
    "  out[y * columns + x] = in[min(2 * y, height - 1) * width + min(2 * x, width - 1)];\n"
    "}\n";

static void RowsOfAnOddHeight(void) {
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
  RELEASE(in, out, kernel);
}

// Defect: A kernel that transposes a matrix multiplies the column by the width instead of the
// height. The elements that it writes have gaps between them, and the last ones are outside.
// Fix: It multiplies the column by the height.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=transpose
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=239
static const char* const kSource2 =
    "kernel void transpose(global const int* in, global int* out, int width, int height) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < width && y < height) out[x * STEP + y] = in[y * width + x];\n"
    "}\n";

static void TransposedIndex(void) {
  const cl_int width = 8, height = 4;
  cl_program program =
      MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource2, NULL, &error));
#ifdef DEFECT
  OK(clBuildProgram(program, 1, &device, "-D STEP=width", NULL, NULL));
#else
  OK(clBuildProgram(program, 1, &device, "-D STEP=height", NULL, NULL));
#endif
  cl_kernel kernel = MADE(clCreateKernel(program, "transpose", &error));
  static cl_int values[32];
  // Behind the result there is room for the elements that are outside.
  static cl_int host[256];
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(values), host, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 3, sizeof(height), &height));
  const size_t items[2] = {8, 4};
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel, program);
}

// Defect: A filter whose result is smaller than the image is launched over the size of the image.
// The window of the last rows and columns is outside of the image.
// Fix: The launch has the size of the result.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=filter
// EXPECT-FACT first_byte=0
// EXPECT-TEXT through argument 0 \(in\)
static const char* const kSource3 =
    "kernel void filter(global const float* in, global float* out, int width, int radius) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j <= 2 * radius; ++j)\n"
    "    for (int i = 0; i <= 2 * radius; ++i) sum += in[(y + j) * width + x + i];\n"
    "  out[y * width + x] = sum;\n"
    "}\n";

enum { kWidth = 16, kHeight = 12, kRadius = 2 };

static void WindowPastTheLastRow(void) {
  cl_kernel kernel = NewKernel(kSource3, "filter");
  // Behind the image there is room for the elements that are outside.
  static cl_float image[2 * kWidth * kHeight];
  const size_t bytes = kWidth * kHeight * sizeof(cl_float);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, image, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  const cl_int width = kWidth, radius = kRadius;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 3, sizeof(radius), &radius));
#ifdef DEFECT
  const size_t items[2] = {kWidth, kHeight};
#else
  const size_t items[2] = {kWidth - 2 * kRadius, kHeight - 2 * kRadius};
#endif
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel);
}

int main(void) {
  Open(0);
  RowsOfAnOddHeight();
  TransposedIndex();
  WindowPastTheLastRow();
  Close();
}
