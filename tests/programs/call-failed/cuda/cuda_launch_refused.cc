// Defect: The driver refuses launches: of no block, outside of the limits of the device, and of a
// graph whose memory exists.
// Fix: The launch is one that the device can run.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

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

// Defect: The driver refuses one of several launches. Another stream may write what that launch
// would have written.
// Fix: No launch is refused. The other stream writes after a wait for the launch.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE_4
static void AmongLaunches() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr mine = NewZeros(4096), shared = NewZeros(4096);
  void* own[] = {&mine};
  void* both[] = {&shared};
  for (int i = 0; i < 3; ++i) OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
#ifdef DEFECT
  // @HERE_4
  FAILS(CUDA_ERROR_INVALID_VALUE,
        cuLaunchKernel(twice, 4, 1, 1, 1 << 20, 1, 1, 0, first, both, nullptr));
#else
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, both, nullptr));
  OK(cuStreamSynchronize(first));
#endif
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, second, both, nullptr));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, own, nullptr));
  OK(cuCtxSynchronize());
  Release(shared, mine, second, first);
}

// Defect: A graph is launched again while the memory that its first launch allocated exists.
// Fix: The memory is freed in stream order before the second launch.
// EXPECT warning call-failed cuGraphLaunch CUDA_ERROR_INVALID_VALUE at HERE_5
static void GraphOverItsMemory() {
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(memory.dptr, stream));
#endif
  // @HERE_5
  cuGraphLaunch(executable, stream);
  OK(cuMemFreeAsync(memory.dptr, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, stream);
}

int main() {
  Open();
  GridOfNothing();
  TooManyThreadsInBlock();
  TooMuchSharedMemory();
  AmongLaunches();
  GraphOverItsMemory();
  Close();
}
