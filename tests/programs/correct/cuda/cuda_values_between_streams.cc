// Streams wait for values that other streams, a host function and the host itself write.
#include <thread>

#include "common/cuda.h"

static void CUDA_CB Raise(void* word) { *(volatile uint32_t*)word = 3; }

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  uint32_t* words = (uint32_t*)NewPinned(4096);
  CUdeviceptr word, there = NewZeros(4096), buffer = NewMemory(4096);
  OK(cuMemHostGetDevicePointer(&word, words, 0));
  memset(data, 1, 4096);
  for (uint32_t round = 1; round <= 4; ++round) {
    // There and back again: two streams take turns in one buffer.
    OK(cuMemsetD8Async(buffer, (unsigned char)round, 4096, first));
    OK(cuStreamWriteValue32(first, there, round, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWaitValue32(second, there, round, CU_STREAM_WAIT_VALUE_GEQ));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuStreamWriteValue32(second, there + 64, round, CU_STREAM_WRITE_VALUE_DEFAULT));
    OK(cuStreamWaitValue32(first, there + 64, round, CU_STREAM_WAIT_VALUE_GEQ));
  }
  OK(cuStreamSynchronize(first));
  CHECK(result[0] == 4);
  // The host lets a stream go that has been waiting.
  CUstreamBatchMemOpParams wait = {};
  wait.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  wait.waitValue.address = word;
  wait.waitValue.value = 1;
  wait.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  OK(cuStreamBatchMemOp(second, 1, &wait, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  memset(data, 2, 4096);
  std::thread host([&] { *(volatile uint32_t*)words = 1; });
  OK(cuStreamSynchronize(second));
  host.join();
  OK(cuMemcpyDtoH(result, buffer, 4096));
  CHECK(result[0] == 2);
  // A host function lets another stream go.
  OK(cuMemsetD8Async(buffer, 5, 4096, first));
  OK(cuLaunchHostFunc(first, &Raise, words));
  OK(cuStreamWaitValue32(third, word, 2, CU_STREAM_WAIT_VALUE_AND));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, third));
  OK(cuStreamSynchronize(third));
  CHECK(result[4095] == 5);
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFree(there));
  OK(cuMemFreeHost(words));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost(data));
  for (CUstream stream : {first, second, third}) OK(cuStreamDestroy(stream));
  Close();
}
