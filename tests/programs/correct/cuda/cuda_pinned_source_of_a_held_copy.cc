// A copy waits for a value in memory. The CPU fills the page-locked source of the copy before it lets
// another stream write the value, while the option is on.
// OPTION --protect-maps
#include "common/cuda.h"

int main() {
  enum : size_t { kBytes = 65536 };
  Open();
  CUstream held = NewStream(), other = NewStream();
  char* source = NewPinned(kBytes);
  CUdeviceptr word = NewZeros(4), buffer = NewZeros(kBytes);
  OK(cuStreamWaitValue32(held, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuMemcpyHtoDAsync(buffer, source, kBytes, held));
  for (size_t i = 0; i < kBytes; ++i) ((volatile char*)source)[i] = 7;
  OK(cuStreamWriteValue32(other, word, 1, 0));
  OK(cuStreamSynchronize(other));
  OK(cuStreamSynchronize(held));
  char result = 0;
  OK(cuMemcpyDtoH(&result, buffer + kBytes - 1, 1));
  CHECK(result == 7);
  Close(buffer, word, source, other, held);
}
