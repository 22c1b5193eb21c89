// Defect: A graph and another stream, or two branches of a graph, use the same memory, and nothing
// orders the two.
// Fix: The other stream waits for the whole graph, and the second branch for the first one.
#include <semaphore.h>

#include "common/cuda.h"

// Defect: What a graph uploads on one stream is downloaded on another that does not wait for the
// launch.
// Fix: What a graph uploads on one stream is downloaded on another that waits for the launch.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
static void GraphAndCopyOnAnotherStream() {
  CUstream stream = NewStream(), other = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  CUevent uploaded = NewEvent();
  OK(cuEventRecord(uploaded, stream));
  OK(cuStreamWaitEvent(other, uploaded, 0));
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, result, data, other, stream);
}

// Defect: A captured graph records an event in front of its last node. Another stream waits for the
// event and reads what this node writes.
// Fix: The graph records the event behind its last node.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-FACT hazard=RAW
// EXPECT-PARTY pending-command at LAUNCH_2
static void GraphRecordsAnEventTooEarly() {
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
  // @LAUNCH_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamWaitEvent(other, half, 0));
  OK(cuMemcpyDtoHAsync(result, first, 4096, other));
  // @READ
  OK(cuMemcpyDtoHAsync(result, second, 4096, other));
  OK(cuCtxSynchronize());
  Release(executable, graph, second, first, result, half, other, stream);
}

// Defect: Two branches of a capture use the same memory: the second one forks off before the
// upload.
// Fix: Two branches of a capture use the same memory: the second one forks off after the upload.
// EXPECT error race cuGraphLaunch at LAUNCH_3
// EXPECT-PARTY pending-command
// EXPECT-PARTY recorded
static void BranchesOfACapture() {
  CUstream first = NewStream(), second = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
#ifndef DEFECT
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  OK(cuEventRecord(fork, first));
  OK(cuStreamWaitEvent(second, fork, 0));
#ifdef DEFECT
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
#endif
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH_3
  OK(cuGraphLaunch(executable, first));
  OK(cuStreamSynchronize(first));
  Release(executable, graph, buffer, result, data, join, fork, second, first);
}

// Defect: A captured host function signals to the program that a download is complete, but it waits
// only for the work before the download. Another stream writes memory that the download still
// reads.
// Fix: The host function is after the download. The other stream writes the memory while the rest
// of the graph may still be pending.
// EXPECT error race cuMemsetD8Async at HERE_2
// EXPECT-PARTY pending-command at LAUNCH_4
// EXPECT-FACT hazard=WAR
static sem_t told;

static void CUDA_CB Tell(void*) { sem_post(&told); }

static void CapturedHostFunctionTellsTooEarly() {
  sem_init(&told, 0, 0);
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent fork = NewEvent(), join = NewEvent();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
#ifdef DEFECT
  OK(cuEventRecord(fork, first));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
#else
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuEventRecord(fork, first));
#endif
  OK(cuStreamWaitEvent(second, fork, 0));
  OK(cuLaunchHostFunc(second, Tell, nullptr));
  OK(cuEventRecord(join, second));
  OK(cuStreamWaitEvent(first, join, 0));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH_4
  OK(cuGraphLaunch(executable, first));
  while (sem_wait(&told) != 0) continue;
  // @HERE_2
  OK(cuMemsetD8Async(buffer, 7, 4096, third));
  OK(cuStreamSynchronize(third));
  OK(cuStreamSynchronize(first));
  Release(executable, graph, buffer, result, join, fork, third, second, first);
}

// Defect: A child graph in an executable graph is changed to fill another buffer, which is
// downloaded on a stream that does not wait for the launch.
// Fix: The stream that downloads the buffer waits for the launch.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE_3
// EXPECT-PARTY pending-command at LAUNCH_5
// EXPECT-FACT hazard=RAW
static CUgraph GraphThatFills(CUdeviceptr buffer) {
  CUgraph graph;
  CUgraphNode node;
  CUDA_MEMSET_NODE_PARAMS fill = {buffer, 0, 7, 1, 4096, 1};
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  return graph;
}

static void ChildGraphGivenAnotherBuffer() {
  CUstream stream = NewStream(), other = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr old = NewZeros(4096), buffer = NewZeros(4096);
  CUgraph graph, child = GraphThatFills(old), another = GraphThatFills(buffer);
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphExecChildGraphNodeSetParams(executable, node, another));
  // @LAUNCH_5
  OK(cuGraphLaunch(executable, stream));
#ifndef DEFECT
  CUevent filled = NewEvent();
  OK(cuEventRecord(filled, stream));
  OK(cuStreamWaitEvent(other, filled, 0));
#endif
  // @HERE_3
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuGraphDestroy(another));
  OK(cuGraphDestroy(child));
  OK(cuMemFree(buffer));
  OK(cuMemFree(old));
  OK(cuMemFreeHost(result));
#ifndef DEFECT
  OK(cuEventDestroy(filled));
#endif
  Release(other, stream);
}

int main() {
  Open();
  GraphAndCopyOnAnotherStream();
  GraphRecordsAnEventTooEarly();
  BranchesOfACapture();
  CapturedHostFunctionTellsTooEarly();
  ChildGraphGivenAnotherBuffer();
  Close();
}
