// Defect: A program that holds one reference to a user object moves two references to a graph.
// Fix: A program that holds one reference to a user object retains it before it moves two.
// EXPECT error over-release cuGraphRetainUserObject at HERE
// EXPECT-FACT references=1
// EXIT any
#include "common/cuda.h"

static void CUDA_CB Destroy(void*) {}

int main() {
  Open();
  CUgraph graph;
  CUuserObject object;
  OK(cuGraphCreate(&graph, 0));
  OK(cuUserObjectCreate(&object, nullptr, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
#ifndef DEFECT
  OK(cuUserObjectRetain(object, 1));
#endif
  // @HERE
  cuGraphRetainUserObject(graph, object, 2, CU_GRAPH_USER_OBJECT_MOVE);
  Close(graph);
}
