// Memory is allocated and freed in stream order, and behind its last use.
#include "common/cuda.h"

// Memory of the stream-ordered allocator: used in its stream, elsewhere behind an event, freed
// behind all uses, and given
// out again for the next round.
static void OrderedMemory() {
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  for (int round = 0; round < 8; ++round) {
    CUstream allocating = round % 2 ? first : second, using_it = round % 2 ? second : first;
    CUdeviceptr buffer;
    OK(cuMemAllocAsync(&buffer, 4096, allocating));
    OK(cuMemcpyHtoDAsync(buffer, data, 4096, allocating));
    OK(cuEventRecord(event, allocating));
    OK(cuStreamWaitEvent(using_it, event, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, using_it));
    OK(cuMemFreeAsync(buffer, using_it));
    OK(cuStreamSynchronize(using_it));
  }
  CUdeviceptr buffer;
  OK(cuMemAllocAsync(&buffer, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuStreamSynchronize(second));
  Release(buffer, result, data, event, second, first);
}

// Memory of the plain allocator is freed in the order of a stream, behind its last use there; the
// driver takes that.
static void FreeAsyncOfPlainMemory() {
  CUstream first = NewStream(), second = NewStream();
  CUevent used = NewEvent();
  char* result = NewPinned(4096);
  for (int round = 0; round < 4; ++round) {
    CUdeviceptr buffer = NewMemory(4096);
    OK(cuMemsetD8Async(buffer, 4, 4096, first));
    OK(cuEventRecord(used, first));
    OK(cuStreamWaitEvent(second, used, 0));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, second));
    OK(cuMemFreeAsync(buffer, second));
    OK(cuStreamSynchronize(second));
    CHECK(result[4095] == 4);
  }
  Release(result, used, second, first);
}

// Memory is freed behind a wait, allocated anew at perhaps the same address, and used on
// another stream.
static void FreeBehindTheLastUse() {
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(65536), *result = NewPinned(65536);
  for (int round = 0; round < 4; ++round) {
    CUstream stream = round % 2 ? first : second;
    CUdeviceptr buffer = NewMemory(65536);
    OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(buffer));
  }
  Release(result, data, second, first);
}

// Memory in stream order and default streams: the legacy stream frees what blocking streams have
// used, and allocates what they use; the thread's own stream is one of them.
static void OrderedMemoryAndDefaultStreams() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) return;
  CUstream blocking = NewStream(CU_STREAM_DEFAULT), other = NewStream(CU_STREAM_DEFAULT);
  char* result = NewPinned(4096);
  const CUstream streams[] = {blocking, other, CU_STREAM_PER_THREAD};
  for (CUstream stream : streams) {
    CUdeviceptr memory;
    // Allocated in one, freed by the legacy stream behind it.
    OK(cuMemAllocAsync(&memory, 4096, stream));
    OK(cuMemsetD8Async(memory, 1, 4096, stream));
    OK(cuMemFreeAsync(memory, nullptr));
    // Allocated by the legacy stream, used by two, freed by it.
    OK(cuMemAllocAsync(&memory, 4096, CU_STREAM_LEGACY));
    OK(cuMemsetD8Async(memory, 2, 2048, stream));
    OK(cuMemsetD8Async(memory + 2048, 3, 2048, stream == other ? blocking : other));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, CU_STREAM_LEGACY));
    OK(cuMemFreeAsync(memory, CU_STREAM_LEGACY));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    CHECK(result[0] == 2 && result[4095] == 3);
    // Any operation of the legacy stream orders two blocking streams.
    OK(cuMemAllocAsync(&memory, 4096, stream));
    OK(cuMemsetD8Async(memory, 4, 4096, stream));
    OK(cuMemsetD8Async(memory, 5, 1, nullptr));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream == other ? blocking : other));
    OK(cuMemFreeAsync(memory, stream == other ? blocking : other));
    OK(cuCtxSynchronize());
    CHECK(result[0] == 5 && result[4095] == 4);
  }
  Release(result, other, blocking);
}

int main() {
  Open();
  OrderedMemory();
  FreeAsyncOfPlainMemory();
  FreeBehindTheLastUse();
  OrderedMemoryAndDefaultStreams();
  Close();
}
