// Defect of_a_launch: A kernel is launched with a pointer kept from before the buffer was
// reallocated.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-TEXT _Z3addPKfS0_Pfi|add
// EXPECT-FACT argument=2
// EXIT any
// Defect among_many_launches: A hundred launches in a row, one of which has a pointer kept from
// before the buffer was reallocated.
// EXPECT error use-after-free cuLaunchKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// EXPECT-FACT argument=2
// MAY sticky-error
// EXIT any
// Defect in_a_packed_buffer: A kernel gets its arguments in one buffer, and one of them points to
// freed memory.
// EXPECT error use-after-free cuLaunchKernel at HERE_3
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_3
// EXPECT-FACT argument=1
// EXIT any
// Defect tensor_map: A kernel gets a tensor map that was encoded for memory before it was
// reallocated.
// EXPECT warning use-after-free cuLaunchKernel at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-PARTY release at RELEASED_4
// EXPECT-PARTY encoded at ENCODED
// EXPECT-FACT argument=0
// EXPECT-TEXT is a tensor map of
// EXIT any
// Fix: The kernel gets a pointer to memory that exists.
#include "common/cuda.h"
#include "common/tensor_maps.h"

// Fix: A kernel is launched with the pointer to the new buffer.
static void OfALaunch() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a, b, out;
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&out, 4096));
  OK(cuMemAlloc(&a, 4096));
  OK(cuMemAlloc(&b, 4096));
  OK(cuMemsetD8(a, 0, 4096));
  OK(cuMemsetD8(b, 0, 4096));
  CUdeviceptr bigger;
  OK(cuMemAlloc(&bigger, 4 << 20));
  // @RELEASED
  OK(cuMemFree(out));
#ifdef DEFECT_of_a_launch
  CUdeviceptr kept = out;
#else
  CUdeviceptr kept = bigger;
#endif
  int n = 1;
  void* arguments[] = {&a, &b, &kept, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT_of_a_launch
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(bigger, b, a);
}

// Fix: A hundred launches in a row, all with the pointer to the new buffer.
static void AmongManyLaunches() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr out, bigger;
  // First, so that it is not one past the end of another.
  // @CREATED_2
  OK(cuMemAlloc(&out, 4096));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  OK(cuMemAlloc(&bigger, 4 << 20));
  // @RELEASED_2
  OK(cuMemFree(out));
#ifdef DEFECT_among_many_launches
  CUdeviceptr kept = out;
#else
  CUdeviceptr kept = bigger;
#endif
  for (int i = 0; i < 100; ++i) {
    CUdeviceptr target = i == 37 ? kept : bigger;
    int n = 1;
    void* arguments[] = {&a, &b, &target, &n};
    // @HERE_2
    cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  }
#ifdef DEFECT_among_many_launches
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(bigger, b, a);
}

// Fix: A kernel gets its arguments in one buffer, and all point to live memory.
static void InAPackedBuffer() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  struct {
    CUdeviceptr a, b, out;
    int n;
  } arguments = {};
  // First, so that it is not one past the end of another.
  // @CREATED_3
  OK(cuMemAlloc(&arguments.b, 1 << 20));
  arguments.a = NewZeros(4096);
  arguments.out = NewMemory(4096);
  OK(cuMemsetD8(arguments.b, 0, 1 << 20));
#ifdef DEFECT_in_a_packed_buffer
  // @RELEASED_3
  OK(cuMemFree(arguments.b));
#endif
  arguments.n = 1;
  size_t bytes = 28;
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                    CU_LAUNCH_PARAM_END};
  // @HERE_3
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, packed));
#ifdef DEFECT_in_a_packed_buffer
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(arguments.b, arguments.out, arguments.a);
}

// Fix: The tensor map is encoded again for the new memory.
static void TensorMap() {
  Open();
  CUfunction tiles = TensorKernel("tiles");
  CUdeviceptr memory;
  CUtensorMap map;
  const cuuint64_t size = 1024, stride = 4096;
  const cuuint32_t box = 64, step = 1;
  // @CREATED_4
  OK(cuMemAlloc(&memory, 4096));
  OK(cuMemsetD8(memory, 0, 4096));
  // @ENCODED
  OK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, &size, &stride,
                            &box, &step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  unsigned count = 1;
  void* arguments[] = {&map, &count};
  OK(cuLaunchKernel(tiles, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  const CUdeviceptr larger = NewZeros(8192);
  // @RELEASED_4
  OK(cuMemFree(memory));
#ifndef DEFECT_tensor_map
  map = TensorMapOf(larger, 2048);
#endif
  // @HERE_4
  OK(cuLaunchKernel(tiles, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT_tensor_map
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  OK(cuMemFree(larger));
  Close();
}

int main() {
  OfALaunch();
  AmongManyLaunches();
  InAPackedBuffer();
  TensorMap();
}
