// Defect freed_by_a_node: A graph downloads memory that one of its nodes allocates, and nothing
// orders the download before the node that frees the memory.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at DOWNLOAD
// EXPECT-PARTY release at FREE
// EXPECT-TEXT nothing orders it before the node that frees it
// EXIT any
// Defect value: A graph that writes a value to memory is launched after the memory was freed.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY recorded at RECORDED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error leak
// EXIT any
// Defect block_of_a_pool: The program replaces the input of a captured graph by a new block. The
// pool has taken the old block back when the graph reads it again.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH_2
// EXPECT-PARTY allocation at INPUT
// EXPECT-PARTY release at FREED
// EXPECT-TEXT argument 0 of kernel
// Defect between_two_launches: A graph with a kernel runs twice, and between the launches its
// output is freed. (No thread of the launch uses it.)
// EXPECT error use-after-free cuGraphLaunch at HERE_2
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED_2
// EXPECT-PARTY recorded at RECORDED_2
// EXPECT-FACT argument=2
// Fix: The memory is freed behind the last use of it.
#include "common/cuda.h"
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"
#include "common/cuda_pool.h"

// Fix: The node that frees the memory depends on the download.
static void FreedByANode() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  CUgraphNode allocated, filled, downloaded, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(memory.dptr, 3, 4096);
  OK(cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, context));
  CUDA_MEMCPY3D download = DownloadNode(result, memory.dptr, 4096);
  // @DOWNLOAD
  OK(cuGraphAddMemcpyNode(&downloaded, graph, &filled, 1, &download, context));
#ifdef DEFECT_freed_by_a_node
  const CUgraphNode* before = &filled;
#else
  const CUgraphNode* before = &downloaded;
#endif
  // @FREE
  OK(cuGraphAddMemFreeNode(&freed, graph, before, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT_freed_by_a_node
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, result, stream);
}

// Fix: The memory is freed after the last launch.
static void Value() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr words = NewMemory(4096);
  CUstreamBatchMemOpParams write = {};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = words + 8;
  write.writeValue.value = 5;
  CUDA_BATCH_MEM_OP_NODE_PARAMS operations = {};
  operations.ctx = context;
  operations.count = 1;
  operations.paramArray = &write;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &operations));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT_value
  // @RELEASED
  OK(cuMemFree(words));
#endif
  // @HERE
  cuGraphLaunch(executable, stream);
#ifndef DEFECT_value
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(words));
#endif
  Close(executable, graph, stream);
}

// Fix: The program copies the new input into the block that the graph reads.
static void BlockOfAPool() {
  Open();
  OpenPool(GPUSAN_POOL_EXACT);
  CUstream stream = NewStream();
  const uint64_t number = Number(stream);
  // The pool of the graph: its blocks are allocated and freed during the capture or behind it, and
  // their memory stays that of the graph.
  const CUdeviceptr own_memory = NewMemory(1 << 20);
  const uint64_t own = gpusan_pool_create(GPUSAN_API_CUDA, own_memory, GPUSAN_POOL_EXACT);
  const CUdeviceptr input = pool_memory, next = pool_memory + 8192;
  CUdeviceptr between = own_memory, output = own_memory + 4096;
  // @INPUT
  gpusan_block_alloc(pool, input, 4096, number, 0);
  OK(cuMemsetD8Async(input, 1, 4096, stream));
  CUdeviceptr from = input;
  void* first[] = {&from, &between};
  void* second[] = {&between, &output};
  CUgraph graph;
  CUgraphExec executable;
  CUfunction copy = CodeKernel(CODE_COPY);
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  gpusan_block_alloc(own, between, 4096, number, 0);
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, first, nullptr));
  gpusan_block_alloc(own, output, 4096, number, 0);
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, second, nullptr));
  gpusan_block_free(own, between, number);
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  // The graph keeps the memory of its result.
  gpusan_block_free(own, output, number);
  gpusan_block_alloc(pool, next, 4096, number, 0);
  OK(cuMemsetD8Async(next, 2, 4096, stream));
#ifdef DEFECT_block_of_a_pool
  // @FREED
  gpusan_block_free(pool, input, number);
#else
  OK(cuMemcpyDtoDAsync(input, next, 4096, stream));
#endif
  // @LAUNCH_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT_block_of_a_pool
  gpusan_block_free(pool, input, number);
#endif
  gpusan_block_free(pool, next, number);
  gpusan_pool_destroy(own);
  OK(cuMemFree(own_memory));
  ClosePool();
  Close(stream);
}

// Fix: The output is replaced between the launches, and the parameters of the node are updated.
static void BetweenTwoLaunches() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr out;
  // @CREATED
  OK(cuMemAlloc(&out, 1 << 20));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED_2
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  // @RELEASED_2
  OK(cuMemFree(out));
#ifndef DEFECT_between_two_launches
  OK(cuMemAlloc(&out, 2 << 20));
  OK(cuGraphExecKernelNodeSetParams(executable, node, &kernel));
#endif
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
#ifndef DEFECT_between_two_launches
  OK(cuMemFree(out));
#endif
  Close(b, a, stream);
}

int main() {
  FreedByANode();
  Value();
  BlockOfAPool();
  BetweenTwoLaunches();
}
