// The default streams of the process and of threads, and calls that wait, order the work of streams
// without an event.
#include <thread>
#include <vector>

#include "common/cuda.h"

// Work on the legacy stream comes behind what blocking streams got before, and in front of what
// they get later.
static void LegacyStreamJoinsBlockingStreams() {
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 5, 4096);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096);
  const CUstream names[] = {nullptr, CU_STREAM_LEGACY};
  for (CUstream legacy : names) {
    OK(cuMemcpyHtoDAsync(one, data, 4096, first));
    OK(cuMemcpyDtoDAsync(two, one, 4096, legacy));
    OK(cuMemcpyDtoHAsync(result, two, 4096, second));
    OK(cuMemsetD8Async(one, 0, 4096, legacy));
    OK(cuMemsetD8Async(two, 0, 4096, first));
    OK(cuStreamSynchronize(legacy));
    CHECK(result[0] == 5 && result[4095] == 5);
    OK(cuMemcpyHtoDAsync(two, data, 4096, second));
    OK(cuStreamSynchronize(second));
  }
  Release(two, one, result, data, second, first);
}

// Each of many threads has memory and blocking streams of its own, and all use the legacy stream:
// that alone orders what each of them does.
static void Work() {
  OK(cuCtxSetCurrent(context));
  CUstream stream = NewStream(CU_STREAM_DEFAULT), other = NewStream(CU_STREAM_DEFAULT);
  CUdeviceptr memory = NewMemory(4096);
  char* pinned = NewPinned(8192);
  for (int i = 0; i < 50; ++i) {
    OK(cuMemsetD8Async(memory, (unsigned char)i, 4096, stream));
    OK(cuMemcpyDtoHAsync(pinned, memory, 4096, nullptr));       // behind the stream
    OK(cuMemcpyHtoDAsync(memory, pinned + 4096, 4096, other));  // behind the legacy one
    if (i % 4 == 0) {
      OK(cuStreamSynchronize(nullptr));
      CHECK(pinned[0] == (char)i);
    }
    if (i % 7 == 0) OK(cuCtxSynchronize());
    OK(cuMemsetD8Async(memory, 1, 1, CU_STREAM_LEGACY));
    OK(cuMemsetD8Async(memory, 2, 2, CU_STREAM_PER_THREAD));
    OK(cuMemsetD8Async(memory, 3, 3, nullptr));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(other));
  OK(cuStreamDestroy(stream));
}

static void LegacyStreamOfManyThreads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back(Work);
  for (std::thread& thread : threads) thread.join();
}

// The per-thread default stream of every thread is a blocking stream: the legacy stream waits
// for it and it for the legacy
// stream.
static CUdeviceptr buffer;
static char *data, *result;

static void Upload() {
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, CU_STREAM_PER_THREAD));
}

static void Download() {
  OK(cuCtxSetCurrent(context));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, CU_STREAM_PER_THREAD));
  OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

static void PerThreadStreamIsBlocking() {
  data = NewPinned(4096);
  result = NewPinned(4096);
  buffer = NewMemory(4096);
  std::thread(Upload).join();
  OK(cuMemsetD8Async(buffer, 3, 1024, CU_STREAM_LEGACY));
  std::thread(Download).join();
  CHECK(result[0] == 3 && result[1024] == 0);
  Release(buffer, result, data);
}

// A peer copy, here from the device to itself, comes behind all work of its devices and in
// front of what follows.
static void PeerCopy() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 2, 4096);
  CUdeviceptr from = NewMemory(4096), to = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(from, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyPeer(to, context, from, context, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, to, 4096, stream));
  OK(cuMemsetD8Async(to, 0, 4096, stream));
  OK(cuMemcpyPeerAsync(to, context, from, context, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 2);
  Release(to, from, result, data, stream);
}

// Drivers wait for more than the documents promise: for staged uploads, for copies on the
// device, at a free. Programs that rely on it get findings only in strict mode.
static void WhatDriversWaitFor() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536), copy = NewMemory(65536), scratch = NewMemory(65536);
  OK(cuMemcpyHtoD(buffer, data, 65536));
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemsetD8Async(copy, 0, 65536, CU_STREAM_LEGACY));
  OK(cuMemFree(scratch));
  OK(cuMemcpyDtoHAsync(result, copy, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(copy));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  Release(stream);
}

// Allocations of device and page-locked memory between the commands of two blocking streams. The
// programming guide of CUDA names them as operations after which such commands do not overlap.
static void AllocationsBetweenTwoStreams() {
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  char* more = NewPinned(4096);
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuCtxSynchronize());
  OK(cuMemFree(scratch));
  OK(cuMemFree(buffer));
  for (char* memory : {more, result, data}) OK(cuMemFreeHost(memory));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
}

int main() {
  Open();
  LegacyStreamJoinsBlockingStreams();
  LegacyStreamOfManyThreads();
  PerThreadStreamIsBlocking();
  PeerCopy();
  WhatDriversWaitFor();
  AllocationsBetweenTwoStreams();
  Close();
}
