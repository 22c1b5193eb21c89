// Defect: A memset writes memory to which its device has read access only.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuMemsetD8Async at HERE
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
  // @HERE
  OK(cuMemsetD8Async(piece.address, 1, piece.bytes, nullptr));
  OK(cuCtxSynchronize());
  FreePiece(piece);
  Close();
}
