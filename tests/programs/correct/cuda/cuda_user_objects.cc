// User objects of graphs: who holds references, and who frees the blocks.
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "common/cuda.h"
#include "common/cuda_graphs.h"

// References to user objects that only graphs hold: of a clone, of a child graph, of the source of an
// update, and of pending launches. The program uses the handles meanwhile, and keeps one object until
// the end.
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

static void UserObjectReferences() {
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
  Release(stream);
}

// Blocks that graphs upload from are freed by the destructors of user objects, while the program
// waits for nothing else: of an executable graph that goes with its launch pending, of a clone, of a
// child graph, of one that is updated, and of one that was captured.
static sem_t destroyed;

static void CUDA_CB BlocksFreedDestroy(void* block) {
  free(block);
  sem_post(&destroyed);
}

// No call of CUDA's waits for a destructor, and no document says how soon it runs.
static void WaitUntilDestroyed() {
  timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 10;
  int waited;
  while ((waited = sem_timedwait(&destroyed, &end)) != 0 && errno == EINTR) continue;
  NEEDS(waited == 0);
}

static CUuserObject BlocksFreedNewObject(void* block) {
  CUuserObject object;
  OK(cuUserObjectCreate(&object, block, BlocksFreedDestroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  return object;
}

// A graph that uploads from a block of its own.
static CUgraph NewUpload(CUdeviceptr buffer) {
  void* block = calloc(1, 65536);
  CUgraph graph;
  CUgraphNode node;
  CUDA_MEMCPY3D upload = UploadNode(buffer, block, 65536);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context));
  OK(cuGraphRetainUserObject(graph, BlocksFreedNewObject(block), 1, CU_GRAPH_USER_OBJECT_MOVE));
  return graph;
}

static CUgraphExec Instantiate(CUgraph graph) {
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  return executable;
}

static void BlocksFreedByDestructors() {
  sem_init(&destroyed, 0, 0);
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(65536);

  CUgraph graph = NewUpload(buffer), copy;
  OK(cuGraphClone(&copy, graph));
  OK(cuGraphDestroy(graph));
  CUgraphExec executable = Instantiate(copy);
  OK(cuGraphDestroy(copy));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecDestroy(executable));
  WaitUntilDestroyed();

  CUgraph child = NewUpload(buffer);
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  OK(cuGraphDestroy(child));
  executable = Instantiate(graph);
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecDestroy(executable));
  WaitUntilDestroyed();

  graph = NewUpload(buffer);
  executable = Instantiate(graph);
  OK(cuGraphDestroy(graph));
  OK(cuGraphLaunch(executable, stream));
  CUgraph other = NewUpload(buffer);
  CUgraphExecUpdateResultInfo result;
  OK(cuGraphExecUpdate(executable, other, &result));
  WaitUntilDestroyed();
  OK(cuGraphDestroy(other));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecDestroy(executable));
  WaitUntilDestroyed();

  char* data = NewPinned(65536);
  void* note = malloc(16);
  CUuserObject object = BlocksFreedNewObject(note);
  CUstreamCaptureStatus status;
  CUgraph captured;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
  OK(cuStreamGetCaptureInfo(stream, &status, nullptr, &captured, nullptr, nullptr, nullptr));
  OK(cuUserObjectRetain(object, 1));
  OK(cuGraphRetainUserObject(captured, object, 1, 0));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuUserObjectRelease(object, 2));
  executable = Instantiate(graph);
  OK(cuGraphReleaseUserObject(graph, object, 1));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecDestroy(executable));
  WaitUntilDestroyed();
  OK(cuGraphDestroy(graph));

  OK(cuStreamSynchronize(stream));
  Release(data, buffer, stream);
}

int main() {
  Open();
  UserObjectReferences();
  BlocksFreedByDestructors();
  Close();
}
