// Streams tell each other by batches of values in memory: what one has written the other may read
// behind its wait, and no event is needed.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr words = NewZeros(64), buffer = NewMemory(4096);
  char* result = NewPinned(4096);
  for (unsigned round = 1; round <= 4; ++round) {
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    CUstreamBatchMemOpParams told[2] = {};
    for (int i = 0; i < 2; ++i) {
      told[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
      told[i].writeValue.address = words + 4 * i;
      told[i].writeValue.value = round;
    }
    OK(cuStreamBatchMemOp(first, 2, told, 0));
    CUstreamBatchMemOpParams awaited[2] = {};
    for (int i = 0; i < 2; ++i) {
      awaited[i].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
      awaited[i].waitValue.address = words + 4 * i;
      awaited[i].waitValue.value = round;
      awaited[i].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
    }
    OK(cuStreamBatchMemOp(second, 2, awaited, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue32(second, words + 8, round, 0));
    // The next fill waits until it was read.
    OK(cuStreamWaitValue32(first, words + 8, round, CU_STREAM_WAIT_VALUE_GEQ));
  }
  OK(cuStreamSynchronize(first));
  OK(cuStreamSynchronize(second));
  CHECK(result[4095] == 4);
  Close(result, buffer, words, second, first);
}
