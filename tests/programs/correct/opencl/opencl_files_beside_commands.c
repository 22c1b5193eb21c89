// Files are read and written while commands are pending: the commands use other bytes, only read them, wait for a user
// event of the program, or are complete, which a native kernel or a callback has told.
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  if (fread(data[0], 1, kBytes, empty) != 0) return 1;
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
  Close();
}
