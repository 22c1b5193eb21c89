// Programs find out what there is: by calls that fail, by queries, and by calls with nothing to do.
// Advice checks are off.
#include "common/cuda.h"

// Programs find out what kind of memory a pointer has by calls that fail for other kinds.
static void KindsOfMemory() {
  CUdeviceptr memory = NewMemory(1 << 21), answer;
  char* plain = (char*)malloc(4096);
  CUmemGenericAllocationHandle handle;
  cuMemHostGetDevicePointer(&answer, plain, 0);
  cuMemRetainAllocationHandle(&handle, (void*)memory);
  unsigned flags;
  cuMemHostGetFlags(&flags, plain);
  CUmemorytype type;
  cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)plain);
  CUdeviceptr base;
  size_t bytes;
  cuMemGetAddressRange(&base, &bytes, (CUdeviceptr)plain);
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
  OK(cuArrayCreate(&array, &shape));
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  cuArrayGetSparseProperties(&sparse, array);  // it is not sparse
  OK(cuArrayDestroy(array));
  free(plain);
  Release(memory);
}

// Programs ask for what is not there, and look at the answer.
static void QueriesThatFail() {
  static char host[64];
  CUdevice none;
  FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&none, 1000));
  CUmemorytype type;
  FAILS(CUDA_ERROR_INVALID_VALUE,
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  cuGetProcAddress("cuNoSuchFunction", &function, 12000, 0, &found);
  CHECK(function == nullptr && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  cuGetProcAddress("cuMemAlloc", &function, 99000, 0, &found);  // of a version to come
  CUstream stream = NewStream();
  char* data = NewPinned(1 << 20);
  CUdeviceptr buffer = NewMemory(1 << 20);
  OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
  cuStreamQuery(stream);  // perhaps not ready
  OK(cuStreamSynchronize(stream));
  Release(0, buffer, data, stream);
}

// Queries of streams, graphs, arrays, pools and contexts that live, of default streams, and of a
// graph during its capture. Its handle may be that of a graph that was destroyed.
static void QueriesOfLiveObjects() {
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
  Release(buffer, stream);
}

// Commands of no bytes and elements; frees of nothing; launches with nothing to do.
static void NothingToDo() {
  CUstream stream = NewStream();
  CUfunction add = Kernel(KERNEL_ADD), nothing = Kernel(KERNEL_NOTHING);
  CUdeviceptr buffer = NewMemory(4096);
  char *pinned = NewPinned(4096), *block = (char*)malloc(64);
  OK(cuMemcpyHtoD(buffer, block, 0));
  OK(cuMemcpyDtoH(block + 64, buffer, 0));
  OK(cuMemcpyHtoDAsync(buffer, pinned, 0, stream));
  OK(cuMemcpyDtoHAsync(pinned, buffer, 0, stream));
  OK(cuMemcpyDtoDAsync(buffer, buffer, 0, stream));
  OK(cuMemsetD8Async(buffer, 0, 0, stream));
  OK(cuMemsetD32Async(buffer, 0, 0, stream));
  OK(cuMemFree(0));
  OK(cuMemFreeHost(nullptr));
  OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  // Elements that a launch does not have need no memory.
  CUdeviceptr none = 0;
  int n = 0;
  void* arguments[] = {&none, &none, &none, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  free(block);
  Release(pinned, buffer, stream);
}

// What the advice checks speak of is right: without being asked they say nothing.
static void AdviceIsOff() {
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
  char *pageable = (char*)calloc(1, 65536), *locked = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536), other = NewMemory(4096), scratch = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, pageable, 65536, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyHtoDAsync(buffer, locked, 65536, stream));
  OK(cuMemsetD8(other, 0, 4096));
  OK(cuMemFree(scratch));
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Release(stream);
}

int main() {
  Open();
  KindsOfMemory();
  QueriesThatFail();
  QueriesOfLiveObjects();
  NothingToDo();
  AdviceIsOff();
  Close();
}
