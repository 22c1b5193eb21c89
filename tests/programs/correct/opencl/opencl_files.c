// Files are read and written in memory that pending commands use.
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "common/opencl.h"

// Files are read and written while commands are pending: the commands use other bytes, only read them, wait for a user
// event of the program, or are complete, which a native kernel or a callback has told.
enum { kBytes = 8192 };
static char data[2][kBytes];
static int zero, null;
static atomic_int done;

static void Store(const void* from, size_t bytes) {
  if (write(null, from, bytes) != (ssize_t)bytes) abort();
}

static void Load(void* to, size_t bytes) {
  if (read(zero, to, bytes) != (ssize_t)bytes) abort();
}

static void CL_CALLBACK StoreNative(void* arguments) {
  (void)arguments;
  Store(data[0], kBytes);
}

static void CL_CALLBACK StoreComplete(cl_event event, cl_int status, void* arguments) {
  (void)event, (void)status, (void)arguments;
  Store(data[0], kBytes);
  atomic_store(&done, 1);
}

static void BesideCommands(void) {
  zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, kBytes, 0, NULL, NULL));
  // Other bytes, and a source that is only read.
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes / 2, data[0], 0, NULL, NULL));
  Load(data[0] + kBytes / 2, kBytes / 2);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data[1], 0, NULL, NULL));
  Store(data[1], kBytes);
  // The file ends before the bytes in use begin.
  FILE* empty = fopen("/dev/null", "r");
  if (fread(data[0], 1, kBytes, empty) != 0) abort();
  fclose(empty);
  OK(clFinish(queue));
  // The write begins after the program has filled its source, and the copy is made before the read begins.
  cl_event ready = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data[0], 1, &ready, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, data[1], 0, NULL, NULL));
  Load(data[0], kBytes);
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kBytes, data[1], &error));
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clFinish(queue));
  // The function of a native kernel, and a callback, run after the read.
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, data[0], 0, NULL, NULL));
  OK(clEnqueueNativeKernel(queue, StoreNative, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event read;
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, data[0], 0, NULL, &read));
  OK(clSetEventCallback(read, CL_COMPLETE, StoreComplete, NULL));
  OK(clFlush(queue));
  while (atomic_load(&done) == 0) continue;
  OK(clFinish(queue));
  OK(clReleaseEvent(read));
  OK(clReleaseEvent(ready));
  OK(clReleaseMemObject(copy));
  OK(clReleaseMemObject(buffer));
  close(zero), close(null);
}

// The host memory of CL_MEM_USE_HOST_PTR buffers is filled from files and written to files while commands are pending: the
// commands only read it, use other bytes or wait for the program, or the memory is mapped or was unmapped unchanged.
static void InMemoryOfBuffers(void) {
  enum { kBytes = 65536, kHalf = kBytes / 2 };
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
}

int main(void) {
  Open(0);
  BesideCommands();
  InMemoryOfBuffers();
  Close();
}
