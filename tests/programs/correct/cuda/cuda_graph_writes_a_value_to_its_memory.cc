// A graph writes a value to memory that a node of it allocates. A stream frees the memory behind each
// launch, so that the memory does not exist when the graph is launched again.
#include "common/cuda_graphs.h"

int main() {
  Open();
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
    if (launched == CUDA_ERROR_INVALID_VALUE) return 77;  // driver 580 does not write values there
    OK(launched);
    OK(cuMemcpyDtoHAsync(&value, memory.dptr + 8, sizeof(value), stream));
    OK(cuMemFreeAsync(memory.dptr, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(value == 5);
  }
  Close(executable, graph, stream);
}
