// Defect: System calls read and write host memory that pending commands use.
// Fix: The program waits for the command.
#include <fcntl.h>
#include <unistd.h>

#include "common/opencl.h"

// Defect: fwrite takes the results from a host block that a read, for which nothing has waited, still fills.
// Fix: The host waits for the read first.
// EXPECT error host-race fwrite at HERE
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=RAW
static void FileWrittenTooEarly(void) {
  static char results[8192];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(results), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(results), 0, NULL, NULL));
  FILE* file = fopen("/dev/null", "w");
  // @READ
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof(results), results, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  fwrite(results, 1, sizeof(results), file);
  fclose(file);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: read() puts the next part of a file into a host block that a pending write still takes its data from.
// Fix: The host waits for the event of the write before it reads the next part.
// EXPECT error host-race read at HERE_2
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=WAR
static void InputReadOverPendingWrite(void) {
  enum { kPart = 8192 };
  const int file = open("/dev/zero", O_RDONLY);
  char* part = malloc(kPart);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kPart, NULL, &error));
  if (read(file, part, kPart) != kPart) abort();
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kPart, part, 0, NULL, &written));
  OK(clFlush(queue));
#ifndef DEFECT
  OK(clWaitForEvents(1, &written));
#endif
  // @HERE_2
  if (read(file, part, kPart) != kPart) abort();
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kPart, part, 0, NULL, NULL));
  OK(clReleaseEvent(written));
  free(part);
  close(file);
  RELEASE(buffer);
}

// Defect: The program writes the host memory of a CL_MEM_USE_HOST_PTR buffer to a file while a kernel updates the buffer.
// Fix: The memory is mapped for the write to the file.
// EXPECT error host-race write at HERE_3
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT map the memory after clEnqueueNDRangeKernel
static void MemoryOfBufferWrittenToFile(void) {
  enum { kBytes = 65536 };
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
  // @HERE_3
  if (write(file, data, kBytes) != kBytes) abort();
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  close(file);
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  free(data);
}

// Defect: A read of a file fills coarse-grained shared memory that a pending kernel updates.
// Fix: The memory is mapped for the read.
// EXPECT error host-race read at HERE_4
// EXPECT-PARTY pending-command at LAUNCH_2
// EXPECT-TEXT map the memory after clEnqueueNDRangeKernel
static void SvmWrittenFromFile(void) {
  enum { kBytes = 65536 };
  cl_int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0);
  if (data == NULL) exit(77);
  const cl_int zero = 0;
  OK(clEnqueueSVMMemFill(queue, data, &zero, sizeof(zero), kBytes, 0, NULL, NULL));
  cl_kernel kernel =
      NewKernel("kernel void add(global int* data) { data[get_global_id(0)] += 1; }", "add");
  OK(clSetKernelArgSVMPointer(kernel, 0, data));
  const size_t items = kBytes / sizeof(cl_int);
  // @LAUNCH_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  const int file = open("/dev/zero", O_RDONLY);
#ifndef DEFECT
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data, kBytes, 0, NULL, NULL));
#endif
  // @HERE_4
  if (read(file, data, kBytes) != kBytes) abort();
#ifndef DEFECT
  OK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  close(file);
  clSVMFree(context, data);
  RELEASE(kernel);
}

int main(void) {
  Open(0);
  FileWrittenTooEarly();
  InputReadOverPendingWrite();
  MemoryOfBufferWrittenToFile();
  SvmWrittenFromFile();
  Close();
}
