// Page-locked and registered memory of the host.
#include <sys/mman.h>
#include <unistd.h>

#include "common/cuda.h"

// A host block is registered, used by copies and as mapped memory, unregistered and freed.
static void RegisteredMemory() {
  CUstream stream = NewStream();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUdeviceptr buffer = NewMemory(65536);
  for (int round = 0; round < 3; ++round) {
    float* data = (float*)malloc(65536);
    for (int i = 0; i < 16384; ++i) data[i] = i;
    OK(cuMemHostRegister(data, 65536, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
    CUdeviceptr mapped;
    OK(cuMemHostGetDevicePointer(&mapped, data, 0));
    void* arguments[] = {&mapped};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuStreamSynchronize(stream));
    CHECK(data[1023] == 2046);
    OK(cuMemHostUnregister(data));
    free(data);
  }
  Release(buffer, stream);
}

// Pinned memory goes by its host address, by its device address, and by addresses inside of both.
static void NamesOfPinnedMemory() {
  CUstream stream = NewStream();
  CUfunction twice = Kernel(KERNEL_TWICE);
  void* host;
  OK(cuMemHostAlloc(&host, 8192, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  float* data = (float*)host;
  for (int i = 0; i < 2048; ++i) data[i] = (float)i;
  CUdeviceptr alias, inner;
  OK(cuMemHostGetDevicePointer(&alias, host, 0));
  OK(cuMemHostGetDevicePointer(&inner, data + 1024, 0));
  CHECK(inner == alias + 4096);
  CUdeviceptr device_memory = NewMemory(8192);
  OK(cuMemcpyHtoDAsync(device_memory, data + 1024, 4096, stream));
  OK(cuMemcpyDtoDAsync(device_memory + 4096, alias, 4096, stream));
  void* arguments[] = {&device_memory};
  OK(cuLaunchKernel(twice, 8, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(data, device_memory, 4096, stream));
  OK(cuMemcpyAsync(inner, device_memory + 4096, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(data[0] == 2048 && data[1024] == 0 && data[2047] == 2046);
  void* on_host[] = {&inner};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, on_host, nullptr));
  OK(cuStreamSynchronize(stream));
  CHECK(data[2047] == 4092);
  OK(cuMemsetD8(alias, 0, 4096));
  CHECK(data[0] == 0);
  OK(cuMemFree(device_memory));
  OK(cuMemFreeHost(host));

  // A part of a block is registered; the rest stays as it is.
  char* block = (char*)aligned_alloc(4096, 3 * 4096);
  memset(block, 9, 3 * 4096);
  OK(cuMemHostRegister(block + 4096, 4096, CU_MEMHOSTREGISTER_PORTABLE));
  device_memory = NewMemory(3 * 4096);
  OK(cuMemcpyHtoDAsync(device_memory + 4096, block + 4096, 4096, stream));
  OK(cuMemcpyHtoD(device_memory, block, 4096));
  OK(cuMemcpyHtoD(device_memory + 2 * 4096, block + 2 * 4096, 4096));
  OK(cuStreamSynchronize(stream));
  OK(cuMemHostUnregister(block + 4096));
  memset(block, 0, 3 * 4096);
  OK(cuMemcpyDtoH(block, device_memory, 3 * 4096));
  CHECK(block[0] == 9 && block[3 * 4096 - 1] == 9);
  free(block);
  Release(device_memory, stream);
}

// Memory of the host that comes in pieces: neighbours that were mapped one by one, a mapping that
// grew and moved, one that was cut, a part of it registered, the same bytes under two addresses.
static char* Map(char* at, size_t bytes) {
  void* made = mmap(at, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | (at != nullptr ? MAP_FIXED : 0), -1, 0);
  CHECK(made != MAP_FAILED);
  return (char*)made;
}

static void HostMemoryInPieces() {
  const size_t page = 65536;  // of any machine
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewZeros(4 * page);
  // Two mappings side by side are one range.
  char* pieces = Map(nullptr, 4 * page);
  Map(pieces + page, page);
  Map(pieces + 2 * page, page);
  OK(cuMemcpyHtoD(buffer, pieces, 4 * page));
  OK(cuMemcpyDtoH(pieces + page / 2, buffer, 2 * page));
  OK(cuMemcpyHtoDAsync(buffer, pieces + 1, 3 * page, stream));
  OK(cuStreamSynchronize(stream));
  // Cut in the middle: what is left on both sides serves on.
  CHECK(munmap(pieces + page, page) == 0);
  OK(cuMemcpyDtoH(pieces, buffer, page));
  OK(cuMemcpyDtoH(pieces + 2 * page, buffer, 2 * page));
  // The hole is filled again.
  Map(pieces + page, page);
  OK(cuMemcpyDtoH(pieces, buffer, 4 * page));
  // A part is registered, and the rest goes away meanwhile.
  OK(cuMemHostRegister(pieces + page, page, 0));
  OK(cuMemcpyDtoHAsync(pieces + page, buffer, page, stream));
  CHECK(munmap(pieces, page) == 0);
  CHECK(munmap(pieces + 2 * page, 2 * page) == 0);
  OK(cuStreamSynchronize(stream));
  OK(cuMemHostUnregister(pieces + page));
  CHECK(munmap(pieces + page, page) == 0);
  // Grown, and moved by that as may be.
  char* grown = Map(nullptr, page);
  grown = (char*)mremap(grown, page, 4 * page, MREMAP_MAYMOVE);
  CHECK(grown != MAP_FAILED);
  OK(cuMemcpyDtoH(grown, buffer, 4 * page));
  grown = (char*)mremap(grown, 4 * page, 2 * page, 0);
  OK(cuMemcpyDtoH(grown, buffer, 2 * page));
  CHECK(munmap(grown, 2 * page) == 0);
  // A block that grew in place or moved.
  char* block = (char*)malloc(page);
  block = (char*)realloc(block, 4 * page);
  OK(cuMemcpyDtoH(block, buffer, 4 * page));
  block = (char*)realloc(block, 2 * page);
  OK(cuMemcpyHtoD(buffer, block, 2 * page));
  // Parts of one block are registered one after the other and at once.
  char* parts = (char*)aligned_alloc(page, 4 * page);
  OK(cuMemHostRegister(parts, page, 0));
  OK(cuMemHostRegister(parts + 2 * page, page, 0));
  OK(cuMemcpyDtoHAsync(parts, buffer, page, stream));
  OK(cuMemcpyDtoHAsync(parts + 2 * page, buffer, page, stream));
  memset(parts + page, 1, page);
  OK(cuStreamSynchronize(stream));
  OK(cuMemHostUnregister(parts));
  OK(cuMemHostUnregister(parts + 2 * page));
  OK(cuMemHostRegister(parts, 4 * page, 0));
  OK(cuMemcpyHtoDAsync(buffer, parts, 4 * page, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemHostUnregister(parts));
  free(parts);
  free(block);
  // Memory of a file under two addresses.
  int file = memfd_create("shared", 0);
  CHECK(file >= 0 && ftruncate(file, 2 * page) == 0);
  char* one = (char*)mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char* two = (char*)mmap(nullptr, page, PROT_READ, MAP_SHARED, file, page);
  close(file);
  OK(cuMemsetD8(buffer, 9, page));
  OK(cuMemcpyDtoH(one + page, buffer, page));
  CHECK(two[page - 1] == 9);
  OK(cuMemcpyHtoD(buffer, two, page));
  CHECK(munmap(one, 2 * page) == 0 && munmap(two, page) == 0);
  Release(buffer, stream);
}

int main() {
  Open();
  RegisteredMemory();
  NamesOfPinnedMemory();
  HostMemoryInPieces();
  Close();
}
