// Defect: A copy writes memory to which its device has read access only.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuMemcpyHtoD_v2 at HERE
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
  const int words[64] = {1};
  // @HERE
  OK(cuMemcpyHtoD(piece.address, words, sizeof words));
  OK(cuCtxSynchronize());
  FreePiece(piece);
  Close();
}
