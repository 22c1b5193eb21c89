// Defect: A kernel of a library, whose name says nothing of its parameters, reads what a memset on
// another stream writes.
// Fix: The memset is enqueued to the stream of the kernel.
// EXPECT error race cuLaunchKernel at LAUNCH
// EXPECT-PARTY pending-command at SET
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=plain_copy
#include "common/cuda.h"
#include "common/cuda_code.h"

int main() {
  Open();
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel copy;
  OK(cuLibraryGetKernel(&copy, library, CODE_PLAIN_COPY));
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr in = NewZeros(4096), out = NewZeros(4096);
  void* arguments[] = {&in, &out};
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @SET
  OK(cuMemsetD8Async(in, 1, 4096, stream));
  // @LAUNCH
  OK(cuLaunchKernel((CUfunction)copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuLibraryUnload(library));
  Close();
}
