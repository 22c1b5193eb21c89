// Defect function: A kernel is launched after the unload of its module.
// EXPECT error use-after-free cuLaunchKernel none at HERE
// EXPECT-PARTY allocation at FOUND
// EXPECT-PARTY release at UNLOADED
// EXPECT-TEXT "nothing"
// EXIT any
// Defect variable: A variable of a module is downloaded after the module was unloaded.
// EXPECT error use-after-free cuMemcpyDtoH_v2 at HERE_2
// EXPECT-PARTY release at UNLOADED_2
// Defect library: A kernel is looked up in a library that has been unloaded.
// EXPECT error use-after-free cuLibraryGetKernel none at HERE_3
// EXPECT-PARTY allocation at LOADED
// EXPECT-PARTY release at UNLOADED_3
// EXPECT-TEXT library is library
// EXIT any
// Defect hint: A program gives a hint for a function, and loads it early, after its module was
// unloaded.
// EXPECT error use-after-free cuFuncSetCacheConfig at HINT
// EXPECT error use-after-free cuFuncLoad at LOAD
// EXPECT-PARTY release at RELEASE
// EXIT any
// Defect graph: A graph is launched after the module of its kernel was unloaded.
// EXPECT error use-after-free cuGraphLaunch at HERE_4
// EXPECT-PARTY recorded at RECORDED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error leak
// EXIT any
// Fix: The module or library is unloaded behind the last use.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Fix: A module is unloaded after the last launch of its kernel.
static void Function() {
  CUmodule module;
  CUfunction nothing;
  OK(cuModuleLoadData(&module, kKernels));
  // @FOUND
  OK(cuModuleGetFunction(&nothing, module, KERNEL_NOTHING));
  OK(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT_function
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
#endif
  // @UNLOADED
  OK(cuModuleUnload(module));
#ifdef DEFECT_function
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
#endif
}

// Fix: The variable is downloaded before the module is unloaded.
static void Variable() {
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  static float data[256];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
#ifndef DEFECT_variable
  OK(cuMemcpyDtoH(data, table, bytes));
#endif
  // @UNLOADED_2
  OK(cuModuleUnload(module_of_kernels));
  module_of_kernels = nullptr;
#ifdef DEFECT_variable
  // @HERE_2
  cuMemcpyDtoH(data, table, bytes);
#endif
}

// Fix: All kernels are looked up in a library before it is unloaded.
static void Library() {
  CUlibrary library;
  CUkernel kernel;
  // @LOADED
  OK(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, KERNEL_NOTHING));
#ifndef DEFECT_library
  cuLibraryGetKernel(&kernel, library, KERNEL_COPY);
#endif
  // @UNLOADED_3
  OK(cuLibraryUnload(library));
#ifdef DEFECT_library
  // @HERE_3
  cuLibraryGetKernel(&kernel, library, KERNEL_COPY);
#endif
}

// Fix: The module is unloaded last.
static void Hint() {
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(&function, module, KERNEL_NOTHING));
#ifdef DEFECT_hint
  // @RELEASE
  OK(cuModuleUnload(module));
#endif
  // @HINT
  cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1);
  // @LOAD
  cuFuncLoad(function);
#ifndef DEFECT_hint
  OK(cuModuleUnload(module));
#endif
}

// Fix: The module is unloaded after the last launch.
static void Graph() {
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(256);
  CUmodule module, other;
  CUfunction fill;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleLoadData(&other, kKernels));
  OK(cuModuleGetFunction(&fill, module, KERNEL_FILL));
  int value = 1;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(fill, arguments, 1, 64);
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuModuleUnload(other));
#ifdef DEFECT_graph
  // @RELEASED
  OK(cuModuleUnload(module));
#endif
  // @HERE_4
  cuGraphLaunch(executable, stream);
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT_graph
  OK(cuModuleUnload(module));
#endif
  Release(executable, graph, memory, stream);
}

int main() {
  Open();
  Function();
  Variable();
  Library();
  Hint();
  Graph();
  Close();
}
