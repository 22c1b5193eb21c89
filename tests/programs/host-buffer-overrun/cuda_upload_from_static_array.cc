// Defect: An upload reads more than the static array holds. (The zero variables behind the
// initialised ones make the overrun harmless.)
// Fix: The array is as long as the upload.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY host-block
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=2048
#include "common/cuda.h"

constexpr size_t kBytes = 4096;

#ifdef DEFECT
static char g_table[kBytes / 2] = {1};
#else
static char g_table[kBytes] = {1};
#endif
static volatile char g_zeros[65536];

int main() {
  Open();
  g_zeros[0] = 0;
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, kBytes));
  // @HERE
  OK(cuMemcpyHtoD(buffer, g_table, kBytes));
  Close(buffer);
}
