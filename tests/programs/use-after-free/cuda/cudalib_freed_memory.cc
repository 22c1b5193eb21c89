// Defect message: A message of MPI is sent from device memory that the program has freed.
// EXPECT error use-after-free MPI_Send at HERE
// EXPECT-FACT argument=buf
// EXPECT-PARTY release at RELEASED
// EXIT any
// Defect transform: cuFFT transforms memory that the program has freed.
// EXPECT error use-after-free cufftExecC2C at HERE_2
// EXPECT-FACT argument=idata
// EXPECT-PARTY release at RELEASED_2
// MAY sticky-error
// EXIT any
// Defect operand_of_a_graph: A captured matrix product of cuBLAS runs after the program has freed
// one of its operands.
// EXPECT error use-after-free cuGraphLaunch at HERE_3
// EXPECT-PARTY recorded at PRODUCT
// EXPECT-PARTY release at RELEASED_3
// MAY sticky-error
// EXIT any
// Fix: The memory is freed behind the call of the library.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Fix: The memory is freed after the message is sent.
static void Message() {
  constexpr int kCount = 1024;
  CUdeviceptr data = NewZeros(kCount * sizeof(float));
#ifdef DEFECT_message
  // @RELEASED
  OK(cuMemFree(data));
#endif
  // @HERE
  MPI_Send((void*)data, kCount, &kMpiFloat, 1, 0, nullptr);
#ifndef DEFECT_message
  OK(cuMemFree(data));
#endif
}

// Fix: The memory is freed after the transform.
static void Transform() {
  constexpr int kCount = 1024;
  CUstream stream = NewStream();
  CUdeviceptr data = NewZeros(kCount * 2 * sizeof(float));
  int plan;
  DONE(cufftPlan1d(&plan, kCount, kFftC2C, 1));
  DONE(cufftSetStream(plan, stream));
#ifdef DEFECT_transform
  // @RELEASED_2
  OK(cuMemFree(data));
#endif
  // @HERE_2
  cufftExecC2C(plan, (void*)data, (void*)data, kFftForward);
  cuStreamSynchronize(stream);
#ifndef DEFECT_transform
  OK(cuMemFree(data));
#endif
  DONE(cufftDestroy(plan));
  Release(stream);
}

// Fix: The operand is freed after the last launch of the graph.
static void OperandOfAGraph() {
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
#ifdef DEFECT_operand_of_a_graph
  // @RELEASED_3
  OK(cuMemFree(b));
#endif
  // @HERE_3
  cuGraphLaunch(exec, stream);
  cuStreamSynchronize(stream);
#ifndef DEFECT_operand_of_a_graph
  OK(cuMemFree(b));
#endif
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, c}) OK(cuMemFree(memory));
  Release(stream);
}

int main() {
  Open();
  Message();
  Transform();
  OperandOfAGraph();
  Close();
}
