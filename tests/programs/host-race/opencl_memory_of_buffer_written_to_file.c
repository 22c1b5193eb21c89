// Defect: The program writes the host memory of a CL_MEM_USE_HOST_PTR buffer to a file while a kernel updates the buffer.
// Fix: The memory is mapped for the write to the file.
// EXPECT error host-race write at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT map the memory after clEnqueueNDRangeKernel
#include <fcntl.h>
#include <unistd.h>

#include "common/opencl.h"

enum { kBytes = 65536 };

int main(void) {
  Open(0);
  cl_int* data = aligned_alloc(4096, kBytes);
  memset(data, 0, kBytes);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, data, &error));
  cl_kernel kernel =
      NewKernel("kernel void add(global int* data) { data[get_global_id(0)] += 1; }", "add");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = kBytes / sizeof(cl_int);
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  const int file = open("/dev/null", O_WRONLY);
#ifndef DEFECT
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
#endif
  // @HERE
  if (write(file, data, kBytes) != kBytes) abort();
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  close(file);
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
