// Defect buffer_for_an_image: A buffer is passed to a call that writes images.
// EXPECT error invalid-handle clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
// Defect image_for_a_buffer: An image is passed to a call that fills buffers.
// EXPECT error invalid-handle clEnqueueFillBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// Defect image_for_a_volume: The parameter of a kernel is an image3d_t, and the program passes an
// image of two dimensions.
// EXPECT error invalid-handle clSetKernelArg at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT type=image3d_t
// EXPECT-FACT kernel=slice
// EXIT any
// Defect null_for_an_image: An image argument of a kernel is set to NULL.
// EXPECT error invalid-handle clSetKernelArg at HERE_4
// EXPECT-FACT argument=arg_value
// EXPECT-FACT handle=NULL
// EXIT any
// Defect object_for_its_address: A buffer itself is passed as the pointer to the value of a kernel
// argument.
// EXPECT error invalid-handle clSetKernelArg at HERE_5
// EXPECT-TEXT itself, not the address
// EXPECT-PARTY allocation at CREATED_3
// EXIT any
// Fix: The object has the kind that the call or the kernel takes.
#include "common/opencl.h"

// Fix: An image is passed to the call.
static void BufferForAnImage(void) {
  static char data[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT_buffer_for_an_image
  // @HERE
  clEnqueueWriteImage(queue, buffer, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL);
#else
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL));
#endif
  RELEASE(buffer, image);
}

// Fix: The image is passed to a call that fills images.
static void ImageForABuffer(void) {
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT_image_for_a_buffer
  // @HERE_2
  clEnqueueFillBuffer(queue, image, &color, 4, 0, 16 * region[0], 0, NULL, NULL);
#else
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(image);
}

// Fix: It passes an image of three dimensions.
static void ImageForAVolume(void) {
  cl_kernel kernel = NewKernel(
      "kernel void slice(read_only image3d_t volume, read_only image2d_array_t layers, read_only image1d_t line,"
      "                  global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(volume, (int4)(x, 0, 0, 0)) + read_imagef(layers, (int4)(x, 0, 0, 0)) + read_imagef(line, x);"
      "}",
      "slice");
  const cl_float ones[4] = {1, 1, 1, 1};
  const cl_image_desc flat = Image2D(16, 4), deep = Image3D(16, 4, 2), array = Image2DArray(16, 4, 2),
                      thin = Image1D(16);
  const size_t volume_size[3] = {16, 4, 2}, items = 16;
  const size_t flat_size[3] = {16, 4, 1}, line_size[3] = {16, 1, 1};
  cl_mem images[] = {MADE(clCreateImage(context, 0, &kRgbaFloat, &deep, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &array, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &thin, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &flat, NULL, &error))};
  const size_t* sizes[] = {volume_size, volume_size, line_size, flat_size};
  for (int i = 0; i < 4; ++i) OK(clEnqueueFillImage(queue, images[i], ones, kOrigin, sizes[i], 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
#ifdef DEFECT_image_for_a_volume
  cl_mem volume = images[3];
#else
  cl_mem volume = images[0];
#endif
  // @HERE_3
  clSetKernelArg(kernel, 0, sizeof(volume), &volume);
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[0]));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &images[1]));
  OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &images[2]));
  OK(clSetKernelArg(kernel, 3, sizeof(out), &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 4; ++i) OK(clReleaseMemObject(images[i]));
  RELEASE(out, kernel);
}

// Fix: The argument is set to an image.
static void NullForAnImage(void) {
  cl_kernel kernel = NewKernel("kernel void take(read_only image2d_t in, global float* out) {"
                               "  out[get_global_id(0)] = read_imagef(in, (int2)(get_global_id(0), 0)).x; }",
                               "take");
#ifdef DEFECT_null_for_an_image
  cl_mem image = NULL;
#else
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
#endif
  // @HERE_4
  clSetKernelArg(kernel, 0, sizeof(image), &image);
#ifndef DEFECT_null_for_an_image
  OK(clReleaseMemObject(image));
#endif
  RELEASE(kernel);
}

// Fix: The address of the variable that holds the buffer is passed.
static void ObjectForItsAddress(void) {
  cl_kernel kernel = NewKernel("kernel void clear(global int* values) { *values = 0; }", "clear");
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT_object_for_its_address
  // @HERE_5
  clSetKernelArg(kernel, 0, sizeof(buffer), buffer);
#else
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
#endif
  RELEASE(kernel, buffer);
}

int main(void) {
  Open(0);
  BufferForAnImage();
  ImageForABuffer();
  ImageForAVolume();
  NullForAnImage();
  ObjectForItsAddress();
  Close();
}
