// Defect: Launches have no block, more threads in a block than the device has, and more shared
// memory than a block may have.
// Fix: The launch is within the limits.
#include "common/cuda.h"

// Defect: A launch over no element at all: a grid must have at least one block.
// Fix: A launch over one block.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
static void GridOfNothing() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const int elements = 0;
#else
  const int elements = 1;
#endif
  // @HERE
  cuLaunchKernel(nothing, (elements + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
}

// Defect: A launch asks for more threads in a block than the device has.
// Fix: A launch asks for as many threads in a block as the device has.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE_2
// EXPECT-TEXT 1024
static void TooManyThreadsInBlock() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned threads = 2048;
#else
  const unsigned threads = 1024;
#endif
  // @HERE_2
  cuLaunchKernel(nothing, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
}

// Defect: A launch asks for more shared memory than a block may have without asking for more.
// Fix: A launch asks for shared memory that a block may have.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE_3
static void TooMuchSharedMemory() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned bytes = 96 << 10;
#else
  const unsigned bytes = 48 << 10;
#endif
  // @HERE_3
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, bytes, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
}

int main() {
  Open();
  GridOfNothing();
  TooManyThreadsInBlock();
  TooMuchSharedMemory();
  Close();
}
