// A block from malloc is freed as page-locked memory.
// EXPECT error mismatched-free cuMemFreeHost at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cuda.h"

int main() {
  Open();
  // @BLOCK
  void* data = malloc(4096);
  // @HERE
  cuMemFreeHost(data);
  free(data);
  Close();
}
