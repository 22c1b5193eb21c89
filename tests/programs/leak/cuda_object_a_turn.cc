// Defect: Each turn of a loop creates an object and keeps it.
// Fix: Each turn destroys what it creates.
#include "common/cuda.h"
#include "common/cuda_graphs.h"
#include "common/cuda_texels.h"

// Defect: Each turn of a loop creates an event, records it and keeps it.
// Fix: Each turn of a loop destroys the event that it created.
// EXPECT warning leak cuEventCreate at HERE
// EXPECT-FACT objects=100
static void EventATurn() {
  CUstream stream = NewStream();
  for (int turn = 0; turn < 100; ++turn) {
    CUevent event;
    // @HERE
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(event, stream));
    OK(cuEventSynchronize(event));
#ifndef DEFECT
    OK(cuEventDestroy(event));
#endif
  }
  Release(stream);
}

// Defect: Each turn of a loop creates a stream, uses it and keeps it.
// Fix: Each turn of a loop destroys the stream that it created. Streams that were created before
// the loop are used in turn and left to the end of the process.
// EXPECT warning leak cuStreamCreate at HERE_2
// EXPECT-FACT objects=40
// EXPECT-TEXT 40 streams
static void StreamATurn() {
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  static CUstream pool[1];
#else
  static CUstream pool[40];
#endif
  for (CUstream& stream : pool) stream = NewStream();
  for (int turn = 0; turn < 40; ++turn) {
    CUstream stream;
    // @HERE_2
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD8Async(buffer, 0, 4096, stream));
    OK(cuStreamSynchronize(stream));
#ifndef DEFECT
    OK(cuStreamDestroy(stream));
    OK(cuMemsetD8Async(buffer, 1, 4096, pool[turn]));
    OK(cuStreamSynchronize(pool[turn]));
#endif
  }
  Release(buffer);
}

// Defect: Each turn of a loop instantiates a graph, launches it and keeps it.
// Fix: Each turn of a loop destroys the executable graph that it created.
// EXPECT warning leak cuGraphInstantiateWithFlags at HERE_3
// EXPECT-FACT objects=50
static void ExecutableGraphATurn() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 0, 4096);
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  for (int turn = 0; turn < 50; ++turn) {
    CUgraphExec exec;
    // @HERE_3
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
#ifndef DEFECT
    OK(cuGraphExecDestroy(exec));
#endif
  }
  Release(graph, buffer, stream);
}

// Defect: Each turn of a loop creates a texture object of the same array, and keeps it.
// Fix: Each turn of a loop destroys the texture object that it created.
// EXPECT warning leak cuTexObjectCreate at HERE_4
// EXPECT-FACT objects=100
static void TextureATurn() {
  CUarray array = NewTexels();
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  const CUDA_TEXTURE_DESC look = {};
  for (int turn = 0; turn < 100; ++turn) {
    CUtexObject texture;
    // @HERE_4
    OK(cuTexObjectCreate(&texture, &resource, &look, nullptr));
#ifndef DEFECT
    OK(cuTexObjectDestroy(texture));
#endif
  }
  Release(array);
}

int main() {
  Open();
  EventATurn();
  StreamATurn();
  ExecutableGraphATurn();
  TextureATurn();
  Close();
}
