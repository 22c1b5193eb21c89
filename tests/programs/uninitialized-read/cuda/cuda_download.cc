// Defect: Downloads read memory of which all or a part was never written.
// Fix: All that is downloaded is written before.
#include "common/cuda.h"
#include "common/cuda_mapped.h"
#include "common/cuda_pool.h"

// Defect: Memory is downloaded that nothing has written.
// Fix: Memory is filled and downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void Download() {
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(buffer, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, 4096));
  Release(buffer);
}

// Defect: A fill counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: A fill covers all bytes of the allocation that is downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT written_bytes=1024
static void FillCountsElements() {
  const size_t count = 1024;
  static float result[count];
  CUdeviceptr sums;
  // @CREATED_2
  OK(cuMemAlloc(&sums, count * sizeof(float)));
#ifdef DEFECT
  OK(cuMemsetD8(sums, 0, count));
#else
  OK(cuMemsetD8(sums, 0, count * sizeof(float)));
#endif
  // @HERE_2
  OK(cuMemcpyDtoH(result, sums, sizeof(result)));
  Release(sums);
}

// Defect: Rows are written with the pitch of the allocation, and downloaded as one block.
// Fix: Rows are downloaded with the pitch.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_3
// EXPECT-FACT size_bytes=16000
static void PitchedRowsAsOneBlock() {
  const size_t row = 1000, rows = 16;
  static char result[row * rows];
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, row, rows, 4));
  OK(cuMemsetD2D8(image, pitch, 1, row, rows));
#ifdef DEFECT
  // @HERE_3
  OK(cuMemcpyDtoH(result, image, row * rows));
#else
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = image;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = result;
  back.dstPitch = row;
  back.WidthInBytes = row;
  back.Height = rows;
  OK(cuMemcpy2D(&back));
#endif
  Release(image);
}

// Defect: A captured download reads memory that nothing has written; it is launched.
// Fix: A captured download reads memory that was filled before the launch.
// EXPECT warning uninitialized-read cuGraphLaunch at HERE_4
// EXPECT-PARTY allocation at CREATED_3
static void CapturedDownload() {
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer;
  // @CREATED_3
  OK(cuMemAlloc(&buffer, 4096));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifndef DEFECT
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#endif
  // @HERE_4
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, result, stream);
}

// Defect: The half of physical memory that nothing has written is read through another mapping.
// Fix: The half that was written through the first mapping is read.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_5
static void HalfOfMappedMemory() {
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle memory = NewPhysical(bytes);
  CUdeviceptr addresses[2];
  MapTwice(addresses, bytes, memory);
  OK(cuMemsetD8(addresses[0], 5, bytes / 2));
  OK(cuCtxSynchronize());
  // The content stays in the memory.
  OK(cuMemUnmap(addresses[0], bytes));
  static char result[4096];
#ifdef DEFECT
  // @HERE_5
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2, sizeof(result)));
#else
  OK(cuMemcpyDtoH(result, addresses[1] + bytes / 2 - sizeof(result), sizeof(result)));
  CHECK(result[0] == 5);
#endif
  OK(cuMemUnmap(addresses[1], bytes));
  OK(cuMemRelease(memory));
  for (CUdeviceptr address : addresses) OK(cuMemAddressFree(address, 2 * bytes));
}

// Defect: A block that the program's own pool hands out again is downloaded before it is written:
// its content is that of the block before.
// Fix: The block is filled first.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE_6
// EXPECT-PARTY allocation at AGAIN
static void BlockOfAPoolReused() {
  OpenPool(0);
  char data[4096] = {};
  const CUdeviceptr block = pool_memory + 4096;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemcpyHtoD(block, data, 4096));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  // @AGAIN
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
#ifndef DEFECT
  OK(cuMemsetD8(block, 0, 4096));
#endif
  // @HERE_6
  OK(cuMemcpyDtoH(data, block, 4096));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
}

int main() {
  Open();
  Download();
  FillCountsElements();
  PitchedRowsAsOneBlock();
  CapturedDownload();
  HalfOfMappedMemory();
  BlockOfAPoolReused();
  Close();
}
