// Defect: Memory, arrays and blocks are never freed.
// Fix: Everything is freed.
#include "common/cuda.h"
#include "common/cuda_mapped.h"
#include "common/cuda_pool.h"

// Defect: Device memory is never freed.
// Fix: Device memory is freed.
// EXPECT error leak cuMemAlloc_v2 at CREATED
static void Memory() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
}

// Defect: Memory is still held when its context is destroyed.
// Fix: Memory is freed before its context is destroyed.
// EXPECT error leak cuMemAlloc_v2 at CREATED_2
static void DestroyedContext() {
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemFree(buffer));
#endif
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
}

// Defect: An array is never destroyed.
// Fix: An array is destroyed.
// EXPECT error leak cuArrayCreate_v2 at CREATED_4
static void Array() {
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @CREATED_4
  OK(cuArrayCreate(&array, &shape));
#ifndef DEFECT
  OK(cuArrayDestroy(array));
#endif
}

// Defect: Physical memory is mapped and unmapped, and its handle never released.
// Fix: Physical memory is unmapped and released.
// EXPECT error leak cuMemCreate at CREATED_5
static void PhysicalMemory() {
  const size_t bytes = PhysicalPiece();
  const CUmemAllocationProp properties = PhysicalProperties();
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  // @CREATED_5
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  OK(cuMemMap(base, bytes, 0, memory, 0));
  OK(cuMemUnmap(base, bytes));
  OK(cuMemAddressFree(base, bytes));
#ifndef DEFECT
  OK(cuMemRelease(memory));
#endif
}

// Defect: Memory of the stream-ordered allocator is never freed.
// Fix: Memory of the stream-ordered allocator is freed.
// EXPECT error leak cuMemAllocAsync at CREATED_3
static void OrderedMemory() {
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(buffer, stream));
#endif
  OK(cuStreamSynchronize(stream));
  Release(stream);
}

// Defect: Memory that a captured graph allocates is never freed.
// Fix: The memory is freed after the last launch.
// EXPECT error leak cuMemAllocAsync at CREATED_6
static void CapturedMemory() {
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @CREATED_6
  OK(cuMemAllocAsync(&memory, 4096, stream));
  OK(cuMemsetD8Async(memory, 3, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int round = 0; round < 3; ++round) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(memory));
#endif
  Release(executable, graph, stream);
}

// Defect: A block of the program's own pool is never given back. The pool's allocation is kept
// until the end, and is no leak of its own.
// Fix: The block is given back, and the pool's allocation is freed.
// EXPECT error leak gpusan_block_alloc at CREATED_7
// EXPECT-FACT leaked_bytes=4096
static void BlockOfAPool() {
  OpenPool(0);
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED_7
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemsetD8(block, 0, 4096));
#ifndef DEFECT
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
#endif
}

int main() {
  Open();
  Memory();
  DestroyedContext();
  Array();
  PhysicalMemory();
  OrderedMemory();
  CapturedMemory();
  BlockOfAPool();
  Close();
}
