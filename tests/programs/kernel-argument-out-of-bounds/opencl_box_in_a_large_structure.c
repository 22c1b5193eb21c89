// Defect: Kernels get their sizes in values of more than 8 bytes: a vector of four integers, and a
// structure whose sizes follow four floats. The buffers lack the last row.
// Fix: The buffers have all rows.
#include "common/opencl.h"

enum { kItems = 64, kRows = 8, kPitch = 24 };

#ifdef DEFECT
enum { kHeight = kRows - 1 };
#else
enum { kHeight = kRows };
#endif

// Behind the buffer there is room for the row that is outside.
static cl_mem NewRows(void) {
  static cl_float host[kRows * kPitch];
  return MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kHeight * kPitch * sizeof(cl_float),
                             host, &error));
}

static void Set(cl_kernel kernel, cl_mem out, size_t bytes, const void* value) {
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, bytes, value));
}

// Defect: The box of the kernel ends in a row that the buffer lacks.
// Fix: The box ends in the last row of the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT outside_bytes=96
static void VectorOfSizes(void) {
  cl_kernel clear = NewKernel(
      "kernel void clear(global float* out, int4 box) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  if (x < box.z && y < box.w) out[y * box.z + x] = 0;\n"
      "}\n",
      "clear");
  cl_mem out = NewRows();
  const cl_int4 box = {{0, 0, kPitch, kRows}};
  Set(clear, out, sizeof(box), &box);
  const size_t items[2] = {kItems, kItems};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, clear, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(clear, out);
}

// Defect: The number of rows in the structure is larger than that of the buffer.
// Fix: The number of rows in the structure is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT outside_bytes=96
static void StructureOfSizes(void) {
  cl_kernel fill = NewKernel(
      "typedef struct { float color[4]; int width, rows; long pitch; } Shape;\n"
      "kernel void fill(global float* out, Shape shape) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  if (x < shape.width && y < shape.rows) out[y * shape.pitch + x] = shape.color[1];\n"
      "}\n",
      "fill");
  cl_mem out = NewRows();
  const struct {
    cl_float color[4];
    cl_int width, rows;
    cl_long pitch;
  } shape = {{1, 2, 3, 4}, kPitch, kRows, kPitch};
  Set(fill, out, sizeof(shape), &shape);
  const size_t items[2] = {kItems, kItems};
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, fill, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(fill, out);
}

int main(void) {
  Open(0);
  VectorOfSizes();
  StructureOfSizes();
  Close();
}
