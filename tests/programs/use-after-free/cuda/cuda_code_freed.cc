// Defect input_of_a_condition: A kernel that reads its input where a mask says so gets an input
// that was freed.
// EXPECT warning use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=0
// EXPECT-TEXT a condition of the kernel decides
// EXIT any
// Defect argument: A kernel whose name says nothing of its parameters gets a pointer to freed
// memory.
// EXPECT error use-after-free cuLaunchKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXPECT-FACT argument=1
// MAY sticky-error
// EXIT any
// Defect behind_a_neighbour: A kernel that writes where its mask says so gets a pointer to freed
// memory, which lay directly behind an allocation that still exists.
// EXPECT error use-after-free cuLaunchKernel at HERE_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT-FACT argument=2
// MAY sticky-error
// EXIT any
// Defect behind_its_input: A kernel writes to freed memory, which lay directly behind the
// allocation that the kernel reads.
// EXPECT error use-after-free cuLaunchKernel at HERE_4
// EXPECT-PARTY release at RELEASED_4
// EXPECT-FACT argument=1
// MAY sticky-error
// EXIT any
// Defect pointer_in_a_structure: A structure that is passed by value has a pointer to freed memory,
// through which the kernel writes.
// EXPECT error use-after-free cuLaunchKernel at HERE_5
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_5
// EXPECT-FACT argument=0
// MAY sticky-error
// EXIT any
// Fix: The memory is freed behind the kernel.
#include "common/cuda_machine_code.h"

// Fix: The input is freed behind the launch.
static void InputOfACondition() {
  Open();
  CUfunction masked = CodeKernel(CODE_MASKED);
  CUdeviceptr in;
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&in, 1024));
  CUdeviceptr mask = NewZeros(256), out = NewZeros(1024);
  OK(cuMemsetD8(in, 0, 1024));
#ifdef DEFECT_input_of_a_condition
  // @RELEASED
  OK(cuMemFree(in));
#endif
  void* arguments[] = {&in, &mask, &out};
  // @HERE
  OK(cuLaunchKernel(masked, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT_input_of_a_condition
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(in, out, mask);
}

// Fix: The memory is freed behind the launch.
static void Argument() {
  Open();
  CUfunction copy = CodeKernel(CODE_PLAIN_COPY);
  CUdeviceptr in = NewZeros(1024), out;
  // @CREATED_2
  OK(cuMemAlloc(&out, 8 << 20));
#ifdef DEFECT_argument
  // @RELEASED_2
  OK(cuMemFree(out));
#endif
  void* arguments[] = {&in, &out};
  // @HERE_2
  cuLaunchKernel(copy, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_argument
  OK(cuMemFree(out));
#endif
  cuMemFree(in);
  cuModuleUnload(module_of_kernels);
  module_of_kernels = nullptr;
  cuDevicePrimaryCtxRelease(device);
}

// Fix: The memory is freed after the launch.
static void BehindANeighbour() {
  Open();
  CUfunction masked = CodeKernel(CODE_MASKED);
  const size_t bytes = 2 << 20;
  CUdeviceptr in = NewZeros(4096), mask = NewZeros(1024), blocks[16];
  for (CUdeviceptr& block : blocks) block = NewZeros(bytes);
  // Two neighbours, if the driver made any; otherwise any block.
  int behind = 1;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (blocks[i] + bytes == blocks[j]) behind = j;
    }
  }
  CUdeviceptr out = blocks[behind];
#ifdef DEFECT_behind_a_neighbour
  // @RELEASED_3
  OK(cuMemFree(out));
#endif
  void* arguments[] = {&in, &mask, &out};
  // @HERE_3
  cuLaunchKernel(masked, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_behind_a_neighbour
  OK(cuMemFree(out));
#endif
  for (int i = 0; i < 16; ++i) {
    if (i != behind) cuMemFree(blocks[i]);
  }
  cuMemFree(mask);
  cuMemFree(in);
  cuModuleUnload(module_of_kernels);
  module_of_kernels = nullptr;
  cuDevicePrimaryCtxRelease(device);
}

// Fix: The memory is freed after the launch.
static void BehindItsInput() {
  Open();
  CUfunction copy = CodeKernel(CODE_COPY);
  const size_t bytes = 2 << 20;
  CUdeviceptr blocks[16];
  for (CUdeviceptr& block : blocks) block = NewZeros(bytes);
  // Two neighbours, if the driver made any; otherwise any two blocks.
  int first = 0, behind = 1;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (blocks[i] + bytes == blocks[j]) first = i, behind = j;
    }
  }
  CUdeviceptr in = blocks[first], out = blocks[behind];
#ifdef DEFECT_behind_its_input
  // @RELEASED_4
  OK(cuMemFree(out));
#endif
  void* arguments[] = {&in, &out};
  // @HERE_4
  cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_behind_its_input
  OK(cuMemFree(out));
#endif
  for (int i = 0; i < 16; ++i) {
    if (i != behind) cuMemFree(blocks[i]);
  }
  cuModuleUnload(module_of_kernels);
  module_of_kernels = nullptr;
  cuDevicePrimaryCtxRelease(device);
}

// Fix: The memory is freed behind the launch.
static void PointerInAStructure() {
  Open();
  CUfunction pair = CodeKernel(CODE_PAIR);
  struct {
    int count;
    CUdeviceptr in;
    float gain;
    CUdeviceptr out;
  } arguments = {256, NewZeros(1024), 2, 0};
  // @CREATED_3
  OK(cuMemAlloc(&arguments.out, 8 << 20));
#ifdef DEFECT_pointer_in_a_structure
  // @RELEASED_5
  OK(cuMemFree(arguments.out));
#endif
  void* parameters[] = {&arguments};
  // @HERE_5
  cuLaunchKernel(pair, 1, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT_pointer_in_a_structure
  OK(cuMemFree(arguments.out));
#endif
  cuMemFree(arguments.in);
  cuModuleUnload(module_of_kernels);
  module_of_kernels = nullptr;
  cuDevicePrimaryCtxRelease(device);
}

int main() {
  InputOfACondition();
  Argument();
  BehindANeighbour();
  BehindItsInput();
  PointerInAStructure();
}
