// Pools of streams, events and executable graphs are created first and used in turn. The process
// leaves them to the driver.
#include "common/cuda_graphs.h"

int main() {
  Open();
  const int kCount = 48;
  static CUstream streams[kCount];
  static CUevent events[kCount];
  static CUgraphExec execs[kCount];
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 0, 4096);
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  for (int i = 0; i < kCount; ++i) {
    streams[i] = NewStream();
    events[i] = NewEvent();
    OK(cuGraphInstantiate(&execs[i], graph, 0));
  }
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < kCount; ++i) {
      OK(cuGraphLaunch(execs[i], streams[i]));
      OK(cuEventRecord(events[i], streams[i]));
      OK(cuStreamWaitEvent(streams[(i + 1) % kCount], events[i], 0));
    }
  }
  OK(cuCtxSynchronize());
  // A few objects that are kept, each used at once.
  for (int i = 0; i < 8; ++i) {
    CUevent event = NewEvent();
    OK(cuEventRecord(event, streams[i]));
    OK(cuEventSynchronize(event));
  }
  Close(buffer);
}
