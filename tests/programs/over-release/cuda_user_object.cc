// Defect moved_twice: A program that holds one reference to a user object moves two references to a graph.
// EXPECT error over-release cuGraphRetainUserObject at MOVED
// EXPECT-FACT references=1
// Defect moved_to_a_graph: A program moves its reference to a user object to a graph, and then releases it.
// EXPECT error over-release cuUserObjectRelease at RELEASED
// EXPECT-PARTY release at MOVED
// EXPECT-FACT references=0
// Defect of_another_graph: A reference to a user object is released from a graph that holds none; another graph does.
// EXPECT error over-release cuGraphReleaseUserObject at FROM_OTHER
// EXPECT-FACT references=0
// Fix: The program moves the reference that it holds, and releases it from the graph that holds it.
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
#ifdef DEFECT_moved_twice
  const unsigned moved = 2;
#else
  const unsigned moved = 1;
#endif
  // @MOVED
  cuGraphRetainUserObject(graph, object, moved, CU_GRAPH_USER_OBJECT_MOVE);
#ifdef DEFECT_moved_to_a_graph
  // @RELEASED
  cuUserObjectRelease(object, 1);
#elif defined(DEFECT_of_another_graph)
  // @FROM_OTHER
  cuGraphReleaseUserObject(other, object, 1);
#elif !defined(DEFECT)
  OK(cuGraphReleaseUserObject(graph, object, 1));
#endif
  Close(other, graph);
}
