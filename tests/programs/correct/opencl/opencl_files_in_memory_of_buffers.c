// The host memory of CL_MEM_USE_HOST_PTR buffers is filled from files and written to files while commands are pending: the
// commands only read it, use other bytes or wait for the program, or the memory is mapped or was unmapped unchanged.
#include <fcntl.h>
#include <unistd.h>

#include "common/opencl.h"

enum { kBytes = 65536, kHalf = kBytes / 2 };
static int zero, null;

static void Store(const void* from, size_t bytes) {
  if (write(null, from, bytes) != (ssize_t)bytes) abort();
}

static void Load(void* to, size_t bytes) {
  if (read(zero, to, bytes) != (ssize_t)bytes) abort();
}

int main(void) {
  Open(0);
  zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
  char* in = aligned_alloc(4096, kBytes);
  char* out = aligned_alloc(4096, kBytes);
  Load(in, kBytes);
  memset(out, 0, kBytes);
  cl_mem source = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, in, &error));
  cl_mem target = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, out, &error));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(source), &source));
  OK(clSetKernelArg(kernel, 1, sizeof(target), &target));
  const size_t items = kHalf / sizeof(cl_int);
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  Store(in, kBytes);
  Load(in + kHalf, kHalf);
  Store(out + kHalf, kHalf);
  char* mapped = MADE(
      clEnqueueMapBuffer(queue, target, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, NULL, NULL, &error));
  Load(mapped, kBytes);
  OK(clEnqueueUnmapMemObject(queue, target, mapped, 0, NULL, NULL));
  Store(out, kBytes);
  OK(clFinish(queue));
  Store(out, kBytes);
  cl_event ready = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &ready, NULL));
  Load(in, kBytes);
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(ready));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(source));
  OK(clReleaseMemObject(target));
  free(in);
  free(out);
  close(zero), close(null);
  Close();
}
