// Defect: A captured matrix product of cuBLAS runs after the program has freed one of its operands.
// Fix: The operand is freed after the last launch of the graph.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY recorded at PRODUCT
// EXPECT-PARTY release at RELEASED
// MAY sticky-error
// EXIT any
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, stream));
  const float one = 1, zero = 0;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec exec;
  OK(cuGraphInstantiate(&exec, graph, 0));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(b));
#endif
  // @HERE
  cuGraphLaunch(exec, stream);
  cuStreamSynchronize(stream);
#ifndef DEFECT
  OK(cuMemFree(b));
#endif
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, c}) OK(cuMemFree(memory));
  Close(stream);
}
