// Defect buffer: A kernel writes the element directly behind its buffer. The index is an argument
// of the launch.
// EXIT any
// EXPECT error guard-overwritten cuCtxSynchronize at WAIT
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=4
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT resource_bytes=4000
// EXPECT-FACT values=01000000
// Defect ordered_memory: A kernel writes 8 bytes behind memory that is allocated and freed in
// stream order.
// EXIT any
// EXPECT error guard-overwritten cuMemFreeAsync at FREE
// EXPECT-PARTY allocation at CREATE_2
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=4
// EXPECT-FACT nearest_bytes=8
// Defect page_locked_memory: A kernel writes behind page-locked memory of the host.
// EXIT any
// EXPECT error guard-overwritten cuMemFreeHost at FREE_2
// EXPECT-PARTY allocation at CREATE_3
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=4
// EXPECT-FACT changed_bytes=4
// Defect pitched_rows: A kernel writes into a row that the pitched allocation does not have.
// EXIT any
// EXPECT error guard-overwritten cuStreamSynchronize at WAIT_2
// EXPECT-PARTY allocation at CREATE_4
// EXPECT-PARTY likely-writer at LAUNCH_2
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT changed_bytes=4
// Fix: The kernel writes up to the end of the memory.
// OPTION --guard
// OPTION --kernel-analysis=false
#include "common/cuda.h"

// Fix: It writes the last element.
static void OneElementBehind() {
  CUfunction poke = Kernel(KERNEL_POKE);
  CUdeviceptr data;
  // @CREATE
  OK(cuMemAlloc(&data, 4000));
#ifdef DEFECT_buffer
  long long index = 1000;
#else
  long long index = 999;
#endif
  void* arguments[] = {&data, &index};
  // @LAUNCH
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  // @WAIT
  OK(cuCtxSynchronize());
  Release(data);
}

// Fix: It writes inside of the memory.
static void OrderedMemory() {
  CUfunction poke = Kernel(KERNEL_POKE);
  CUstream stream = NewStream();
  CUdeviceptr data;
  // @CREATE_2
  OK(cuMemAllocAsync(&data, 400, stream));
#ifdef DEFECT_ordered_memory
  long long index = 102;
#else
  long long index = 2;
#endif
  void* arguments[] = {&data, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  // @FREE
  OK(cuMemFreeAsync(data, stream));
  OK(cuStreamSynchronize(stream));
  Release(stream);
}

// Fix: It writes inside of the memory.
static void PageLockedMemory() {
  CUfunction poke = Kernel(KERNEL_POKE);
  CUevent done = NewEvent();
  void* block;
  // @CREATE_3
  OK(cuMemHostAlloc(&block, 400, 0));
#ifdef DEFECT_page_locked_memory
  long long index = 101;
#else
  long long index = 99;
#endif
  CUdeviceptr data;
  OK(cuMemHostGetDevicePointer(&data, block, 0));
  void* arguments[] = {&data, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuEventRecord(done, nullptr));
  OK(cuEventSynchronize(done));
  OK(cuEventDestroy(done));
  // @FREE_2
  OK(cuMemFreeHost(block));
}

// Fix: It writes into the last row.
static void PitchedRows() {
  CUfunction poke = Kernel(KERNEL_POKE);
  CUstream stream = NewStream();
  CUdeviceptr rows;
  size_t pitch;
  // @CREATE_4
  OK(cuMemAllocPitch(&rows, &pitch, 200, 10, 4));
#ifdef DEFECT_pitched_rows
  long long row = 10;
#else
  long long row = 9;
#endif
  long long index = row * static_cast<long long>(pitch) / 4;
  void* arguments[] = {&rows, &index};
  // @LAUNCH_2
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  // @WAIT_2
  OK(cuStreamSynchronize(stream));
  Release(rows, stream);
}

int main() {
  Open();
  OneElementBehind();
  OrderedMemory();
  PageLockedMemory();
  PitchedRows();
  Close();
}
