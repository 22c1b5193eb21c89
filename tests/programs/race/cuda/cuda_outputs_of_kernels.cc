// Defect: A kernel writes by a pointer in a structure, or in one of two paths, and another stream
// uses the same elements without a wait.
// Fix: The other stream waits for the kernel.
#include <initializer_list>

#include "common/cuda.h"
#include "common/cuda_code.h"
#include "common/cuda_machine_code.h"

// Defect: A kernel writes by a pointer in a structure, and its output is downloaded on another
// stream.
// Fix: The download is enqueued to the stream of the kernel.
// EXPECT error race cuMemcpyDtoHAsync_v2 at DOWNLOAD
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
// EXPECT-FACT earlier_kernel=code_pair
static void PointersInAStructure() {
  CUfunction code_pair = CodeKernel(CODE_PAIR);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr out = NewZeros(4096);
  char* result = NewPinned(4096);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } pair = {1024, NewZeros(4096), 2, out};
  void* arguments[] = {&pair};
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @LAUNCH
  OK(cuLaunchKernel(code_pair, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, out, 4096, stream));
  OK(cuCtxSynchronize());
  Release(out, pair.in, result, second, first);
}

// Defect: Kernels on two streams write the same elements in two paths.
// Fix: The second kernel has an output of its own.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=0 to 8591
// EXPECT-FACT earlier_byte_range=0 to 8591
static void KernelsWithTwoPaths() {
  CUfunction tiles = CodeKernel(CODE_TILES);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr in = NewZeros(1 << 14), out = NewZeros(1 << 14), own = NewZeros(1 << 14);
  int count = 2148;
  CUdeviceptr one[] = {out, in}, other[] = {own, in};
#ifdef DEFECT
  other[0] = out;
#endif
  void *arguments[] = {&count, one}, *more[] = {&count, other};
  // @FIRST
  OK(cuLaunchKernel(tiles, 5, 1, 1, 128, 1, 1, 0, first, arguments, nullptr));
  // @SECOND
  OK(cuLaunchKernel(tiles, 5, 1, 1, 128, 1, 1, 0, second, more, nullptr));
  OK(cuCtxSynchronize());
  for (CUdeviceptr memory : {in, out, own}) OK(cuMemFree(memory));
  Release(second, first);
}

// Defect: A kernel of a library, whose name says nothing of its parameters, reads what a memset on
// another stream writes.
// Fix: The memset is enqueued to the stream of the kernel.
// EXPECT error race cuLaunchKernel at LAUNCH_2
// EXPECT-PARTY pending-command at SET
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=plain_copy
static void KernelOfALibrary() {
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
  // @LAUNCH_2
  OK(cuLaunchKernel((CUfunction)copy, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuLibraryUnload(library));
}

int main() {
  Open();
  PointersInAStructure();
  KernelsWithTwoPaths();
  KernelOfALibrary();
  Close();
}
