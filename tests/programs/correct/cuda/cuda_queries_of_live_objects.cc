// Queries of streams, graphs, arrays, pools and contexts that live, of default streams, and of a
// graph during its capture. Its handle may be that of a graph that was destroyed.
#include "common/cuda.h"

int main() {
  Open();
  int priority;
  unsigned flags, version;
  CUcontext of;
  CUstream stream = NewStream();
  const CUstream all[] = {stream, nullptr, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD};
  for (CUstream queried : all) {
    OK(cuStreamGetPriority(queried, &priority));
    OK(cuStreamGetFlags(queried, &flags));
    OK(cuStreamGetCtx(queried, &of));
  }
  OK(cuCtxGetApiVersion(context, &version));
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1}, found;
  OK(cuArrayCreate(&array, &shape));
  OK(cuArrayGetDescriptor(&found, array));
  CHECK(found.Width == 64);
  OK(cuArrayDestroy(array));
  if (Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) {
    CUmemoryPool pool;
    OK(cuDeviceGetDefaultMemPool(&pool, device));
    OK(cuMemPoolTrimTo(pool, 0));
  }
  CUdeviceptr buffer = NewMemory(4096);
  for (int turn = 0; turn < 8; ++turn) {
    CUgraph graph, captured = nullptr;
    size_t count = 0;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphGetNodes(graph, nullptr, &count));
    OK(cuGraphDestroy(graph));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD8Async(buffer, 0, 4096, stream));
#if CUDA_VERSION >= 13000
    CUstreamCaptureStatus status;
    OK(cuStreamGetCaptureInfo(stream, &status, nullptr, &captured, nullptr, nullptr, nullptr));
    OK(cuGraphGetNodes(captured, nullptr, &count));
    CHECK(count == 1);
#endif
    OK(cuStreamEndCapture(stream, &graph));
    CHECK(captured == nullptr || captured == graph);
    OK(cuGraphGetRootNodes(graph, nullptr, &count));
    OK(cuGraphDestroy(graph));
  }
  Close(buffer, stream);
}
