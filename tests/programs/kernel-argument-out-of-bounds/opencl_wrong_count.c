// Defect: Kernels access more elements than the buffer has, by the number of groups, the end of a
// chunk, a border or a structure.
// Fix: The numbers fit the buffer.
#include "common/opencl.h"

// Defect: Each group of the launch clears bins of its own. The buffer has the bins of fewer groups.
// Fix: The buffer has the bins of all groups.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=clear
// EXPECT-FACT last_byte=8191
// EXPECT-FACT outside_bytes=1024
static void BinsOfFewerGroups(void) {
  static const char kSource[] =
      "kernel void clear(global uint* bins, int count) {\n"
      "  for (int i = get_local_id(0); i < count; i += get_local_size(0))\n"
      "    bins[get_group_id(0) * count + i] = 0;\n"
      "}\n";
  enum { kBins = 256, kGroups = 8, kGroup = 64 };
  cl_kernel kernel = NewKernel(kSource, "clear");
  // Behind the bins there is room for those that are outside.
  static cl_uint host[kGroups * kBins];
#ifdef DEFECT
  const size_t groups = kGroups - 1;
#else
  const size_t groups = kGroups;
#endif
  cl_mem bins = MADE(
      clCreateBuffer(context, CL_MEM_USE_HOST_PTR, groups * kBins * sizeof(cl_uint), host, &error));
  const cl_int count = kBins;
  OK(clSetKernelArg(kernel, 0, sizeof(bins), &bins));
  OK(clSetKernelArg(kernel, 1, sizeof(count), &count));
  const size_t items = kGroups * kGroup, group = kGroup;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, bins);
}

// Defect: Each work item sums a chunk of the values up to the smaller one of the chunk's end and
// the count of the values. The host passes the count of the padded values.
// Fix: The host passes the count of the values in the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=sums
// EXPECT-FACT last_byte=4095
static void ChunksWithoutTheirEnd(void) {
  static const char kSource[] =
      "kernel void sums(global const float* in, global float* out, int per_item, int count) {\n"
      "  int begin = get_global_id(0) * per_item;\n"
      "  float sum = 0;\n"
      "  for (int i = begin; i < min(begin + per_item, count); ++i) sum += in[i];\n"
      "  out[get_global_id(0)] = sum;\n"
      "}\n";
  enum { kValues = 1000, kPadded = 1024, kItems = 64 };
  cl_kernel kernel = NewKernel(kSource, "sums");
  static cl_float host[2 * kPadded];
  cl_mem in =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kValues * sizeof(cl_float), host, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, kItems * sizeof(cl_float), NULL, &error));
#ifdef DEFECT
  const cl_int count = kPadded;
#else
  const cl_int count = kValues;
#endif
  const cl_int per_item = kPadded / kItems;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(per_item), &per_item));
  OK(clSetKernelArg(kernel, 3, sizeof(count), &count));
  const size_t items = kItems;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
}

// Defect: A kernel writes the window of each pixel as a column of a matrix. The image has a border,
// so that there are as many windows as pixels, but the matrix has room for those inside of it.
// Fix: The matrix has a column for each pixel.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=1
// EXPECT-FACT kernel=columns
// EXPECT-FACT last_byte=12959
static void ColumnsOfAnUnpaddedImage(void) {
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
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, image, matrix);
}

// Defect: A structure that is passed by value has the number of elements and the first one. The
// host sets the number to that of the whole buffer, but begins behind its start. Fix: The number is
// that of the elements behind the first one.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_4
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT last_byte=4351
// EXPECT-FACT outside_bytes=256
static void SizeAndOffsetByValue(void) {
  static const char kSource[] =
      "typedef struct { int count, first; } Part;\n"
      "kernel void fill(global float* out, Part part, int2 factors) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < part.count) out[i * factors.x + part.first] = factors.y;\n"
      "}\n";
  enum { kElements = 1024, kFirst = 64 };
  cl_kernel kernel = NewKernel(kSource, "fill");
  // Behind the buffer there is room for the elements that are outside.
  static cl_float host[kElements + kFirst];
  cl_mem out = MADE(
      clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kElements * sizeof(cl_float), host, &error));
#ifdef DEFECT
  const cl_int count = kElements;
#else
  const cl_int count = kElements - kFirst;
#endif
  const cl_int part[] = {count, kFirst}, factors[] = {1, 3};
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(part), part));
  OK(clSetKernelArg(kernel, 2, sizeof(factors), factors));
  const size_t items = kElements;
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

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
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_5
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
  // @HERE_5
  OK(clEnqueueNDRangeKernel(queue, clear, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(clear, out);
}

// Defect: The number of rows in the structure is larger than that of the buffer.
// Fix: The number of rows in the structure is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_6
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
  // @HERE_6
  OK(clEnqueueNDRangeKernel(queue, fill, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(fill, out);
}

int main(void) {
  Open(0);
  BinsOfFewerGroups();
  ChunksWithoutTheirEnd();
  ColumnsOfAnUnpaddedImage();
  SizeAndOffsetByValue();
  VectorOfSizes();
  StructureOfSizes();
  Close();
}
