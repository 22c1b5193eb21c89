// A texture reference of the old kind is given memory that lives, and goes before it.
#include "common/cuda.h"

int main() {
  Open();
  CUtexref reference;
  NEEDS(cuTexRefCreate(&reference) == CUDA_SUCCESS);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  size_t offset;
  OK(cuTexRefSetAddress(&offset, reference, buffer, 4096));
  OK(cuTexRefDestroy(reference));
  OK(cuMemFree(buffer));
  Close();
}
