// An upload to a variable of a module is as long as the variable.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP);
  static float data[512];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  CHECK(bytes == 256 * sizeof(float));
  cuMemcpyHtoD(table, data, bytes);
  Close();
}
