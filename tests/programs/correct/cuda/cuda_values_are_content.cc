// Words of new memory get their content by values that streams, batches and graphs write.
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr words = NewMemory(64);
  OK(cuStreamWriteValue32(stream, words, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
  OK(cuStreamWriteValue32(stream, words + 4, 2, CU_STREAM_WRITE_VALUE_DEFAULT));
  CUstreamBatchMemOpParams write = {};
  write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  write.writeValue.address = words + 8;
  write.writeValue.value64 = 3;
  OK(cuStreamBatchMemOp(stream, 1, &write, 0));
  OK(cuStreamSynchronize(stream));
  unsigned result[4];
  OK(cuMemcpyDtoH(result, words, 16));
  CHECK(result[0] == 1 && result[1] == 2 && result[2] == 3);
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuStreamWriteValue32(stream, words + 32, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec runs;
  OK(cuGraphInstantiate(&runs, graph, 0));
  OK(cuGraphLaunch(runs, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, words + 32, 4));
  CHECK(result[0] == 4);
  Close(runs, graph, words, stream);
}
