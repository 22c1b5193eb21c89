// Defect: Memory is freed while a stream is captured, in the global and in the thread's own mode.
// Fix: The memory is freed after the capture.
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

int main() {
  Open();
  FreeDuringCapture();
  FreeWhileCapturing();
  Close();
}
