// Blocks that graphs upload from are freed by the destructors of user objects, while the program
// waits for nothing else: of an executable graph that goes with its launch pending, of a clone, of a
// child graph, of one that is updated, and of one that was captured.
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "common/cuda_graphs.h"

static sem_t destroyed;

static void CUDA_CB Destroy(void* block) {
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

static CUuserObject NewObject(void* block) {
  CUuserObject object;
  OK(cuUserObjectCreate(&object, block, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
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
  OK(cuGraphRetainUserObject(graph, NewObject(block), 1, CU_GRAPH_USER_OBJECT_MOVE));
  return graph;
}

static CUgraphExec Instantiate(CUgraph graph) {
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  return executable;
}

int main() {
  Open();
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
  CUuserObject object = NewObject(note);
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
  Close(data, buffer, stream);
}
