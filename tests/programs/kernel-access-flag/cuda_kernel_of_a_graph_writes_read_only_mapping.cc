// Defect: A kernel of a graph writes mapped memory that devices may only read.
// Fix: The device gets write access before the launch.
// EXPECT error kernel-access-flag cuGraphLaunch at HERE
// EXPECT-FACT argument=0
// MAY sticky-error call-failed leak
// EXIT any
#include "common/cuda_graphs.h"
#include "common/cuda_mapped.h"

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL);
  MappedPiece piece = NewPiece();
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READ);
  int value = 1;
  void* arguments[] = {&piece.address, &value};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  AddKernel(graph, nullptr, fill, arguments);
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifndef DEFECT
  piece.Allow(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
#endif
  // @HERE
  OK(cuGraphLaunch(executable, nullptr));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  FreePiece(piece);
  Close();
}
