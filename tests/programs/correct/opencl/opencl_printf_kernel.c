// A kernel without memory arguments that prints.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void hello(int value) { printf(\"hello %d\\n\", value); }", "hello");
  const cl_int value = 42;
  OK(clSetKernelArg(kernel, 0, sizeof(value), &value));
  const size_t items = 1;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel);
}
