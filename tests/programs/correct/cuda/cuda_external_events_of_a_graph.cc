// A captured graph records one event of the outside in its middle and waits for another one: what
// other streams do is ordered against parts of the graph. While the capture goes on, both events
// stand for what was recorded before.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent half = NewEvent(), ready = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr first = NewZeros(4096), second = NewZeros(4096);
  memset(data, 8, 4096);
  OK(cuMemcpyHtoDAsync(first, data, 4096, stream));
  OK(cuEventRecord(half, stream));
  OK(cuEventRecord(ready, other));
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuStreamWaitEvent(stream, ready, CU_EVENT_WAIT_EXTERNAL));
  OK(cuMemsetD8Async(first, 1, 4096, stream));
  OK(cuEventRecordWithFlags(half, stream, CU_EVENT_RECORD_EXTERNAL));
  OK(cuMemsetD8Async(second, 2, 4096, stream));
  // The record of before the capture; this stream is not captured by that.
  OK(cuStreamWaitEvent(other, half, 0));
  OK(cuMemcpyDtoHAsync(result, first, 4096, other));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuStreamSynchronize(other));
  CHECK(result[0] == 8);
  for (int round = 0; round < 3; ++round) {
    OK(cuMemsetD8Async(first, 7, 4096, other));
    OK(cuEventRecord(ready, other));
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamWaitEvent(other, half, 0));
    OK(cuMemcpyDtoHAsync(result, first, 4096, other));  // beside the second half of the graph
    OK(cuStreamSynchronize(other));
    CHECK(result[4095] == 1);
  }
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, second, 4096));
  CHECK(result[0] == 2);
  Close(executable, graph, second, first, result, data, ready, half, other, stream);
}
