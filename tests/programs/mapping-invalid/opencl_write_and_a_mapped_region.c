// Defect: A write takes its data from a region after its unmap, and another one writes a region
// that the host has mapped.
// Fix: The region is unmapped after the first write, and the second one writes another part.
#include "common/opencl.h"

// Defect: A write takes its data from a mapped region after the region was unmapped.
// Fix: The region is unmapped after the write.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE
// EXPECT-PARTY map at MAPPED
// EXPECT-PARTY unmap at UNMAPPED
// EXPECT-PARTY allocation at CREATED
static void PointerAfterUnmap(void) {
  // @CREATED
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @MAPPED
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_WRITE, 0, 8192, 0, NULL, NULL, &error));
  memset(data, 1, 8192);
#ifdef DEFECT
  // @UNMAPPED
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 4096, data + 1024, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  RELEASE(to, from);
}

// Defect: A command writes the part of a buffer that the host has mapped.
// Fix: A command writes the part of a buffer that the host has not mapped.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE_2
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
  // @HERE_2
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  PointerAfterUnmap();
  WriteToMappedRegion();
  Close();
}
