// Defect: A module is loaded from a file that is not there.
// Fix: A module is loaded from a file.
// EXPECT warning call-failed cuModuleLoad CUDA_ERROR_FILE_NOT_FOUND at HERE
// EXPECT-TEXT no_such_folder/kernels.cubin
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const char* path = "no_such_folder/kernels.cubin";
#else
  const char* path = "kernels.ptx";
  FILE* file = fopen(path, "w");
  CHECK(file != nullptr && fputs(kKernels, file) >= 0 && fclose(file) == 0);
#endif
  CUmodule module;
  // @HERE
  cuModuleLoad(&module, path);
  Close();
}
