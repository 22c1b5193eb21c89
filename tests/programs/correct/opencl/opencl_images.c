// Images of every type, made from host memory and buffers, in every role of a kernel.
#include "common/opencl.h"

// One image of each type is filled, copied to a buffer, and read to the last texel.
static void AllImageTypes(void) {
  static unsigned char texels[8 * 8 * 8 * 4];
  const cl_uint4 color = {{1, 2, 3, 4}};
  cl_image_desc lines = Image1D(8);
  lines.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  lines.image_array_size = 8;
  const cl_image_desc shapes[5] = {Image1D(8), lines, Image2D(8, 8), Image2DArray(8, 8, 8),
                                   Image3D(8, 8, 8)};
  const size_t regions[5][3] = {{8, 1, 1}, {8, 8, 1}, {8, 8, 1}, {8, 8, 8}, {8, 8, 8}};
  for (int i = 0; i < 5; ++i) {
    const size_t bytes = regions[i][0] * regions[i][1] * regions[i][2] * 4;
    cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shapes[i], NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
    OK(clEnqueueFillImage(queue, image, &color, kOrigin, regions[i], 0, NULL, NULL));
    OK(clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, regions[i], 0, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, buffer, image, 0, kOrigin, regions[i], 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, regions[i], 0, 0, texels, 0, NULL, NULL));
    printf("%d\n", texels[bytes - 1]);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(image));
  }
}

// A one-dimensional image made from a buffer sees what is written to the buffer, and outlives its
// handle.
static void ImageFromBuffer(void) {
  unsigned char data[64 * 4], result[64 * 4];
  memset(data, 5, sizeof(data));
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_image_desc shape = Image1D(64);
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.buffer = buffer;
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  const size_t region[3] = {64, 1, 1};
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  RELEASE(image);
}

// Images are created from the right half of a larger host array: their last row ends with the array, though their row
// pitch, that of the array, would go on.
static void ImageFromPartOfHostArray(void) {
  enum { kWidth = 16, kHeight = 8 };
  uint32_t* array = malloc(2 * kWidth * kHeight * sizeof(*array));
  for (int i = 0; i < 2 * kWidth * kHeight; ++i) array[i] = i;
  cl_image_desc shape = Image2D(kWidth, kHeight);
  shape.image_row_pitch = 2 * kWidth * sizeof(*array);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_USE_HOST_PTR, &kRgba8, &shape, array + kWidth, &error));
  static uint32_t texels[kWidth * kHeight];
  const size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1};
  OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
  printf("%u\n", texels[kWidth * kHeight - 1]);
  OK(clReleaseMemObject(image));
  free(array);
}

// Images are written and read with a pitch wider than their rows; the host block ends with the
// last texel.
static void ImageHostPitch(void) {
  enum { width = 32, height = 24, pitch = 256, bytes = (height - 1) * pitch + width * 4 };
  unsigned char* texels = malloc(bytes);
  memset(texels, 3, bytes);
  const cl_image_desc shape = Image2D(width, height);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {width, height, 1};
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL));
  printf("%d\n", texels[bytes - 1]);
  free(texels);
  RELEASE(image);
}

// One image is the value of two read_only parameters, of two write_only ones, and changes its role from launch to launch.
static void ImageInTwoParameters(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem images[2];
  for (int i = 0; i < 2; ++i)
    images[i] = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  const char* source =
      "kernel void add(read_only image2d_t a, read_only image2d_t b, write_only image2d_t out) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, read_imageui(a, at) + read_imageui(b, at));"
      "}"
      "kernel void fill(write_only image2d_t upper, write_only image2d_t lower) {"
      "  int x = get_global_id(0), y = get_global_id(1);"
      "  if (y < 8) write_imageui(upper, (int2)(x, y), (uint4)(1));"
      "  else write_imageui(lower, (int2)(x, y), (uint4)(2));"
      "}";
  cl_kernel add = NewKernel(source, "add");
  cl_kernel fill = NewKernel(source, "fill");
  const size_t items[2] = {16, 16};
  for (int turn = 0; turn < 2; ++turn) {
    cl_mem* from = &images[turn];
    cl_mem* to = &images[1 - turn];
    OK(clSetKernelArg(fill, 0, sizeof(*from), from));
    OK(clSetKernelArg(fill, 1, sizeof(*from), from));
    OK(clEnqueueNDRangeKernel(queue, fill, 2, NULL, items, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(add, 0, sizeof(*from), from));
    OK(clSetKernelArg(add, 1, sizeof(*from), from));
    OK(clSetKernelArg(add, 2, sizeof(*to), to));
    OK(clEnqueueNDRangeKernel(queue, add, 2, NULL, items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  OK(clReleaseKernel(fill));
  OK(clReleaseKernel(add));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(images[i]));
}

int main(void) {
  Open(0);
  AllImageTypes();
  ImageFromBuffer();
  ImageFromPartOfHostArray();
  ImageHostPitch();
  ImageInTwoParameters();
  Close();
}
