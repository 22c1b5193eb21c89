// Defect argument: A captured launch keeps the address of its output, which is freed before the
// graph runs.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=2
// EXIT any
// Defect host_block: A graph uploads a block of the host's memory, and the block is freed before
// the launch.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY release at FREE
// EXPECT-TEXT source of a copy node
// Defect tensor_map: A captured launch keeps the tensor map of memory that is freed before the
// graph runs.
// EXPECT warning use-after-free cuGraphLaunch at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXPECT-PARTY recorded at RECORDED_2
// EXPECT-FACT argument=0
// EXIT any
// Defect node_parameters: The node of an executable graph is given new parameters, and one of them
// is memory that has been freed.
// EXPECT error use-after-free cuGraphLaunch at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT-FACT argument=2
// EXIT any
// Defect update: An executable graph is updated from another one, and what that one writes is freed
// before the next launch.
// EXPECT error use-after-free cuGraphLaunch at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-PARTY release at RELEASED_4
// EXPECT-PARTY recorded at RECORDED_3
// EXPECT-FACT argument=2
// EXIT any
// Fix: The program frees the memory behind the last launch.
#include "common/cuda.h"
#include "common/cuda_graphs.h"
#include "common/tensor_maps.h"

// Fix: The output is freed when the graph has run.
static void Argument() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  // @CREATED
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT_argument
  // @RELEASED
  OK(cuMemFree(out));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_argument
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT_argument
  OK(cuMemFree(out));
#endif
  Close(executable, graph, b, a, stream);
}

// Fix: The block is freed behind the last launch.
static void HostBlock() {
  Open();
  constexpr size_t kBytes = 64 << 10;
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(kBytes);
  char* block = (char*)malloc(kBytes);
  memset(block, 3, kBytes);
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D upload = UploadNode(memory, block, kBytes);
  OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT_host_block
  // @FREE
  free(block);
#endif
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT_host_block
  free(block);
  // A block that has the address of an old one is another block.
  block = (char*)malloc(kBytes);
  memset(block, 4, kBytes);
  upload.srcHost = block;
  OK(cuGraphExecMemcpyNodeSetParams(executable, node, &upload, context));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  free(block);
#endif
  Close(executable, graph, stream, memory);
}

// Fix: The memory is freed when the graph has run.
static void TensorMap() {
  Open();
  CUfunction tiles = TensorKernel("tiles");
  CUstream stream = NewStream();
  CUdeviceptr memory;
  // @CREATED_2
  OK(cuMemAlloc(&memory, 4096));
  OK(cuMemsetD8(memory, 0, 4096));
  OK(cuCtxSynchronize());
  CUtensorMap map = TensorMapOf(memory, 1024);
  unsigned count = 1;
  void* arguments[] = {&map, &count};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED_2
  OK(cuLaunchKernel(tiles, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifdef DEFECT_tensor_map
  // @RELEASED_2
  OK(cuMemFree(memory));
#endif
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_tensor_map
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(memory));
  Close();
}

// Fix: The memory of the old parameters is freed instead.
static void NodeParameters() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out, other;
  // @CREATED_3
  OK(cuMemAlloc(&other, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  OK(cuMemAlloc(&out, 1 << 20));
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT_node_parameters
  // @RELEASED_3
  OK(cuMemFree(other));
#endif
  arguments[2] = &other;
  OK(cuGraphExecKernelNodeSetParams(executable, node, &kernel));
#ifndef DEFECT_node_parameters
  OK(cuMemFree(out));
#endif
  // @HERE_3
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_node_parameters
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifdef DEFECT_node_parameters
  OK(cuMemFree(out));
#else
  OK(cuMemFree(other));
#endif
  Close(b, a, stream);
}

// Fix: Only what the graph wrote before the update is freed.
static void Update() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  // @CREATED_4
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), old = NewMemory(4096);
  CUgraph graph, other;
  CUgraphExec executable;
  int n = 1;
  void *arguments[] = {&a, &b, &old, &n}, *others[] = {&a, &b, &out, &n};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  // @RECORDED_3
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, others, nullptr));
  OK(cuStreamEndCapture(stream, &other));
  CUgraphExecUpdateResultInfo updated;
  OK(cuGraphExecUpdate(executable, other, &updated));
  OK(cuMemFree(old));
#ifdef DEFECT_update
  // @RELEASED_4
  OK(cuMemFree(out));
#endif
  // @HERE_4
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_update
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(other));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT_update
  OK(cuMemFree(out));
#endif
  Close(b, a, stream);
}

int main() {
  Argument();
  HostBlock();
  TensorMap();
  NodeParameters();
  Update();
}
