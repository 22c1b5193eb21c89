// Defect: A call gets the address of memory that was freed or unmapped.
// Fix: The memory is freed behind the call.
#include "common/cuda.h"
#include "common/cuda_mapped.h"
#include "common/cuda_pool.h"

// Defect: An upload to memory that has been freed.
// Fix: The memory of an upload is freed after it.
// EXPECT error use-after-free cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
static void UploadToFreedMemory() {
  static char data[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  cuMemcpyHtoD(buffer, data, 4096);
#endif
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
#endif
}

// Defect: A stream writes a value into a word whose memory is freed.
// Fix: The memory is freed behind the write.
// EXPECT error use-after-free cuStreamWriteValue32_v2 at HERE_2
// EXPECT error use-after-free cuStreamBatchMemOp_v2 at BATCH
static void ValueInFreedMemory() {
  CUstream stream = NewStream();
  CUdeviceptr words = NewMemory(4096);
  CUstreamBatchMemOpParams writes[2] = {};
  for (int i = 0; i < 2; ++i) {
    writes[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    writes[i].writeValue.address = words + 8 + 8 * i;
    writes[i].writeValue.value64 = 5;
  }
#ifdef DEFECT
  OK(cuMemFree(words));
#endif
  // @HERE_2
  cuStreamWriteValue32(stream, words, 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  // @BATCH
  cuStreamBatchMemOp(stream, 2, writes, 0);
#ifndef DEFECT
  // The values are content: a copy may read them.
  unsigned first;
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(&first, words, 4));
  CHECK(first == 1);
  unsigned long long last;
  OK(cuMemcpyDtoH(&last, words + 16, 8));
  CHECK(last == 5);
  OK(cuMemFree(words));
#endif
  Release(stream);
}

// Defect: An address is used that nothing is mapped to any more.
// Fix: An address is used while memory is mapped there.
// EXPECT error use-after-free cuMemsetD8_v2 at HERE_3
static void UnmappedMemory() {
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr base;
  OK(cuMemAddressReserve(&base, bytes, 0, 0, 0));
  Map(base, bytes, memory);
#ifdef DEFECT
  OK(cuMemUnmap(base, bytes));
  // @HERE_3
  cuMemsetD8(base, 0, 4096);
#else
  cuMemsetD8(base, 0, 4096);
  OK(cuCtxSynchronize());
  OK(cuMemUnmap(base, bytes));
#endif
  OK(cuMemAddressFree(base, bytes));
  OK(cuMemRelease(memory));
}

// Defect: Managed memory is attached to a stream after it was freed.
// Fix: Managed memory is freed after it was attached to a stream.
// EXPECT error use-after-free cuStreamAttachMemAsync at HERE_4
// EXPECT-PARTY release at RELEASED_2
static void FreedMemoryAttachedToAStream() {
  CUstream stream = NewStream();
  CUdeviceptr memory;
  OK(cuMemAllocManaged(&memory, 8192, CU_MEM_ATTACH_HOST));
#ifdef DEFECT
  // @RELEASED_2
  OK(cuMemFree(memory));
#endif
  // @HERE_4
  cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE);
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuMemFree(memory));
#endif
  Release(stream);
}

// Defect: A block of the program's own pool is uploaded into after the pool took it back.
// Fix: The pool takes the block back after the upload.
// EXPECT error use-after-free cuMemcpyHtoD_v2 at HERE_5
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_3
static void BlockOfAPool() {
  OpenPool(GPUSAN_POOL_EXACT);
  char data[4096] = {};
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED_2
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  // @RELEASED_3
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  // @HERE_5
  OK(cuMemcpyHtoD(block + 64, data, 1024));
#ifndef DEFECT
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  ClosePool();
}

int main() {
  Open();
  UploadToFreedMemory();
  ValueInFreedMemory();
  UnmappedMemory();
  FreedMemoryAttachedToAStream();
  BlockOfAPool();
  Close();
}
