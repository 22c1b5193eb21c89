// Command buffers are used again, keep the objects that they use, and order their commands.
#include "common/opencl_command_buffers.h"

// Commands are recorded once by cl_khr_command_buffer, in order, and enqueued three times.
static void EnqueuedThreeTimes(void) {
  OpenCommandBuffers(0);
  if (!load_clCreateCommandBufferKHR) abort();
  static int result[256];
  const cl_int five = 5;
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr filled;
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES from, &five, sizeof(five), 0, sizeof(result), 0,
                                 NULL, &filled, NULL));
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 1, &filled, NULL,
                                 NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  for (int i = 0; i < 3; ++i) {
    OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
    OK(clFinish(queue));  // it may not be pending twice
  }
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}

// A command buffer with a kernel, a sub-buffer, a rectangle and an image keeps what it recorded: the program releases
// the objects that it needs no more before the buffer is enqueued.
#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

static const char kSource[] =
    "kernel void twice(global const int* from, global int* to) {"
    "  to[get_global_id(0)] = 2 * from[get_global_id(0)];"
    "}";

static void KeepsObjects(void) {
  OpenCommandBuffers(0);
  LOAD(clCommandCopyBufferRectKHR);
  LOAD(clCommandCopyBufferToImageKHR);
  LOAD(clCommandCopyImageToBufferKHR);
  LOAD(clCommandFillImageKHR);
  if (!load_clCreateCommandBufferKHR) abort();
  static int result[1024];
  const cl_int seven = 7;
  const cl_uint color[4] = {1, 2, 3, 4};
  const size_t origin[3] = {0, 0, 0}, box[3] = {16, 16, 1}, rows[3] = {64, 16, 1}, global = 1024;
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_buffer_region half = {2048, 2048};
  cl_mem upper = MADE(clCreateSubBuffer(from, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_kernel kernel = NewKernel(kSource, "twice");
  OK(clSetKernelArg(kernel, 0, sizeof(from), &from));
  OK(clSetKernelArg(kernel, 1, sizeof(to), &to));

  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES from, &seven, sizeof(seven), 0, 2048, 0, NULL, NULL, NULL));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES upper, &seven, sizeof(seven), 0, 2048, 0, NULL, NULL, NULL));
  OK(load_clCommandBarrierWithWaitListKHR(recorded, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
  OK(load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL, NULL));
  OK(load_clCommandFillImageKHR(recorded, NULL, NO_PROPERTIES image, color, origin, box, 0, NULL, NULL, NULL));
  OK(load_clCommandCopyImageToBufferKHR(recorded, NULL, NO_PROPERTIES image, from, origin, box, 0, 0, NULL, NULL, NULL));
  OK(load_clCommandCopyBufferToImageKHR(recorded, NULL, NO_PROPERTIES to, image, 0, origin, box, 0, NULL, NULL, NULL));
  OK(load_clCommandCopyBufferRectKHR(recorded, NULL, NO_PROPERTIES from, to, origin, origin, rows, 64, 0, 64, 0, 0, NULL, NULL,
                                     NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  OK(load_clRetainCommandBufferKHR(recorded));
  OK(load_clReleaseCommandBufferKHR(recorded));
  OK(clReleaseMemObject(upper));
  OK(clReleaseMemObject(image));
  OK(clReleaseKernel(kernel));
  for (int i = 0; i < 2; ++i) {
    OK(load_clEnqueueCommandBufferKHR(1, &queue, recorded, 0, NULL, NULL));
    OK(clFinish(queue));
  }
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%x %d\n", result[0], result[1023]);
  OK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%x %d\n", result[0], result[1023]);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}

// Commands of a command buffer that share memory are ordered by sync points, also through a third command, by a
// barrier, or by the in-order queue of their recording; commands without an order read the same bytes or use different
// parts of a buffer.
static cl_sync_point_khr Fill(cl_command_buffer_khr buffer, cl_mem memory, cl_int value, size_t at, size_t bytes) {
  cl_sync_point_khr point;
  OK(load_clCommandFillBufferKHR(buffer, NULL, NO_PROPERTIES memory, &value, sizeof(value), at, bytes, 0, NULL, &point, NULL));
  return point;
}

static void Orders(void) {
  enum { kBytes = 4096, kHalf = kBytes / 2 };
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue in_order = NewQueue(0);
  static int result[kBytes / sizeof(int)];
  cl_mem from = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_mem third = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));

  cl_command_buffer_khr points = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr halves[2], copied;
  halves[0] = Fill(points, from, 5, 0, kHalf);
  halves[1] = Fill(points, from, 6, kHalf, kHalf);
  OK(load_clCommandCopyBufferKHR(points, NULL, NO_PROPERTIES from, to, 0, 0, kBytes, 2, halves, &copied, NULL));
  OK(load_clCommandCopyBufferKHR(points, NULL, NO_PROPERTIES from, third, 0, 0, kHalf, 1, halves, NULL, NULL));  // reads beside the copy
  OK(load_clCommandBarrierWithWaitListKHR(points, NULL, NO_PROPERTIES 1, &copied, NULL, NULL));
  Fill(points, from, 7, kHalf, kHalf);  // behind the barrier, and so behind the copy and its fills
  OK(load_clFinalizeCommandBufferKHR(points));

  cl_command_buffer_khr barriers = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  Fill(barriers, to, 8, 0, kHalf);
  OK(load_clCommandBarrierWithWaitListKHR(barriers, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
  Fill(barriers, to, 9, 0, kHalf);
  OK(load_clCommandBarrierWithWaitListKHR(barriers, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
  OK(load_clCommandCopyBufferKHR(barriers, NULL, NO_PROPERTIES to, third, 0, 0, kBytes, 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(barriers));

  cl_command_buffer_khr ordered = MADE(load_clCreateCommandBufferKHR(1, &in_order, NULL, &error));
  Fill(ordered, from, 10, 0, kBytes);
  OK(load_clCommandCopyBufferKHR(ordered, NULL, NO_PROPERTIES from, to, 0, 0, kBytes, 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(ordered));

  for (int i = 0; i < 2; ++i) {
    OK(load_clEnqueueCommandBufferKHR(0, NULL, points, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(load_clEnqueueCommandBufferKHR(0, NULL, barriers, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(load_clEnqueueCommandBufferKHR(0, NULL, ordered, 0, NULL, NULL));
    OK(clFinish(in_order));
  }
  OK(clEnqueueReadBuffer(in_order, third, CL_TRUE, 0, kBytes, result, 0, NULL, NULL));
  printf("%d %d\n", result[0], result[kBytes / sizeof(int) - 1]);
  OK(load_clReleaseCommandBufferKHR(ordered));
  OK(load_clReleaseCommandBufferKHR(barriers));
  OK(load_clReleaseCommandBufferKHR(points));
  CLOSE(third, to, from, in_order);
}

int main(void) {
  EnqueuedThreeTimes();
  KeepsObjects();
  Orders();
}
