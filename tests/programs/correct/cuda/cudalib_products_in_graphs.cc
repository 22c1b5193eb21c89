// Captured products of cuBLAS whose operands change: a node that is given other arguments, an update
// by another capture, and a disabled node do not use the old operands. Two products on two streams
// of one capture read the same operands.
#include "common/cuda.h"
#include "common/fake_libraries.h"

constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
static cublasHandle_t handle;

static void Multiply(CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
  const float one = 1, zero = 0;
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
}

static CUgraph Capture(CUstream stream, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  Multiply(a, b, c);
  OK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static CUgraphNode OnlyNodeOf(CUgraph graph) {
  size_t count = 1;
  CUgraphNode node;
  OK(cuGraphGetNodes(graph, &node, &count));
  CHECK(count == 1);
  return node;
}

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, stream));
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  CUgraph graph = Capture(stream, a, b, c);
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));

  // The node copies from `fresh` now.
  CUdeviceptr fresh = NewZeros(kBytes);
  CUDA_KERNEL_NODE_PARAMS params;
  OK(cuGraphKernelNodeGetParams(OnlyNodeOf(graph), &params));
  void* arguments[] = {&fresh, &c};
  params.kernelParams = arguments;
  OK(cuGraphExecKernelNodeSetParams(exec, OnlyNodeOf(graph), &params));
  OK(cuMemFree(b));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));

  b = NewZeros(kBytes);
  CUgraph again = Capture(stream, a, b, c);
  CUgraphExecUpdateResultInfo result;
  OK(cuGraphExecUpdate(exec, again, &result));
  OK(cuMemFree(fresh));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));

  OK(cuGraphNodeSetEnabled(exec, OnlyNodeOf(graph), 0));
  OK(cuMemFree(b));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(again));
  OK(cuGraphDestroy(graph));

  b = NewZeros(kBytes);
  CUdeviceptr d = NewZeros(kBytes);
  CUevent fork = NewEvent(), join = NewEvent();
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(cuEventRecord(fork, stream));
  OK(cuStreamWaitEvent(other, fork, 0));
  Multiply(a, b, c);
  DONE(cublasSetStream_v2(handle, other));
  Multiply(a, b, d);
  OK(cuEventRecord(join, other));
  OK(cuStreamWaitEvent(stream, join, 0));
  DONE(cublasSetStream_v2(handle, stream));
  Multiply(c, d, a);
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));

  OK(cuEventDestroy(fork));
  OK(cuEventDestroy(join));
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, b, c, d}) OK(cuMemFree(memory));
  Close(other, stream);
}
