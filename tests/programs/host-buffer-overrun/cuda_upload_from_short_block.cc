// Defect: Uploads read past the end of their host blocks.
// Fix: The block is as long as the upload.
#include "common/cuda.h"

// Defect: The host block of an upload is shorter than the upload. (Another block after it makes the
// read harmless.)
// Fix: The host block of an upload is as long as the upload.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3072
static void UploadFromShortBlock() {
#ifdef DEFECT
  const size_t bytes = 3072;
#else
  const size_t bytes = 4096;
#endif
  // @BLOCK
  char* data = (char*)calloc(1, bytes);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  // @HERE
  OK(cuMemcpyHtoD(buffer, data, 4096));
  OK(cuMemFree(buffer));
  free(behind);
  free(data);
}

// Defect: An upload of 64 floats reads a block for 10 of them. (A block behind it makes the overrun harmless.)
// Fix: The block has 64.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE_2
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=256
static void UploadFromSmallBlock() {
  enum { kCount = 64 };
  CUdeviceptr buffer = NewZeros(kCount * sizeof(float));
#ifdef DEFECT
  float* values = (float*)calloc(10, sizeof(float));
#else
  float* values = (float*)calloc(kCount, sizeof(float));
#endif
  char* behind = (char*)malloc(1000);
  // @HERE_2
  OK(cuMemcpyHtoD(buffer, values, kCount * sizeof(float)));
  OK(cuMemFree(buffer));
  free(behind);
  free(values);
}

// Defect: An upload reads more than the static array holds. (The zero variables behind the
// initialised ones make the overrun harmless.)
// Fix: The array is as long as the upload.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE_3
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=2048
constexpr size_t kBytes = 4096;

#ifdef DEFECT
static char g_table[kBytes / 2] = {1};
#else
static char g_table[kBytes] = {1};
#endif
static volatile char g_zeros[65536];

static void UploadFromStaticArray() {
  g_zeros[0] = 0;
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, kBytes));
  // @HERE_3
  OK(cuMemcpyHtoD(buffer, g_table, kBytes));
  Release(buffer);
}

// Defect: An upload begins inside of a host block and is as long as the block. (Another block after
// it makes the read harmless.)
// Fix: An upload begins inside of a host block and ends at its end.
// EXPECT error host-buffer-overrun cuMemcpyHtoDAsync_v2 at HERE_4
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3840
static void UploadFromInsideBlock() {
  CUstream stream = NewStream();
  // @BLOCK_2
  char* data = (char*)calloc(1, 4096);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 256;
#endif
  // @HERE_4
  OK(cuMemcpyHtoDAsync(buffer, data + 256, bytes, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  free(behind);
  free(data);
}

int main() {
  Open();
  UploadFromShortBlock();
  UploadFromSmallBlock();
  UploadFromStaticArray();
  UploadFromInsideBlock();
  Close();
}
