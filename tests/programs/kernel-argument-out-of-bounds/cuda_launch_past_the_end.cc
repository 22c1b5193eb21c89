// Defect: Launches have more elements, threads or blocks than the buffer.
// Fix: The launch has as many as the buffer.
#include "common/cuda_machine_code.h"

// Defect: A kernel gets a count of elements that is greater than the buffer has.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
// EXPECT-FACT last_byte=4003
static void CountPastTheEnd() {
  CUfunction set = CodeKernel(CODE_SET);
  // The device maps memory in larger pieces, so that the kernel does not fault.
  const CUdeviceptr room = NewMemory(1 << 20);
  const CUdeviceptr data = NewMemory(4000);
#ifdef DEFECT
  int count = 1001;
#else
  int count = 1000;
#endif
  int value = 5;
  void* arguments[] = {(void*)&data, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(data, room);
}

// Defect: A kernel that writes one element for each thread has more threads than the buffer has
// elements.
// Fix: It has as many threads as elements.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_fill
// EXPECT-FACT outside_bytes=96
// EXPECT-FACT launch_size=4 x 1 x 1 blocks of 256 x 1 x 1 threads
static void KernelWritesPastTheEnd() {
  CUfunction fill = CodeKernel(CODE_FILL);
  // The device maps memory in larger pieces, so that the kernel does not fault.
  const CUdeviceptr room = NewMemory(1 << 20);
  const CUdeviceptr data = NewMemory(4000);
  int value = 7;
  void* arguments[] = {(void*)&data, &value};
#ifdef DEFECT
  const unsigned blocks = 4, threads = 256;
#else
  const unsigned blocks = 4, threads = 250;
#endif
  // @HERE_2
  OK(cuLaunchKernel(fill, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(data, room);
}

// Defect: A cooperative kernel has one block more than its data. It writes the data after the grid has synchronized.
// Fix: The grid has as many threads as there are elements.
// EXPECT error kernel-argument-out-of-bounds cuLaunchCooperativeKernel at HERE_3
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=code_rotate
// EXPECT-FACT outside_bytes=1024
static void CooperativeGridTooLarge() {
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0);
  CUfunction rotate = CodeKernel(CODE_ROTATE);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
  OK(cuMemsetD8(data, 0, 4096));
#ifdef DEFECT
  unsigned blocks = 5;
#else
  unsigned blocks = 4;
#endif
  void* arguments[] = {&data};
  // @HERE_3
  OK(cuLaunchCooperativeKernel(rotate, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments));
  OK(cuCtxSynchronize());
  Release(data);
}

int main() {
  Open();
  CountPastTheEnd();
  KernelWritesPastTheEnd();
  CooperativeGridTooLarge();
  Close();
}
