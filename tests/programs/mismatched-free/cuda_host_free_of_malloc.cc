// Defect: A block from malloc is freed as page-locked memory.
// Fix: A block from malloc is freed by free.
// EXPECT error mismatched-free cuMemFreeHost at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cuda.h"

int main() {
  Open();
  // @BLOCK
  void* data = malloc(4096);
#ifdef DEFECT
  // @HERE
  cuMemFreeHost(data);
#endif
  free(data);
  Close();
}
