// Kernels on two queues read the same buffer and image at the same time: two readers are no race.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue queues[2] = {queue, NewQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  static unsigned char texels[64 * 4];
  static int data[64], results[2][64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  const cl_image_desc shape = Image2D(64, 1);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &kRgba8,
                                    &shape, texels, &error));
  cl_mem in = MADE(
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  const size_t items = 64;
  for (int i = 0; i < 2; ++i) {
    cl_kernel kernel = NewKernel(
        "constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
        "CLK_FILTER_NEAREST;"
        "kernel void add(global const int* in, read_only image2d_t image, global int* out) {"
        "  out[get_global_id(0)] = in[get_global_id(0)] +"
        "      (int)read_imageui(image, texel, (int2)(get_global_id(0), 0)).x;"
        "}",
        "add");
    cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
    OK(clSetKernelArg(kernel, 1, sizeof(image), &image));
    OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
    cl_event added;
    OK(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &items, NULL, 0, NULL, &added));
    OK(clEnqueueReadBuffer(queues[i], out, CL_FALSE, 0, sizeof(data), results[i], 1, &added, NULL));
    OK(clReleaseEvent(added));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
  }
  for (int i = 0; i < 2; ++i) OK(clFinish(queues[i]));
  printf("%d %d\n", results[0][63], results[1][63]);
  CLOSE(in, image, queues[1]);
}
