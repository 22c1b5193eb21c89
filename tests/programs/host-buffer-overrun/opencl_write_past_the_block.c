// Defect: Writes read past the end of their host blocks: from a pointer into the middle, and from a
// block a quarter of the size.
// Fix: The writes end with the blocks.
#include "common/opencl.h"

// Defect: The host pointer is in the middle of its block, and the size is that of the whole.
// Fix: The size is that of the rest of the block.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3072
// EXPECT-TEXT 1024 B into a block
static void WriteFromInteriorPointer(void) {
  // @BLOCK
  char* data = calloc(1, 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 1024;
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data + 1024, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
}

// Defect: A buffer is filled from a host block a quarter of its size: elements were taken for
// bytes.
// Fix: The host block has the size of the buffer.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT needed_bytes=8192
// EXPECT-FACT block_bytes=2048
static void WriteFromShortBlock(void) {
  enum { n = 2048 };
#ifdef DEFECT
  // @BLOCK_2
  float* data = calloc(1, n);
#else
  float* data = calloc(sizeof(float), n);
#endif
  cl_mem buffer = MADE(clCreateBuffer(context, 0, n * sizeof(float), NULL, &error));
  // @HERE_2
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, n * sizeof(float), data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
}

int main(void) {
  Open(0);
  WriteFromInteriorPointer();
  WriteFromShortBlock();
  Close();
}
