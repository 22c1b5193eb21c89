// Defect: Graphs upload from blocks that are freed too early.
// Fix: The block is freed behind the upload, or kept by a user object of each graph.
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "common/cuda_graphs.h"

// Defect: A host function of a graph frees the block that another node uploads, and no edge leads
// from the upload to the function.
// Fix: An edge leads from the upload to the function.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-PARTY host-block at BLOCK
static void CUDA_CB Release(void* block) {
  // @HERE
  free(block);
}

static void GraphHostFunctionFreesTooEarly() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(65536);
  // @BLOCK
  void* block = calloc(1, 65536);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D upload = UploadNode(buffer, block, 65536);
  CUDA_HOST_NODE_PARAMS release = {Release, block};
  CUgraphNode first, second;
  OK(cuGraphAddMemcpyNode(&first, graph, nullptr, 0, &upload, context));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  OK(cuGraphAddHostNode(&second, graph, &first, edges, &release));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, stream);
}

// Defect: Two graphs upload from one block, which a user object of the first alone keeps alive: its
// destructor frees the block while the second is pending.
// Fix: The program waits for the second graph before it destroys the first one.
// EXPECT error host-free-in-flight free at HERE_2
// EXPECT-PARTY pending-command at LAUNCH_2
// EXPECT-PARTY host-block at BLOCK_2
static sem_t destroyed;

static void CUDA_CB Destroy(void* block) {
  // @HERE_2
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

static CUgraph NewUpload(CUdeviceptr buffer, const void* block) {
  CUgraph graph;
  CUgraphNode node;
  CUDA_MEMCPY3D upload = UploadNode(buffer, block, 65536);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context));
  return graph;
}

static void UserObjectOfOneGraphOnly() {
  sem_init(&destroyed, 0, 0);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr buffer = NewMemory(65536), other = NewMemory(65536);
  // @BLOCK_2
  void* block = calloc(1, 65536);
  CUgraph graph = NewUpload(buffer, block), alone = NewUpload(other, block);
  CUuserObject object;
  OK(cuUserObjectCreate(&object, block, Destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CUgraphExec executable, of_alone;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphInstantiate(&of_alone, alone, 0));
  OK(cuGraphLaunch(executable, first));
  // @LAUNCH_2
  OK(cuGraphLaunch(of_alone, second));
#ifndef DEFECT
  OK(cuStreamSynchronize(second));
#endif
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  WaitUntilDestroyed();
  OK(cuStreamSynchronize(second));
  OK(cuStreamSynchronize(first));
  Release(of_alone, alone, other, buffer, second, first);
}

int main() {
  Open();
  GraphHostFunctionFreesTooEarly();
  UserObjectOfOneGraphOnly();
  Close();
}
