// Defect: Modules of PTX are for a newer device and a newer driver, and have errors.
// Fix: The PTX is correct, and for the device and the driver.
#include "common/cuda.h"

// Defect: A module of PTX whose target is newer than the device.
// Fix: A module of PTX whose target the device fulfils.
// EXPECT error module-invalid cuModuleLoadData at HERE
// EXPECT-TEXT sm_121
static void PtxForANewerDevice() {
#ifdef DEFECT
  const char* ptx =
      ".version 8.8\n.target sm_121\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#else
  const char* ptx =
      ".version 8.8\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

// Defect: A module of a PTX version that is newer than the driver.
// Fix: A module of a PTX version that the driver knows.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_UNSUPPORTED_PTX_VERSION at HERE_2
// EXPECT-TEXT 99.9
static void PtxTooNew() {
#ifdef DEFECT
  const char* ptx =
      ".version 99.9\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#else
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE_2
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

// Defect: A module of PTX with an unknown instruction.
// Fix: A module of PTX without mistakes.
// EXPECT error module-invalid cuModuleLoadData CUDA_ERROR_INVALID_PTX at HERE_3
static void PtxWithAnError() {
#ifdef DEFECT
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { retrun; }\n";
#else
  const char* ptx =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
#endif
  CUmodule module;
  // @HERE_3
  if (cuModuleLoadData(&module, ptx) == CUDA_SUCCESS) OK(cuModuleUnload(module));
}

// Defect: PTX has an error. The program requests the log of the compiler and does not look at it.
// Fix: The PTX has no error.
// EXPECT error module-invalid cuModuleLoadDataEx CUDA_ERROR_INVALID_PTX at HERE_4
// EXPECT-TEXT the compiler reports: .*ptxas
// EXPECT-FACT log~ptxas
static void ErrorInTheLog() {
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
  // @HERE_4
  if (cuModuleLoadDataEx(&module, ptx, 2, options, values) == CUDA_SUCCESS)
    OK(cuModuleUnload(module));
}

int main() {
  Open();
  PtxForANewerDevice();
  PtxTooNew();
  PtxWithAnError();
  ErrorInTheLog();
  Close();
}
