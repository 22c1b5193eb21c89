// Defect: Two streams use the same memory, and nothing orders the two.
// Fix: The second stream waits for an event of the first one.
#include "common/cuda.h"
#include "common/cuda_machine_code.h"

// Defect: An asynchronous upload on one stream, the download of it on another, and nothing orders
// them.
// Fix: An asynchronous upload on one stream; the stream that downloads it waits for an event after
// it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT hazard=RAW
static void UploadAndDownloadOnTwoStreams() {
  Open();
  CUstream first, second;
  OK(cuStreamCreate(&first, CU_STREAM_DEFAULT));
  OK(cuStreamCreate(&second, CU_STREAM_DEFAULT));
  CUevent uploaded;
  OK(cuEventCreate(&uploaded, CU_EVENT_DISABLE_TIMING));
  char *data, *result;
  OK(cuMemAllocHost((void**)&data, 4096));
  OK(cuMemAllocHost((void**)&result, 4096));
  memset(data, 1, 4096);
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, uploaded, second, first);
}

// Defect: The input of a kernel is uploaded on one stream and the kernel launched on another,
// without an event between them.
// Fix: The input of a kernel is uploaded and the kernel launched on one stream.
// EXPECT error race cuLaunchKernel at HERE_2
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static void UploadAndLaunchOnTwoStreams() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream first, second;
  OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  float* data;
  OK(cuMemAllocHost((void**)&data, 1024 * sizeof(float)));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  CUdeviceptr in, out;
  OK(cuMemAlloc(&in, 1024 * sizeof(float)));
  OK(cuMemAlloc(&out, 1024 * sizeof(float)));
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(in, data, 1024 * sizeof(float), first));
  void* arguments[] = {&in, &out};
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE_2
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in, data, second, first);
}

// Defect: A kernel reads what a kernel on another stream writes, by pointers that are not const.
// Fix: The second stream waits for the event of the first.
// EXPECT error race cuLaunchKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=code_copy
// EXPECT-FACT argument=0
// EXPECT-FACT byte_range=0 to 4095
// EXPECT-FACT launch_size=4 x 1 x 1 blocks of 256 x 1 x 1 threads
// EXPECT-FACT earlier_kernel=code_fill
// EXPECT-FACT earlier_byte_range=0 to 4095
static void KernelsOnTwoStreams() {
  Open();
  CUfunction fill = CodeKernel(CODE_FILL), copy = CodeKernel(CODE_COPY);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(4096), out = NewZeros(4096);
  int value = 7;
  void *filled[] = {&data, &value}, *copied[] = {&data, &out};
  CUevent done = NewEvent();
  // @WRITES
  OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, first, filled, nullptr));
  OK(cuEventRecord(done, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @READS
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, copied, nullptr));
  OK(cuCtxSynchronize());
  Close(done, out, data, second, first);
}

// Defect: The stream that uploads has the higher priority, which orders nothing.
// Fix: The stream that uploads has the higher priority, and the other waits for it.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at UPLOAD_3
static void PrioritiesAreNoOrder() {
  Open();
  int least, greatest;
  OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  CUstream first, second;
  OK(cuStreamCreateWithPriority(&first, CU_STREAM_NON_BLOCKING, greatest));
  OK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, least));
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD_3
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuEventRecord(uploaded, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, uploaded, 0));
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, uploaded, second, first);
}

int main() {
  UploadAndDownloadOnTwoStreams();
  UploadAndLaunchOnTwoStreams();
  KernelsOnTwoStreams();
  PrioritiesAreNoOrder();
}
