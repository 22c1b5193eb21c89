// Defect: A read of a file fills coarse-grained shared memory that a pending kernel updates.
// Fix: The memory is mapped for the read.
// EXPECT error host-race read at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-TEXT map the memory after clEnqueueNDRangeKernel
#include <fcntl.h>
#include <unistd.h>

#include "common/opencl.h"

enum { kBytes = 65536 };

int main(void) {
  Open(0);
  cl_int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (data == NULL) exit(77);
  const cl_int zero = 0;
  OK(clEnqueueSVMMemFill(queue, data, &zero, sizeof(zero), kBytes, 0, NULL, NULL));
  cl_kernel kernel =
      NewKernel("kernel void add(global int* data) { data[get_global_id(0)] += 1; }", "add");
  OK(clSetKernelArgSVMPointer(kernel, 0, data));
  const size_t items = kBytes / sizeof(cl_int);
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  const int file = open("/dev/zero", O_RDONLY);
#ifndef DEFECT
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data, kBytes, 0, NULL, NULL));
#endif
  // @HERE
  if (read(file, data, kBytes) != kBytes) abort();
#ifndef DEFECT
  OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  close(file);
  clSVMFree(context, data);
  CLOSE(kernel);
}
