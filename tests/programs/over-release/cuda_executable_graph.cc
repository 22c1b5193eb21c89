// Defect: An executable graph is destroyed twice.
// Fix: An executable graph is destroyed once.
// EXPECT error over-release cuGraphExecDestroy at HERE
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUgraph graph;
  CUgraphExec exec;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphInstantiate(&exec, graph, 0));
  // @FIRST
  OK(cuGraphExecDestroy(exec));
#ifdef DEFECT
  // @HERE
  cuGraphExecDestroy(exec);
#endif
  Close(graph);
}
