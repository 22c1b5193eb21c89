// Defect of_an_event: An event is destroyed twice.
// EXPECT error over-release cuEventDestroy_v2 at SECOND_EVENT
// EXPECT-PARTY release at EVENT
// Defect of_a_stream: A stream is destroyed twice.
// EXPECT error over-release cuStreamDestroy_v2 at SECOND_STREAM
// EXPECT-PARTY release at STREAM
// EXPECT-TEXT is destroyed a second time
// Defect of_an_executable_graph: An executable graph is destroyed twice.
// EXPECT error over-release cuGraphExecDestroy at SECOND_GRAPH
// EXPECT-PARTY release at GRAPH
// Defect of_a_texture_object: A texture object is destroyed twice.
// EXPECT error over-release cuTexObjectDestroy at SECOND_TEXTURE
// EXPECT-PARTY release at TEXTURE
// Fix: Each object is destroyed once.
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUevent event = NewEvent();
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphInstantiate(&executable, graph, 0));
  CUdeviceptr memory = NewZeros(4096);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  OK(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
  OK(cuEventRecord(event, nullptr));
  OK(cuEventSynchronize(event));
  // @EVENT
  OK(cuEventDestroy(event));
  // @STREAM
  OK(cuStreamDestroy(stream));
  // @GRAPH
  OK(cuGraphExecDestroy(executable));
  // @TEXTURE
  OK(cuTexObjectDestroy(texture));
#ifdef DEFECT_of_an_event
  // @SECOND_EVENT
  cuEventDestroy(event);
#elif defined(DEFECT_of_a_stream)
  // @SECOND_STREAM
  cuStreamDestroy(stream);
#elif defined(DEFECT_of_an_executable_graph)
  // @SECOND_GRAPH
  cuGraphExecDestroy(executable);
#elif defined(DEFECT_of_a_texture_object)
  // @SECOND_TEXTURE
  cuTexObjectDestroy(texture);
#endif
  Close(graph, memory);
}
