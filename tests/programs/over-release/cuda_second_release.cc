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
// Defect of_a_module: A module is unloaded twice.
// EXPECT error over-release cuModuleUnload none at HERE
// EXPECT-PARTY allocation at LOADED
// EXPECT-PARTY release at FIRST
// Defect moved_twice: A program that holds one reference to a user object moves two references to a
// graph.
// EXPECT error over-release cuGraphRetainUserObject at MOVED
// EXPECT-FACT references=1
// Defect moved_to_a_graph: A program moves its reference to a user object to a graph, and then
// releases it.
// EXPECT error over-release cuUserObjectRelease at RELEASED
// EXPECT-PARTY release at MOVED
// EXPECT-FACT references=0
// Defect of_another_graph: A reference to a user object is released from a graph that holds none;
// another graph does.
// EXPECT error over-release cuGraphReleaseUserObject at FROM_OTHER
// EXPECT-FACT references=0
// Fix: Each object is released as often as it was created and retained.
// EXIT any
#include "common/cuda.h"

// Fix: Each object is destroyed once.
static void SecondDestroy() {
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
  Release(graph, memory);
}

// Fix: A module is loaded again before it is unloaded again.
static void OfAModule() {
  CUmodule module;
  // @LOADED
  OK(cuModuleLoadData(&module, kKernels));
  // @FIRST
  OK(cuModuleUnload(module));
#ifndef DEFECT_of_a_module
  OK(cuModuleLoadData(&module, kKernels));
#endif
  // @HERE
  cuModuleUnload(module);
}

// Fix: The program moves the reference that it holds, and releases it from the graph that holds it.
static void CUDA_CB Destroy(void*) {}

static void UserObject() {
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
#elif !defined(DEFECT_moved_twice)
  OK(cuGraphReleaseUserObject(graph, object, 1));
#endif
  Release(other, graph);
}

int main() {
  Open();
  SecondDestroy();
  OfAModule();
  UserObject();
  Close();
}
