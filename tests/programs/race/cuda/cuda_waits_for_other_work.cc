// Defect: The program waits for another stream than the one that it depends on, or relies on a call
// that waits for other streams.
// Fix: The program waits for the stream on which it depends.
#include <thread>

#include "common/cuda.h"

// Defect: The host waits for another stream than the one that uploads.
// Fix: The host waits for the stream that uploads.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
static void WaitForTheWrongStream() {
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#ifdef DEFECT
  CUstream waited = second;
#else
  CUstream waited = first;
#endif
  OK(cuStreamSynchronize(waited));
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Release(buffer, result, data, second, first);
}

// Defect: A copy from host to host waits for blocking streams alone; the download is on a
// non-blocking one.
// Fix: A copy from host to host waits for blocking streams, and the download is on one.
// EXPECT error race cuMemcpy at HERE_2
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=RAW
static void HostCopyOfPendingDownload() {
#ifdef DEFECT
  const unsigned flags = CU_STREAM_NON_BLOCKING;
#else
  const unsigned flags = CU_STREAM_DEFAULT;
#endif
  CUstream stream = NewStream(flags);
  CUdeviceptr buffer = NewZeros(4096);
  char *result = NewPinned(4096), *copy = NewPinned(4096);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  // @HERE_2
  OK(cuMemcpy((CUdeviceptr)copy, (CUdeviceptr)result, 4096));
  OK(cuCtxSynchronize());
  Release(copy, result, buffer, stream);
}

// Defect: A fill of device memory does not wait, and a non-blocking stream does not wait for the
// legacy stream.
// Fix: The host waits for the fill before a non-blocking stream continues.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=WAW
static void MemsetIsAsynchronous() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(1 << 20);
  // @FILL
  OK(cuMemsetD8(buffer, 0, 1 << 20));
#ifndef DEFECT
  OK(cuCtxSynchronize());
#endif
  // @HERE_3
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuCtxSynchronize());
  Release(buffer, data, stream);
}

// Defect: A fill on the legacy default stream and a download on a non-blocking stream, which does
// not wait for it.
// Fix: A fill on the legacy default stream and a download on a blocking stream, which waits for it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_4
// EXPECT-PARTY pending-command at FILL_2
// EXPECT-FACT hazard=RAW
static void LegacyAndNonBlockingStream() {
#ifdef DEFECT
  const unsigned flags = CU_STREAM_NON_BLOCKING;
#else
  const unsigned flags = CU_STREAM_DEFAULT;
#endif
  CUstream stream;
  OK(cuStreamCreate(&stream, flags));
  char* result;
  OK(cuMemAllocHost((void**)&result, 4096));
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  // @FILL_2
  OK(cuMemsetD8Async(buffer, 7, 4096, CU_STREAM_LEGACY));
  // @HERE_4
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuCtxSynchronize());
  Release(buffer, result, stream);
}

// Defect: Two streams download into parts of one page-locked block that overlap.
// Fix: Two streams download into parts of one page-locked block that do not overlap.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_5
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
static void TwoDownloadsIntoOneBlock() {
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr one = NewZeros(4096), two = NewZeros(4096);
  char* result = NewPinned(8192);
#ifdef DEFECT
  char* place = result + 2048;
#else
  char* place = result + 4096;
#endif
  // @FIRST
  OK(cuMemcpyDtoHAsync(result, one, 4096, first));
  // @HERE_5
  OK(cuMemcpyDtoHAsync(place, two, 4096, second));
  OK(cuCtxSynchronize());
  Release(result, two, one, second, first);
}

// Defect: One thread launches a kernel, and the next thread downloads the result in a stream of its
// own. The order of host threads does not order work on the device.
// Fix: The download is in the same stream.
// EXPECT error race cuMemcpyDtoHAsync_v2 at SECOND
// EXPECT-PARTY pending-command at FIRST_2
// EXPECT-FACT hazard=RAW
static void LaunchAndCopyOfTwoThreads() {
  CUfunction twice = Kernel(KERNEL_TWICE);
#ifdef DEFECT
  CUstream first = NewStream(), second = NewStream();
#else
  CUstream first = NewStream(), second = first;
#endif
  CUdeviceptr data = NewZeros(4096);
  void* host = NewPinned(4096);
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    void* arguments[] = {&data};
    // @FIRST_2
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  }).join();
  std::thread([&] {
    OK(cuCtxSetCurrent(context));
    // @SECOND
    OK(cuMemcpyDtoHAsync(host, data, 4096, second));
  }).join();
  OK(cuCtxSynchronize());
  OK(cuMemFreeHost(host));
  OK(cuMemFree(data));
#ifdef DEFECT
  OK(cuStreamDestroy(second));
#endif
  Release(first);
}

// Defect: Two threads use the per-thread default stream: each has its own, and a joined thread has
// waited for nothing.
// Fix: Two threads use the per-thread default stream; the one that uploads waits for its own.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_6
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static CUdeviceptr buffer;
static char* data;

static void Upload() {
  OK(cuCtxSetCurrent(context));
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, CU_STREAM_PER_THREAD));
#ifndef DEFECT
  OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
#endif
}

static void TwoPerThreadStreams() {
  data = NewPinned(4096);
  char* result = NewPinned(4096);
  buffer = NewMemory(4096);
  std::thread(Upload).join();
  // @HERE_6
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, CU_STREAM_PER_THREAD));
  OK(cuCtxSynchronize());
  Release(buffer, result, data);
}

int main() {
  Open();
  WaitForTheWrongStream();
  HostCopyOfPendingDownload();
  MemsetIsAsynchronous();
  LegacyAndNonBlockingStream();
  TwoDownloadsIntoOneBlock();
  LaunchAndCopyOfTwoThreads();
  TwoPerThreadStreams();
  Close();
}
