// Defect: The operand of a captured matrix product of cuBLAS is uploaded on another stream than that
// of the graph.
// Fix: The upload is enqueued to the stream of the graph.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* operand = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1, zero = 0;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
  CUgraph graph;
  OK(cuStreamEndCapture(first, &graph));
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(exec, first));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(b, operand, kBytes, stream));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(operand));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Close(second, first);
}
