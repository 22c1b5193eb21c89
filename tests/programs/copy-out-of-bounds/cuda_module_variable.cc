// Defect: An upload to a variable of a module is longer than the variable.
// Fix: An upload to a variable of a module is as long as the variable.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE
// EXPECT-FACT resource_bytes=1024
#include "common/cuda.h"

int main() {
  Open();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP);
  static float data[512];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  CHECK(bytes == 256 * sizeof(float));
#ifdef DEFECT
  bytes = sizeof(data);
#endif
  // @HERE
  cuMemcpyHtoD(table, data, bytes);
  Close();
}
