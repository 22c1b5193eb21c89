// Defect: A stream is destroyed, waited for or not joined while it is captured.
// Fix: The capture joins all streams and ends before the host waits.
#include "common/cuda.h"

// Defect: A capture ends while the stream that it forked to has work that was never joined back.
// Fix: A capture joins the stream that it forked to before it ends.
// EXPECT error sync-object-misuse cuStreamEndCapture CUDA_ERROR_STREAM_CAPTURE_UNJOINED at HERE
// EXPECT-PARTY capture at BEGIN
static void CaptureNotJoined() {
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  CUdeviceptr buffer = NewMemory(8192);
  CUgraph graph = nullptr;
  // @BEGIN
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuMemsetD8Async(buffer + 4096, 2, 4096, second));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(first, &graph));
#else
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphDestroy(graph));
#endif
  Release(join, fork, buffer, second, first);
}

// Defect: A stream is destroyed in the middle of its capture: the captured fill never runs.
// Fix: The capture is ended before the stream is destroyed.
// EXPECT warning sync-object-misuse cuStreamDestroy_v2 at HERE_2
// EXPECT-PARTY capture at BEGAN
// EXPECT-TEXT the captured work is lost
static void StreamDestroyedWhileCapturing() {
  CUstream stream = NewStream();
  CUdeviceptr memory = NewMemory(4096);
  // @BEGAN
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemsetD8Async(memory, 0, 4096, stream));
#ifndef DEFECT
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphDestroy(graph));
#endif
  // @HERE_2
  OK(cuStreamDestroy(stream));
  Release(memory);
}

// Defect: The host waits for a stream while it is captured, which is an error and ends the capture.
// Fix: The host waits after the capture.
// EXPECT error sync-object-misuse cuStreamSynchronize at HERE_3
static void SynchronizeWhileCapturing() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph = nullptr;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#ifdef DEFECT
  // @HERE_3
  cuStreamSynchronize(stream);
  cuStreamEndCapture(stream, &graph);
#else
  cuStreamEndCapture(stream, &graph);
  OK(cuStreamSynchronize(stream));
#endif
  if (graph) OK(cuGraphDestroy(graph));
  Release(buffer, stream);
}

// Defect: The host waits for an event that was last recorded in a capture.
// Fix: The host waits for an event that was recorded after the launch of what was captured.
// EXPECT error sync-object-misuse cuEventSynchronize CUDA_ERROR_INVALID_VALUE at HERE_4
// EXPECT-PARTY allocation
static void WaitForCapturedEvent() {
  CUstream stream = NewStream();
  CUevent event = NewEvent();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD8Async(buffer, 1, 4096, stream));
#ifdef DEFECT
  OK(cuEventRecord(event, stream));
  OK(cuStreamEndCapture(stream, &graph));
  // @HERE_4
  FAILS(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
#else
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuEventRecord(event, stream));
  OK(cuEventSynchronize(event));
  OK(cuGraphExecDestroy(executable));
#endif
  Release(graph, event, buffer, stream);
}

int main() {
  Open();
  CaptureNotJoined();
  StreamDestroyedWhileCapturing();
  SynchronizeWhileCapturing();
  WaitForCapturedEvent();
  Close();
}
