// Defect: Kernels access buffers and images in a way that their flags exclude.
// Fix: The flags allow the access.
#include "common/opencl.h"

// Defect: A kernel writes a CL_MEM_READ_ONLY buffer: its code says so, not its parameter.
// Fix: A kernel writes a CL_MEM_WRITE_ONLY buffer.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT is written but holds
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
static void CodeWritesReadOnlyBuffer(void) {
  static int data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, buffer);
}

// Defect: A kernel reads a buffer that was created CL_MEM_WRITE_ONLY: its argument is a pointer to
// const.
// Fix: A kernel reads a buffer that was created CL_MEM_READ_ONLY.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT kernel=copy
// EXPECT-FACT argument=0
static void ReadWriteOnlyBuffer(void) {
  static int data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED_2
  cl_mem in = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out, in);
}

// Defect: A kernel scales a CL_MEM_WRITE_ONLY buffer in place, and so reads it.
// Fix: The buffer is created for reading and writing.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-TEXT is read but holds
// EXPECT-FACT kernel=scale
// EXPECT-FACT argument=0
static void UpdateOfWriteOnlyBuffer(void) {
  static float data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_kernel kernel =
      NewKernel("kernel void scale(global float* data) { data[get_global_id(0)] *= 2; }", "scale");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, buffer);
}

// Defect: A kernel writes an image that was created CL_MEM_READ_ONLY: its argument says write_only.
// Fix: A kernel writes an image that was created CL_MEM_WRITE_ONLY.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
static void WriteReadOnlyImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED_4
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void fill(write_only image2d_t out) {"
      "  write_imageui(out, (int2)(get_global_id(0), get_global_id(1)), (uint4)(7));"
      "}",
      "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  const size_t items[2] = {16, 16};
  // @HERE_4
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, image);
}

// Defect: One image is the read_only and the write_only argument of a launch.
// Fix: The launch writes into a second image.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE_5
// EXPECT-PARTY allocation at CREATED_5
// EXPECT-FACT kernel=invert
// EXPECT-FACT argument=1
// EXPECT-FACT other_argument=0
static void ImageReadAndWritten(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  // @CREATED_5
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_mem other = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void invert(read_only image2d_t in, write_only image2d_t out) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, 255 - read_imageui(in, at));"
      "}",
      "invert");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
#ifdef DEFECT
  OK(clSetKernelArg(kernel, 1, sizeof(image), &image));
#else
  OK(clSetKernelArg(kernel, 1, sizeof(other), &other));
#endif
  const size_t items[2] = {16, 16};
  // @HERE_5
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, other, image);
}

int main(void) {
  Open(0);
  CodeWritesReadOnlyBuffer();
  ReadWriteOnlyBuffer();
  UpdateOfWriteOnlyBuffer();
  WriteReadOnlyImage();
  ImageReadAndWritten();
  Close();
}
