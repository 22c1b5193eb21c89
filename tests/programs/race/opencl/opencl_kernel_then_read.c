// Defect: An out-of-order queue: the result of a kernel is read without waiting for the kernel.
// Fix: An out-of-order queue: the read waits for the kernel's event.
// EXPECT error race clEnqueueReadImage at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int result[64];
  cl_kernel kernel = NewKernel(
      "kernel void fill(write_only image2d_t out) {"
      "  write_imagei(out, (int2)(get_global_id(0), 0), (int4)(7));"
      "}",
      "fill");
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc shape = Image2D(64, 1);
  cl_mem image = MADE(clCreateImage(context, 0, &format, &shape, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  const size_t items[2] = {64, 1};
  const size_t region[3] = {64, 1, 1};
  cl_event filled;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, &filled));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 0, NULL, NULL));
#else
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(filled, image, kernel);
}
