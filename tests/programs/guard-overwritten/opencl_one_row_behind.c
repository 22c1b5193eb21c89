// Defect: A kernel with a work item for each pixel runs over one row more than its buffer of pixels has.
// Fix: It runs over the rows that the buffer has.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten clFinish at FINISH
// EXPECT-PARTY likely-writer at SECOND
// EXPECT-PARTY possible-writer at FIRST
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=256
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT farthest_bytes=255
// EXPECT-FACT suspects=2
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel blur = NewKernel(
      "kernel void blur(global const uint* first_row, global uint* pixels) {"
      "  const size_t row = get_global_id(1) + first_row[0];"
      "  pixels[row * get_global_size(0) + get_global_id(0)] = 0;"
      "}",
      "blur");
  const cl_uint zero = 0;
  cl_mem first = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(zero), (void*)&zero, &error));
  cl_mem pixels = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * 16 * 4, NULL, &error));
  OK(clSetKernelArg(blur, 0, sizeof(first), &first));
  OK(clSetKernelArg(blur, 1, sizeof(pixels), &pixels));
  const size_t whole[2] = {64, 16};
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, blur, 2, NULL, whole, NULL, 0, NULL, NULL));
#ifdef DEFECT
  const size_t size[2] = {64, 17};
#else
  const size_t size[2] = {64, 16};
#endif
  // @SECOND
  OK(clEnqueueNDRangeKernel(queue, blur, 2, NULL, size, NULL, 0, NULL, NULL));
  // @FINISH
  OK(clFinish(queue));
  CLOSE(pixels, first, blur);
}
