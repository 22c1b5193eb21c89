// Defect: A stream is destroyed twice.
// Fix: A stream is destroyed once.
// EXPECT error over-release cuStreamDestroy_v2 at HERE
// EXPECT-PARTY release at FIRST
// EXPECT-TEXT is destroyed a second time
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  // @FIRST
  OK(cuStreamDestroy(stream));
#ifdef DEFECT
  // @HERE
  cuStreamDestroy(stream);
#endif
  Close();
}
