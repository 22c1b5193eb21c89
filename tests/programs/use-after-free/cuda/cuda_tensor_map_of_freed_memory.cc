// Defect: A kernel gets a tensor map that was encoded for memory before it was reallocated.
// Fix: The tensor map is encoded again for the new memory.
// EXPECT warning use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY encoded at ENCODED
// EXPECT-FACT argument=0
// EXPECT-TEXT is a tensor map of
// EXIT any
#include "common/tensor_maps.h"

int main() {
  Open();
  CUfunction tiles = TensorKernel("tiles");
  CUdeviceptr memory;
  CUtensorMap map;
  const cuuint64_t size = 1024, stride = 4096;
  const cuuint32_t box = 64, step = 1;
  // @CREATED
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
  // @RELEASED
  OK(cuMemFree(memory));
#ifndef DEFECT
  map = TensorMapOf(larger, 2048);
#endif
  // @HERE
  OK(cuLaunchKernel(tiles, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  OK(cuMemFree(larger));
  Close();
}
