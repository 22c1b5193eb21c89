// Defect: A program moves its reference to a user object to a graph, and then releases it.
// Fix: A program that has moved its reference to a graph leaves the release to the graph.
// EXPECT error over-release cuUserObjectRelease at HERE
// EXPECT-PARTY release at MOVED
// EXPECT-FACT references=0
// EXIT any
#include "common/cuda.h"

static void CUDA_CB Destroy(void*) {}

int main() {
  Open();
  CUgraph graph;
  CUuserObject object;
  OK(cuGraphCreate(&graph, 0));
  OK(cuUserObjectCreate(&object, nullptr, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  // @MOVED
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
#ifdef DEFECT
  // @HERE
  cuUserObjectRelease(object, 1);
#endif
  Close(graph);
}
