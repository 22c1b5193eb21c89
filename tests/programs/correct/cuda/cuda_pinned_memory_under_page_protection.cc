// The CPU uses page-locked memory while the option is on, when no pending copy uses the same bytes.
// OPTION --protect-maps
#include "common/cuda.h"

// Two halves of page-locked memory are filled and uploaded in turn, downloads are polled for and
// read, and memory is freed and allocated again while the option is on.
static void Ring() {
  enum : size_t { kHalf = 32768 };
  Open();
  CUstream stream = NewStream();
  unsigned char* ring;
  OK(cuMemHostAlloc((void**)&ring, 2 * kHalf, 0));
  CUdeviceptr data = NewZeros(2 * kHalf);
  CUevent uploaded[2];
  for (CUevent& one : uploaded) OK(cuEventCreate(&one, CU_EVENT_DISABLE_TIMING));
  for (int turn = 0; turn < 8; ++turn) {
    const int half = turn % 2;
    if (turn >= 2) OK(cuEventSynchronize(uploaded[half]));
    memset(ring + half * kHalf, turn, kHalf);
    OK(cuMemcpyHtoDAsync(data + half * kHalf, ring + half * kHalf, kHalf, stream));
    OK(cuEventRecord(uploaded[half], stream));
  }
  for (int round = 0; round < 2; ++round) {
    unsigned char* result;
    OK(cuMemAllocHost((void**)&result, 2 * kHalf));
    OK(cuMemcpyDtoHAsync(result, data, 2 * kHalf, stream));
    OK(cuEventRecord(uploaded[0], stream));
    while (cuEventQuery(uploaded[0]) == CUDA_ERROR_NOT_READY) {
    }
    CHECK(result[100] == 6 && result[kHalf + 20000] == 7);
    result[20000] = 1;
    OK(cuMemFreeHost(result));
  }
  OK(cuMemcpyDtoHAsync(ring, data, 2 * kHalf, stream));
  OK(cuStreamSynchronize(stream));
  for (CUevent& one : uploaded) OK(cuEventDestroy(one));
  Close(data, ring, stream);
}

// A copy waits for a value in memory. The CPU fills the page-locked source of the copy before it lets
// another stream write the value, while the option is on.
static void PinnedSourceOfAHeldCopy() {
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

int main() {
  Ring();
  PinnedSourceOfAHeldCopy();
}
