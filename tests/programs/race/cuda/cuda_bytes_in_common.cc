// Defect: Commands of two streams, or of one batch, write parts of memory that have bytes in
// common.
// Fix: The parts have no byte in common, or one command waits for the other one.
#include "common/cuda.h"
#include "common/cuda_mapped.h"
#include "common/cuda_pool.h"

// Defect: Two streams upload rectangles of one allocation that share a column.
// Fix: Two streams upload rectangles of one allocation that touch and do not overlap.
// EXPECT error race cuMemcpy2DAsync_v2 at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
static void RowsOfOneAllocation() {
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(64 * 64);
  CUdeviceptr buffer = NewMemory(64 * 64);
  CUDA_MEMCPY2D left = {};
  left.srcMemoryType = CU_MEMORYTYPE_HOST;
  left.srcHost = data;
  left.srcPitch = 64;
  left.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  left.dstDevice = buffer;
  left.dstPitch = 64;
  left.WidthInBytes = 32;
  left.Height = 64;
  CUDA_MEMCPY2D right = left;
#ifdef DEFECT
  right.dstXInBytes = 31;
#else
  right.dstXInBytes = 32;
#endif
  right.srcXInBytes = 32;
  // @FIRST
  OK(cuMemcpy2DAsync(&left, first));
  // @HERE
  OK(cuMemcpy2DAsync(&right, second));
  OK(cuCtxSynchronize());
  Release(buffer, data, second, first);
}

// Defect: Two streams write the same physical memory through two mappings, without an order.
// Fix: The second stream waits for the first one.
// EXPECT error race cuMemsetD8Async at HERE_2
// EXPECT-PARTY pending-command at WRITTEN
// EXPECT-FACT hazard=WAW
static void TwoMappingsOfOneAllocation() {
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  OK(cuMemRelease(memory));  // the mappings keep the memory
  CUstream first = NewStream(), second = NewStream();
  CUevent written = NewEvent();
  // @WRITTEN
  OK(cuMemsetD8Async(addresses[0], 1, 4096, first));
  // Other bytes of the same memory.
  OK(cuMemsetD8Async(addresses[1] + 4096, 2, 4096, second));
  OK(cuEventRecord(written, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, written, 0));
#endif
  // @HERE_2
  OK(cuMemsetD8Async(addresses[1], 2, 4096, second));
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  for (CUdeviceptr address : addresses) {
    OK(cuMemUnmap(address, bytes));
    OK(cuMemAddressFree(address, 2 * bytes));
  }
  Release(written, first, second);
}

// Defect: A block of the program's own pool is freed while another stream still uses it, and the
// pool hands the same bytes out again.
// Fix: The stream that owns the blocks waits for the other one before the block is freed.
// EXPECT error race cuMemsetD8Async at HERE_3
// EXPECT-PARTY pending-command at USED
// EXPECT-PARTY allocation at AGAIN
// EXPECT-FACT hazard=WAR
// EXPECT-FACT reused=1
static void BlockOfAPoolReused() {
  OpenPool(0);
  CUstream owner = NewStream(), other = NewStream();
  CUevent filled = NewEvent(), used = NewEvent();
  char* data = NewPinned(4096);
  const CUdeviceptr block = pool_memory + 8192;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemsetD8Async(block, 1, 4096, owner));
  OK(cuEventRecord(filled, owner));
  OK(cuStreamWaitEvent(other, filled, 0));
  // @USED
  OK(cuMemcpyDtoHAsync(data, block, 4096, other));
  OK(cuEventRecord(used, other));
#ifndef DEFECT
  OK(cuStreamWaitEvent(owner, used, 0));
#endif
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  // @AGAIN
  gpusan_block_alloc(pool, block, 2048, GPUSAN_NO_STREAM, 0);
  // @HERE_3
  OK(cuMemsetD8Async(block, 2, 2048, owner));
  OK(cuCtxSynchronize());
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
  Release(data, used, filled, other, owner);
}

// Defect: An array is downloaded on one stream while another uploads it, without an event.
// Fix: An array is downloaded after an event of the stream that uploads it.
// EXPECT error race cuMemcpy2DAsync_v2 at HERE_4
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
static void ArrayUsedOnAnotherStream() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(64 * 64), *result = NewPinned(64 * 64);
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array;
  // @CREATED
  OK(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D upload = {};
  upload.srcMemoryType = CU_MEMORYTYPE_HOST;
  upload.srcHost = data;
  upload.srcPitch = 64;
  upload.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  upload.dstArray = array;
  upload.WidthInBytes = 64;
  upload.Height = 64;
  CUDA_MEMCPY2D download = {};
  download.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  download.srcArray = array;
  download.dstMemoryType = CU_MEMORYTYPE_HOST;
  download.dstHost = result;
  download.dstPitch = 64;
  download.WidthInBytes = 64;
  download.Height = 64;
  // @UPLOAD
  OK(cuMemcpy2DAsync(&upload, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE_4
  OK(cuMemcpy2DAsync(&download, second));
  OK(cuCtxSynchronize());
  Release(array, result, data, uploaded, second, first);
}

// Defect: Two copies of one batch write the same bytes.
// Fix: The copies of the batch write different bytes. Two equal copies are no defect.
// EXPECT error race cuMemcpyBatchAsync_v2 at HERE_5
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=1024 to 3071
// EXPECT-FACT earlier_byte_range=0 to 2047
// EXPECT-PARTY allocation at CREATED_2
static void DependentCopiesOfABatch() {
  CUstream stream = NewStream();
  CUdeviceptr memory;
  // @CREATED_2
  OK(cuMemAlloc(&memory, 4096));
  char* data = NewPinned(4096);
#ifdef DEFECT
  const CUdeviceptr second = memory + 1024;
#else
  const CUdeviceptr second = memory + 2048;
#endif
  CUdeviceptr to[] = {memory, second, memory};
  CUdeviceptr from[] = {(CUdeviceptr)data, (CUdeviceptr)data + 2048, (CUdeviceptr)data};
  size_t bytes[] = {2048, 2048, 2048}, index = 0;
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  // @HERE_5
  OK(cuMemcpyBatchAsync(to, from, bytes, 3, &attributes, &index, 1, stream));
  OK(cuStreamSynchronize(stream));
  Release(data, memory, stream);
}

int main() {
  Open();
  RowsOfOneAllocation();
  TwoMappingsOfOneAllocation();
  BlockOfAPoolReused();
  ArrayUsedOnAnotherStream();
  DependentCopiesOfABatch();
  Close();
}
