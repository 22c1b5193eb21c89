// Defect: Kernels read all of an input of which only a part was made.
// Fix: All of the input is made.
#include "common/opencl.h"

// Defect: Half of a buffer is written, and a kernel reads all of it.
// Fix: All of a buffer is written before a kernel reads it.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=copy
// EXPECT-FACT argument=0
static void HalfOfTheInput(void) {
  static float data[64];
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2;
#else
  const size_t bytes = sizeof(data);
#endif
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out, in);
}

// Defect: The size of a write is the size of the pointer to the data instead of the size of the data.
// Fix: The size is the number of elements times their size.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT written_bytes=8
// EXPECT-TEXT if the size of the write is sizeof of a pointer, which is 8 B, pass the size of the block
static void SizeOfAPointer(void) {
  const size_t items = 1024;
  float* data = calloc(items, sizeof(*data));
  cl_mem in = MADE(clCreateBuffer(context, 0, items * sizeof(*data), NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, items * sizeof(*data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data);
#else
  const size_t bytes = items * sizeof(*data);
#endif
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const float* in, global float* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(in));
  free(data);
}

// Defect: A quarter of a buffer is written, because the write counts elements, and a kernel scales
// all of it.
// Fix: The size of the write is in bytes.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT kernel=scale
// EXPECT-FACT written_bytes=1024
// EXPECT-TEXT updates argument 0 .*, buffer .*, in place, but only 1 KiB of it were written
static void HalfUpdatedInPlace(void) {
  static float data[1024];
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const size_t bytes = sizeof(data) / sizeof(data[0]);
#else
  const size_t bytes = sizeof(data);
#endif
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* data, float factor) {"
      "  data[get_global_id(0)] *= factor;"
      "}",
      "scale");
  const cl_float factor = 2;
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
  const size_t items = 1024;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, buffer);
}

// Defect: The first kernel makes half of the values, and the second one takes all of them.
// Fix: The first kernel makes all values.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE_4
// EXPECT-FACT kernel=take
// EXPECT-FACT argument=0
// EXPECT-FACT gap_begin=2048
static void FirstStageOfHalf(void) {
  enum { kItems = 1024 };
  cl_kernel make = NewKernel("kernel void make(global float* out) { out[get_global_id(0)] = 1; }", "make");
  cl_kernel take = NewKernel(
      "kernel void take(global const float* in, global float* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = 2 * in[i];"
      "}",
      "take");
  const size_t items = kItems, bytes = kItems * sizeof(float);
  cl_mem values = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  OK(clSetKernelArg(make, 0, sizeof(values), &values));
  OK(clSetKernelArg(take, 0, sizeof(values), &values));
  OK(clSetKernelArg(take, 1, sizeof(out), &out));
#ifdef DEFECT
  const size_t made = kItems / 2;
#else
  const size_t made = kItems;
#endif
  OK(clEnqueueNDRangeKernel(queue, make, 1, NULL, &made, NULL, 0, NULL, NULL));
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, take, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(out, values, take, make);
}

// Defect: The size of a map counts elements, so that the program writes a quarter of the input.
// Fix: It counts bytes.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE_5
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=add
static void HalfMappedForWriting(void) {
  enum { kItems = 1024 };
  cl_kernel kernel = NewKernel(
      "kernel void add(global const int* in, global int* out) {"
      "  const int i = get_global_id(0);"
      "  out[i] = in[i] + 1;"
      "}",
      "add");
  const size_t items = kItems, bytes = kItems * sizeof(cl_int);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &error));
#ifdef DEFECT
  const size_t mapped = items;
#else
  const size_t mapped = bytes;
#endif
  // In two halves.
  for (int half = 0; half < 2; ++half) {
    void* pointer = MADE(clEnqueueMapBuffer(queue, in, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                            (size_t)half * mapped / 2, mapped / 2, 0, NULL, NULL, &error));
    memset(pointer, 1, mapped / 2);
    OK(clEnqueueUnmapMemObject(queue, in, pointer, 0, NULL, NULL));
  }
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE_5
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(in, out, kernel);
}

// Defect: The program writes half of the rows of an image, and a kernel reads all of them.
// Fix: The program writes all rows.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE_6
// EXPECT-FACT kernel=widen
// EXPECT-FACT argument=0
// EXPECT-TEXT reads texels up to the y coordinate 31
static void HalfOfAnImage(void) {
  enum { kWidth = 48, kHeight = 32 };
  cl_kernel kernel = NewKernel(
      "kernel void widen(read_only image2d_t in, global uint4* out) {"
      "  const int x = get_global_id(0), y = get_global_id(1);"
      "  out[y * get_global_size(0) + x] = read_imageui(in, (int2)(x, y));"
      "}",
      "widen");
  static unsigned char texels[kWidth * kHeight * 4];
  const cl_image_desc shape = Image2D(kWidth, kHeight);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(texels) * 4, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {kWidth, kHeight / 2, 1};
#else
  const size_t region[3] = {kWidth, kHeight, 1};
#endif
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items[2] = {kWidth, kHeight};
  // @HERE_6
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out, image);
}

int main(void) {
  Open(0);
  HalfOfTheInput();
  SizeOfAPointer();
  HalfUpdatedInPlace();
  FirstStageOfHalf();
  HalfMappedForWriting();
  HalfOfAnImage();
  Close();
}
