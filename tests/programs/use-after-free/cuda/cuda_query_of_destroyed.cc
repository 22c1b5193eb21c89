// Defect array: The shape of an array is queried after the array was destroyed.
// EXPECT error use-after-free cuArrayGetDescriptor_v2 at SHAPE
// EXPECT-PARTY release at ARRAY
// Defect graph: The nodes of a graph are counted after the graph was destroyed.
// EXPECT error use-after-free cuGraphGetNodes at NODES
// EXPECT-PARTY release at GRAPH
// Defect stream: The priority of a stream is queried after the stream was destroyed.
// EXPECT error use-after-free cuStreamGetPriority at PRIORITY
// EXPECT-PARTY release at STREAM
// EXPECT-TEXT which the program has destroyed
// Defect texture: The description of a texture object is queried after the object was destroyed.
// EXPECT error use-after-free cuTexObjectGetResourceDesc at DESCRIPTION
// EXPECT-PARTY release at TEXTURE
// Fix: Each object is queried before it is destroyed.
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1}, found_shape;
  OK(cuArrayCreate(&array, &shape));
  CUgraph graph;
  OK(cuGraphCreate(&graph, 0));
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(4096);
  CUDA_RESOURCE_DESC resource = {}, found = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_FLOAT;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4096;
  CUDA_TEXTURE_DESC sampler = {};
  CUtexObject texture;
  OK(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
  size_t count = 0;
  int priority = 0;
#ifndef DEFECT
  OK(cuArrayGetDescriptor(&found_shape, array));
  OK(cuGraphGetNodes(graph, nullptr, &count));
  OK(cuStreamGetPriority(stream, &priority));
  OK(cuTexObjectGetResourceDesc(&found, texture));
#endif
  // @ARRAY
  OK(cuArrayDestroy(array));
  // @GRAPH
  OK(cuGraphDestroy(graph));
  // @STREAM
  OK(cuStreamDestroy(stream));
  // @TEXTURE
  OK(cuTexObjectDestroy(texture));
#ifdef DEFECT_array
  // @SHAPE
  cuArrayGetDescriptor(&found_shape, array);
#elif defined(DEFECT_graph)
  // @NODES
  cuGraphGetNodes(graph, nullptr, &count);
#elif defined(DEFECT_stream)
  // @PRIORITY
  cuStreamGetPriority(stream, &priority);
#elif defined(DEFECT_texture)
  // @DESCRIPTION
  cuTexObjectGetResourceDesc(&found, texture);
#endif
  Close(memory);
}
