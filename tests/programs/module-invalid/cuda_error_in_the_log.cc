// Defect: PTX has an error. The program requests the log of the compiler and does not look at it.
// Fix: The PTX has no error.
// EXPECT error module-invalid cuModuleLoadDataEx CUDA_ERROR_INVALID_PTX at HERE
// EXPECT-TEXT the compiler reports: .*ptxas
// EXPECT-FACT log~ptxas
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { retrun; }\n";
#else
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  static char log[1024];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof(log)};
  CUmodule module;
  // @HERE
  if (cuModuleLoadDataEx(&module, ptx, 2, options, values) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
  Close();
}
