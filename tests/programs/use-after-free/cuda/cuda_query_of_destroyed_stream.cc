// Defect: The priority of a stream is queried after the stream was destroyed.
// Fix: The priority of a stream is queried before the stream is destroyed.
// EXPECT error use-after-free cuStreamGetPriority at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-TEXT which the program has destroyed
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  int priority = 0;
#ifdef DEFECT
  // @RELEASED
  OK(cuStreamDestroy(stream));
  // @HERE
  cuStreamGetPriority(stream, &priority);
#else
  OK(cuStreamGetPriority(stream, &priority));
  OK(cuStreamDestroy(stream));
#endif
  Close();
}
