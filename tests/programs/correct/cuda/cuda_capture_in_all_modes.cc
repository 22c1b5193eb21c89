// Captures in every mode: forks within forks, allocations meanwhile where the mode allows it, a
// stream that is not captured going on, and a capture into a graph that has nodes already.
#include <thread>

#include "common/cuda_graphs.h"

static void Run(CUgraph graph, CUstream stream) {
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
}

int main() {
  Open();
  CUstream a = NewStream(), b = NewStream(), c = NewStream(), free_one = NewStream();
  CUevent events[4];
  for (CUevent& event : events) event = NewEvent();
  char* result = NewPinned(3 * 4096);
  CUdeviceptr memory = NewZeros(3 * 4096), other = NewMemory(4096);
  for (CUstreamCaptureMode mode :
       {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
        CU_STREAM_CAPTURE_MODE_RELAXED}) {
    CUgraph graph;
    OK(cuStreamBeginCapture(a, mode));
    OK(cuMemsetD8Async(memory, 1, 3 * 4096, a));
    OK(cuEventRecord(events[0], a));
    OK(cuStreamWaitEvent(b, events[0], 0));
    OK(cuMemsetD8Async(memory + 4096, 2, 4096, b));
    OK(cuEventRecord(events[1], b));
    OK(cuStreamWaitEvent(c, events[1], 0));
    OK(cuMemsetD8Async(memory + 8192, 3, 4096, c));
    OK(cuMemcpyDtoHAsync(result + 8192, memory + 8192, 4096, c));
    OK(cuMemcpyDtoHAsync(result + 4096, memory + 4096, 4096, b));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, a));
    // Beside the capture.
    OK(cuMemsetD8Async(other, 9, 4096, free_one));
    if (mode == CU_STREAM_CAPTURE_MODE_RELAXED) {
      CUdeviceptr more = NewMemory(4096);
      OK(cuStreamSynchronize(free_one));
      OK(cuMemFree(more));
    } else if (mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
      std::thread([&] {
        OK(cuCtxSetCurrent(context));
        CUdeviceptr more = NewMemory(4096);
        OK(cuMemFree(more));
      }).join();
    }
    CUstreamCaptureMode relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
      OK(cuThreadExchangeStreamCaptureMode(&relaxed));
      CUdeviceptr more = NewMemory(4096);
      OK(cuMemFree(more));
      OK(cuThreadExchangeStreamCaptureMode(&relaxed));
    }
    OK(cuEventRecord(events[2], c));
    OK(cuEventRecord(events[3], b));
    OK(cuStreamWaitEvent(b, events[2], 0));
    OK(cuEventRecord(events[3], b));
    OK(cuStreamWaitEvent(a, events[3], 0));
    OK(cuStreamEndCapture(a, &graph));
    Run(graph, b);
    CHECK(result[0] == 1 && result[4096] == 2 && result[8192] == 3);
    OK(cuGraphDestroy(graph));
  }
  // Into a graph that begins with a node of its own, behind that node.
  CUgraph graph, same;
  CUgraphNode node;
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(memory, 5, 4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  OK(cuStreamBeginCaptureToGraph(a, graph, &node, nullptr, 1, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyDtoHAsync(result, memory, 4096, a));
  OK(cuStreamEndCapture(a, &same));
  CHECK(same == graph);
  Run(graph, c);
  CHECK(result[4095] == 5);
  OK(cuGraphDestroy(graph));
  OK(cuStreamSynchronize(free_one));
  OK(cuMemFree(other));
  OK(cuMemFree(memory));
  OK(cuMemFreeHost(result));
  for (CUevent event : events) OK(cuEventDestroy(event));
  for (CUstream stream : {a, b, c, free_one}) OK(cuStreamDestroy(stream));
  Close();
}
