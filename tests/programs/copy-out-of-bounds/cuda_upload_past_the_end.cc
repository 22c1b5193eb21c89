// Defect: Uploads are longer than their allocation, and than a variable of a module.
// Fix: The uploads are as long as the memory.
#include "common/cuda.h"

// Defect: A device allocation is too short for the upload: the size was computed in another way.
// Fix: A device allocation is as long as the upload.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=15360
static void Upload() {
  enum { n = 4096 };
  static float data[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, bytes));
  // @HERE
  cuMemcpyHtoD(buffer, data, n * sizeof(float));
  Release(buffer);
}

// Defect: An upload to a variable of a module is longer than the variable.
// Fix: An upload to a variable of a module is as long as the variable.
// EXPECT error copy-out-of-bounds cuMemcpyHtoD_v2 at HERE_2
// EXPECT-FACT resource_bytes=1024
static void ModuleVariable() {
  Kernel(KERNEL_LOOK_UP);  // loads the module
  static float data[512];
  CUdeviceptr table;
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  CHECK(bytes == 256 * sizeof(float));
#ifdef DEFECT
  bytes = sizeof(data);
#endif
  // @HERE_2
  cuMemcpyHtoD(table, data, bytes);
}

int main() {
  Open();
  Upload();
  ModuleVariable();
  Close();
}
