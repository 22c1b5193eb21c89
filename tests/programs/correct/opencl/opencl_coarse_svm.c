// Coarse-grained shared virtual memory: mapped by the host, used by a kernel, mapped again.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }", "twice");
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64 * sizeof(int), 0);
  if (!shared) abort();
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, shared, 64 * sizeof(int), 0,
                     NULL, NULL));
  for (int i = 0; i < 64; ++i) shared[i] = i;
  OK(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL));
  OK(clSetKernelArgSVMPointer(kernel, 0, shared));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, 64 * sizeof(int), 0, NULL, NULL));
  printf("%d %d\n", shared[1], shared[63]);
  OK(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, shared);
  CLOSE(kernel);
}
