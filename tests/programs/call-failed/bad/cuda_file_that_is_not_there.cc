// A module is loaded from a file that is not there.
// EXPECT warning call-failed cuModuleLoad CUDA_ERROR_FILE_NOT_FOUND at HERE
// EXPECT-TEXT no_such_folder/kernels.cubin
#include "common/cuda.h"

int main() {
  Open();
  const char* path = "no_such_folder/kernels.cubin";
  CUmodule module;
  // @HERE
  cuModuleLoad(&module, path);
  Close();
}
