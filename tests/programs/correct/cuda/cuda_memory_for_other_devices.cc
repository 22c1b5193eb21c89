// Memory that another device fills, a network card: the driver is only told that it has to be
// careful with copies of it. Nobody sees it being written.
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr memory = NewMemory(4096);
  unsigned careful = 1;
  OK(cuPointerSetAttribute(&careful, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  OK(cuMemcpyDtoH(result, memory, 4096));
  Close(memory);
}
