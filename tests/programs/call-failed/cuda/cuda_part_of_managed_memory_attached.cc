// Defect: Half of a managed allocation is attached to a stream.
// Fix: A whole managed allocation is attached to a stream.
// EXPECT warning call-failed cuStreamAttachMemAsync CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory;
  OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_HOST));
  size_t bytes = 8192;
#ifdef DEFECT
  bytes = 4096;
#endif
  // @HERE
  cuStreamAttachMemAsync(stream, memory, bytes, CU_MEM_ATTACH_SINGLE);
  OK(cuStreamSynchronize(stream));
  Close(memory, stream);
}
