// Defect: Kernels read all of a buffer of which a write made a part: by half of the size, by the
// size of the pointer, and by the number of elements.
// Fix: The writes make all of the buffer.
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

int main(void) {
  Open(0);
  HalfOfTheInput();
  SizeOfAPointer();
  HalfUpdatedInPlace();
  Close();
}
