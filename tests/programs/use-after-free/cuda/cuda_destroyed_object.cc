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
// Defect function: A program asks for an attribute of a function whose module is unloaded.
// EXPECT error use-after-free cuFuncGetAttribute at ATTRIBUTE
// EXPECT-PARTY release at MODULE
// EXPECT-TEXT _Z7nothingv|nothing
// Defect kernel: A program asks for the name of a kernel whose library is unloaded.
// EXPECT error use-after-free cuKernelGetName at NAME
// EXPECT-PARTY release at LIBRARY
// Defect pool: Memory is allocated from a pool that was destroyed.
// EXPECT error use-after-free cuMemAllocFromPoolAsync at HERE
// EXPECT-PARTY release at DESTROYED
// EXPECT-FACT argument=pool
// Defect user_object: A user object is given to a new graph after the graphs that held it were
// destroyed.
// EXPECT error use-after-free cuGraphRetainUserObject at HERE_2
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY allocation at CREATED
// Fix: The program uses an object before it destroys the object.
// EXIT any
#include "common/cuda.h"

// Fix: Each object is queried before it is destroyed.
static void Queried() {
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
#if !defined(DEFECT_array) && !defined(DEFECT_graph) && !defined(DEFECT_stream) && \
    !defined(DEFECT_texture)
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
  Release(memory);
}

// Fix: It asks before it unloads the module and the library.
static void QueriedOfUnloaded() {
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_NOTHING));
  CUlibrary library;
  CUkernel kernel;
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
  int registers = 0;
  const char* name = nullptr;
#if !defined(DEFECT_function) && !defined(DEFECT_kernel)
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  cuKernelGetName(&name, kernel);
#endif
  // @MODULE
  OK(cuModuleUnload(module));
  // @LIBRARY
  OK(cuLibraryUnload(library));
#ifdef DEFECT_function
  // @ATTRIBUTE
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
#elif defined(DEFECT_kernel)
  // @NAME
  cuKernelGetName(&name, kernel);
#endif
}

// Fix: The pool is destroyed after its last allocation.
static void Pool() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUstream stream = NewStream();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr memory;
  for (int i = 0; i < 4; ++i) {
    OK(cuMemAllocFromPoolAsync(&memory, 4096, pool, stream));
    OK(cuMemFreeAsync(memory, stream));
  }
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT_pool
  // @DESTROYED
  OK(cuMemPoolDestroy(pool));
#endif
  // @HERE
  const CUresult allocated = cuMemAllocFromPoolAsync(&memory, 4096, pool, stream);
  if (allocated == CUDA_SUCCESS) OK(cuMemFreeAsync(memory, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT_pool
  OK(cuMemPoolDestroy(pool));
#endif
  Release(stream);
}

// Fix: A user object is given to a new graph while an executable graph holds it.
static void CUDA_CB Destroy(void*) {}

static void UserObject() {
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
#ifdef DEFECT_user_object
  // @RELEASED
  OK(cuGraphExecDestroy(executable));
  // @HERE_2
  cuGraphRetainUserObject(other, object, 1, 0);
#else
  OK(cuGraphRetainUserObject(other, object, 1, 0));
  OK(cuGraphExecDestroy(executable));
#endif
  Release(other, stream);
}

int main() {
  Open();
  Queried();
  QueriedOfUnloaded();
  Pool();
  UserObject();
  Close();
}
