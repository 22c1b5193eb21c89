// Defect: Each turn of a loop lets a graph retain a user object, and keeps its own reference.
// Fix: Each turn of a loop moves its reference to the graph.
// EXPECT warning leak cudaUserObjectCreate at HERE
// EXPECT-FACT objects=100
// EXPECT-FACT references=1
#include "common/cudart.h"

static void CUDART_CB Destroy(void*) {}

int main() {
  for (int turn = 0; turn < 100; ++turn) {
    cudaGraph_t graph;
    cudaUserObject_t object;
    unsigned flags = cudaGraphUserObjectMove;
#ifdef DEFECT
    flags = 0;
#endif
    OK(cudaGraphCreate(&graph, 0));
    // @HERE
    OK(cudaUserObjectCreate(&object, nullptr, Destroy, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(graph, object, 1, flags));
    OK(cudaGraphDestroy(graph));
  }
}
