// One stream writes a word of memory behind its upload, the other waits for the word.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 6, 4096);
  CUdeviceptr buffer = NewMemory(4096), word = NewZeros(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuStreamWriteValue32(first, word, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuStreamWaitValue32(second, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[0] == 6);
  OK(cuCtxSynchronize());
  Close(word, buffer, result, data, second, first);
}
