// A command buffer with a kernel, a sub-buffer, a rectangle and an image keeps what it recorded: the program releases
// the objects that it needs no more before the buffer is enqueued.
#include "common/opencl_command_buffers.h"

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

static const char kSource[] =
    "kernel void twice(global const int* from, global int* to) {"
    "  to[get_global_id(0)] = 2 * from[get_global_id(0)];"
    "}";

int main(void) {
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
