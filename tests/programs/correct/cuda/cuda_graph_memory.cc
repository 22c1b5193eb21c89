// Graphs allocate and free memory, and write values to it.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// A graph allocates memory, fills it, downloads it and frees it; it is launched more than once.
static void GraphMemoryNodes() {
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
  OK(cuGraphAddMemcpyNode(&downloaded, graph, &filled, 1, &download, context));
  OK(cuGraphAddMemFreeNode(&freed, graph, &downloaded, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 3; ++round) {
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == 3);
  }
  Release(executable, graph, result, stream);
}

// A stream-ordered allocation and its free are captured; the memory lives within each launch.
static void CapturedAllocation() {
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr buffer;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 9, 4096, stream));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 3; ++round) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 9);
  Release(executable, graph, result, stream);
}

// A graph allocates what the stream then uses and another graph frees; a graph whose memory
// outlives its launch is launched again after a free in stream order, and with the flag that frees
// by itself.
static CUdeviceptr AddAllocation(CUgraph graph, CUgraphNode* node) {
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  OK(cuGraphAddMemAllocNode(node, graph, nullptr, 0, &memory));
  return memory.dptr;
}

static void MemoryOfOneGraphInAnother() {
  CUstream stream = NewStream(), other = NewStream();
  CUevent made = NewEvent();
  char* result = NewPinned(4096);
  CUgraph making, taking;
  CUgraphNode allocated, filled, freed;
  OK(cuGraphCreate(&making, 0));
  const CUdeviceptr memory = AddAllocation(making, &allocated);
  AddFill(making, &allocated, memory, 3);
  OK(cuGraphCreate(&taking, 0));
  filled = AddFill(taking, nullptr, memory, 4);
  OK(cuGraphAddMemFreeNode(&freed, taking, &filled, 1, memory));
  CUgraphExec make, take;
  OK(cuGraphInstantiate(&make, making, 0));
  OK(cuGraphInstantiate(&take, taking, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(make, stream));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
    OK(cuEventRecord(made, stream));
    OK(cuStreamWaitEvent(other, made, 0));
    OK(cuGraphLaunch(take, other));
    OK(cuStreamSynchronize(other));
    CHECK(result[0] == 3);
  }
  OK(cuGraphLaunch(make, stream));
  OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
  OK(cuMemFreeAsync(memory, stream));
  OK(cuGraphLaunch(make, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(memory));
  OK(cuGraphExecDestroy(take));
  OK(cuGraphExecDestroy(make));
  OK(cuGraphDestroy(taking));
  OK(cuGraphInstantiate(&make, making, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int round = 0; round < 3; ++round) {
    OK(cuGraphLaunch(make, stream));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
  }
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 3);
  OK(cuMemFreeAsync(memory, stream));
  OK(cuStreamSynchronize(stream));
  Release(make, making, result, made, other, stream);
}

// A graph writes a value to memory that a node of it allocates. A stream frees the memory behind each
// launch, so that the memory does not exist when the graph is launched again.
static void GraphWritesAValueToItsMemory() {
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphNode allocated, written;
  CUgraphExec executable;
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  CUstreamBatchMemOpParams write = {};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  write.writeValue.address = memory.dptr + 8;
  write.writeValue.value = 5;
  CUDA_BATCH_MEM_OP_NODE_PARAMS operations = {};
  operations.ctx = context;
  operations.count = 1;
  operations.paramArray = &write;
  OK(cuGraphAddBatchMemOpNode(&written, graph, &allocated, 1, &operations));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 3; ++turn) {
    unsigned value = 0;
    const CUresult launched = cuGraphLaunch(executable, stream);
    if (launched == CUDA_ERROR_INVALID_VALUE) exit(77);  // driver 580 does not write values there
    OK(launched);
    OK(cuMemcpyDtoHAsync(&value, memory.dptr + 8, sizeof(value), stream));
    OK(cuMemFreeAsync(memory.dptr, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(value == 5);
  }
  Release(executable, graph, stream);
}

int main() {
  Open();
  GraphMemoryNodes();
  CapturedAllocation();
  MemoryOfOneGraphInAnother();
  GraphWritesAValueToItsMemory();
  Close();
}
