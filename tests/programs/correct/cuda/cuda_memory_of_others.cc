// Memory that gpusan does not see being allocated or written.
#include "common/cuda.h"
#include "common/unhooked.h"

// Memory of all kinds is allocated where nobody looks, as by a library that finds the driver's
// functions by itself, and freed by the program, used before or not.
template <typename Function>
static Function* Unhooked(const char* name) {
  void* symbol = UnhookedSymbol("libcuda.so.1", name);
  NEEDS(symbol != nullptr);
  return (Function*)symbol;
}

static void MemoryAllocatedUnseen() {
  auto* allocate = Unhooked<CUresult(CUdeviceptr*, size_t)>("cuMemAlloc_v2");
  auto* allocate_pinned = Unhooked<CUresult(void**, size_t, unsigned)>("cuMemHostAlloc");
  auto* enroll = Unhooked<CUresult(void*, size_t, unsigned)>("cuMemHostRegister_v2");
  auto* allocate_ordered = Unhooked<CUresult(CUdeviceptr*, size_t, CUstream)>("cuMemAllocAsync");
  auto* release = Unhooked<CUresult(CUdeviceptr)>("cuMemFree_v2");
  CUstream stream = NewStream();
  static char result[4096];
  char* block = (char*)aligned_alloc(4096, 4096);
  for (int round = 0; round < 4; ++round) {
    const bool used = round % 2 != 0;
    CUdeviceptr memory;
    OK(allocate(&memory, 4096));
    if (used) {
      OK(cuMemsetD8(memory, 3, 4096));
      OK(cuMemcpyDtoH(result, memory, 4096));
      CHECK(result[4095] == 3);
    }
    OK(cuMemFree(memory));
    // The address is allocated where nobody looks when a watched call has freed it.
    memory = NewMemory(4096);
    OK(cuMemFree(memory));
    OK(allocate(&memory, 4096));
    OK(cuMemFree(memory));
    // ... and the reverse, and in other pieces.
    memory = NewMemory(8192);
    OK(release(memory));
    OK(allocate(&memory, 4096));
    CUdeviceptr second;
    OK(allocate(&second, 4096));
    OK(cuMemFree(second));
    OK(cuMemFree(memory));
    void* pinned;
    OK(allocate_pinned(&pinned, 4096, 0));
    if (used) {
      CUdeviceptr copy = NewZeros(4096);
      OK(cuMemcpyDtoHAsync(pinned, copy, 4096, stream));
      OK(cuStreamSynchronize(stream));
      OK(cuMemFree(copy));
    }
    OK(cuMemFreeHost(pinned));
    OK(enroll(block, 4096, 0));
    OK(cuMemHostUnregister(block));
    if (!Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)) continue;
    memory = NewMemory(4096);
    OK(cuMemFree(memory));
    OK(allocate_ordered(&memory, 4096, stream));
    if (used) OK(cuMemsetD8Async(memory, 3, 4096, stream));
    OK(cuMemFreeAsync(memory, stream));
    OK(cuStreamSynchronize(stream));
    OK(allocate_ordered(&memory, 4096, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemFree(memory));
  }
  free(block);
  Release(stream);
}

// Memory that another device fills, a network card: the driver is only told that it has to be
// careful with copies of it. Nobody sees it being written.
static void MemoryForOtherDevices() {
  static char result[4096];
  CUdeviceptr memory = NewMemory(4096);
  unsigned careful = 1;
  OK(cuPointerSetAttribute(&careful, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  OK(cuMemcpyDtoH(result, memory, 4096));
  Release(memory);
}

int main() {
  Open();
  MemoryAllocatedUnseen();
  MemoryForOtherDevices();
  Close();
}
