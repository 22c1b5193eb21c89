// Objects of all kinds are created and released in turn, so that the same handles come back for
// others.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  for (int i = 0; i < 100; ++i) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(texels), NULL, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(texels), texels, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    const cl_image_desc shape = Image2D(16, 16);
    cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
    const size_t region[3] = {16, 16, 1};
    cl_event written;
    OK(clEnqueueWriteImage(queue, image, CL_FALSE, kOrigin, region, 0, 0, texels, 0, NULL,
                           &written));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
    OK(clReleaseEvent(written));
    OK(clReleaseMemObject(image));
    cl_event gate = MADE(clCreateUserEvent(context, &error));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clReleaseEvent(gate));
    cl_command_queue another = NewQueue(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    OK(clReleaseCommandQueue(another));
    void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    clSVMFree(context, shared);
    free(malloc(4096));
  }
  Close();
}
