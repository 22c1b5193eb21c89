// Defect: An array has no width, a cooperative launch has too many blocks, and the number of
// registers of a function is set.
// Fix: The arguments are valid, and the program queries the registers.
#include "common/cuda.h"

// Defect: The program creates an array of width 0.
// Fix: The array has one texel.
// EXPECT warning call-failed cuArrayCreate_v2 CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-TEXT correct Width
static void ArrayWithoutWidth() {
#ifdef DEFECT
  const size_t width = 0;
#else
  const size_t width = 1;
#endif
  CUDA_ARRAY_DESCRIPTOR shape = {width, 0, CU_AD_FORMAT_FLOAT, 1};
  CUarray array;
  // @HERE
  if (cuArrayCreate(&array, &shape) == CUDA_SUCCESS) OK(cuArrayDestroy(array));
}

// Defect: More blocks than the device holds at once are launched cooperatively.
// Fix: As many blocks as the device surely holds at once are launched cooperatively.
// EXPECT warning call-failed cuLaunchCooperativeKernel CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE at HERE_2
// EXPECT-TEXT all 1048576 blocks
static void CooperativeLaunchTooLarge() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned blocks = 1 << 20;
#else
  const unsigned blocks = 1;
#endif
  // @HERE_2
  cuLaunchCooperativeKernel(nothing, blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
  OK(cuCtxSynchronize());
}

// Defect: A program sets the number of registers of a function, which is a property of its code.
// Fix: A program reads the number of registers of a function.
// EXPECT warning call-failed cuFuncSetAttribute CUDA_ERROR_INVALID_VALUE at HERE_3
static void NumberOfRegistersSet() {
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  // @HERE_3
  cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_NUM_REGS, 32);
#else
  int registers;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, nothing));
#endif
}

int main() {
  Open();
  ArrayWithoutWidth();
  CooperativeLaunchTooLarge();
  NumberOfRegistersSet();
  Close();
}
