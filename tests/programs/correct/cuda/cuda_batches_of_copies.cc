// Batches of copies: sources read in stream order, while the call runs, or at any time; each copy
// has its own memory, and what follows in the stream is behind all of them.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent done = NewEvent();
  char *data = NewPinned(3 * 4096), *result = NewPinned(3 * 4096);
  CUdeviceptr memory = NewMemory(3 * 4096);
  for (int round = 0; round < 3; ++round) {
    char* once = (char*)malloc(4096);
    memset(once, 1 + round, 4096);
    memset(data, 4 + round, 3 * 4096);
    CUdeviceptr to[3], from[3];
    size_t bytes[3] = {4096, 4096, 4096}, index[2] = {0, 1};
    for (int i = 0; i < 3; ++i) to[i] = memory + i * 4096, from[i] = (CUdeviceptr)(data + i * 4096);
    from[0] = (CUdeviceptr)once;
    CUmemcpyAttributes attributes[2] = {};
    attributes[0].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    OK(cuMemcpyBatchAsync(to, from, bytes, 3, attributes, index, 2, stream));
    free(once);  // it was read during the call
    OK(cuEventRecord(done, stream));
    OK(cuStreamWaitEvent(other, done, 0));
    OK(cuMemcpyDtoHAsync(result, memory, 3 * 4096, other));
    OK(cuEventRecord(done, other));
    OK(cuStreamWaitEvent(stream, done, 0));
    OK(cuStreamSynchronize(other));
    CHECK(result[0] == 1 + round && result[8192] == 4 + round);
  }
  Close(memory, result, data, done, other, stream);
}
