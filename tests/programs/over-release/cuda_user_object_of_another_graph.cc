// Defect: A reference to a user object is released from a graph that holds none; another graph does.
// Fix: A reference to a user object is released from the graph that holds it.
// EXPECT error over-release cuGraphReleaseUserObject at HERE
// EXPECT-FACT references=0
// EXIT any
#include "common/cuda.h"

static void CUDA_CB Destroy(void*) {}

int main() {
  Open();
  CUgraph graph, other;
  CUuserObject object;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphCreate(&other, 0));
  OK(cuUserObjectCreate(&object, nullptr, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
#ifdef DEFECT
  // @HERE
  cuGraphReleaseUserObject(other, object, 1);
#else
  OK(cuGraphReleaseUserObject(graph, object, 1));
#endif
  Close(other, graph);
}
