// Copies and kernels tell the host through memory what is done, and the host uses the same memory
// then.
#include <unistd.h>

#include "common/cuda.h"

// A small copy into page-locked memory tells the host that everything before it in its stream is
// done. The host polls the word, and then uses the data on another stream, on the host, and frees
// page-locked memory, without a wait of the API.
static void WaitFor(volatile int* flag, int value) {
  while (*flag != value) usleep(1000);
}

static void CopiesSignalTheHost() {
  CUstream work = NewStream(), other = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  volatile int* flag = (volatile int*)NewPinned(64);
  CUdeviceptr buffer = NewMemory(4096), word = NewMemory(4);
  memset(data, 3, 4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, work));
  OK(cuMemsetD32Async(word, 7, 1, work));
  OK(cuMemcpyDtoHAsync((void*)flag, word, 4, work));
  WaitFor(flag, 7);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuStreamSynchronize(other));
  CHECK(result[4095] == 3);
  OK(cuMemFreeHost(data));
  // Round trips that the host counts by a word that the stream sets in host memory.
  for (int turn = 8; turn < 12; ++turn) {
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, work));
    OK(cuMemsetD32Async((CUdeviceptr)flag, turn, 1, work));
    WaitFor(flag, turn);
    OK(cuMemcpyHtoDAsync(buffer, result, 4096, other));
    OK(cuStreamSynchronize(other));
  }
  OK(cuStreamSynchronize(work));
  OK(cuMemFree(buffer));
  OK(cuMemFree(word));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost((void*)flag));
  Release(other, work);
}

// A kernel tells the host through mapped memory that it runs, and what it has read. The host then
// uses the same memory on another stream, and frees page-locked memory, without a wait of the API.
static void KernelSignalsTheHost() {
  CUfunction fill = Kernel(KERNEL_FILL), copy = Kernel(KERNEL_COPY);
  CUstream work = NewStream(), talk = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  volatile int* flag = (volatile int*)NewPinned(4096);
  float* mapped = (float*)NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096), in = NewZeros(4096);
  CUdeviceptr signal = (CUdeviceptr)flag, out = (CUdeviceptr)mapped;
  memset(data, 3, 4096);
  // The kernel begins after the upload is complete.
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, work));
  int value = 7;
  void* signals[] = {&signal, &value};
  OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, work, signals, nullptr));
  WaitFor(flag, 7);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, talk));
  OK(cuMemFreeHost(data));
  OK(cuStreamSynchronize(talk));
  CHECK(result[4095] == 3);
  // The kernel has read its input when its output is in host memory.
  OK(cuStreamSynchronize(work));
  for (int i = 0; i < 1024; ++i) mapped[i] = 5;
  void* copied[] = {&in, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, work, copied, nullptr));
  WaitFor((volatile int*)mapped, 0);
  OK(cuMemsetD8Async(in, 1, 4096, talk));
  OK(cuStreamSynchronize(talk));
  OK(cuStreamSynchronize(work));
  OK(cuMemFree(in));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(mapped));
  OK(cuMemFreeHost((void*)flag));
  Release(result, talk, work);
}

// A kernel is stopped by a flag that is written while it runs, by a copy, a fill and a value
// of a stream, and its progress is read while it runs: words that both touch on purpose.
static void FlagsOfRunningKernels() {
  CUfunction count = Kernel(KERNEL_COUNT);
  CUstream work = NewStream(), talk = NewStream();
  // Of a control block, and words of their own.
  CUdeviceptr block = NewZeros(4096), flag = NewZeros(4), progress = NewZeros(4);
  unsigned *seen = (unsigned*)NewPinned(8), *stop = (unsigned*)NewPinned(8);
  *stop = 1;
  const CUdeviceptr words[] = {block, flag, progress};
  for (CUdeviceptr word : words) {
    for (int round = 0; round < 3; ++round) {
      void* arguments[] = {&word};
      OK(cuLaunchKernel(count, 1, 1, 1, 8, 1, 1, 0, work, arguments, nullptr));
      OK(cuMemcpyDtoHAsync(seen, word, 4, talk));
      OK(cuLaunchKernel(count, 1, 1, 1, 8, 1, 1, 0, work, arguments, nullptr));
      OK(cuStreamSynchronize(talk));
      CHECK(*seen <= 16);
      OK(cuMemcpyHtoDAsync(word, stop, 4, talk));
      OK(cuMemsetD32Async(word, 1, 1, talk));
      OK(cuStreamSynchronize(talk));
      OK(cuStreamWriteValue32(talk, word, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
      OK(cuStreamSynchronize(talk));
      OK(cuStreamSynchronize(work));
      OK(cuMemsetD32(word, 0, 1));
      OK(cuCtxSynchronize());
    }
  }
  Release(stop, seen, progress, flag, block, talk, work);
}

// A kernel writes to mapped memory when it has read its input. The host then takes the addresses of the input away by
// cuMemUnmap, without a wait of the API.
static void UnmapAfterASignal() {
  CUfunction copy = Kernel(KERNEL_COPY);
  CUstream stream = NewStream();
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t bytes;
  OK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  float* mapped = (float*)NewPinned(4096);
  mapped[0] = 5;
  CUmemGenericAllocationHandle memory;
  CUdeviceptr range, out = (CUdeviceptr)mapped;
  OK(cuMemCreate(&memory, bytes, &properties, 0));
  OK(cuMemAddressReserve(&range, bytes, 0, 0, 0));
  OK(cuMemMap(range, bytes, 0, memory, 0));
  OK(cuMemSetAccess(range, bytes, &access, 1));
  OK(cuMemsetD8Async(range, 0, bytes, stream));
  void* arguments[] = {&range, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  while (*(volatile float*)mapped != 0) usleep(1000);
  OK(cuMemUnmap(range, bytes));
  OK(cuStreamSynchronize(stream));
  OK(cuMemRelease(memory));
  OK(cuMemAddressFree(range, bytes));
  Release(mapped, stream);
}

int main() {
  Open();
  CopiesSignalTheHost();
  KernelSignalsTheHost();
  FlagsOfRunningKernels();
  UnmapAfterASignal();
  Close();
}
