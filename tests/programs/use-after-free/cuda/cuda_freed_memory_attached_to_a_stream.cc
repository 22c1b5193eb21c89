// Defect: Managed memory is attached to a stream after it was freed.
// Fix: Managed memory is freed after it was attached to a stream.
// EXPECT error use-after-free cuStreamAttachMemAsync at HERE
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory;
  OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_HOST));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(memory));
#endif
  // @HERE
  cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE);
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(memory));
#endif
  Close(stream);
}
