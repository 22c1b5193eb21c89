// Defect: A graph that writes a value to memory is launched after the memory was freed.
// Fix: The memory is freed after the last launch.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY recorded at RECORDED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error leak
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr words = NewMemory(4096);
  CUstreamBatchMemOpParams write = {};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = words + 8;
  write.writeValue.value = 5;
  CUDA_BATCH_MEM_OP_NODE_PARAMS operations = {};
  operations.ctx = context;
  operations.count = 1;
  operations.paramArray = &write;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &operations));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(words));
#endif
  // @HERE
  cuGraphLaunch(executable, stream);
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(words));
#endif
  Close(executable, graph, stream);
}
