// Defect: Writes and creations read past the end of their host blocks.
// Fix: The host block is as long as the data.
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

// Defect: A buffer is created with the data of a host block that is shorter.
// Fix: A buffer is created with the data of a host block of its size.
// EXPECT error host-buffer-overrun clCreateBuffer at HERE_3
// EXPECT-PARTY host-block at BLOCK_3
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=1024
static void CopyHostPtr(void) {
  enum { n = 1024 };
#ifdef DEFECT
  // @BLOCK_3
  float* data = calloc(1, n);
#else
  float* data = calloc(sizeof(float), n);
#endif
  // @HERE_3
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), data, &error));
  OK(clReleaseMemObject(buffer));
  free(data);
}

// Defect: The rows of a rectangle are further apart on the host than the block is long.
// Fix: The rows of a rectangle are as far apart on the host as the block says.
// EXPECT error host-buffer-overrun clEnqueueWriteBufferRect at HERE_4
// EXPECT-PARTY host-block at BLOCK_4
// EXPECT-FACT needed_bytes=1984
// EXPECT-FACT block_bytes=1024
static void WriteRect(void) {
  // @BLOCK_4
  char* data = calloc(16, 64);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t region[3] = {64, 16, 1};
#ifdef DEFECT
  const size_t pitch = 128;
#else
  const size_t pitch = 64;
#endif
  // @HERE_4
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 64, 0, pitch, 0,
                              data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
}

// Defect: A write reads more than the static array holds. (The zero variables behind the initialised
// ones make the overrun harmless.)
// Fix: The array is as long as the write.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE_5
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=2048
enum { kCount = 1024 };

#ifdef DEFECT
static float g_weights[kCount / 2] = {1};
#else
static float g_weights[kCount] = {1};
#endif
static volatile char g_zeros[65536];

static void WriteFromStaticArray(void) {
  g_zeros[0] = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kCount * sizeof(float), NULL, &error));
  // @HERE_5
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(float), g_weights, 0, NULL,
                          NULL));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  WriteFromInteriorPointer();
  WriteFromShortBlock();
  CopyHostPtr();
  WriteRect();
  WriteFromStaticArray();
  Close();
}
