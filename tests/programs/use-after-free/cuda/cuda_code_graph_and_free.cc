// Defect captured_behind_the_free: A kernel is captured behind the free of memory that it writes.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at KERNEL
// EXPECT-PARTY release at FREE
// EXPECT-TEXT writes 4 KiB of memory .* after the node that frees it
// MAY sticky-error
// EXIT any
// Defect beside_the_free: A kernel of a graph writes memory that a node of the graph allocates, and
// nothing orders the kernel before the node that frees the memory.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH_2
// EXPECT-PARTY recorded at KERNEL_2
// EXPECT-PARTY release at FREE_2
// EXPECT-TEXT writes 4.* KiB of memory .*, and nothing orders it before the node that frees it
// MAY sticky-error
// EXIT any
// Fix: The free comes behind the kernel.
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

// Fix: The free is captured behind the kernel.
static void CapturedBehindTheFree() {
  CUstream stream = NewStream();
  CUfunction kernel = CodeKernel(CODE_FILL);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&memory, 4096, stream));
#ifdef DEFECT_captured_behind_the_free
  // @FREE
  OK(cuMemFreeAsync(memory, stream));
#endif
  int value = 3;
  void* arguments[] = {&memory, &value};
  // @KERNEL
  OK(cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT_captured_behind_the_free
  OK(cuMemFreeAsync(memory, stream));
#endif
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_captured_behind_the_free
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, stream);
}

// Fix: The node that frees the memory depends on the kernel.
static void BesideTheFree() {
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  CUgraphNode allocated, filled, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  int value = 3;
  void* arguments[] = {&memory.dptr, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  // @KERNEL_2
  OK(cuGraphAddKernelNode(&filled, graph, &allocated, 1, &fill));
#ifdef DEFECT_beside_the_free
  const CUgraphNode* before = &allocated;
#else
  const CUgraphNode* before = &filled;
#endif
  // @FREE_2
  OK(cuGraphAddMemFreeNode(&freed, graph, before, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH_2
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_beside_the_free
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, stream);
}

int main() {
  Open();
  CapturedBehindTheFree();
  BesideTheFree();
  Close();
}
