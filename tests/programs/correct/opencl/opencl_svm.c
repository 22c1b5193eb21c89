// Shared virtual memory of both grains.
#include "common/opencl.h"

// Coarse-grained shared virtual memory: mapped by the host, used by a kernel, mapped again.
static void CoarseSvm(void) {
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
  RELEASE(kernel);
}

// Shared virtual memory is freed by the queue: by the implementation, and by a callback of the
// program.
static void CL_CALLBACK Free(cl_command_queue queue, cl_uint count, void* pointers[], void* user) {
  (void)queue;
  for (cl_uint i = 0; i < count; ++i) clSVMFree((cl_context)user, pointers[i]);
}

static void SvmFreeInQueue(void) {
  static char data[1024];
  void* shared[2];
  for (int i = 0; i < 2; ++i) {
    shared[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, shared[i], data, sizeof(data), 0, NULL, NULL));
  }
  OK(clEnqueueSVMFree(queue, 1, &shared[0], NULL, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMFree(queue, 1, &shared[1], Free, context, 0, NULL, NULL));
  OK(clFinish(queue));
}

// A kernel gets a pointer into shared virtual memory, and another block by way of
// clSetKernelExecInfo.
static void SvmInteriorPointer(void) {
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* data) { data[get_global_id(0)] = 9; }", "fill");
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 128 * sizeof(int), 0);
  int* other = clSVMAlloc(context, CL_MEM_READ_WRITE, 128 * sizeof(int), 0);
  const cl_int zero = 0;
  int result[128];
  OK(clEnqueueSVMMemFill(queue, shared, &zero, sizeof(zero), 128 * sizeof(int), 0, NULL, NULL));
  OK(clSetKernelArgSVMPointer(kernel, 0, shared + 64));
  void* indirect[] = {other};
  OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(indirect), indirect));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, sizeof(result), 0, NULL, NULL));
  printf("%d %d\n", result[63], result[64]);
  clSVMFree(context, other);
  clSVMFree(context, shared);
  RELEASE(kernel);
}

// A kernel writes shared memory with fine grain while the host accesses it, and a buffer over shared memory is released
// before that memory is freed.
static void SvmSignals(void) {
  cl_device_svm_capabilities can = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL));
  if ((can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) exit(77);
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
  RELEASE(out, kernel);
}

int main(void) {
  Open(0);
  CoarseSvm();
  SvmFreeInQueue();
  SvmInteriorPointer();
  SvmSignals();
  Close();
}
