// Defect: Calls that the driver forbids are made while a stream is captured.
// Fix: The calls are made behind the capture.
#include "common/cuda.h"

// Defect: Memory is freed while a stream is captured. The driver refuses that and invalidates the
// capture. The memory is unchanged: the program uses and frees it later, and gpusan reports nothing
// about that.
// Fix: The memory is freed after the capture.
// EXPECT warning call-failed cuMemFree_v2 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED at HERE
// EXPECT-PARTY capture at BEGAN
static void FreeDuringCapture() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(4096);
  float result[1024];
  CUgraph graph;
  // @BEGAN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemFree(memory));
  FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
#else
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  void* arguments[] = {&memory};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, memory, 4096));
  CHECK(result[1023] == 0);
  Release(memory, stream);
}

// Defect: Memory is freed while a stream is being captured, which the driver refuses and which breaks
// the capture.
// Fix: The capture is ended before the memory is freed.
// EXPECT warning call-failed cuMemFree_v2 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED at HERE_2
// EXPECT-PARTY capture at BEGAN_2
// EXPECT-TEXT end the capture before cuMemFree
static void FreeWhileCapturing() {
  CUstream stream = NewStream();
  CUdeviceptr memory = NewMemory(4096);
  CUgraph graph = nullptr;
  // @BEGAN_2
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemsetD8Async(memory, 0, 4096, stream));
#ifdef DEFECT
  // @HERE_2
  FAILS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemFree(memory));
  FAILS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
#else
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Release(memory, stream);
}

// Defect: Work in the legacy stream, which would have to wait for a blocking stream that is
// captured.
// Fix: The stream that is captured is a non-blocking one, for which the legacy stream does not
// wait.
// EXPECT warning call-failed cuMemsetD8Async CUDA_ERROR_STREAM_CAPTURE_IMPLICIT at HERE_3
// EXPECT-PARTY capture at BEGIN
static void LegacyStreamDuringCapture() {
#ifdef DEFECT
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
#else
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
#endif
  CUdeviceptr buffer = NewMemory(4096), other = NewMemory(4096);
  CUgraph graph = nullptr;
  // @BEGIN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 1, 4096, stream));
#ifdef DEFECT
  // @HERE_3
  cuMemsetD8Async(other, 2, 4096, nullptr);
  cuStreamEndCapture(stream, &graph);
#else
  OK(cuMemsetD8Async(other, 2, 4096, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Release(other, buffer, stream);
}

int main() {
  Open();
  FreeDuringCapture();
  FreeWhileCapturing();
  LegacyStreamDuringCapture();
  Close();
}
