// Defect: A user object is given to a new graph after the graphs that held it were destroyed.
// Fix: A user object is given to a new graph while an executable graph holds it.
// EXPECT error use-after-free cuGraphRetainUserObject at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/cuda.h"

static void CUDA_CB Destroy(void*) {}

int main() {
  Open();
  CUstream stream = NewStream();
  CUgraph graph, other;
  CUgraphExec executable;
  CUuserObject object;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphCreate(&other, 0));
  // @CREATED
  OK(cuUserObjectCreate(&object, nullptr, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @RELEASED
  OK(cuGraphExecDestroy(executable));
  // @HERE
  cuGraphRetainUserObject(other, object, 1, 0);
#else
  OK(cuGraphRetainUserObject(other, object, 1, 0));
  OK(cuGraphExecDestroy(executable));
#endif
  Close(other, stream);
}
