// Products of cuBLAS of parts of one matrix, and in graphs.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Two streams work on their own parts of the matrices: products write interleaved blocks of columns
// and rows of one result, and a product whose host scalar the library waits for ends in its call.
static void PartsOfOneMatrix() {
  constexpr int kSize = 64, kHalf = kSize / 2, kBytes = kSize * kSize * sizeof(float);
  CUstream streams[] = {NewStream(), NewStream()};
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  CUdeviceptr vectors = NewZeros(2 * kSize * sizeof(float));
  cublasHandle_t handles[2];
  const float one = 1, zero = 0;
  for (int i = 0; i < 2; ++i) {
    DONE(cublasCreate_v2(&handles[i]));
    DONE(cublasSetStream_v2(handles[i], streams[i]));
  }
  // Blocks of rows: the columns of both halves alternate in memory.
  for (int i = 0; i < 2; ++i) {
    DONE(cublasSaxpy_v2(handles[i], kSize, &one, (float*)vectors + i, 2, (float*)b + i, 2));
    DONE(cublasSgemm_v2(handles[i], 0, 0, kHalf, kSize, kSize, &one, (float*)a, kSize, (float*)a,
                        kSize, &zero, (float*)c + i * kHalf, kSize));
  }
  OK(cuCtxSynchronize());
  // The scalar is in host memory: the call waits, and the other stream may follow.
  float result;
  DONE(cublasSaxpy_v2(handles[0], kSize, &one, (float*)vectors, 1, (float*)b, 1));
  DONE(cublasSdot_v2(handles[0], kSize, (float*)vectors, 1, (float*)b, 1, &result));
  OK(cuMemsetD8Async(b, 0, kBytes, streams[1]));
  OK(cuMemsetD8Async(vectors, 0, kSize * sizeof(float), streams[1]));
  OK(cuCtxSynchronize());
  for (cublasHandle_t handle : handles) DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, b, c, vectors}) OK(cuMemFree(memory));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
}

// Captured products of cuBLAS whose operands change: a node that is given other arguments, an update
// by another capture, and a disabled node do not use the old operands. Two products on two streams
// of one capture read the same operands.
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

static void ProductsInGraphs() {
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
  Release(other, stream);
}

int main() {
  Open();
  PartsOfOneMatrix();
  ProductsInGraphs();
  Close();
}
