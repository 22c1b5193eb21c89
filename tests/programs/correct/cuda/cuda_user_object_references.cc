// References to user objects that only graphs hold: of a clone, of a child graph, of the source of an
// update, and of pending launches. The program uses the handles meanwhile, and keeps one object until
// the end.
#include "common/cuda.h"

static void CUDA_CB Destroy(void*) {}

static CUuserObject NewObject(unsigned references) {
  CUuserObject object;
  OK(cuUserObjectCreate(&object, nullptr, Destroy, references, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  return object;
}

static CUgraph NewGraph() {
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  return graph;
}

static void UseHandle(CUuserObject object) {
  OK(cuUserObjectRetain(object, 3));
  OK(cuUserObjectRelease(object, 1));
  OK(cuUserObjectRelease(object, 2));
}

static void OfCloneAndChild() {
  CUgraph graph = NewGraph(), copy, parent = NewGraph();
  CUgraphNode node;
  CUuserObject object = NewObject(2);
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  OK(cuUserObjectRelease(object, 1));
  OK(cuGraphClone(&copy, graph));
  OK(cuGraphReleaseUserObject(graph, object, 1));
  OK(cuGraphDestroy(graph));
  UseHandle(object);
  OK(cuGraphAddChildGraphNode(&node, parent, nullptr, 0, copy));
  OK(cuGraphReleaseUserObject(copy, object, 1));
  OK(cuGraphDestroy(copy));
  UseHandle(object);
  OK(cuGraphDestroy(parent));
}

static void OfUpdates(CUstream stream) {
  CUgraph graph = NewGraph(), other = NewGraph();
  CUgraphExec executable;
  CUgraphExecUpdateResultInfo result;
  CUuserObject first = NewObject(1), second = NewObject(1);
  OK(cuGraphRetainUserObject(graph, first, 1, CU_GRAPH_USER_OBJECT_MOVE));
  OK(cuGraphRetainUserObject(other, second, 1, CU_GRAPH_USER_OBJECT_MOVE));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecUpdate(executable, other, &result));
  OK(cuGraphDestroy(other));
  UseHandle(first);
  UseHandle(second);
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(executable, stream));
  UseHandle(second);
  OK(cuGraphExecDestroy(executable));
  OK(cuStreamSynchronize(stream));
}

int main() {
  Open();
  CUstream stream = NewStream();
  OfCloneAndChild();
  OfUpdates(stream);
  // The handles of destroyed objects are used again.
  for (int turn = 0; turn < 100; ++turn) {
    CUgraph graph = NewGraph();
    CUuserObject object = NewObject(1);
    OK(cuGraphRetainUserObject(graph, object, 2, 0));
    OK(cuUserObjectRelease(object, 1));
    OK(cuGraphReleaseUserObject(graph, object, 1));
    UseHandle(object);
    OK(cuGraphDestroy(graph));
  }
  NewObject(1);
  Close(stream);
}
