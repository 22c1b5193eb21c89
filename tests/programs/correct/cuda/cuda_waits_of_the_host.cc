// The host waits by polls, by a wait for the context, and by synchronous copies and fills.
#include "common/cuda.h"

// The host polls a stream and an event until they are done; that is as good as waiting.
static void Poll(CUresult (*query)(void*), void* handle) {
  for (;;) {
    const CUresult result = query(handle);
    if (result == CUDA_SUCCESS) return;
    FAILS(CUDA_ERROR_NOT_READY, result);
  }
}

static void Polling() {
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  Poll([](void* stream) { return cuStreamQuery((CUstream)stream); }, first);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(done, second));
  Poll([](void* event) { return cuEventQuery((CUevent)event); }, done);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuMemsetD8Async(buffer, 1, 4096, first));
  OK(cuEventRecord(done, first));
  OK(cuEventSynchronize(done));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[17] == 1);
  Release(buffer, result, data, done, second, first);
}

// A wait for the context is a wait for all of its streams, the non-blocking ones too; a record
// and a wait of the context
// are so too.
static void ContextSynchronize() {
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 4, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, first));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 4);
  OK(cuMemsetD8Async(buffer, 6, 4096, first));
  OK(cuCtxRecordEvent(context, event));
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
  OK(cuEventRecord(event, second));
  OK(cuCtxWaitEvent(context, event));
  OK(cuMemsetD8Async(buffer, 7, 4096, first));
  OK(cuCtxSynchronize());
  CHECK(result[0] == 6);
  Release(buffer, result, data, event, second, first);
}

// Host memory may be changed and freed right behind a synchronous copy, in both directions, and
// behind an asynchronous one
// from pageable memory.
static void SynchronousCopies() {
  CUstream stream = NewStream(CU_STREAM_DEFAULT);
  CUdeviceptr buffer = NewMemory(1 << 20);
  for (int round = 0; round < 4; ++round) {
    char* data = (char*)malloc(1 << 20);
    memset(data, round, 1 << 20);
    if (round % 2) {
      OK(cuMemcpyHtoD(buffer, data, 1 << 20));
    } else {
      OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
    }
    memset(data, 99, 1 << 20);
    free(data);
    char* result = (char*)malloc(1 << 20);
    OK(cuMemcpyDtoH(result, buffer, 1 << 20));
    CHECK(result[0] == round && result[(1 << 20) - 1] == round);
    free(result);
  }
  Release(buffer, stream);
}

// A fill of page-locked memory waits, and so does a fill of memory whose operations were made
// synchronous.
static void SynchronousMemset() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUdeviceptr mapped;
  OK(cuMemHostGetDevicePointer(&mapped, data, 0));
  OK(cuMemsetD8(mapped, 5, 4096));
  CHECK(data[0] == 5 && data[4095] == 5);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, stream));
  OK(cuStreamSynchronize(stream));
  unsigned synchronous = 1;
  OK(cuPointerSetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, buffer));
  OK(cuMemsetD8(buffer, 6, 4096));
  OK(cuMemcpyDtoHAsync(data, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(data[0] == 6);
  Release(buffer, data, stream);
}

// A synchronous upload from page-locked memory is complete on return: any stream may use it
// then.
static void SynchronousUploadThenAnotherStream() {
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = NewPinned(4096), *result = NewPinned(4096);
  memset(data, 3, 4096);
  CUdeviceptr buffer = NewMemory(4096);
  OK(cuMemcpyHtoD(buffer, data, 4096));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 3);
  OK(cuMemsetD8Async(buffer, 8, 4096, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 4096));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 8);
  Release(buffer, result, data, stream);
}

int main() {
  Open();
  Polling();
  ContextSynchronize();
  SynchronousCopies();
  SynchronousMemset();
  SynchronousUploadThenAnotherStream();
  Close();
}
