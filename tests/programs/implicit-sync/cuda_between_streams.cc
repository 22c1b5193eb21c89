// Defect: A free, and a fill in the legacy stream, wait for streams that have nothing to do with
// them.
// Fix: The calls are made in front of the work, or in a stream that does not wait.
// OPTION --enable=implicit-sync
#include "common/cuda.h"

// Defect: Memory is freed while another stream works: the free waits for all streams. Reported only
// with an option.
// Fix: The free comes before the work of the other stream.
// EXPECT warning implicit-sync cuMemFree_v2 at HERE
static void FreeBetweenStreams() {
  CUstream first = NewStream(), second = NewStream();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), other;
  OK(cuMemAllocAsync(&other, 4096, second));
  OK(cuMemsetD8Async(other, 0, 4096, second));
  CUdeviceptr scratch = NewMemory(4096);
  OK(cuCtxSynchronize());
#ifdef DEFECT
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  // @HERE
  OK(cuMemFree(scratch));
#else
  OK(cuMemFree(scratch));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  OK(cuMemFreeAsync(other, second));
  OK(cuCtxSynchronize());
  Release(buffer, data, second, first);
}

// Defect: A fill in the legacy stream waits for all blocking streams. Reported only with an option.
// Fix: The fill is in a stream of its own, which waits for no other stream.
// EXPECT warning implicit-sync cuMemsetD8_v2 at HERE_2
// EXPECT-FACT busy_queues=2
static void LegacyStreamBetweenStreams() {
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT);
#ifndef DEFECT
  CUstream third = NewStream(CU_STREAM_DEFAULT);
#endif
  char* data = NewPinned(8192);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096), other = NewMemory(4096);
  OK(cuCtxSynchronize());
  OK(cuMemcpyHtoDAsync(one, data, 4096, first));
  OK(cuMemcpyHtoDAsync(two, data + 4096, 4096, second));
#ifdef DEFECT
  // @HERE_2
  OK(cuMemsetD8(other, 0, 4096));
#else
  OK(cuMemsetD8Async(other, 0, 4096, third));
#endif
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(two));
  OK(cuMemFree(one));
  OK(cuMemFreeHost(data));
#ifndef DEFECT
  OK(cuStreamDestroy(third));
#endif
  Release(second, first);
}

int main() {
  Open();
  FreeBetweenStreams();
  LegacyStreamBetweenStreams();
  Close();
}
