// Defect: Each turn of a loop creates a texture object of the same array, and keeps it.
// Fix: Each turn of a loop destroys the texture object that it created.
// EXPECT warning leak cuTexObjectCreate at HERE
// EXPECT-FACT objects=100
#include "common/cuda_texels.h"

int main() {
  Open();
  CUarray array = NewTexels();
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  const CUDA_TEXTURE_DESC look = {};
  for (int turn = 0; turn < 100; ++turn) {
    CUtexObject texture;
    // @HERE
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
#ifndef DEFECT
    OK(cuTexObjectDestroy(texture));
#endif
  }
  Close(array);
}
