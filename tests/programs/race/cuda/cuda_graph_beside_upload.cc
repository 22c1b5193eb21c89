// Defect: Graphs with a download and with a kernel run on one stream while another one uploads
// their input.
// Fix: The stream of the graph waits for the upload.
#include "common/cuda.h"

// Defect: A graph downloads a buffer while another stream uploads it.
// Fix: The stream of the graph waits for the upload.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at UPLOAD
static void GraphLaunchBesideUpload() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, result, data, uploaded, second, first);
}

// Defect: A graph doubles a buffer on one stream while another stream uploads it.
// Fix: A graph doubles a buffer when another stream has uploaded it.
// EXPECT error race cuGraphLaunch at HERE_2
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static void GraphKernelBesideUpload() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&buffer};
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE_2
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, data, uploaded, second, first);
}

int main() {
  Open();
  GraphLaunchBesideUpload();
  GraphKernelBesideUpload();
  Close();
}
