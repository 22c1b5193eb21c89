// Defect: The nodes of a graph are counted after the graph was destroyed.
// Fix: The nodes of a graph are counted before the graph is destroyed.
// EXPECT error use-after-free cuGraphGetNodes at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  size_t count = 0;
#ifdef DEFECT
  // @RELEASED
  OK(cuGraphDestroy(graph));
  // @HERE
  cuGraphGetNodes(graph, nullptr, &count);
#else
  OK(cuGraphGetNodes(graph, nullptr, &count));
  OK(cuGraphDestroy(graph));
#endif
  Close();
}
