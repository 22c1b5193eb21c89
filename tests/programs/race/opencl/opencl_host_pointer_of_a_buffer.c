// Defect: A download is given the memory of a CL_MEM_USE_HOST_PTR buffer as its destination while a
// kernel on another queue writes that buffer.
// Fix: The download waits for the kernel.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  cl_kernel kernel =
      NewKernel("kernel void one(global int* out) { out[get_global_id(0)] = 1; }", "one");
  int* data = aligned_alloc(4096, 4096);
  memset(data, 0, 4096);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
  cl_mem other = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 1024;
  cl_event done;
  // @KERNEL
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &done));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadBuffer(second, other, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(second, other, CL_TRUE, 0, 4096, data, 1, &done, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(done));
  OK(clReleaseMemObject(other));
  OK(clReleaseMemObject(buffer));
  free(data);
  CLOSE(kernel, second);
}
