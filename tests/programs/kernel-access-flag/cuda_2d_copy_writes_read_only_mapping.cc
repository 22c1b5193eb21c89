// Defect: A copy of rows writes memory to which its device has read access only.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuMemcpy2D_v2 at HERE
// EXPECT-FACT flags=CU_MEM_ACCESS_FLAGS_PROT_READ
// EXPECT-TEXT the command writes
// MAY sticky-error call-failed leak
// EXIT any
#include "common/cuda_mapped.h"

int main() {
  Open();
  const MappedPiece piece = NewPiece();
#ifdef DEFECT
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
#endif
  int words[4][16] = {{1}};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = words;
  copy.srcPitch = sizeof words[0];
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = piece.address;
  copy.dstPitch = 512;
  copy.WidthInBytes = sizeof words[0];
  copy.Height = 4;
  // @HERE
  OK(cuMemcpy2D(&copy));
  OK(cuCtxSynchronize());
  FreePiece(piece);
  Close();
}
