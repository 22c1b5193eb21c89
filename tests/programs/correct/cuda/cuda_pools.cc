// Pools of the program, whose memory several streams use and free.
#include <initializer_list>

#include "common/cuda.h"
#include "common/cuda_pool.h"

// Blocks of the program's own pool, used as allocators of frameworks use them: the same bytes again
// on the same stream, a reuse behind an event that was waited for, blocks with content, addresses
// between the blocks, a block over a live one, a captured graph that outlives its blocks, and a
// pool whose memory is freed or used as a whole.
static void BlocksOfAPool() {
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

  Release(data, done, second, first);
}

// A pool's segment is set and copied as a whole, from the address of its first block on, and in
// parts that begin between the blocks. The blocks then have content.
static void WholeSegmentOfAPool() {
  constexpr size_t kBytes = 1 << 20, kBlock = 4096;
  CUstream stream = NewStream();
  char* data = NewPinned(kBytes);
  for (const unsigned flags : {0u, unsigned{GPUSAN_POOL_EXACT}}) {
    OpenPool(flags);
    const CUdeviceptr second = pool_memory + kBlock, late = pool_memory + kBytes / 2;
    gpusan_block_alloc(pool, pool_memory, kBlock, Number(stream), 0);
    gpusan_block_alloc(pool, second, kBlock, Number(stream), 0);
    OK(cuMemsetD8Async(pool_memory, 1, kBytes, stream));
    OK(cuMemcpyDtoHAsync(data, second, kBlock, stream));
    OK(cuMemcpyDtoHAsync(data, pool_memory, kBytes, stream));
    OK(cuMemcpyHtoDAsync(pool_memory, data, kBytes, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(data[0] == 1 && data[kBytes - 1] == 1);
    if (flags == 0) OK(cuMemsetD8Async(late - kBlock, 2, 4 * kBlock, stream));
    gpusan_block_alloc(pool, late, kBlock, Number(stream), 0);
    OK(cuMemcpyDtoHAsync(data, late, kBlock, stream));
    OK(cuStreamSynchronize(stream));
    for (const CUdeviceptr block : {pool_memory, second, late})
      gpusan_block_free(pool, block, Number(stream));
    ClosePool();
  }
  Release(data, stream);
}

// A pool is destroyed while memory of it is in use, and while frees are pending; it goes when the
// last of it has been freed. A pool becomes that of the device, and is taken back.
static void PoolDestroyedEarly() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) return;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  for (int round = 0; round < 3; ++round) {
    CUmemoryPool pool, usual;
    CUdeviceptr kept, freed, ordered;
    OK(cuMemPoolCreate(&pool, &properties));
    OK(cuMemAllocFromPoolAsync(&kept, 4096, pool, stream));
    OK(cuMemAllocFromPoolAsync(&freed, 4096, pool, stream));
    OK(cuMemsetD8Async(freed, 1, 4096, stream));
    OK(cuMemFreeAsync(freed, stream));
    OK(cuDeviceGetMemPool(&usual, device));
    OK(cuDeviceSetMemPool(device, pool));
    OK(cuMemAllocAsync(&ordered, 4096, stream));
    OK(cuMemsetD8Async(ordered, 2, 4096, stream));
    OK(cuDeviceSetMemPool(device, usual));
    OK(cuMemPoolDestroy(pool));
    OK(cuMemcpyDtoDAsync(kept, ordered, 4096, stream));
    OK(cuMemFreeAsync(ordered, stream));
    OK(cuMemcpyDtoHAsync(result, kept, 4096, stream));
    OK(cuMemFreeAsync(kept, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == 2);
  }
  Release(result, stream);
}

// A pool of the program's own: memory goes from stream to stream by events, is freed in another
// stream than it came from, in the legacy one too, and the pool is trimmed and destroyed with
// memory in use.
static void PoolsBetweenStreams() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) return;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool, before;
  OK(cuMemPoolCreate(&pool, &properties));
  cuuint64_t keep = 1 << 20;
  OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
  CUstream first = NewStream(), second = NewStream();
  CUevent ready = NewEvent(), used = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 0; round < 6; ++round) {
    CUdeviceptr a, b;
    OK(cuMemAllocFromPoolAsync(&a, 4096, pool, first));
    OK(cuMemsetD8Async(a, (unsigned char)round, 4096, first));
    OK(cuEventRecord(ready, first));
    OK(cuStreamWaitEvent(second, ready, 0));
    OK(cuMemAllocFromPoolAsync(&b, 4096, pool, second));
    OK(cuMemcpyDtoDAsync(b, a, 4096, second));
    OK(cuEventRecord(used, second));
    OK(cuStreamWaitEvent(first, used, 0));
    OK(cuMemFreeAsync(a, first));
    OK(cuMemcpyDtoHAsync(result, b, 4096, second));
    if (round % 2 == 0) {
      OK(cuMemFreeAsync(b, second));
    } else {
      OK(cuStreamSynchronize(second));
      OK(cuMemFreeAsync(b, CU_STREAM_LEGACY));
    }
    OK(cuStreamSynchronize(second));
    CHECK(result[0] == round);
    OK(cuMemPoolTrimTo(pool, 0));
  }
  // The device's own pool is changed for this one and back.
  OK(cuDeviceGetMemPool(&before, device));
  OK(cuDeviceSetMemPool(device, pool));
  CUdeviceptr c;
  OK(cuMemAllocAsync(&c, 4096, first));
  OK(cuDeviceSetMemPool(device, before));
  OK(cuMemPoolDestroy(pool));  // its memory stays until it is freed
  OK(cuMemsetD8Async(c, 1, 4096, first));
  OK(cuMemcpyDtoHAsync(result, c, 4096, first));
  OK(cuStreamSynchronize(first));
  CHECK(result[4095] == 1);
  OK(cuMemFreeAsync(c, first));
  OK(cuStreamSynchronize(first));
  Release(result, used, ready, second, first);
}

int main() {
  Open();
  BlocksOfAPool();
  WholeSegmentOfAPool();
  PoolDestroyedEarly();
  PoolsBetweenStreams();
  Close();
}
