// Defect: The program replaces the input of a captured graph by a new block. The pool has taken the
// old block back when the graph reads it again.
// Fix: The program copies the new input into the block that the graph reads.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY allocation at INPUT
// EXPECT-PARTY release at FREED
// EXPECT-TEXT argument 0 of kernel
#include "common/cuda_machine_code.h"
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(GPUSAN_POOL_EXACT);
  CUstream stream = NewStream();
  const uint64_t number = Number(stream);
  // The pool of the graph: its blocks are allocated and freed during the capture or behind it, and
  // their memory stays that of the graph.
  const CUdeviceptr own_memory = NewMemory(1 << 20);
  const uint64_t own = gpusan_pool_create(GPUSAN_API_CUDA, own_memory, GPUSAN_POOL_EXACT);
  const CUdeviceptr input = pool_memory, next = pool_memory + 8192;
  CUdeviceptr between = own_memory, output = own_memory + 4096;
  // @INPUT
  gpusan_block_alloc(pool, input, 4096, number, 0);
  OK(cuMemsetD8Async(input, 1, 4096, stream));
  CUdeviceptr from = input;
  void* first[] = {&from, &between};
  void* second[] = {&between, &output};
  CUgraph graph;
  CUgraphExec executable;
  CUfunction copy = CodeKernel(CODE_COPY);
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  gpusan_block_alloc(own, between, 4096, number, 0);
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, first, nullptr));
  gpusan_block_alloc(own, output, 4096, number, 0);
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, second, nullptr));
  gpusan_block_free(own, between, number);
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  // The graph keeps the memory of its result.
  gpusan_block_free(own, output, number);
  gpusan_block_alloc(pool, next, 4096, number, 0);
  OK(cuMemsetD8Async(next, 2, 4096, stream));
#ifdef DEFECT
  // @FREED
  gpusan_block_free(pool, input, number);
#else
  OK(cuMemcpyDtoDAsync(input, next, 4096, stream));
#endif
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT
  gpusan_block_free(pool, input, number);
#endif
  gpusan_block_free(pool, next, number);
  gpusan_pool_destroy(own);
  OK(cuMemFree(own_memory));
  ClosePool();
  Close(stream);
}
