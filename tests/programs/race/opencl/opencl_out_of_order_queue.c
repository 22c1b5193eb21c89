// Defect: Two commands of an out-of-order queue use the same memory, and nothing orders them.
// Fix: The second command waits for the event of the first one.
#include "common/opencl.h"

// Defect: An out-of-order queue: the result is read without waiting for the write.
// Fix: An out-of-order queue: the read waits for the write's event.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=RAW
static void ReadAfterWrite(void) {
  static char data[4096], result[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, &written));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 1, &written, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(written, buffer);
}

// Defect: An out-of-order queue: a buffer is overwritten while a copy from it may still run.
// Fix: An out-of-order queue: a barrier stands between the copy from a buffer and the next write to
// it.
// EXPECT error race clEnqueueFillBuffer at HERE_2
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=WAR
static void WriteAfterRead(void) {
  static char data[4096];
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @READ
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, 4096, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: An out-of-order queue: two fills overlap by one element, whose final value is undefined.
// Fix: The two fills are adjacent.
// EXPECT error race clEnqueueFillBuffer at HERE_3
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
static void WriteAfterWrite(void) {
  const cl_int one = 1, two = 2;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @FIRST
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 2048, 0, NULL, NULL));
#ifdef DEFECT
  const size_t offset = 2044;
#else
  const size_t offset = 2048;
#endif
  // @HERE_3
  OK(clEnqueueFillBuffer(queue, buffer, &two, sizeof(two), offset, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: An out-of-order queue: the result of a kernel is read without waiting for the kernel.
// Fix: An out-of-order queue: the read waits for the kernel's event.
// EXPECT error race clEnqueueReadImage at HERE_4
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
static void KernelThenRead(void) {
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
  // @HERE_4
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 0, NULL, NULL));
#else
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(filled, image, kernel);
}

// Defect: An out-of-order queue: shared virtual memory is copied from before the copy to it is
// known to have ended.
// Fix: An out-of-order queue: the second copy waits for the first.
// EXPECT error race clEnqueueSVMMemcpy at HERE_5
// EXPECT-PARTY pending-command at WRITE_2
// EXPECT-FACT hazard=RAW
static void SvmCopies(void) {
  static char data[4096], result[4096];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  cl_event written;
  // @WRITE_2
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, shared, data, 4096, 0, NULL, &written));
#ifdef DEFECT
  // @HERE_5
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, 4096, 0, NULL, NULL));
#else
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, 4096, 1, &written, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(written));
  clSVMFree(context, shared);
}

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  ReadAfterWrite();
  WriteAfterRead();
  WriteAfterWrite();
  KernelThenRead();
  SvmCopies();
  Close();
}
