// Defect: A captured graph records an event in front of its last node. Another stream waits for the
// event and reads what this node writes.
// Fix: The graph records the event behind its last node.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-FACT hazard=RAW
// EXPECT-PARTY pending-command at LAUNCH
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent half = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr first = NewZeros(4096), second = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuMemsetD8Async(first, 1, 4096, stream));
#ifdef DEFECT
  OK(cuEventRecordWithFlags(half, stream, CU_EVENT_RECORD_EXTERNAL));
#endif
  OK(cuMemsetD8Async(second, 2, 4096, stream));
#ifndef DEFECT
  OK(cuEventRecordWithFlags(half, stream, CU_EVENT_RECORD_EXTERNAL));
#endif
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamWaitEvent(other, half, 0));
  OK(cuMemcpyDtoHAsync(result, first, 4096, other));
  // @READ
  OK(cuMemcpyDtoHAsync(result, second, 4096, other));
  OK(cuCtxSynchronize());
  Close(executable, graph, second, first, result, half, other, stream);
}
