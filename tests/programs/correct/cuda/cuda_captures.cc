// Streams are captured into graphs: in every mode, with forks, and with events of other streams.
#include <thread>

#include "common/cuda.h"
#include "common/cuda_graphs.h"

// While a stream is captured its calls do nothing: an upload is recorded, the host changes the
// data, and each launch takes
// what stands there then.
static void CallsDoNothing() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  float *data = (float*)NewPinned(4096), *result = (float*)NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  void* arguments[] = {&buffer};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 1; round < 4; ++round) {
    for (int i = 0; i < 1024; ++i) data[i] = round;
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[1023] == 2 * round);
  }
  Release(executable, graph, buffer, result, data, stream);
}

// A capture forks to a second stream and joins it again by events; the branches of the graph
// work side by side.
static void TwoStreams() {
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char *data = NewPinned(8192), *result = NewPinned(8192);
  memset(data, 1, 4096);
  memset(data + 4096, 2, 4096);
  CUdeviceptr buffer = NewMemory(8192);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuMemcpyHtoDAsync(buffer + 4096, data + 4096, 4096, second));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 8192, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  CHECK(result[0] == 1 && result[8191] == 2);
  OK(cuGraphLaunch(executable, second));
  OK(cuGraphLaunch(executable, first));  // behind the launch on the other stream
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, result, data, join, fork, second, first);
}

// Captures in every mode: forks within forks, allocations meanwhile where the mode allows it, a
// stream that is not captured going on, and a capture into a graph that has nodes already.
static void Run(CUgraph graph, CUstream stream) {
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
}

static void AllModes() {
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
}

// A captured graph records one event of the outside in its middle and waits for another one: what
// other streams do is ordered against parts of the graph. While the capture goes on, both events
// stand for what was recorded before.
static void ExternalEventsOfAGraph() {
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
  Release(executable, graph, second, first, result, data, ready, half, other, stream);
}

int main() {
  Open();
  CallsDoNothing();
  TwoStreams();
  AllModes();
  ExternalEventsOfAGraph();
  Close();
}
