// Defect: Two copies of one batch write the same bytes.
// Fix: The copies of the batch write different bytes. Two equal copies are no defect.
// EXPECT error race cuMemcpyBatchAsync_v2 at HERE
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=1024 to 3071
// EXPECT-FACT earlier_byte_range=0 to 2047
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory;
  // @CREATED
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
  // @HERE
  OK(cuMemcpyBatchAsync(to, from, bytes, 3, &attributes, &index, 1, stream));
  OK(cuStreamSynchronize(stream));
  Close(data, memory, stream);
}
