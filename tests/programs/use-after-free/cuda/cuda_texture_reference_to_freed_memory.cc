// Defect: A texture reference of the old kind is given memory that has been freed.
// Fix: The texture reference is destroyed before the memory is freed.
// EXPECT error use-after-free cuTexRefSetAddress_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  CUtexref reference;
  NEEDS(cuTexRefCreate(&reference) == CUDA_SUCCESS);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
#ifndef DEFECT
  size_t offset;
  OK(cuTexRefSetAddress(&offset, reference, buffer, 4096));
  OK(cuTexRefDestroy(reference));
#endif
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  size_t offset;
  // @HERE
  cuTexRefSetAddress(&offset, reference, buffer, 4096);
  OK(cuTexRefDestroy(reference));
#endif
  Close();
}
