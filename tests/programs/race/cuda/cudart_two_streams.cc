// Defect: Two streams of the runtime use the same memory, and nothing orders the two.
// Fix: The second stream waits for an event of the first one.
#include "common/cuda_code.h"
#include "common/cudart.h"

// Defect: A kernel reads what a kernel on another stream writes, by pointers that are not const.
// Fix: Both kernels are launched on one stream.
// EXPECT error race cudaLaunchKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=code_copy
static void KernelsOnTwoStreams() {
  cudaLibrary_t library;
  OK(cudaLibraryLoadData(&library, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t fill, copy;
  OK(cudaLibraryGetKernel(&fill, library, CODE_FILL));
  OK(cudaLibraryGetKernel(&copy, library, CODE_COPY));
  cudaStream_t first, second;
  OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  char *data = NewZeros(4096), *out = NewZeros(4096);
  int value = 7;
  void *filled[] = {&data, &value}, *copied[] = {&data, &out};
#ifdef DEFECT
  cudaStream_t stream = second;
#else
  cudaStream_t stream = first;
#endif
  // @WRITES
  OK(cudaLaunchKernel((const void*)fill, dim3(4), dim3(256), filled, 0, first));
  // @READS
  OK(cudaLaunchKernel((const void*)copy, dim3(4), dim3(256), copied, 0, stream));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(data));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  OK(cudaLibraryUnload(library));
}

// Defect: The input of a kernel is uploaded on one stream and the kernel launched on another,
// without an event between them.
// Fix: The stream of the kernel waits for an event after the upload.
// EXPECT error race cudaLaunchKernel at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
static void UploadAndLaunchOnTwoStreams() {
  const void* copy = Kernel(KERNEL_COPY);
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreate(&second));
  cudaEvent_t uploaded;
  OK(cudaEventCreate(&uploaded));
  char* data = NewPinned(4096);
  char *in = NewZeros(4096), *out = NewZeros(4096);
  // @UPLOAD
  OK(cudaMemcpyAsync(in, data, 4096, cudaMemcpyHostToDevice, first));
  OK(cudaEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cudaStreamWaitEvent(second, uploaded, 0));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cudaLaunchKernel(copy, dim3(4), dim3(256), arguments, 0, second));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(out));
  OK(cudaFree(in));
  OK(cudaFreeHost(data));
  OK(cudaEventDestroy(uploaded));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  Close();
}

// Defect: Another stream uses the target of a download before anything has waited for the download.
// Fix: The host waits for the stream of the download first.
// EXPECT error race cudaMemcpyAsync at HERE_2
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT nothing orders it after an earlier cudaMemcpyAsync on stream
// EXPECT-TEXT let the stream of the later cudaMemcpyAsync wait for it
static void DownloadHandedOn() {
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  char *one = NewZeros(4096), *two = NewZeros(4096);
  char* result = NewPinned(4096);
  // @FIRST
  OK(cudaMemcpyAsync(result, one, 4096, cudaMemcpyDeviceToHost, first));
#ifndef DEFECT
  OK(cudaStreamSynchronize(first));
#endif
  // @HERE_2
  OK(cudaMemcpyAsync(two, result, 4096, cudaMemcpyHostToDevice, second));
  OK(cudaDeviceSynchronize());
  OK(cudaFreeHost(result));
  OK(cudaFree(two));
  OK(cudaFree(one));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  Close();
}

int main() {
  KernelsOnTwoStreams();
  UploadAndLaunchOnTwoStreams();
  DownloadHandedOn();
}
