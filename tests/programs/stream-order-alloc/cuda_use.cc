// Defect behind_the_free: Memory of the stream-ordered allocator is used in its own stream after
// its free.
// EXPECT error stream-order-alloc cuMemsetD8Async at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error call-failed
// EXIT any
// Defect beside_the_free: Memory is freed in its own stream, which does not wait for the other
// stream that uses it.
// EXPECT error stream-order-alloc cuMemFreeAsync at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY pending-command at PENDING
// MAY sticky-error call-failed
// EXIT any
// Defect on_another_stream: Memory of the stream-ordered allocator is used on another stream, which
// waits for nothing.
// EXPECT error stream-order-alloc cuMemcpyHtoDAsync_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// Defect of_captured_memory: A captured graph allocates memory, and another stream reads it without
// waiting for the launch.
// EXPECT error stream-order-alloc cuMemcpyDtoHAsync_v2 at HERE_4
// EXPECT-TEXT is not ordered after cuGraphLaunch, which allocates it
// EXIT any
// Defect of_a_block_of_a_pool: A block that the program's own pool hands out in the order of one
// stream is used on another stream, which waits for nothing.
// EXPECT error stream-order-alloc cuMemcpyHtoDAsync_v2 at HERE_5
// EXPECT-PARTY allocation at CREATED_4
// Fix: The use is ordered behind the allocation and in front of the free.
#include "common/cuda.h"
#include "common/cuda_pool.h"

// Fix: Memory of the stream-ordered allocator is used before its free.
static void BehindTheFree() {
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAllocAsync(&buffer, 4096, stream));
#ifndef DEFECT_behind_the_free
  cuMemsetD8Async(buffer, 0, 4096, stream);
#endif
  // @RELEASED
  OK(cuMemFreeAsync(buffer, stream));
#ifdef DEFECT_behind_the_free
  // @HERE
  cuMemsetD8Async(buffer, 0, 4096, stream);
#endif
  OK(cuCtxSynchronize());
  Release(stream);
}

// Fix: The stream waits for an event of the other stream first.
static void BesideTheFree() {
  CUstream first = NewStream(), second = NewStream();
  CUevent allocated = NewEvent(), used = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuMemsetD8Async(buffer, 0, 4096, first));
  OK(cuEventRecord(allocated, first));
  OK(cuStreamWaitEvent(second, allocated, 0));
  // @PENDING
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(used, second));
#ifndef DEFECT_beside_the_free
  OK(cuStreamWaitEvent(first, used, 0));
#endif
  // @HERE_2
  OK(cuMemFreeAsync(buffer, first));
  OK(cuCtxSynchronize());
  Release(result, used, allocated, second, first);
}

// Fix: The other stream waits for an event after the allocation.
static void OnAnotherStream() {
  CUstream first = NewStream(), second = NewStream();
  CUevent allocated = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuEventRecord(allocated, first));
#ifndef DEFECT_on_another_stream
  OK(cuStreamWaitEvent(second, allocated, 0));
#endif
  // @HERE_3
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, data, allocated, second, first);
}

// Fix: The other stream waits for the launch.
static void OfCapturedMemory() {
  CUstream stream = NewStream(), other = NewStream();
  CUevent made = NewEvent();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&memory, 4096, stream));
  OK(cuMemsetD8Async(memory, 3, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT_of_captured_memory
  OK(cuEventRecord(made, stream));
  OK(cuStreamWaitEvent(other, made, 0));
#endif
  // @HERE_4
  cuMemcpyDtoHAsync(result, memory, 4096, other);
#ifdef DEFECT_of_captured_memory
  _Exit(0);  // the memory may not exist yet
#endif
  OK(cuStreamSynchronize(other));
  CHECK(result[4095] == 3);
  for (int round = 0; round < 2; ++round) {
    OK(cuMemFreeAsync(memory, other));
    OK(cuEventRecord(made, other));
    OK(cuStreamWaitEvent(stream, made, 0));
    OK(cuGraphLaunch(executable, stream));
    OK(cuEventRecord(made, stream));
    OK(cuStreamWaitEvent(other, made, 0));
  }
  OK(cuMemFreeAsync(memory, other));
  OK(cuStreamSynchronize(other));
  Release(executable, graph, result, made, other, stream);
}

// Fix: The other stream waits for an event after the allocation.
static void OfABlockOfAPool() {
  OpenPool(0);
  CUstream owner = NewStream(), other = NewStream();
  CUevent allocated = NewEvent();
  char* data = NewPinned(4096);
  const CUdeviceptr block = pool_memory;
  // @CREATED_4
  gpusan_block_alloc(pool, block, 4096, Number(owner), 0);
  OK(cuEventRecord(allocated, owner));
#ifndef DEFECT_of_a_block_of_a_pool
  OK(cuStreamWaitEvent(other, allocated, 0));
#endif
  // @HERE_5
  OK(cuMemcpyHtoDAsync(block, data, 4096, other));
  gpusan_block_use(pool, block, Number(other));
  gpusan_block_free(pool, block, Number(owner));
  OK(cuCtxSynchronize());
  ClosePool();
  Release(data, allocated, other, owner);
}

int main() {
  Open();
  BehindTheFree();
  BesideTheFree();
  OnAnotherStream();
  OfCapturedMemory();
  OfABlockOfAPool();
  Close();
}
