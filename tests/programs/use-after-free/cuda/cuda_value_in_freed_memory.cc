// Defect: A stream writes a value into a word whose memory is freed.
// Fix: The memory is freed behind the write.
// EXPECT error use-after-free cuStreamWriteValue32_v2 at HERE
// EXPECT error use-after-free cuStreamBatchMemOp_v2 at BATCH
#include "common/cuda.h"

int main() {
  Open();
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
  // @HERE
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
  Close(stream);
}
