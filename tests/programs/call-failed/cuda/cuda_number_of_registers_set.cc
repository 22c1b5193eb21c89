// Defect: A program sets the number of registers of a function, which is a property of its code.
// Fix: A program reads the number of registers of a function.
// EXPECT warning call-failed cuFuncSetAttribute CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  // @HERE
  cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_NUM_REGS, 32);
#else
  int registers;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, nothing));
#endif
  Close();
}
