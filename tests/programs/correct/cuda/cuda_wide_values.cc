// Streams tell each other by values of 64 bits in page-locked memory, which the host writes and
// reads as well.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS));
  CUstream first = NewStream(), second = NewStream();
  volatile uint64_t* words = (volatile uint64_t*)NewPinned(64);
  CUdeviceptr address, buffer = NewMemory(4096);
  OK(cuMemHostGetDevicePointer(&address, (void*)words, 0));
  char* result = NewPinned(4096);
  for (uint64_t round = 1; round <= 3; ++round) {
    OK(cuStreamWaitValue64(first, address, round, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    OK(cuStreamWriteValue64(first, address + 8, round, 0));
    OK(cuStreamWaitValue64(second, address + 8, round, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue64(second, address + 16, round, 0));
    words[0] = round;
    while (words[2] != round) {
    }
    CHECK(result[4095] == (char)round);
  }
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost((void*)words));
  Close(buffer, second, first);
}
