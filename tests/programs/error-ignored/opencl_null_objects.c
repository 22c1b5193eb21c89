// Defect: The program ignores an error, and uses what the failed call should have made.
// Fix: The program checks the result.
#include "common/opencl.h"

// Defect: The creation of a buffer fails. The program ignores the error and uses the buffer.
// Fix: The buffer has the intended size.
// EXPECT warning call-failed clCreateBuffer CL_INVALID_BUFFER_SIZE at FAILED
// EXPECT error error-ignored clEnqueueWriteBuffer at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CL_INVALID_BUFFER_SIZE
static void NullBuffer(void) {
  static char data[1024];
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2048;
#else
  const size_t bytes = sizeof(data);
#endif
  // @FAILED
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, NULL);
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  if (buffer) OK(clReleaseMemObject(buffer));
}

// Defect: The creation of an image fails. The program ignores the error and writes the image.
// Fix: The format of the image exists.
// EXPECT warning call-failed clCreateImage CL_INVALID_OPERATION at FAILED_2
// EXPECT error error-ignored clEnqueueWriteImage at HERE_2
// EXPECT-PARTY failed-call at FAILED_2
static void NullImage(void) {
  static unsigned char texels[16 * 16 * 4];
#ifdef DEFECT
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
#else
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#endif
  const cl_image_desc shape = Image2D(16, 16);
  // @FAILED_2
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  const size_t region[3] = {16, 16, 1};
  // @HERE_2
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  if (image) OK(clReleaseMemObject(image));
}

// Defect: The creation of a kernel fails. The program ignores the error and sets the arguments of
// the kernel.
// Fix: The name of the kernel exists.
// EXPECT warning call-failed clCreateKernel CL_INVALID_KERNEL_NAME at FAILED_3
// EXPECT error error-ignored clSetKernelArg at HERE_3
// EXPECT-PARTY failed-call at FAILED_3
static void NullKernel(void) {
  const char* source =
      "kernel void scale(global float* out, float f) { out[get_global_id(0)] = f; }";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#ifdef DEFECT
  const char* name = "scael";
#else
  const char* name = "scale";
#endif
  // @FAILED_3
  cl_kernel kernel = clCreateKernel(program, name, &error);
  const cl_float factor = 2;
  // @HERE_3
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  if (kernel) OK(clReleaseKernel(kernel));
  RELEASE(program);
}

// Defect: The write of a buffer fails. The program ignores the error and reads the buffer.
// Fix: The write succeeds.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at FAILED_4
// EXPECT error error-ignored clEnqueueReadBuffer at HERE_4
// EXPECT-PARTY failed-call at FAILED_4
// EXPECT-TEXT CL_INVALID_VALUE
static void ReadAfterFailedWrite(void) {
  static char data[2048];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 1024, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = 1024;
#endif
  // @FAILED_4
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  // @HERE_4
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, NULL, NULL));
  RELEASE(buffer);
}

// Defect: The write of a buffer fails. Then a kernel, a mapping or a sub-buffer writes the bytes,
// so that the buffer can be read, and only the failed write is reported.
// Fix: The write succeeds.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at FAILED_5
// EXPECT-COUNT 3
static void WrittenInAnotherWay(void) {
  enum { kBytes = 1024, kWays = 3 };
  static char data[2 * kBytes];
  cl_kernel fill =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 1; }", "fill");
  for (int way = 0; way < kWays; ++way) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
    const cl_buffer_region all = {0, kBytes};
    cl_mem part = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &error));
#ifdef DEFECT
    const size_t bytes = 2 * kBytes;
#else
    const size_t bytes = kBytes;
#endif
    // @FAILED_5
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    if (way == 0) {
      const size_t items = kBytes / sizeof(cl_int);
      OK(clSetKernelArg(fill, 0, sizeof(buffer), &buffer));
      OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
    } else if (way == 1) {
      void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0,
                                             NULL, NULL, &error));
      memset(mapped, 1, kBytes);
      OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    } else {
      OK(clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, kBytes, data, 0, NULL, NULL));
    }
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, data, 0, NULL, NULL));
    RELEASE(part, buffer);
  }
  RELEASE(fill);
}

int main(void) {
  Open(0);
  NullBuffer();
  NullImage();
  NullKernel();
  ReadAfterFailedWrite();
  WrittenInAnotherWay();
  Close();
}
