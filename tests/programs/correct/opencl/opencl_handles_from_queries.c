// The program releases a context, a program and a buffer that other objects hold, gets their handles by queries, and uses
// them.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_buffer_region region = {4096, 4096};
  cl_mem half = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseContext(context));

  cl_context its_context;
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(its_context), &its_context, NULL));
  OK(clRetainContext(its_context));
  cl_program its_program;
  OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(its_program), &its_program, NULL));
  cl_kernel another = MADE(clCreateKernel(its_program, "fill", &error));
  cl_mem parent;
  OK(clGetMemObjectInfo(half, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, NULL));
  size_t bytes = 0;
  OK(clGetMemObjectInfo(parent, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL));
  cl_mem third = MADE(clCreateBuffer(its_context, 0, 4096, NULL, &error));

  OK(clReleaseMemObject(third));
  OK(clReleaseKernel(another));
  OK(clReleaseMemObject(half));
  OK(clReleaseKernel(kernel));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(its_context));
}
