// Defect: Each turn of a loop creates a stream, uses it and keeps it.
// Fix: Each turn of a loop destroys the stream that it created. Streams that were created before
// the loop are used in turn and left to the end of the process.
// EXPECT warning leak cuStreamCreate at HERE
// EXPECT-FACT objects=40
// EXPECT-TEXT 40 streams
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  static CUstream pool[1];
#else
  static CUstream pool[40];
#endif
  for (CUstream& stream : pool) stream = NewStream();
  for (int turn = 0; turn < 40; ++turn) {
    CUstream stream;
    // @HERE
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD8Async(buffer, 0, 4096, stream));
    OK(cuStreamSynchronize(stream));
#ifndef DEFECT
    OK(cuStreamDestroy(stream));
    OK(cuMemsetD8Async(buffer, 1, 4096, pool[turn]));
    OK(cuStreamSynchronize(pool[turn]));
#endif
  }
  Close(buffer);
}
