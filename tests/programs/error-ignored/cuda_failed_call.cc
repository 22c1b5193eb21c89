// Defect: The program ignores an error, and uses what the failed call should have made.
// Fix: The program handles the error.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Defect: An allocation fails. The program ignores the error and uses the pointer.
// Fix: The allocation succeeds.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at FAILED
// EXPECT error error-ignored cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CUDA_ERROR_OUT_OF_MEMORY
static void FailedAllocation() {
  static char data[4096];
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 12;
#endif
  CUdeviceptr buffer = 0;
  // @FAILED
  cuMemAlloc(&buffer, bytes);
  // @HERE
  cuMemcpyHtoD(buffer, data, sizeof(data));
  if (buffer) OK(cuMemFree(buffer));
}

// Defect: An array has an absurd shape and cannot be created. The program ignores the error and
// uses the array.
// Fix: The array has a valid shape.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at FAILED_2
// EXPECT error error-ignored cuMemcpyHtoA_v2 at HERE_2
// EXPECT-PARTY failed-call at FAILED_2
static void FailedArray() {
  static float data[1024];
#ifdef DEFECT
  const size_t width = (size_t)1 << 30;
#else
  const size_t width = (size_t)1 << 10;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  // @FAILED_2
  cuArrayCreate(&array, &shape);
  // @HERE_2
  cuMemcpyHtoA(array, 0, data, sizeof(data));
  if (array) OK(cuArrayDestroy(array));
}

// Defect: The driver refuses an upload. The program ignores the error and downloads what the upload
// should have written.
// Fix: The upload succeeds.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at FAILED_3
// EXPECT error error-ignored cuMemcpyDtoH_v2 at HERE_3
// EXPECT-PARTY failed-call at FAILED_3
static void DownloadBehindFailedUpload() {
  static char data[8192], result[4096];
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  const size_t bytes = 8192;
#else
  const size_t bytes = 4096;
#endif
  // @FAILED_3
  cuMemcpyHtoD(buffer, data, bytes);
  // @HERE_3
  OK(cuMemcpyDtoH(result, buffer, sizeof(result)));
  Release(buffer);
}

// Defect: A simulation records each step into a graph and updates the executable graph from it. A
// step with another stage cannot be an update; the program launches the old step again.
// Fix: When the update fails, the program instantiates the new step.
// EXPECT warning error-ignored cuGraphLaunch at HERE_4
// EXPECT-PARTY failed-call at FAILED_4
// EXPECT-FACT update_result=CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
static CUstream stream;
static CUgraphExec step;

static CUgraph Record(CUdeviceptr field, unsigned stages) {
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  for (unsigned i = 0; i < stages; ++i) OK(cuMemsetD8Async(field, i + 1, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static void Launch(CUgraph graph) {
  CUgraphExecUpdateResultInfo info;
  // @FAILED_4
  CUresult updated = cuGraphExecUpdate(step, graph, &info);
#ifdef DEFECT
  (void)updated;
#else
  if (updated != CUDA_SUCCESS) {
    OK(cuGraphExecDestroy(step));
    OK(cuGraphInstantiate(&step, graph, 0));
  }
#endif
  OK(cuGraphDestroy(graph));
  // @HERE_4
  OK(cuGraphLaunch(step, stream));
  OK(cuStreamSynchronize(stream));
}

static void LaunchBehindFailedUpdate() {
  stream = NewStream();
  CUdeviceptr field = NewZeros(4096);
  CUgraph first = Record(field, 1);
  OK(cuGraphInstantiate(&step, first, 0));
  OK(cuGraphDestroy(first));
  Launch(Record(field, 1));
  Launch(Record(field, 2));
  Release(step, field, stream);
}

int main() {
  Open();
  FailedAllocation();
  FailedArray();
  DownloadBehindFailedUpload();
  LaunchBehindFailedUpdate();
  Close();
}
