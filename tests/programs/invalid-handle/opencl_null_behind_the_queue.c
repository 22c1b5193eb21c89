// Defect: Commands name NULL behind a valid queue, where the loader does not look. With --shield the program goes on.
// Fix: All handles name objects.
// OPTION --shield
// EXPECT error invalid-handle clEnqueueCopyBufferRect at COPY
// EXPECT-FACT argument=dst_buffer
// EXPECT error invalid-handle clEnqueueCopyImageToBuffer at IMAGE
// EXPECT-FACT argument=dst_buffer
// EXPECT error invalid-handle clEnqueueNDRangeKernel at LAUNCH
// EXPECT-FACT argument=kernel
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1;
  const cl_uint4 color = {{1, 2, 3, 4}};
  const size_t region[3] = {16, 4, 1}, items = 16;
  cl_kernel kernel = NewKernel("kernel void nothing(int value) {}", "nothing");
  OK(clSetKernelArg(kernel, 0, sizeof(one), &one));
  cl_mem from = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  const cl_image_desc shape = Image2D(16, 4);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_mem target = to;
  cl_kernel launched = kernel;
#ifdef DEFECT
  target = NULL;
  launched = NULL;
#endif
  // @COPY
  const cl_int copied =
      clEnqueueCopyBufferRect(queue, from, target, kOrigin, kOrigin, region, 0, 0, 0, 0, 0, NULL, NULL);
  // @IMAGE
  const cl_int read = clEnqueueCopyImageToBuffer(queue, image, target, kOrigin, region, 0, 0, NULL, NULL);
  // @LAUNCH
  const cl_int ran = clEnqueueNDRangeKernel(queue, launched, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifdef DEFECT
  FAILS(CL_INVALID_MEM_OBJECT, copied);
  FAILS(CL_INVALID_MEM_OBJECT, read);
  FAILS(CL_INVALID_KERNEL, ran);
#else
  OK(copied);
  OK(read);
  OK(ran);
#endif
  OK(clFinish(queue));
  CLOSE(image, to, from, kernel);
}
