// Defect: Commands use a mapped buffer, and pointers are unmapped that are not mapped.
// Fix: The buffer is unmapped once, before commands use it.
#include "common/opencl.h"

// Defect: A kernel writes a buffer that the host has mapped.
// Fix: A buffer is unmapped before a kernel writes it.
// EXPECT error mapping-invalid clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY map at MAPPED
// EXPECT-TEXT "fill" writes
// EXPECT-TEXT through argument 0 .out. while a region of it is mapped for writing
static void KernelOnMappedBuffer(void) {
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
#ifdef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(kernel, buffer);
}

// Defect: While a buffer is mapped, it is read into the host memory that it uses.
// Fix: The program unmaps the buffer before the read.
// EXPECT error mapping-invalid clEnqueueReadBuffer at HERE_2
// EXPECT-TEXT own host memory
// EXPECT-PARTY map at MAP
static void ReadIntoMappedHostMemory(void) {
  enum { kBytes = 4096 };
  void* memory = aligned_alloc(4096, kBytes);
  memset(memory, 1, kBytes);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kBytes, memory, &error));
  // @MAP
  void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
#ifdef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  free(memory);
}

// Defect: Two overlapping regions of a buffer are mapped for writing at the same time.
// Fix: The regions adjoin.
// EXPECT error mapping-invalid clEnqueueMapBuffer at HERE_3
// EXPECT-PARTY map at FIRST
// EXPECT-PARTY allocation at CREATED
static void TwoMapsForWriting(void) {
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @FIRST
  void* first = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
#ifdef DEFECT
  const size_t begin = 2048;
#else
  const size_t begin = 4096;
#endif
  // @HERE_3
  void* second = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, begin, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, second, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A write takes its data from a mapped region after the region was unmapped.
// Fix: The region is unmapped after the write.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE_4
// EXPECT-PARTY map at MAPPED_3
// EXPECT-PARTY unmap at UNMAPPED
// EXPECT-PARTY allocation at CREATED_2
static void PointerAfterUnmap(void) {
  // @CREATED_2
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @MAPPED_3
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_WRITE, 0, 8192, 0, NULL, NULL, &error));
  memset(data, 1, 8192);
#ifdef DEFECT
  // @UNMAPPED
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  // @HERE_4
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 4096, data + 1024, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A command writes the part of a buffer that the host has mapped.
// Fix: A command writes the part of a buffer that the host has not mapped.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE_5
// EXPECT-PARTY map at MAPPED_2
static void WriteToMappedRegion(void) {
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED_2
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 2048, 0, NULL, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 2048;
#endif
  // @HERE_5
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: The host pointer of a buffer is unmapped that was never mapped.
// Fix: The host pointer of a buffer is unmapped after it was mapped.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE_6
// EXPECT-PARTY allocation at CREATED_3
static void UnmapNeverMapped(void) {
  static char data[4096] __attribute__((aligned(4096)));
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  void* mapped = data;
#else
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
#endif
  // @HERE_6
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(buffer);
}

// Defect: A mapping is undone twice.
// Fix: A mapping is undone once.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE_7
// EXPECT-PARTY allocation at CREATED_4
static void UnmapTwice(void) {
  // @CREATED_4
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE_7
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
#endif
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  KernelOnMappedBuffer();
  ReadIntoMappedHostMemory();
  TwoMapsForWriting();
  PointerAfterUnmap();
  WriteToMappedRegion();
  UnmapNeverMapped();
  UnmapTwice();
  Close();
}
