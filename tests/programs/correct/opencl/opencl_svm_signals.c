// A kernel writes shared memory with fine grain while the host accesses it, and a buffer over shared memory is released
// before that memory is freed.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL));
  if ((can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) return 77;
  cl_kernel kernel = NewKernel("kernel void signal(global volatile int* flag, global int* out) {"
                               "  out[get_global_id(0)] = 7;"
                               "  if (get_global_id(0) == 0) *flag = 1; }", "signal");
  volatile cl_int* flag = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 4096, 0);
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  *flag = 0;
  OK(clSetKernelArgSVMPointer(kernel, 0, (void*)flag));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFlush(queue));
  while (*flag == 0) continue;
  *flag = 2;
  OK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof(cl_int), (void*)flag, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, (void*)flag);

  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  cl_mem over = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, memory, &error));
  const cl_int one = 1;
  OK(clEnqueueFillBuffer(queue, over, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(over));
  OK(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, kernel);
}
