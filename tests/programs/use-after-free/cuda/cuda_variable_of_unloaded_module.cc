// Defect: A variable of a module is downloaded after the module was unloaded.
// Fix: The variable is downloaded before the module is unloaded.
// EXPECT error use-after-free cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY release at UNLOADED
#include "common/cuda.h"

int main() {
  Open();
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  static float data[256];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
#ifndef DEFECT
  OK(cuMemcpyDtoH(data, table, bytes));
#endif
  // @UNLOADED
  OK(cuModuleUnload(module_of_kernels));
  module_of_kernels = nullptr;
#ifdef DEFECT
  // @HERE
  cuMemcpyDtoH(data, table, bytes);
#endif
  Close();
}
