// Defect: A stream writes a value to mapped memory that devices may only read.
// Fix: The device has read and write access.
// EXPECT error kernel-access-flag cuStreamWriteValue32_v2 at HERE
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
  OK(cuStreamWriteValue32(nullptr, piece.address, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuCtxSynchronize());
  FreePiece(piece);
  Close();
}
