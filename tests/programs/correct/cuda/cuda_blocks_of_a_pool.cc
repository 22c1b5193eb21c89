// Blocks of the program's own pool, used as allocators of frameworks use them: the same bytes again
// on the same stream, a reuse behind an event that was waited for, blocks with content, addresses
// between the blocks, a block over a live one, a captured graph that outlives its blocks, and a
// pool whose memory is freed or used as a whole.
#include "common/cuda_pool.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  char* data = NewPinned(1 << 20);

  OpenPool(0);
  const CUdeviceptr block = pool_memory + 65536;
  for (int turn = 0; turn < 100; ++turn) {
    const size_t bytes = 512 + 512 * (turn % 5);
    gpusan_block_alloc(pool, block, bytes, Number(first), 0);
    OK(cuMemcpyHtoDAsync(block, data, bytes, first));
    OK(cuMemcpyDtoHAsync(data, block, bytes, first));
    gpusan_block_free(pool, block, Number(first));
  }
  OK(cuStreamSynchronize(first));

  // The allocator waits until the other stream is done.
  gpusan_block_alloc(pool, block, 4096, Number(first), 0);
  OK(cuMemsetD8Async(block, 0, 4096, first));
  OK(cuEventRecord(done, first));
  OK(cuStreamWaitEvent(second, done, 0));
  OK(cuMemcpyDtoHAsync(data, block, 4096, second));
  gpusan_block_use(pool, block, Number(second));
  gpusan_block_free(pool, block, Number(first));
  OK(cuEventRecord(done, second));
  OK(cuEventSynchronize(done));
  gpusan_block_alloc(pool, block, 4096, Number(first), 0);
  OK(cuMemsetD8Async(block, 1, 4096, first));
  gpusan_block_free(pool, block, Number(first));
  OK(cuStreamSynchronize(first));

  // A block with content, and addresses between blocks.
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, GPUSAN_BLOCK_WRITTEN);
  OK(cuMemcpyDtoH(data, block, 4096));
  OK(cuMemcpyDtoH(data, pool_memory + (512 << 10), 4096));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  OK(cuMemcpyDtoH(data, block, 4096));

  // A captured graph uses its addresses after their blocks are gone.
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  gpusan_block_alloc(pool, block, 8192, Number(first), 0);
  OK(cuMemsetD8Async(block, 3, 8192, first));
  OK(cuMemcpyDtoHAsync(data, block, 8192, first));
  gpusan_block_free(pool, block, Number(first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  gpusan_block_alloc(pool, block, 1024, Number(first), 0);
  for (int turn = 0; turn < 3; ++turn) OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  gpusan_block_free(pool, block, Number(first));
  ClosePool();

  // A block over a live one: the allocator is not understood.
  OpenPool(GPUSAN_POOL_EXACT);
  gpusan_block_alloc(pool, pool_memory, 4096, GPUSAN_NO_STREAM, 0);
  gpusan_block_alloc(pool, pool_memory + 2048, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemcpyDtoH(data, pool_memory + 1024, 8192));
  gpusan_block_free(pool, pool_memory + 2048, GPUSAN_NO_STREAM);
  gpusan_block_free(pool, pool_memory, GPUSAN_NO_STREAM);
  // Freed without a word to gpusan.
  OK(cuMemFree(pool_memory));

  // Blocks that end with their pool. Its memory is one allocation again.
  OpenPool(GPUSAN_POOL_EXACT);
  gpusan_block_alloc(pool, pool_memory, 4096, Number(second), 0);
  OK(cuMemsetD8Async(pool_memory, 0, 4096, second));
  gpusan_pool_destroy(pool);
  OK(cuMemsetD8Async(pool_memory, 0, 1 << 20, second));
  OK(cuMemcpyDtoHAsync(data, pool_memory, 1 << 20, second));
  OK(cuStreamSynchronize(second));
  OK(cuMemFree(pool_memory));

  // The same with blocks that live when the memory is freed, and with other memory in its place.
  OpenPool(GPUSAN_POOL_EXACT);
  const CUdeviceptr before = pool_memory;
  gpusan_block_alloc(pool, before, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemFree(before));
  const CUdeviceptr after = NewZeros(1 << 20);
  OK(cuMemcpyDtoH(data, after, 1 << 20));
  gpusan_block_free(pool, before, GPUSAN_NO_STREAM);
  OK(cuMemFree(after));

  Close(data, done, second, first);
}
